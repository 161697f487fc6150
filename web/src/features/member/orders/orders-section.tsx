/** 订单记录: what was bought, what may be done with it now: 继续支付, 取消, 申请发票, 申请退款, 对公转账. */
import type { Order } from '@hengxi/server/orders/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Pagination } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../../lib/api.ts';
import { formatInstant } from '../../../lib/format-size.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import plain from '../../../ui/plain-table.module.css';
import { TransferDialog } from '../purchase/transfer-dialog.tsx';
import { closeOrder, downloadInvoice, money, ORDERS_PAGE, ordersQuery } from '../queries.ts';
import styles from '../sections.module.css';
import { InvoiceDialog } from './invoice-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type OpenOrderDialog = { what: 'close' | 'invoice' | 'refund' | 'transfer'; order: Order } | null;

const STATES: Record<Order['state'], string> = {
  created: '待支付',
  paid: '已支付',
  closed: '已关闭',
  refunded: '已退款',
};

const REFUNDS: Record<NonNullable<Order['refund']>['state'], string> = {
  asked: '退款申请中',
  refused: '退款被驳回',
  agreed: '退款已同意',
  refunding: '退款中',
  refunded: '已退款',
  failed: '退款处理中，客服会联系您',
};

const INVOICES: Record<NonNullable<Order['invoice']>['state'], string> = {
  pending: '发票待开具',
  issued: '发票已开具',
  refused: '发票被驳回',
  voided: '发票已红冲',
};

const METHODS: Record<Order['method'], string> = { 1: '扫码支付', 2: '微信支付', 3: '支付宝', 4: '对公转账' };

export function OrdersSection() {
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<OpenOrderDialog>(null);
  const orders = useQuery(ordersQuery(page));
  const navigate = useNavigate();
  const close = useMutation({
    mutationFn: (order: Order) => closeOrder(order.order_no),
    onSuccess: async () => {
      setAsked(null);
      await queryClient.invalidateQueries({ queryKey: ['orders'] });
      toast.done('订单已取消');
    },
  });
  const done = () => {
    setAsked(null);
    void queryClient.invalidateQueries({ queryKey: ['orders'] });
  };
  return (
    <section className={styles['section']} aria-labelledby="member-orders">
      <h2 id="member-orders">订单记录</h2>
      {orders.isPending ? <ListSkeleton rows={5} /> : null}
      {orders.isLoadingError ? <p role="alert">{errorText(orders.error)}</p> : null}
      {orders.data?.total === 0 ? (
        <EmptyState
          title="还没有订单"
          actions={
            <Button type="primary" onClick={() => void navigate('/member/package')}>
              查看套餐
            </Button>
          }
        />
      ) : null}
      {orders.data && orders.data.total > 0 ? (
        <div className={styles['scroll']}>
          <table className={`${plain['table']} ${styles['orders']}`}>
            <thead>
              <tr>
                <th scope="col">订单</th>
                <th scope="col" className={plain['number']}>
                  金额
                </th>
                <th scope="col">状态</th>
                <th scope="col">操作</th>
              </tr>
            </thead>
            <tbody>
              {orders.data.list.map((order) => (
                <OrderLine key={order.order_no} order={order} onAsk={setAsked} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {(orders.data?.total ?? 0) > ORDERS_PAGE ? (
        <Pagination
          className={styles['pages'] ?? ''}
          current={page}
          pageSize={ORDERS_PAGE}
          total={orders.data?.total ?? 0}
          showSizeChanger={false}
          onChange={setPage}
        />
      ) : null}
      {asked?.what === 'close' ? (
        <ConfirmDialog
          open
          title="取消订单"
          text={`取消“${asked.order.subscription.title}”的订单？已经扫码付款的话请不要取消。`}
          act="取消订单"
          cancel="返回"
          danger
          working={close.isPending}
          onAct={() => close.mutate(asked.order)}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked?.what === 'invoice' ? (
        <InvoiceDialog order={asked.order} onDone={done} onClose={() => setAsked(null)} />
      ) : null}
      {asked?.what === 'refund' ? (
        <RefundDialog order={asked.order} onDone={done} onClose={() => setAsked(null)} />
      ) : null}
      {asked?.what === 'transfer' ? <TransferDialog order_no={asked.order.order_no} onClose={done} /> : null}
    </section>
  );
}

function OrderLine({ order, onAsk }: { order: Order; onAsk: (asked: OpenOrderDialog) => void }) {
  const navigate = useNavigate();
  const { can, invoice, refund } = order;
  const isTransfer = order.method === 4;
  return (
    <tr>
      <td>
        <b>{order.subscription.title}</b>
        {order.quantity > 1 ? ` × ${order.quantity}` : ''}
        <br />
        <span className={styles['quiet']}>{order.order_no}</span>
        <br />
        <span className={styles['quiet']}>
          {formatInstant(order.created_at)}　<span className={styles['whole']}>{METHODS[order.method]}</span>
        </span>
      </td>
      <td className={plain['number']}>
        ¥{money(order.total_fee)}
        {order.refunded > 0 ? (
          <>
            <br />
            <span className={styles['quiet']}>已退 ¥{money(order.refunded)}</span>
          </>
        ) : null}
      </td>
      <td>
        <span className={styles['whole']}>{stateOf(order)}</span>
        {refund ? (
          <>
            <br />
            <span className={styles['quiet']}>
              {REFUNDS[refund.state]}
              {refund.answer ? `：${refund.answer}` : ''}
            </span>
          </>
        ) : null}
        {invoice ? (
          <>
            <br />
            <span className={styles['quiet']}>{INVOICES[invoice.state]}</span>
          </>
        ) : null}
      </td>
      <td>
        <div className={styles['acts']}>
          {can.pay && !isTransfer ? (
            <Button size="small" type="primary" onClick={() => void navigate(`/member/pay?order_no=${order.order_no}`)}>
              继续支付
            </Button>
          ) : null}
          {isTransfer && order.transfer !== null && order.transfer !== 'closed' ? (
            <Button size="small" onClick={() => onAsk({ what: 'transfer', order })}>
              转账信息
            </Button>
          ) : null}
          {can.close ? (
            <Button size="small" onClick={() => onAsk({ what: 'close', order })}>
              取消
            </Button>
          ) : null}
          {can.invoice || invoice?.state === 'refused' || invoice?.state === 'pending' ? (
            <Button size="small" onClick={() => onAsk({ what: 'invoice', order })}>
              {invoice === null ? '申请发票' : '修改发票'}
            </Button>
          ) : null}
          {invoice?.state === 'issued' ? (
            <Button size="small" onClick={() => void downloadInvoice(invoice.id)}>
              下载发票
            </Button>
          ) : null}
          {can.refund ? (
            <Button size="small" onClick={() => onAsk({ what: 'refund', order })}>
              申请退款
            </Button>
          ) : null}
        </div>
      </td>
    </tr>
  );
}

function stateOf(order: Order): string {
  if (order.state !== 'closed') return STATES[order.state];
  const why = { timeout: '超时未支付', superseded: '已有新订单', user: '已取消' } as const;
  return order.close_reason ? `已关闭（${why[order.close_reason]}）` : '已关闭';
}
