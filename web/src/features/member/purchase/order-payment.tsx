/** Paying an order that was made before: a new picture for it, at a click or a change of the app. */
import type { Order, PaymentState, PayMethod } from '@hengxi/server/orders/schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { methodsQuery, newQr } from '../queries.ts';
import { PayBox } from './pay-box.tsx';
import styles from './purchase.module.css';
import { monotonic, secondsLeft, useNow, usePolling } from './use-payment.ts';

export function OrderPayment({ order, onPaid }: { order: Order; onPaid: (state: PaymentState) => void }) {
  const [method, setMethod] = useState<PayMethod>(order.method);
  const methods = useQuery(methodsQuery);
  const now = useNow(monotonic);
  const qr = useQuery({
    queryKey: ['orders', order.order_no, 'qr', method],
    queryFn: async () => {
      const made = await newQr(order.order_no, method);
      return { ...made, until: monotonic() + made.timeout * 1000 };
    },
    // A picture is good once and for its own time only.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  usePolling({ order }, method, onPaid);
  return (
    <div className={styles['panel']}>
      <h2>{order.subscription.title}</h2>
      <p className={styles['quiet']}>
        订单号 {order.order_no}　·　数量 {order.quantity}
      </p>
      <PayBox
        total={order.total_fee}
        account={null}
        qrcode={qr.data?.qrcode ?? null}
        left={qr.data ? Math.min(qr.data.timeout, secondsLeft(qr.data.until, now)) : 0}
        isWorking={qr.isFetching}
        fault={qr.error ? errorText(qr.error) : null}
        isFree={false}
        methods={methods.data?.methods ?? []}
        method={method}
        sandbox={methods.data?.sandbox === true}
        link={qr.data?.code_url ?? null}
        onMethod={setMethod}
        onRefresh={() => void qr.refetch()}
        onFree={() => undefined}
      />
    </div>
  );
}
