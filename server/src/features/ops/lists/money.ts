/** Orders, payments, anomalies, refunds, bank transfers, invoices. */
import type { Context } from '../context.ts';
import { column, iso, numberIn, oneOf, stateFilter, text, textFilter } from './list.ts';
import type { Listed, Row } from './list.ts';
import type { ListName, ListQuery } from '../schema.ts';

const ORDER = { created: '待支付', paid: '已支付', closed: '已关闭', refunded: '已退款' };
const CLOSED = { timeout: '超时', superseded: '被新订单取代', user: '用户取消' };
const METHOD: Record<number, string> = { 1: '任一应用', 2: '微信', 3: '支付宝', 4: '对公转账' };
const PAYMENT = { applied: '已入账', duplicate: '重复付款', anomaly: '异常' };
const PROVIDER = { wechat: '微信', alipay: '支付宝', sandbox: '沙箱', bank: '银行' };
const REFUND = {
  asked: '申请中',
  refused: '已驳回',
  agreed: '已同意',
  refunding: '退款中',
  refunded: '已退款',
  failed: '失败',
};
const REFUND_KIND = { asked: '用户申请', duplicate: '重复付款', anomaly: '异常付款' };
const TRANSFER = {
  waiting: '待付款',
  proof: '已上传凭证',
  checking: '核对中',
  confirmed: '已确认',
  returned: '已退回',
  closed: '已关闭',
};
const INVOICE = { pending: '待开具', issued: '已开具', refused: '已驳回', voided: '已红冲' };
const TITLE = { person: '个人', company: '企业' };

const byOrder = [textFilter('order_no', '订单号')];
const byBuyer = [...byOrder, textFilter('user_id', '用户编号')];

export function moneyLists({
  orders: { desk },
}: Context): Record<
  Extract<ListName, 'orders' | 'payments' | 'anomalies' | 'refunds' | 'transfers' | 'invoices'>,
  Listed
> {
  const narrowed = (query: ListQuery, labels: Record<string, string>) => ({
    page: query.page,
    page_size: query.page_size,
    state: oneOf(labels, query.state),
    order_no: text(query.order_no),
    user_id: numberIn(query.user_id),
  });

  /** Rows of one of the desk's own queries, narrowed by what stands in the address. */
  const rowsOf =
    <T>(
      find: (query: ReturnType<typeof narrowed>) => Promise<{ total: number; list: T[] }>,
      labels: Record<string, string>,
      wire: (row: T) => Row,
    ): Listed['rows'] =>
    async (query) => {
      const { total, list } = await find(narrowed(query, labels));
      return { total, list: list.map(wire) };
    };

  const payments = (isAnomaly: boolean): Listed => ({
    title: isAnomaly ? '异常付款' : '付款',
    columns: [
      column('id', '编号', 'number'),
      column('order_no', '订单号'),
      column('provider', '渠道'),
      column('transaction_id', '渠道流水号'),
      column('amount', '金额', 'fen'),
      ...(isAnomaly ? [column('why', '不符之处')] : [column('outcome', '结果', 'state')]),
      column('paid_at', '付款时间', 'instant'),
    ],
    filters: isAnomaly ? byOrder : [stateFilter(PAYMENT, '结果'), ...byOrder],
    async rows(query) {
      const asked = narrowed(isAnomaly ? { ...query, state: 'anomaly' } : query, PAYMENT);
      const { total, list } = await desk.payments(asked);
      return {
        total,
        list: list.map((row) => ({
          id: String(row.id),
          name: row.transactionId,
          cells: {
            id: row.id,
            order_no: row.orderNo,
            provider: PROVIDER[row.provider],
            transaction_id: row.transactionId,
            amount: row.amount,
            outcome: PAYMENT[row.outcome],
            why: whyOf(row.why),
            paid_at: iso(row.paidAt),
          },
          acts: isAnomaly ? ['anomaly.attach', 'anomaly.refund'] : [],
        })),
      };
    },
  });

  return {
    orders: {
      title: '订单',
      columns: [
        column('order_no', '订单号'),
        column('user_id', '用户编号', 'customer'),
        column('title', '套餐'),
        column('quantity', '数量', 'number'),
        column('total', '应付', 'fen'),
        column('refunded', '已退', 'fen'),
        column('method', '支付方式'),
        column('state', '状态', 'state'),
        column('created_at', '下单时间', 'instant'),
        column('paid_at', '付款时间', 'instant'),
      ],
      filters: [stateFilter(ORDER), ...byBuyer],
      rows: rowsOf(desk.orders, ORDER, (row) => ({
        id: row.orderNo,
        name: row.orderNo,
        cells: {
          order_no: row.orderNo,
          user_id: row.userId,
          title: row.snapshot.title,
          quantity: row.quantity,
          total: row.total,
          refunded: row.refunded,
          method: METHOD[row.method] ?? null,
          state: ORDER[row.state] + (row.closeReason ? `（${CLOSED[row.closeReason]}）` : ''),
          created_at: iso(row.createdAt),
          paid_at: iso(row.paidAt),
        },
        acts:
          row.state === 'paid' && row.total > 0
            ? ['order.refund']
            : row.method !== 4 && row.total > 0 && (row.state === 'created' || row.state === 'closed')
              ? ['order.query']
              : [],
        values: { amount: row.total },
      })),
    },
    payments: payments(false),
    anomalies: payments(true),
    refunds: {
      title: '退款',
      columns: [
        column('id', '编号', 'number'),
        column('order_no', '订单号'),
        column('kind', '来源'),
        column('amount', '金额', 'fen'),
        column('offered', '按规则应退', 'fen'),
        column('reason', '原因'),
        column('state', '状态', 'state'),
        column('answer', '答复'),
        column('created_at', '申请时间', 'instant'),
      ],
      filters: [stateFilter(REFUND), ...byOrder],
      rows: rowsOf(desk.refunds, REFUND, (row) => ({
        id: String(row.id),
        name: row.orderNo,
        version: row.version,
        cells: {
          id: row.id,
          order_no: row.orderNo,
          kind: REFUND_KIND[row.kind],
          amount: row.amount,
          offered: row.offered,
          reason: row.reason,
          state: REFUND[row.state],
          answer: row.answer,
          created_at: iso(row.createdAt),
        },
        acts:
          row.state === 'asked'
            ? ['refund.agree', 'refund.refuse']
            : row.state === 'failed'
              ? ['refund.retry', 'refund.done']
              : row.state === 'agreed'
                ? ['refund.done']
                : [],
        values: { amount: row.offered ?? row.amount },
      })),
    },
    transfers: {
      title: '对公转账',
      columns: [
        column('id', '编号', 'number'),
        column('order_no', '订单号'),
        column('remark', '汇款备注'),
        column('amount', '应收', 'fen'),
        column('payer', '付款方'),
        column('bank_ref', '银行流水号'),
        column('state', '状态', 'state'),
        column('reason', '退回原因'),
        column('created_at', '下单时间', 'instant'),
      ],
      filters: [stateFilter(TRANSFER), ...byOrder],
      rows: rowsOf(desk.transfers, TRANSFER, (row) => ({
        id: String(row.id),
        name: row.orderNo,
        version: row.version,
        has_proof: row.proofId !== null,
        cells: {
          id: row.id,
          order_no: row.orderNo,
          remark: row.remark,
          amount: row.amountFen,
          payer: row.payer,
          bank_ref: row.bankRef,
          state: TRANSFER[row.state],
          reason: row.reason,
          created_at: iso(row.createdAt),
        },
        acts: actsOfTransfer(row.state),
      })),
    },
    invoices: {
      title: '发票',
      columns: [
        column('id', '编号', 'number'),
        column('order_no', '订单号'),
        column('user_id', '用户编号', 'number'),
        column('kind', '抬头类别'),
        column('title', '抬头'),
        column('tax_no', '税号'),
        column('email', '邮箱'),
        column('amount', '金额', 'fen'),
        column('state', '状态', 'state'),
        column('number', '发票号码'),
        column('created_at', '申请时间', 'instant'),
      ],
      filters: [stateFilter(INVOICE), ...byBuyer],
      rows: rowsOf(desk.invoices, INVOICE, (row) => ({
        id: String(row.id),
        name: `${row.orderNo} ${row.title}`,
        version: row.version,
        cells: {
          id: row.id,
          order_no: row.orderNo,
          user_id: row.userId,
          kind: TITLE[row.kind],
          title: row.title,
          tax_no: row.taxNo,
          email: row.email,
          amount: row.amount,
          state: INVOICE[row.state],
          number: row.number,
          created_at: iso(row.createdAt),
        },
        acts:
          row.state === 'pending'
            ? ['invoice.issue', 'invoice.refuse']
            : row.state === 'issued'
              ? ['invoice.void']
              : [],
      })),
    },
  };
}

function actsOfTransfer(state: keyof typeof TRANSFER): string[] {
  if (state === 'checking') return ['transfer.confirm', 'transfer.return'];
  if (state === 'waiting' || state === 'returned') return ['transfer.match'];
  return state === 'proof' ? ['transfer.match', 'transfer.return'] : [];
}

/** Why a payment bought nothing, in words. */
function whyOf(why: string | null): string | null {
  if (why === null) return null;
  const amount = /^amount (\d+) of (\d+)$/.exec(why);
  if (amount) return `金额不符：实付 ${Number(amount[1]) / 100} 元，应付 ${Number(amount[2]) / 100} 元`;
  if (why === 'order') return '没有这个订单';
  return why === 'method' ? '支付方式不符' : '通知内容不符';
}
