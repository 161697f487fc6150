/** /member/pay?subscription_id&quantity or ?order_no: the cashier as a page, for any kind of package. */
import type { Package } from '@hengxi/server/membership/schema';
import type { Order, PaymentState } from '@hengxi/server/orders/schema';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { reloadMe } from '../../lib/me.ts';
import { queryClient } from '../../lib/query-client.ts';
import { safeNext } from '../../lib/sign-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './pay-page.module.css';
import { OrderPayment } from './purchase/order-payment.tsx';
import { PaidPanel } from './purchase/paid-panel.tsx';
import { PurchasePanel } from './purchase/purchase-panel.tsx';
import { TransferDialog } from './purchase/transfer-dialog.tsx';
import { money, orderQuery, packagesQuery } from './queries.ts';

const KINDS = ['vip', 'edu', 'combo', 'point'] as const;

export function PayPage() {
  const [params] = useSearchParams();
  const [paid, setPaid] = useState<PaymentState | null>(null);
  const navigate = useNavigate();
  const onPaid = useCallback((state: PaymentState) => {
    setPaid(state);
    void reloadMe();
    for (const key of ['orders', 'points', 'membership']) void queryClient.invalidateQueries({ queryKey: [key] });
  }, []);
  // Orders made elsewhere (seats) lead back there; own paths only.
  const back = safeNext(params.get('back'));
  const order_no = params.get('order_no');
  const id = Number(params.get('subscription_id')) || null;
  const quantity = Number(params.get('quantity') ?? 1);
  return (
    <div className={styles['page']}>
      <PageTitle title="支付订单" />
      <div className={styles['sheet']}>
        {paid !== null ? (
          <PaidPanel
            state={paid}
            act={back === null ? '查看会员与订单' : '返回'}
            onDone={() => void navigate(back ?? '/member?type=2')}
          />
        ) : order_no !== null ? (
          <Open order_no={order_no} onPaid={onPaid} />
        ) : (
          <Fresh id={id} quantity={quantity} onPaid={onPaid} />
        )}
      </div>
    </div>
  );
}

function Choose() {
  const navigate = useNavigate();
  return (
    <Button type="primary" onClick={() => void navigate('/member/package')}>
      查看套餐
    </Button>
  );
}

function Open({ order_no, onPaid }: { order_no: string; onPaid: (state: PaymentState) => void }) {
  const order = useQuery(orderQuery(order_no));
  if (order.isPending) return <ListSkeleton rows={4} />;
  if (order.isLoadingError) return <p role="alert">{errorText(order.error)}</p>;
  if (order.data === null)
    return <EmptyState heading title="没有找到这个订单" hint="它可能不属于当前账号。" actions={<Choose />} />;
  if (!order.data.can.pay) return <Over order={order.data} />;
  // Money from a bank is sent by hand: there is nothing to scan.
  if (order.data.method === 4) return <Transfer order={order.data} />;
  return <OrderPayment order={order.data} onPaid={onPaid} />;
}

/** Nothing is to be paid any more. */
function Over({ order }: { order: Order }) {
  const navigate = useNavigate();
  const isPaid = order.state === 'paid' || order.state === 'refunded';
  return (
    <EmptyState
      heading
      title={isPaid ? '订单已支付' : '订单已关闭'}
      hint={
        isPaid
          ? `${order.subscription.title}，无需再次付款。`
          : '超过支付时间或已取消的订单不能再支付，请重新选择套餐。'
      }
      actions={
        <>
          {isPaid ? null : <Choose />}
          <Button onClick={() => void navigate('/member?type=2')}>查看订单</Button>
        </>
      }
    />
  );
}

function Transfer({ order }: { order: Order }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  return (
    <>
      <EmptyState
        heading
        title="这个订单选择了对公转账"
        hint={`${order.subscription.title}，应付 ¥${money(order.total_fee)}。按转账信息汇款后上传凭证，核对到账即生效。`}
        actions={
          <>
            <Button type="primary" onClick={() => setOpen(true)}>
              转账信息
            </Button>
            <Button onClick={() => void navigate('/member?type=2')}>查看订单</Button>
          </>
        }
      />
      {open ? <TransferDialog order_no={order.order_no} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface FreshProps {
  id: number | null;
  quantity: number;
  onPaid: (state: PaymentState) => void;
}

/** The package's own kind is shown, so that one can still change one's mind. */
function Fresh({ id, quantity, onPaid }: FreshProps) {
  const lists = useQueries({ queries: KINDS.map((kind) => packagesQuery(kind)) });
  const failed = lists.find((list) => list.isLoadingError);
  if (lists.some((list) => list.isPending)) return <ListSkeleton rows={6} />;
  const packages: Package[] = lists.flatMap((list) => list.data?.list ?? []);
  const offer = packages.find((candidate) => candidate.id === id);
  if (offer === undefined && failed) return <p role="alert">获取套餐列表失败：{errorText(failed.error)}</p>;
  if (offer === undefined) return <EmptyState heading title="该套餐已下架，请重新选择" actions={<Choose />} />;
  return (
    <PurchasePanel
      packages={packages.filter(({ kind }) => kind === offer.kind)}
      buy={offer.kind === 'edu' ? 3 : offer.kind === 'point' ? null : 1}
      first={offer.id}
      quantity={quantity}
      onPaid={onPaid}
    />
  );
}
