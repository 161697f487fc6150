/** 我的兑换: what was got for credits, until when it is good, and giving it back. */
import { integer } from '@hengxi/contracts/format';
import type { MallOrder } from '@hengxi/server/mall/schema';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Pagination } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { formatInstant } from '../../lib/format-size.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Codes } from './codes.tsx';
import styles from './credits.module.css';
import { exchangesQuery, ORDERS_PAGE, refreshCredits, refundExchange } from './queries.ts';
import { gotText, ORDER_STATES } from './words.ts';

export function ExchangesTab() {
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<MallOrder | null>(null);
  const orders = useQuery({ ...exchangesQuery(page), placeholderData: keepPreviousData });
  const refund = useMutation({
    mutationFn: (order: MallOrder) => refundExchange(order.order_no),
    onSuccess: ({ amount }) => toast.done(`已退回 ${integer(amount)} 积分`),
    // Refused or done, what is shown may have changed.
    onSettled: async () => {
      setAsked(null);
      await refreshCredits();
    },
  });
  return (
    <section className={styles['section']} aria-label="我的兑换">
      <Loaded query={orders}>
        {({ total, list }) =>
          total === 0 ? (
            <EmptyState
              title="还没有兑换"
              hint="兑换来的东西和退回都在这里。"
              actions={<Link to="/credits?tab=mall">去商城</Link>}
            />
          ) : (
            <>
              <ul className={styles['tasks']}>
                {list.map((order) => (
                  <Exchange key={order.order_no} order={order} onRefund={() => setAsked(order)} />
                ))}
              </ul>
              {total > ORDERS_PAGE ? (
                <Pagination
                  className={styles['pages'] ?? ''}
                  current={page}
                  pageSize={ORDERS_PAGE}
                  total={total}
                  showSizeChanger={false}
                  onChange={setPage}
                />
              ) : null}
            </>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={asked !== null}
        title="申请退回"
        text={`退回“${asked?.title ?? ''}”后，得到的东西立即失效，${integer(asked?.credits ?? 0)} 积分回到账户。`}
        act="退回"
        working={refund.isPending}
        onAct={() => asked && refund.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </section>
  );
}

function Exchange({ order, onRefund }: { order: MallOrder; onRefund: () => void }) {
  const { order_no: number, title, quantity, credits, state, granted, returned_credits: back } = order;
  return (
    <li className={styles['task']}>
      <div className={styles['about']}>
        <h3>
          {title}
          {quantity > 1 ? ` × ${quantity}` : ''}
          <span className={styles['tag']}>{ORDER_STATES[state]}</span>
        </h3>
        <p>{gotText(granted)}</p>
        {state === 'done' ? <Codes codes={granted.codes} /> : null}
        <p className={styles['quiet']}>
          {formatInstant(order.created_at)}　{number}
        </p>
      </div>
      <div className={styles['reward']}>
        <span>−{integer(credits)} 积分</span>
        {back > 0 ? <span className={styles['quiet']}>已退回 {integer(back)}</span> : null}
        {order.can_refund ? (
          <>
            <Button size="small" aria-label={`申请退回${title}`} onClick={onRefund}>
              申请退回
            </Button>
            {order.refund_until === null ? null : (
              <span className={styles['quiet']}>{formatInstant(order.refund_until)} 前可退回</span>
            )}
          </>
        ) : order.refund_reason === null ? null : (
          <span className={styles['quiet']}>不能自行退回：{order.refund_reason}</span>
        )}
      </div>
    </li>
  );
}
