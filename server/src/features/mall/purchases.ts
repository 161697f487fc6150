/**
 * Buying with credits and giving back. One transaction each: order, then account, then what is given, the item's stock
 * last. Whatever does not go through leaves nothing behind.
 */
import { and, desc, eq, gte, isNull, or, sql } from 'drizzle-orm';
import { DAY_MS, compactDay } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { shortCode } from '../../lib/codes.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { slice } from '../../lib/paging.ts';
import type { Credits } from '../credits/service.ts';
import type { Membership } from '../membership/service.ts';
import { MALL } from './fulfilment.ts';
import type { Fulfilment } from './fulfilment.ts';
import { boughtOf, inWindow } from './items.ts';
import type { MallOrder, MallOrders, MallOrderState, PurchaseBody, Purchased, Refunded } from './schema.ts';
import { mallItems, mallOrders } from './tables.ts';
import type { ItemRow, OrderRow } from './tables.ts';

const REFUND_MS = DAY_MS;

interface Parts {
  db: Db;
  clock: Clock;
  credits: Credits;
  giving: Fulfilment;
  membership: Membership;
}

export function createPurchases({ db, clock, credits, giving, membership }: Parts) {
  const { ledger } = credits;

  async function itemOf(tx: Tx, id: number): Promise<ItemRow> {
    const [item] = await tx.select().from(mallItems).where(eq(mallItems.id, id));
    if (!item || item.state === 'draft') throw missing();
    return item;
  }

  /** The order a request made before; the same number with other wishes is refused. */
  async function stored(tx: Tx, userId: number, body: PurchaseBody): Promise<Purchased> {
    const [order] = await tx
      .select()
      .from(mallOrders)
      .where(and(eq(mallOrders.userId, userId), eq(mallOrders.requestId, body.request_id)));
    if (!order?.granted) throw missing();
    const isSame =
      order.itemId === body.item_id && order.quantity === body.quantity && order.method === (body.method ?? null);
    if (!isSame) throw new Fault(30011);
    const { account } = await ledger.lock(tx, userId);
    return { order_no: order.orderNo, state: order.state, total_amount: account.balance, granted: order.granted };
  }

  /** Why no piece could be taken from the shelf. */
  async function whyNone(tx: Tx, id: number, expected: number, now: Date): Promise<Fault> {
    const [item] = await tx
      .select()
      .from(mallItems)
      .where(and(eq(mallItems.id, id), inWindow(now)));
    if (!item) return new Fault(31101);
    return item.priceCredits === expected ? new Fault(31102) : new Fault(31104, { n: item.priceCredits });
  }

  async function takeStock(tx: Tx, body: PurchaseBody, now: Date): Promise<void> {
    const { item_id: id, quantity, expect_credits: price } = body;
    const taken = await tx
      .update(mallItems)
      .set({ stockLeft: sql`${mallItems.stockLeft} - ${quantity}` })
      .where(
        and(
          eq(mallItems.id, id),
          inWindow(now),
          eq(mallItems.priceCredits, price),
          or(isNull(mallItems.stockLeft), gte(mallItems.stockLeft, quantity)),
        ),
      )
      .returning({ id: mallItems.id });
    if (taken.length === 0) throw await whyNone(tx, id, price, now);
  }

  async function demandRoom(tx: Tx, item: ItemRow, userId: number, quantity: number, now: Date): Promise<void> {
    const { perUserLimit: most } = item;
    // This order's own row is counted with the others.
    if (most !== null && (await boughtOf(tx, item, userId, now)) > most) throw new Fault(31103, { n: most });
    if (item.grantKind === 'algorithm' && quantity > 1)
      throw new Fault(30090, { detail: '一次只能解锁一个方法，请选择 1 件' });
  }

  async function buy(tx: Tx, userId: number, body: PurchaseBody): Promise<Purchased> {
    const item = await itemOf(tx, body.item_id);
    const { quantity, expect_credits: price } = body;
    const isUnlock = item.grantKind === 'algorithm';
    if (isUnlock !== (body.method !== undefined))
      throw new Fault(30090, { detail: isUnlock ? '请选择要解锁的方法' : '该商品不需要选择方法' });
    const [order] = await tx
      .insert(mallOrders)
      .values({
        orderNo: `JF${compactDay(await clock(tx))}${shortCode(8)}`,
        userId,
        requestId: body.request_id,
        itemId: item.id,
        title: item.title,
        grantKind: item.grantKind,
        grantValue: item.grantValue,
        quantity,
        credits: price * quantity,
        method: body.method ?? null,
        createdAt: await clock(tx),
      })
      .onConflictDoNothing({ target: [mallOrders.userId, mallOrders.requestId] })
      .returning();
    // Of two equal requests the later one waited here for the earlier's end.
    if (!order) return stored(tx, userId, body);
    const { account, now } = await ledger.lock(tx, userId);
    ledger.demandFree(account);
    if (item.priceCredits !== price) throw await whyNone(tx, item.id, price, now);
    await demandRoom(tx, item, userId, quantity, now);
    const { orderNo: no } = order;
    const cause = { kind: 'mall', key: `${MALL}:${no}`, title: item.title, ref: no } as const;
    const { entry } = await ledger.spend(tx, userId, order.credits, cause);
    const granted = await giving.give(tx, item, order, now);
    await tx.update(mallOrders).set({ granted, entryId: entry.id }).where(eq(mallOrders.id, order.id));
    await takeStock(tx, body, now);
    return { order_no: no, state: 'done', total_amount: entry.balanceAfter, granted };
  }

  async function loadOwn(executor: Db, userId: number, no: string): Promise<OrderRow> {
    const [order] = await executor
      .select()
      .from(mallOrders)
      .where(and(eq(mallOrders.orderNo, no), eq(mallOrders.userId, userId)));
    if (!order) throw missing();
    return order;
  }

  async function lockOrder(tx: Tx, id: number): Promise<OrderRow> {
    const [order] = await tx.select().from(mallOrders).where(eq(mallOrders.id, id)).for('update');
    if (!order) throw missing();
    return order;
  }

  /** Credits come back, and with a whole return the pieces too. */
  async function close(tx: Tx, order: OrderRow, amount: number, now: Date, actor: number | null): Promise<Refunded> {
    const isWhole = amount === order.credits;
    const state: MallOrderState = isWhole ? 'refunded' : 'returned';
    const spent = await ledger.known(tx, `${MALL}:${order.orderNo}`);
    if (!spent) throw new Error(`The order ${order.orderNo} was never paid`);
    const title = isWhole ? `${order.title}退回` : `${order.title}未用部分退回`;
    const cause = { kind: 'refund', key: `refund:${order.orderNo}`, title, ref: order.orderNo, actor } as const;
    const entry = amount > 0 ? (await ledger.giveBack(tx, spent, amount, cause)).entry : null;
    await tx
      .update(mallOrders)
      .set({
        state,
        returnedCredits: amount,
        returnedAt: now,
        refundEntryId: entry?.id ?? null,
        version: order.version + 1,
      })
      .where(eq(mallOrders.id, order.id));
    if (isWhole)
      await tx
        .update(mallItems)
        .set({ stockLeft: sql`${mallItems.stockLeft} + ${order.quantity}` })
        .where(eq(mallItems.id, order.itemId));
    const balance = entry?.balanceAfter ?? (await ledger.lock(tx, order.userId)).account.balance;
    return { order_no: order.orderNo, state, amount, total_amount: balance };
  }

  const isInTime = ({ createdAt }: OrderRow, now: Date): boolean => now.getTime() - createdAt.getTime() < REFUND_MS;

  async function refund(userId: number, no: string): Promise<Refunded> {
    return work(db, async (tx) => {
      const { id } = await loadOwn(tx, userId, no);
      const { account, now } = await ledger.lock(tx, userId);
      const order = await lockOrder(tx, id);
      const { state, returnedCredits: amount } = order;
      if (state !== 'done') return { order_no: no, state, amount, total_amount: account.balance };
      if (!isInTime(order, now)) throw new Fault(31108);
      await giving.takeBack(tx, order);
      return close(tx, order, order.credits, now, null);
    });
  }

  /** What is left of days goes back: floor(price × days left / days). */
  async function returnRest(tx: Tx, order: OrderRow, now: Date, actor: number | null): Promise<Refunded> {
    const { left, of } = await giving.takeRest(tx, order, now);
    return close(tx, order, Math.floor((order.credits * left) / of), now, actor);
  }

  const wire = async (order: OrderRow, now: Date): Promise<MallOrder> => {
    const isOpen = order.state === 'done';
    const why = isOpen ? await giving.whyNot(db, order) : null;
    const reason = isOpen && !isInTime(order, now) && order.grantKind !== 'vip_days' ? '已超过 24 小时' : why;
    const until = new Date(order.createdAt.getTime() + REFUND_MS).toISOString();
    const none = { kind: order.grantKind, value: order.grantValue, until: null, method: null, codes: [] };
    return {
      order_no: order.orderNo,
      item_id: order.itemId,
      title: order.title,
      grant_kind: order.grantKind,
      quantity: order.quantity,
      credits: order.credits,
      state: order.state,
      created_at: order.createdAt.toISOString(),
      granted: order.granted ?? none,
      returned_credits: order.returnedCredits,
      returned_at: order.returnedAt?.toISOString() ?? null,
      can_refund: isOpen && reason === null,
      refund_until: isOpen && order.grantKind !== 'vip_days' ? until : null,
      refund_reason: reason,
    };
  };

  return {
    purchase: (userId: number, body: PurchaseBody): Promise<Purchased> => work(db, (tx) => buy(tx, userId, body)),
    refund,

    async orders(userId: number, page: { page: number; page_size: number }): Promise<MallOrders> {
      const mine = eq(mallOrders.userId, userId);
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(mallOrders)
        .where(mine)
        .orderBy(desc(mallOrders.id))
        .limit(limit)
        .offset(offset);
      const now = await clock(db);
      return { total: await db.$count(mallOrders, mine), list: await Promise.all(rows.map((row) => wire(row, now))) };
    },

    async order(userId: number, no: string): Promise<MallOrder> {
      return wire(await loadOwn(db, userId, no), await clock(db));
    },

    /** Somebody has become a member: unlocks are needless, what is left of them comes back. */
    async memberBegun(userId: number): Promise<void> {
      await work(db, async (tx) => {
        const { now } = await ledger.lock(tx, userId);
        if (!(await membership.grants.standing(tx, userId)).isMember) return;
        for (const unlock of await membership.unlocks.live(tx, userId, now)) {
          if (unlock.source !== MALL) continue;
          const { id } = await loadOwn(tx, userId, unlock.ref);
          const order = await lockOrder(tx, id);
          if (order.state !== 'done') continue;
          if (unlock.usedAt !== null || !isInTime(order, now)) await returnRest(tx, order, now, null);
          else {
            await giving.takeBack(tx, order);
            await close(tx, order, order.credits, now, null);
          }
        }
      });
    },

    /** Desk: gives back what is untouched whole, of days what is left, without the 24 hours. */
    async refundByDesk(
      tx: Tx,
      id: number,
      version: number,
      actor: number,
    ): Promise<{ before: OrderRow; after: OrderRow }> {
      const [found] = await tx.select().from(mallOrders).where(eq(mallOrders.id, id));
      if (!found) throw missing();
      const { now } = await ledger.lock(tx, found.userId);
      const before = await lockOrder(tx, id);
      if (before.version !== version || before.state !== 'done') throw new Fault(30309);
      const isDays = before.grantKind === 'vip_days' || before.grantKind === 'algorithm';
      if (isDays) await returnRest(tx, before, now, actor);
      else {
        await giving.takeBack(tx, before);
        await close(tx, before, before.credits, now, actor);
      }
      return { before, after: await lockOrder(tx, id) };
    },
  };
}
