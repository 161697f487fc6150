/** SQL on orders that more than one part needs. Every row is loaded with its owner. */
import { and, count, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { Buyer } from './context.ts';
import type { OrderQuery } from './schema.ts';
import { bankTransfers, invoices, orders, refunds } from './tables.ts';
import type { OrderRow } from './tables.ts';
import type { OrderExtras } from './serialize.ts';

const ownedBy = ({ userId, enterpriseId }: Buyer) =>
  and(eq(orders.userId, userId), sql`${orders.enterpriseId} IS NOT DISTINCT FROM ${enterpriseId}`);

/** Seats are ordered and paid for on any channel: a frozen enterprise has none of its own. */
const reachableBy = (buyer: Buyer) => or(ownedBy(buyer), and(eq(orders.userId, buyer.userId), eq(orders.kind, 'seat')));

/** A person's order; foreign ones do not exist. */
export async function loadOrder(executor: Db, buyer: Buyer, orderNo: string): Promise<OrderRow> {
  const [row] = await executor
    .select()
    .from(orders)
    .where(and(reachableBy(buyer), eq(orders.orderNo, orderNo)));
  if (!row) throw missing();
  return row;
}

export async function findOrder(executor: Db, orderNo: string): Promise<OrderRow | null> {
  const [row] = await executor.select().from(orders).where(eq(orders.orderNo, orderNo));
  return row ?? null;
}

/** Newest first; what a newer order replaced is no record. Without a person: all orders of the enterprise. */
export async function listOrders(
  db: Db,
  buyer: Buyer | { userId: null; enterpriseId: number },
  query: OrderQuery,
): Promise<{ total: number; rows: OrderRow[] }> {
  const shown = and(
    buyer.userId === null ? undefined : eq(orders.userId, buyer.userId),
    buyer.enterpriseId === null ? isNull(orders.enterpriseId) : eq(orders.enterpriseId, buyer.enterpriseId),
    sql`${orders.closeReason} IS DISTINCT FROM 'superseded'`,
    query.state ? eq(orders.state, query.state) : undefined,
  );
  const { limit, offset } = slice(query);
  const rows = await db.select().from(orders).where(shown).orderBy(desc(orders.id)).limit(limit).offset(offset);
  const [all] = await db.select({ n: count() }).from(orders).where(shown);
  return { total: all?.n ?? 0, rows };
}

/** What stands beside a few orders, in three questions however many they are. */
export async function besides(db: Db, orderNos: string[]): Promise<(orderNo: string) => OrderExtras> {
  if (orderNos.length === 0) return () => ({ refund: null, invoice: null, transfer: null });
  const asked = await db
    .select()
    .from(refunds)
    .where(and(inArray(refunds.orderNo, orderNos), eq(refunds.kind, 'asked')))
    .orderBy(desc(refunds.id));
  const live = await db
    .select()
    .from(invoices)
    .where(and(inArray(invoices.orderNo, orderNos), ne(invoices.state, 'voided')));
  const moves = await db.select().from(bankTransfers).where(inArray(bankTransfers.orderNo, orderNos));
  return (orderNo) => ({
    refund: asked.find((row) => row.orderNo === orderNo) ?? null,
    invoice: live.find((row) => row.orderNo === orderNo) ?? null,
    transfer: moves.find((row) => row.orderNo === orderNo) ?? null,
  });
}
