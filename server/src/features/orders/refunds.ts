/**
 * Refunds: asked for by the buyer, decided by the desk, sent by the outbox. On the decision the grant goes and the order
 * is refunded, in one transaction; the money follows with a number that was fixed before.
 */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { send } from '../../lib/outbox.ts';
import type { Handled } from '../../lib/outbox.ts';
import type { Changed } from '../membership/service.ts';
import { lockBuyer, refundNumber, settingsOf } from './context.ts';
import type { Buyer, Context } from './context.ts';
import type { Coupons } from './coupons.ts';
import type { Payments } from './payments.ts';
import type { Refund, RefundOffer } from './schema.ts';
import { findOrder, loadOrder } from './store.ts';
import { invoices, orders, payments as paymentTable, refunds } from './tables.ts';
import type { OrderRow, PaymentRow, RefundRow } from './tables.ts';
import { serializeRefund } from './serialize.ts';

/** A provider that is still working on a refund is asked again. */
const PENDING_SECONDS = 60;

export function createRefunds(context: Context, coupons: Coupons, payments: Payments) {
  const { db, clock, log, products, cashiers } = context;

  async function appliedPayment(tx: Db, orderNo: string): Promise<PaymentRow | null> {
    const [row] = await tx
      .select()
      .from(paymentTable)
      .where(and(eq(paymentTable.orderNo, orderNo), eq(paymentTable.outcome, 'applied')));
    return row ?? null;
  }

  async function offerFor(executor: Db, order: OrderRow): Promise<RefundOffer> {
    const product = products[order.kind];
    if (!product) return { amount: null, note: '由客服核定' };
    const { refundDays } = await settingsOf(executor);
    return product.offer(executor, order, { now: await clock(executor), refundDays });
  }

  async function demandRefundable(executor: Db, order: OrderRow): Promise<PaymentRow> {
    const refuse = (reason: string): Fault => new Fault(30241, { reason });
    if (order.state === 'refunded') throw refuse('订单已退款');
    if (order.state !== 'paid') throw refuse('订单未支付');
    const payment = await appliedPayment(executor, order.orderNo);
    if (!payment) throw refuse('订单没有付款');
    const [invoice] = await executor
      .select({ state: invoices.state })
      .from(invoices)
      .where(and(eq(invoices.orderNo, order.orderNo), eq(invoices.state, 'issued')));
    if (invoice) throw refuse('发票已开具，请先联系客服红冲');
    return payment;
  }

  /** All refunds of a payment together never pass it. */
  async function demandAmount(executor: Db, payment: PaymentRow, amount: number): Promise<void> {
    const sent = await payments.sum(executor, payment.id);
    if (!Number.isInteger(amount) || amount < 1 || sent + amount > payment.amount)
      throw new Fault(30408, { detail: '退款金额超出实付金额' });
  }

  async function lockRefund(tx: Tx, id: number, version: number, states: RefundRow['state'][]): Promise<RefundRow> {
    const [row] = await tx.select().from(refunds).where(eq(refunds.id, id)).for('update');
    if (!row) throw missing();
    if (row.version !== version || !states.includes(row.state)) throw new Fault(30309);
    return row;
  }

  async function update(tx: Tx, row: RefundRow, set: Partial<RefundRow>): Promise<RefundRow> {
    const [after] = await tx
      .update(refunds)
      .set({ ...set, version: row.version + 1 })
      .where(eq(refunds.id, row.id))
      .returning();
    if (!after) throw missing();
    return after;
  }

  async function setState(refundNo: string, state: RefundRow['state'], isDone: boolean): Promise<void> {
    await db
      .update(refunds)
      .set({ state, version: sql`${refunds.version} + 1`, ...(isDone ? { doneAt: sql`now()` } : {}) })
      .where(and(eq(refunds.refundNo, refundNo), inArray(refunds.state, ['agreed', 'refunding'])));
  }

  async function begin(tx: Tx, buyer: Buyer, orderNo: string, reason: string, askedBy: number): Promise<RefundRow> {
    await lockBuyer(tx, buyer.userId);
    const order = await loadOrder(tx, buyer, orderNo);
    const payment = await demandRefundable(tx, order);
    const { amount } = await offerFor(tx, order);
    // Who bought it is told that nothing is left; the desk decides by itself.
    if (amount === 0 && askedBy === buyer.userId) throw new Fault(30241, { reason: '购买的内容已用完' });
    try {
      return await tx.transaction(async (inner) => {
        const [row] = await inner
          .insert(refunds)
          .values({
            refundNo: refundNumber(await clock(inner)),
            orderNo,
            paymentId: payment.id,
            amount: amount || order.total,
            offered: amount,
            kind: 'asked',
            reason,
            state: 'asked',
            askedBy,
          })
          .returning();
        if (!row) throw new Error('INSERT gave no row');
        return row;
      });
    } catch (error) {
      if (violates(error, 'refunds_one_asked')) throw new Fault(30241, { reason: '退款申请正在处理' });
      throw error;
    }
  }

  return {
    /** What the rules offer, before anything is asked for. */
    async offer(buyer: Buyer, orderNo: string): Promise<RefundOffer> {
      const order = await loadOrder(db, buyer, orderNo);
      await demandRefundable(db, order);
      return offerFor(db, order);
    },

    async ask(buyer: Buyer, orderNo: string, reason: string): Promise<Refund> {
      return work(db, async (tx) => serializeRefund(await begin(tx, buyer, orderNo, reason, buyer.userId)));
    },

    /** Desk: the same as at the decision, for whoever asks for it. */
    async demandWithin(orderNo: string, amount: number): Promise<void> {
      const order = await findOrder(db, orderNo);
      if (!order) throw missing();
      await demandAmount(db, await demandRefundable(db, order), amount);
    },

    /** Desk: begins a refund that the buyer asked for by another way; agreed on in the same transaction. */
    begin: (tx: Tx, order: OrderRow, reason: string, by: number): Promise<RefundRow> =>
      begin(tx, { userId: order.userId, enterpriseId: order.enterpriseId }, order.orderNo, reason, by),

    /** Desk: agrees on an amount. The grant goes, the order is refunded, the money follows. */
    async agree(
      tx: Tx,
      id: number,
      version: number,
      decision: { amount: number; answer: string; by: number },
    ): Promise<Changed<RefundRow>> {
      const [found] = await tx.select({ orderNo: refunds.orderNo }).from(refunds).where(eq(refunds.id, id));
      if (!found) throw missing();
      const [buyer] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.orderNo, found.orderNo));
      if (!buyer) throw missing();
      await lockBuyer(tx, buyer.userId);
      const before = await lockRefund(tx, id, version, ['asked']);
      const [order] = await tx.select().from(orders).where(eq(orders.orderNo, before.orderNo)).for('update');
      if (!order) throw missing();
      const payment = await demandRefundable(tx, order);
      const { amount, answer, by } = decision;
      // Under the lock of the payment, so that two decisions see each other.
      await tx.select().from(paymentTable).where(eq(paymentTable.id, payment.id)).for('update');
      await demandAmount(tx, payment, amount);
      await products[order.kind]?.revoke(tx, order);
      await coupons.release(tx, order.orderNo);
      await tx.update(orders).set({ state: 'refunded', refunded: amount }).where(eq(orders.id, order.id));
      // An invoice that is only asked for goes with the order.
      await tx
        .update(invoices)
        .set({ state: 'refused', reason: '订单已退款', version: sql`${invoices.version} + 1` })
        .where(and(eq(invoices.orderNo, order.orderNo), eq(invoices.state, 'pending')));
      const after = await update(tx, before, {
        state: 'agreed',
        amount,
        answer,
        decidedBy: by,
        decidedAt: await clock(tx),
      });
      // Money from a bank goes back by hand.
      if (payment.provider !== 'bank')
        await send(tx, { topic: 'refund', key: `refund:${after.refundNo}`, payload: { refund_no: after.refundNo } });
      return { before, after };
    },

    /** Desk. */
    async refuse(tx: Tx, id: number, version: number, answer: string, by: number): Promise<Changed<RefundRow>> {
      const before = await lockRefund(tx, id, version, ['asked']);
      return {
        before,
        after: await update(tx, before, { state: 'refused', answer, decidedBy: by, decidedAt: await clock(tx) }),
      };
    },

    /** Desk: money of a bank transfer, or of a refund the provider would not do, has been sent by hand. */
    async markDone(tx: Tx, id: number, version: number): Promise<Changed<RefundRow>> {
      const before = await lockRefund(tx, id, version, ['agreed', 'failed']);
      return { before, after: await update(tx, before, { state: 'refunded', doneAt: await clock(tx) }) };
    },

    /** Desk: asks the provider once more. */
    async retry(tx: Tx, id: number, version: number): Promise<Changed<RefundRow>> {
      const before = await lockRefund(tx, id, version, ['failed']);
      const after = await update(tx, before, { state: 'agreed' });
      const { refundNo } = after;
      await send(tx, { topic: 'refund', key: `refund:${refundNo}:${after.version}`, payload: { refund_no: refundNo } });
      return { before, after };
    },

    /** Desk: an anomaly goes back to who paid it. */
    async sendBackAnomaly(tx: Tx, paymentId: number, reason: string, by: number): Promise<Changed<RefundRow>> {
      const [payment] = await tx.select().from(paymentTable).where(eq(paymentTable.id, paymentId)).for('update');
      if (!payment || payment.outcome !== 'anomaly') throw missing();
      if ((await payments.sum(tx, paymentId)) > 0) throw new Fault(30241, { reason: '已退款' });
      return { before: null, after: await payments.sendBack(tx, payment, 'anomaly', reason, by) };
    },

    /** Sends one agreed refund to its provider. */
    async deliver(refundNo: string): Promise<Handled> {
      const [row] = await db.select().from(refunds).where(eq(refunds.refundNo, refundNo));
      if (!row || !['agreed', 'refunding'].includes(row.state)) return 'done';
      const [payment] = await db.select().from(paymentTable).where(eq(paymentTable.id, row.paymentId));
      const provider = payment ? cashiers.byName(payment.provider) : null;
      if (!payment || !provider) {
        await setState(refundNo, 'failed', false);
        return 'done';
      }
      if (row.state === 'agreed') await setState(refundNo, 'refunding', false);
      const answer = await provider.refund({
        order_no: payment.orderNo,
        refund_no: refundNo,
        total: payment.amount,
        amount: row.amount,
      });
      if (answer === 'pending') return { again: PENDING_SECONDS };
      await setState(refundNo, answer === 'done' ? 'refunded' : 'failed', answer === 'done');
      if (answer === 'refused')
        log.error({ event: 'refund_refused', refund_no: refundNo }, 'the provider refuses a refund');
      return 'done';
    },
  };
}
