/**
 * What happens when money has arrived. A verified payment is recorded and applied exactly once, in one transaction with
 * what it grants, however often, late and in whatever order it is told. What cannot be applied goes back by the outbox.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { retried } from '../../lib/idempotency.ts';
import { send } from '../../lib/outbox.ts';
import type { Context } from './context.ts';
import { lockBuyer, refundNumber } from './context.ts';
import type { Coupons } from './coupons.ts';
import { BadSignature, NotAPayment, WrongFacts } from './providers/provider.ts';
import type { Answer, PaidFact, PaymentProvider } from './providers/provider.ts';
import { findOrder } from './store.ts';
import { notices, orders, payments, refunds } from './tables.ts';
import type { OrderRow, PaymentRow } from './tables.ts';

/** `known`: this payment was recorded before. */
export type Outcome = 'applied' | 'duplicate' | 'anomaly' | 'known';

/**
 * Notices that are settled at the same time. Providers send them in storms and never hear a limit: the rest waits here,
 * so that connections are left for people and no notice fails for want of one.
 */
const AT_ONCE = 4;

export type Payments = ReturnType<typeof createPayments>;

export function createPayments(context: Context, coupons: Coupons) {
  const { db, clock, keys, log, products, onAnomaly } = context;
  const gate = createSemaphore(AT_ONCE);

  async function orderOf(tx: Tx, orderNo: string): Promise<OrderRow | null> {
    const [found] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.orderNo, orderNo));
    if (!found) return null;
    await lockBuyer(tx, found.userId);
    const [row] = await tx.select().from(orders).where(eq(orders.orderNo, orderNo)).for('update');
    return row ?? null;
  }

  /** Orders that replaced this one, one after the other; a payment that came late can close the circle. */
  async function successors(tx: Tx, order: OrderRow): Promise<OrderRow[]> {
    const chain: OrderRow[] = [];
    const seen = new Set([order.id]);
    let next = order.supersededBy;
    while (next !== null && !seen.has(next)) {
      seen.add(next);
      const [row] = await tx.select().from(orders).where(eq(orders.id, next)).for('update');
      if (!row) break;
      chain.push(row);
      next = row.supersededBy;
    }
    return chain;
  }

  /** Marks the order paid and gives what it bought; false when it cannot be given. All or nothing. */
  async function apply(tx: Tx, order: OrderRow, paidAt: Date): Promise<boolean> {
    const product = products[order.kind];
    if (!product) return false;
    const [paid] = await tx
      .update(orders)
      .set({ state: 'paid', paidAt, closeReason: null, closedAt: null })
      .where(eq(orders.id, order.id))
      .returning();
    return paid ? product.apply(tx, paid) : false;
  }

  class NotGiven extends Error {}

  /** In a savepoint: what was begun for an order that cannot be given is undone. */
  async function tryApply(tx: Tx, order: OrderRow, prepare: (inner: Tx) => Promise<boolean>): Promise<boolean> {
    const now = await clock(tx);
    try {
      await tx.transaction(async (inner) => {
        if (!(await prepare(inner)) || !(await apply(inner, order, now))) throw new NotGiven();
      });
      return true;
    } catch (error) {
      if (error instanceof NotGiven) return false;
      throw error;
    }
  }

  /** The open order that replaced one which was then paid late must not be paid as well. */
  async function closeSuccessors(tx: Tx, order: OrderRow, chain: OrderRow[]): Promise<void> {
    for (const open of chain.filter(({ state }) => state === 'created')) {
      await tx
        .update(orders)
        .set({ state: 'closed', closeReason: 'superseded', closedAt: await clock(tx), supersededBy: order.id })
        .where(eq(orders.id, open.id));
      await coupons.release(tx, open.orderNo);
      await send(tx, { topic: 'order.close', key: `close:${open.orderNo}`, payload: { order_no: open.orderNo } });
    }
  }

  async function decide(tx: Tx, order: OrderRow): Promise<'applied' | 'duplicate'> {
    if (order.state === 'paid' || order.state === 'refunded') return 'duplicate';
    if (order.state === 'created') {
      const given = await tryApply(tx, order, async (inner) => {
        await coupons.use(inner, order.orderNo);
        return true;
      });
      if (given) return 'applied';
      await closeUnpaid(tx, order);
      return 'duplicate';
    }
    const chain = await successors(tx, order);
    if (chain.some(({ state }) => state === 'paid' || state === 'refunded')) return 'duplicate';
    const given = await tryApply(tx, order, async (inner) => {
      // First, so that a coupon its successor holds is free again.
      await closeSuccessors(inner, order, chain);
      return coupons.useAgain(inner, order.orderNo);
    });
    return given ? 'applied' : 'duplicate';
  }

  async function closeUnpaid(tx: Tx, order: OrderRow): Promise<void> {
    await tx
      .update(orders)
      .set({ state: 'closed', closeReason: 'timeout', closedAt: await clock(tx) })
      .where(eq(orders.id, order.id));
    await coupons.release(tx, order.orderNo);
  }

  async function record(
    tx: Tx,
    fact: PaidFact,
    outcome: PaymentRow['outcome'],
    why: string | null,
  ): Promise<PaymentRow> {
    const [row] = await tx
      .insert(payments)
      .values({
        orderNo: fact.order_no,
        provider: fact.provider,
        transactionId: fact.transaction_id,
        amount: fact.amount,
        outcome,
        why,
        payerDigest: fact.payer ? keys.digest('payer', `${fact.provider} ${fact.payer}`) : null,
        paidAt: fact.paid_at,
      })
      .returning();
    if (!row) throw new Error('INSERT gave no row');
    if (outcome === 'anomaly') {
      onAnomaly();
      log.error(
        { event: 'pay_anomaly', order_no: fact.order_no, provider: fact.provider, why },
        'a payment does not fit',
      );
    }
    return row;
  }

  /** Sends money back that bought nothing; the number is fixed now, so a repetition is the same refund. */
  async function sendBack(
    tx: Tx,
    payment: PaymentRow,
    kind: 'duplicate' | 'anomaly',
    reason: string,
    by: number | null,
  ) {
    const refundNo = refundNumber(await clock(tx));
    const [row] = await tx
      .insert(refunds)
      .values({
        refundNo,
        orderNo: payment.orderNo,
        paymentId: payment.id,
        amount: payment.amount,
        offered: payment.amount,
        kind,
        reason,
        state: 'agreed',
        decidedBy: by,
        decidedAt: await clock(tx),
      })
      .returning();
    if (!row) throw new Error('INSERT gave no row');
    await send(tx, { topic: 'refund', key: `refund:${refundNo}`, payload: { refund_no: refundNo } });
    return row;
  }

  /** Records and applies one verified payment within a transaction. */
  async function settleIn(tx: Tx, fact: PaidFact): Promise<Outcome> {
    const order = await orderOf(tx, fact.order_no);
    const [known] = await tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.provider, fact.provider), eq(payments.transactionId, fact.transaction_id)));
    if (known) return 'known';
    const wrong = whatIsWrong(order, fact);
    if (!order || wrong) {
      await record(tx, fact, 'anomaly', wrong ?? 'order');
      return 'anomaly';
    }
    const outcome = await decide(tx, order);
    const payment = await record(tx, fact, outcome, null);
    if (outcome === 'duplicate') await sendBack(tx, payment, 'duplicate', '重复付款或订单已失效，原路退回', null);
    return outcome;
  }

  /** The same payment told twice at once: the later transaction meets the row of the earlier one. */
  async function settle(fact: PaidFact): Promise<Outcome> {
    try {
      return await retried(() => db.transaction((tx) => settleIn(tx, fact)));
    } catch (error) {
      if (violates(error, 'payments_provider_transaction_id_key')) return 'known';
      throw error;
    }
  }

  async function keep(name: string, raw: Buffer, verified: boolean, outcome: string): Promise<void> {
    const digest = createHash('sha256').update(name).update('\0').update(raw).digest('hex');
    await db
      .insert(notices)
      .values({
        provider: name,
        digest,
        verified,
        rawSealed: keys.seal(`notice ${name}`, raw.toString('base64')),
        outcome,
      })
      .onConflictDoNothing({ target: notices.digest });
  }

  return {
    /** An order as the sandbox's cashier shows it. */
    shown: (orderNo: string): Promise<OrderRow | null> => findOrder(db, orderNo),
    settle,
    settleIn,
    apply,
    sendBack,

    /** A notice as it came over the wire; answered with success only after the commit. */
    async notice(
      provider: PaymentProvider,
      raw: Buffer,
      headers: IncomingHttpHeaders,
    ): Promise<{ answer: Answer; isForged: boolean }> {
      try {
        const fact = await provider.readNotice(raw, headers);
        const outcome = await gate(async () => {
          const told = await settle(fact);
          await keep(provider.name, raw, true, told);
          return told;
        });
        log.info({ event: 'pay_notice', provider: provider.name, order_no: fact.order_no, outcome });
        return { answer: provider.answer(true), isForged: false };
      } catch (error) {
        if (error instanceof BadSignature) {
          await keep(provider.name, raw.subarray(0, 16_384), false, 'signature');
          log.warn({ event: 'pay_forged', provider: provider.name, reason: error.message }, 'a notice is not genuine');
          return {
            answer: { ...provider.answer(false), ...(provider.name === 'alipay' ? {} : { status: 401 }) },
            isForged: true,
          };
        }
        if (error instanceof NotAPayment) {
          await keep(provider.name, raw, true, 'other');
          return { answer: provider.answer(true), isForged: false };
        }
        if (error instanceof WrongFacts) {
          await wrongFacts(provider, error);
          await keep(provider.name, raw, true, 'anomaly');
          // It is genuine and we keep it: telling it again would change nothing.
          return { answer: provider.answer(true), isForged: false };
        }
        log.error({ event: 'bug', err: error }, 'a notice could not be handled');
        return {
          answer: { ...provider.answer(false), ...(provider.name === 'alipay' ? {} : { status: 500 }) },
          isForged: false,
        };
      }
    },

    /** Payments that bought nothing and went not back, for the desk. */
    async attach(tx: Tx, paymentId: number, orderNo: string): Promise<{ before: PaymentRow; after: Outcome }> {
      const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId)).for('update');
      if (!payment || payment.outcome !== 'anomaly') throw new Error('Only an anomaly is attached');
      const order = await orderOf(tx, orderNo);
      if (!order || order.total !== payment.amount) return { before: payment, after: 'anomaly' };
      const outcome = await decide(tx, order);
      const [after] = await tx
        .update(payments)
        .set({ orderNo, outcome, why: `attached: ${payment.why ?? ''}` })
        .where(eq(payments.id, paymentId))
        .returning();
      if (after && outcome === 'duplicate') await sendBack(tx, after, 'duplicate', '订单已支付，原路退回', null);
      return { before: payment, after: outcome };
    },

    /** Who paid for what a person bought, digested: only good for comparing. */
    async payersOf(executor: Db, userId: number): Promise<string[]> {
      const rows = await executor
        .selectDistinct({ payer: payments.payerDigest })
        .from(payments)
        .innerJoin(orders, eq(orders.orderNo, payments.orderNo))
        .where(and(eq(orders.userId, userId), isNotNull(payments.payerDigest)));
      return rows.flatMap(({ payer }) => (payer === null ? [] : [payer]));
    },

    async sum(executor: Db, paymentId: number): Promise<number> {
      const [row] = await executor
        .select({ n: sql<number>`coalesce(sum(${refunds.amount}), 0)::float8` })
        .from(refunds)
        .where(
          and(eq(refunds.paymentId, paymentId), sql`${refunds.state} IN ('agreed', 'refunding', 'refunded', 'failed')`),
        );
      return row?.n ?? 0;
    },
  };

  async function wrongFacts(provider: PaymentProvider, { message, fact }: WrongFacts): Promise<void> {
    const { order_no: orderNo, transaction_id: transactionId, amount, paid_at: paidAt } = fact;
    if (!transactionId || amount === undefined) {
      onAnomaly();
      log.error({ event: 'pay_anomaly', provider: provider.name, why: message }, 'a notice does not fit');
      return;
    }
    try {
      await db.transaction(async (tx) =>
        record(
          tx,
          {
            provider: provider.name,
            order_no: orderNo ?? '',
            transaction_id: transactionId,
            amount,
            paid_at: paidAt ?? (await clock(tx)),
          },
          'anomaly',
          message,
        ),
      );
    } catch (error) {
      if (!violates(error, 'payments_provider_transaction_id_key')) throw error;
    }
  }
}

function whatIsWrong(order: OrderRow | null, fact: PaidFact): string | null {
  if (!order) return 'order';
  if (order.total !== fact.amount) return `amount ${fact.amount} of ${order.total}`;
  const isBank = order.method === 4;
  return isBank === (fact.provider === 'bank') ? null : 'method';
}
