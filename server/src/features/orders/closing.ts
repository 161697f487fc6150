/** The end of orders that are not paid: replaced by a newer one, closed by the buyer or by time; and asking providers. */
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { send } from '../../lib/outbox.ts';
import type { PackageKind } from '../membership/schema.ts';
import { lockBuyer } from './context.ts';
import type { Buyer, Context } from './context.ts';
import type { Coupons } from './coupons.ts';
import type { Payments } from './payments.ts';
import { findOrder, loadOrder } from './store.ts';
import { bankTransfers, orders } from './tables.ts';
import type { OrderRow } from './tables.ts';

export type Closing = ReturnType<typeof createClosing>;

export function createClosing({ db, clock, cashiers }: Context, coupons: Coupons, payments: Payments) {
  /** The open order that a new one replaces: closed, its coupon free again, told to its provider. */
  async function supersede(tx: Tx, buyer: Buyer, kind: PackageKind, isTransfer: boolean): Promise<OrderRow[]> {
    const open = await tx
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.userId, buyer.userId),
          sql`coalesce(${orders.enterpriseId}, 0) = ${buyer.enterpriseId ?? 0}`,
          eq(orders.kind, kind),
          eq(orders.state, 'created'),
          isTransfer ? eq(orders.method, 4) : ne(orders.method, 4),
        ),
      )
      .for('update');
    const replaced: OrderRow[] = [];
    for (const row of open) {
      // Somebody may be at the bank with a proof in hand: such an order stands until it is decided.
      if (isTransfer && !(await closeTransfer(tx, row.orderNo))) continue;
      await close(tx, row, 'superseded');
      replaced.push(row);
    }
    return replaced;
  }

  /** False when a proof has been sent. */
  async function closeTransfer(tx: Tx, orderNo: string): Promise<boolean> {
    const [row] = await tx.select().from(bankTransfers).where(eq(bankTransfers.orderNo, orderNo)).for('update');
    if (!row) return true;
    if (row.state !== 'waiting') return false;
    await tx
      .update(bankTransfers)
      .set({ state: 'closed', version: row.version + 1 })
      .where(eq(bankTransfers.id, row.id));
    return true;
  }

  async function close(tx: Tx, order: OrderRow, reason: NonNullable<OrderRow['closeReason']>): Promise<void> {
    await tx
      .update(orders)
      .set({ state: 'closed', closeReason: reason, closedAt: await clock(tx) })
      .where(eq(orders.id, order.id));
    await coupons.release(tx, order.orderNo);
    if (order.opened.length > 0)
      await send(tx, { topic: 'order.close', key: `close:${order.orderNo}`, payload: { order_no: order.orderNo } });
  }

  /** Asks every provider that knows the order; a payment that was found is settled. */
  async function ask(orderNo: string): Promise<'paid' | 'unpaid'> {
    const order = await findOrder(db, orderNo);
    if (!order || order.state === 'paid' || order.state === 'refunded') return 'paid';
    for (const name of order.opened) {
      const fact = await cashiers.byName(name)?.query(orderNo);
      if (fact && fact !== 'unpaid' && fact !== 'unknown') {
        await payments.settle(fact);
        return 'paid';
      }
    }
    return 'unpaid';
  }

  return {
    ask,
    close,
    supersede,

    /** Closes an open order on the person's wish. Asked again: nothing more happens. */
    async cancel(buyer: Buyer, orderNo: string): Promise<void> {
      await work(db, async (tx) => {
        await lockBuyer(tx, buyer.userId);
        const order = await loadOrder(tx, buyer, orderNo);
        if (order.state === 'closed') return;
        if (order.state !== 'created') throw new Fault(30221);
        if (order.method === 4 && !(await closeTransfer(tx, orderNo))) throw new Fault(30242);
        await close(tx, order, 'user');
      });
    },

    /** The time of an order is over: the providers are asked once more before it closes. */
    async end(orderNo: string): Promise<'done' | { again: number }> {
      const order = await findOrder(db, orderNo);
      if (order?.state !== 'created') return 'done';
      const left = order.expiresAt.getTime() - (await clock(db)).getTime();
      if (left > 0) return { again: Math.ceil(left / 1000) + 1 };
      if ((await ask(orderNo)) === 'paid') return 'done';
      const isClosed = await db.transaction(async (tx) => {
        await lockBuyer(tx, order.userId);
        const [row] = await tx.select().from(orders).where(eq(orders.id, order.id)).for('update');
        if (row?.state !== 'created') return true;
        // A proof waits for its decision; the order waits with it.
        if (row.method === 4 && !(await closeTransfer(tx, orderNo))) return false;
        await close(tx, row, 'timeout');
        return true;
      });
      return isClosed ? 'done' : { again: 86_400 };
    },

    /** Tells the providers that an order is closed; one that was paid meanwhile is settled as a late payment. */
    async closeAtProviders(orderNo: string): Promise<'done' | { again: number }> {
      const order = await findOrder(db, orderNo);
      for (const name of order?.opened ?? []) {
        const provider = cashiers.byName(name);
        const told = await provider?.close(orderNo);
        if (told === 'unknown') return { again: 60 };
        if (told !== 'paid') continue;
        const fact = await provider?.query(orderNo);
        if (fact === 'unknown' || fact === 'unpaid' || !fact) return { again: 60 };
        await payments.settle(fact);
      }
      return 'done';
    },
  };
}
