/** Buying seats: the package, how many, what it comes to, how it is paid. */
import { yuan } from '@hengxi/contracts/price';
import type { Enterprise } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, InputNumber, Radio, Segmented } from 'antd';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../../lib/api.ts';
import { formatDay } from '../../../lib/format-size.ts';
import styles from '../enterprise.module.css';
import { orderSeats, packagesQuery, quote, reload } from '../queries.ts';
import { packWords } from '../words.ts';

/** The cashier's page, which leads back here. */
export const payPath = (eid: number, orderNo: string): string =>
  `/member/pay?order_no=${orderNo}&back=${encodeURIComponent(`/enterprise/${eid}?tab=orders`)}`;

type Plan = 'new' | 'more' | 'renewal';

export function Buy({ enterprise, onTransfer }: { enterprise: Enterprise; onTransfer: (orderNo: string) => void }) {
  const { id: eid, state, seats: present } = enterprise;
  const id = useId();
  const isRunning = state === 'active';
  const [plan, setPlan] = useState<Plan>(
    isRunning ? 'more' : state === 'pending' || state === 'trial' ? 'new' : 'renewal',
  );
  const [seats, setSeats] = useState<number | null>(plan === 'more' ? 1 : Math.max(3, present));
  const [qr, setQr] = useState<1 | 4>(1);
  const navigate = useNavigate();
  const packages = useQuery(packagesQuery);
  const [picked, setPicked] = useState<number | null>(null);
  const list = packages.data?.list ?? [];
  const pack = list.find((one) => one.id === picked) ?? list[0];
  const body = { plan, seats: seats ?? 0, qr, ...(pack ? { subscription_id: pack.id } : {}) } as const;
  const price = useQuery({
    queryKey: ['enterprise', eid, 'quote', plan, seats, pack?.id],
    queryFn: ({ signal }) => quote(eid, body, signal),
    enabled: seats !== null && seats > 0 && pack !== undefined,
    retry: false,
    staleTime: 30_000,
  });
  const order = useMutation({
    mutationFn: () => orderSeats(eid, body),
    onSuccess: async (order) => {
      await reload(eid);
      if (qr === 4) onTransfer(order.order.order_no);
      else if (order.order.state !== 'paid') await navigate(payPath(eid, order.order.order_no));
    },
  });
  const plans = [
    ...(isRunning ? [{ value: 'more' as const, label: '增加席位' }] : [{ value: 'new' as const, label: '购买席位' }]),
    { value: 'renewal' as const, label: '续费' },
  ];
  return (
    <section className={styles['section']} aria-labelledby="orders-buy">
      <h2 id="orders-buy">购买席位</h2>
      <div className={styles['form']}>
        <Segmented<Plan>
          aria-label="购买方式"
          style={{ justifySelf: 'start' }}
          options={plans}
          value={plan}
          onChange={(value) => {
            setPlan(value);
            setSeats(value === 'more' ? 1 : Math.max(3, present));
          }}
        />
        {packages.data && list.length === 0 ? <p className={styles['fault']}>暂无在售的席位套餐，请联系客服</p> : null}
        {list.length > 1 ? (
          <Radio.Group
            aria-label="席位套餐"
            value={pack?.id ?? null}
            onChange={(event) => setPicked(event.target.value as number)}
            options={list.map((one) => ({ value: one.id, label: packWords(one) }))}
          />
        ) : pack ? (
          <p className={styles['quiet']}>{packWords(pack)}</p>
        ) : null}
        <label className={styles['label']} htmlFor={`${id}-seats`}>
          <span>{plan === 'more' ? '增加的席位' : '席位数（3–2000）'}</span>
          <InputNumber
            id={`${id}-seats`}
            min={plan === 'more' ? 1 : 3}
            max={2000}
            precision={0}
            value={seats}
            onChange={setSeats}
          />
        </label>
        <Radio.Group
          aria-label="支付方式"
          value={qr}
          onChange={(event) => setQr(event.target.value as 1 | 4)}
          options={[
            { value: 1, label: '扫码支付' },
            { value: 4, label: '对公转账' },
          ]}
        />
        <div aria-live="polite">
          {price.data ? (
            <>
              <p className={styles['total']}>应付 ¥{yuan(price.data.total)}</p>
              <p className={styles['quiet']}>
                {formatDay(price.data.from_at)} 至 {formatDay(price.data.to_at)}（{price.data.days} 天）
                {plan === 'more' ? '，按本期剩余天数计价' : ''}
              </p>
            </>
          ) : null}
          {price.error ? <p className={styles['fault']}>{errorText(price.error)}</p> : null}
        </div>
        <div className={styles['acts']}>
          <Button type="primary" disabled={!price.data} loading={order.isPending} onClick={() => order.mutate()}>
            下单
          </Button>
          <span className={styles['quiet']}>席位不使用优惠码；减少席位自下一期起生效。</span>
        </div>
      </div>
    </section>
  );
}
