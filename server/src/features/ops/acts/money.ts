/** Acts on orders, payments, refunds, bank transfers and invoices. */
import { z } from 'zod';
import { DAY_MS } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Fault, missing } from '../../../lib/errors.ts';
import type { Changed } from '../../membership/service.ts';
import type { OrderRow } from '../../orders/service.ts';
import { define, fen, field, line, nothing } from '../act.ts';
import type { Act, Doing, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { forLog, logged } from '../mask.ts';

/** ¥500. */
const REFUND_ALONE = 50_000;
const REFUND_DAYS = 30;
const PDF_BASE64 = 7_000_000;
type Empty = z.output<typeof nothing>;

export function moneyActs({ db, clock, orders }: Context): Act[] {
  const { desk, refunds, payments, transfers, invoices, buying } = orders;

  const need = <T>(row: T | null): T => {
    if (row === null) throw missing();
    return row;
  };
  const number = (target: string): number => need(idOf(target));

  const buyerOf = async (executor: Db, orderNo: string): Promise<number | null> =>
    (await desk.order(executor, orderNo))?.userId ?? null;

  /** Looks a row up by its number; its order says whose it is. */
  const looker =
    <T extends { orderNo: string; version?: number }>(find: (executor: Db, id: number) => Promise<T | null>) =>
    async (executor: Db, target: string): Promise<Looked | null> => {
      const id = idOf(target);
      const row = id === null ? null : await find(executor, id);
      if (!row) return null;
      const owner = await buyerOf(executor, row.orderNo);
      return { name: row.orderNo, owner, version: row.version ?? null, before: forLog(row) };
    };

  async function lookOrder(executor: Db, target: string): Promise<Looked | null> {
    const row = await desk.order(executor, target);
    return row && { name: row.orderNo, owner: row.userId, version: null, before: forLog(row) };
  }

  /** The rule for money that goes back: much of it, long after, or not for the first time. */
  async function refundRule(order: OrderRow | null, amount: number): Promise<string | null> {
    if (amount > REFUND_ALONE) return '退款超过 500 元';
    if (!order) return null;
    const age = order.paidAt ? (await clock(db)).getTime() - order.paidAt.getTime() : 0;
    if (age > REFUND_DAYS * DAY_MS) return `付款已超过 ${REFUND_DAYS} 天`;
    return (await desk.hasGoneBack(order.orderNo)) ? '该订单已有退款' : null;
  }

  /** An act without a form of its own, on a row that it changes. */
  const plain = (
    statement: Omit<Parameters<typeof define<Empty>>[0], 'payload' | 'fields' | 'run'>,
    change: (doing: Doing<Empty>, id: number) => Promise<Changed<unknown>>,
  ): Act =>
    define({
      ...statement,
      payload: nothing,
      fields: [],
      run: async (doing) => logged(await change(doing, number(doing.target))),
    });

  const onOrder = { kind: 'order', look: lookOrder } as const;
  const onPayment = { kind: 'payment', look: looker(desk.payment) } as const;
  const onRefund = { kind: 'refund', look: looker(desk.refund) } as const;
  const onTransfer = { kind: 'transfer', look: looker(desk.transfer), roles: ['财务'] } as const;
  const onInvoice = { kind: 'invoice', look: looker(desk.invoice), roles: ['财务'] } as const;
  const amount = field('amount', '退款金额（元）', 'yuan');

  return [
    define({
      ...onOrder,
      act: 'order.query',
      title: '向支付渠道查询',
      roles: ['客服', '财务'],
      reason: false,
      payload: nothing,
      fields: [],
      // What the provider says is applied by the same code that applies its notices.
      outside: async (target) => void (await buying.ask(target)),
      async run({ tx, target }) {
        const { state, paidAt } = need(await desk.order(tx, target));
        return { before: null, after: { state, paid_at: paidAt } };
      },
    }),
    define({
      ...onOrder,
      act: 'order.refund',
      title: '退款',
      roles: ['财务'],
      asks: ['客服'],
      isMoney: true,
      danger: true,
      payload: z.strictObject({ amount: fen.min(1, '金额须大于 0') }),
      fields: [amount],
      demand: async ({ target, payload }) => refunds.demandWithin(target, payload.amount),
      fourEyes: async ({ target, payload }) => refundRule(await desk.order(db, target), payload.amount),
      async run({ tx, target, payload, reason, by, approvedBy }) {
        const before = need(await desk.order(tx, target));
        const row = await refunds.begin(tx, before, reason, by);
        const decision = { amount: payload.amount, answer: reason, by: approvedBy ?? by };
        const { after } = await refunds.agree(tx, row.id, row.version, decision);
        const paid = { ...need(await desk.order(tx, target)), refundNo: after.refundNo, amount: after.amount };
        return { before: forLog(before), after: forLog(paid) };
      },
    }),
    define({
      ...onRefund,
      act: 'refund.agree',
      title: '同意退款',
      roles: ['财务'],
      asks: ['客服'],
      isMoney: true,
      danger: true,
      payload: z.strictObject({ amount: fen.min(1, '金额须大于 0') }),
      fields: [amount],
      demand: async ({ target, payload }) =>
        refunds.demandWithin(need(await desk.refund(db, number(target))).orderNo, payload.amount),
      async fourEyes({ target, payload }) {
        const row = await desk.refund(db, number(target));
        return refundRule(row && (await desk.order(db, row.orderNo)), payload.amount);
      },
      async run({ tx, target, version, payload, reason, by, approvedBy }) {
        const decision = { amount: payload.amount, answer: reason, by: approvedBy ?? by };
        return logged(await refunds.agree(tx, number(target), version, decision));
      },
    }),
    plain(
      { ...onRefund, act: 'refund.refuse', title: '驳回退款', roles: ['财务'], asks: ['客服'], isMoney: true },
      ({ tx, version, reason, by, approvedBy }, id) => refunds.refuse(tx, id, version, reason, approvedBy ?? by),
    ),
    plain(
      { ...onRefund, act: 'refund.retry', title: '重新发起退款', roles: ['财务'], isMoney: true },
      ({ tx, version }, id) => refunds.retry(tx, id, version),
    ),
    plain(
      { ...onRefund, act: 'refund.done', title: '登记已线下退款', roles: ['财务'], isMoney: true, danger: true },
      ({ tx, version }, id) => refunds.markDone(tx, id, version),
    ),
    define({
      ...onPayment,
      act: 'anomaly.attach',
      title: '挂到订单',
      roles: ['财务'],
      isMoney: true,
      payload: z.strictObject({ order_no: line(40) }),
      fields: [field('order_no', '订单号', 'text', { hint: '金额必须与订单应付金额相等' })],
      async run({ tx, target, payload, by }) {
        const payment = await desk.payment(tx, number(target));
        if (payment?.outcome !== 'anomaly') throw new Fault(30309);
        const order = await desk.order(tx, payload.order_no);
        if (!order) throw new Fault(30408, { detail: '没有这个订单' });
        if (order.userId === by) throw new Fault(30406);
        if (order.total !== payment.amount) throw new Fault(30408, { detail: '付款金额与订单应付金额不相等' });
        const { before, after } = await payments.attach(tx, payment.id, payload.order_no);
        if (after === 'anomaly') throw new Fault(30408, { detail: '付款与订单不符' });
        return { before: forLog(before), after: forLog(await desk.payment(tx, payment.id)) };
      },
    }),
    define({
      ...onPayment,
      act: 'anomaly.refund',
      title: '原路退回',
      roles: ['财务'],
      asks: ['客服'],
      isMoney: true,
      danger: true,
      payload: nothing,
      fields: [],
      async fourEyes({ target }) {
        const row = await desk.payment(db, number(target));
        return row && row.amount > REFUND_ALONE ? '退款超过 500 元' : null;
      },
      async run({ tx, target, reason, by, approvedBy }) {
        const before = need(await desk.payment(tx, number(target)));
        const { after } = await refunds.sendBackAnomaly(tx, before.id, reason, approvedBy ?? by);
        return { before: forLog(before), after: forLog(after) };
      },
    }),
    plain({ ...onTransfer, act: 'transfer.match', title: '开始核对', reason: false }, ({ tx, version }, id) =>
      transfers.match(tx, id, version),
    ),
    define({
      ...onTransfer,
      act: 'transfer.confirm',
      title: '确认到账',
      isMoney: true,
      danger: true,
      payload: z.strictObject({ bank_ref: line(64), amount: fen }),
      fields: [field('bank_ref', '银行流水号', 'text'), field('amount', '实收金额（元）', 'yuan')],
      demand: async ({ target, payload }) => transfers.demandFits(number(target), payload),
      fourEyes: async () => '对公转账到账须两人确认',
      async run({ tx, target, version, payload, by, approvedBy }) {
        const found = { bankRef: payload.bank_ref, amount: payload.amount, by, approvedBy };
        return logged(await transfers.confirm(tx, number(target), version, found));
      },
    }),
    plain({ ...onTransfer, act: 'transfer.return', title: '退回' }, ({ tx, version, reason }, id) =>
      transfers.giveBack(tx, id, version, reason),
    ),
    define({
      ...onInvoice,
      act: 'invoice.issue',
      title: '开具发票',
      reason: false,
      payload: z.strictObject({
        number: z
          .string()
          .trim()
          .regex(/^\d{8,20}$/, '发票号码为 8–20 位数字'),
        pdf: z.base64().min(8).max(PDF_BASE64, '请上传 5 MB 以内的 PDF 发票'),
      }),
      fields: [field('number', '发票号码', 'text'), field('pdf', '发票文件（PDF）', 'pdf')],
      async run({ tx, target, version, payload }) {
        const made = { number: payload.number, pdf: Buffer.from(payload.pdf, 'base64') };
        return logged(await invoices.issue(tx, number(target), version, made));
      },
    }),
    plain({ ...onInvoice, act: 'invoice.refuse', title: '驳回开票' }, ({ tx, version, reason }, id) =>
      invoices.refuse(tx, id, version, reason),
    ),
    plain(
      {
        ...onInvoice,
        act: 'invoice.void',
        title: '红冲',
        isMoney: true,
        danger: true,
        fourEyes: async () => '发票红冲须两人确认',
      },
      ({ tx, version, reason }, id) => invoices.void(tx, id, version, reason),
    ),
  ];
}
