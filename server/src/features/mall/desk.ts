/** Items and orders of the mall at the desk. */
import { and, asc, desc, eq, ne, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { countSome, slice } from '../../lib/paging.ts';
import type { MallOrderState } from './schema.ts';
import { mallItems, mallOrders } from './tables.ts';
import type { ItemRow, OrderRow } from './tables.ts';

export type ItemDraft = Omit<typeof mallItems.$inferInsert, 'id' | 'version' | 'stockLeft' | 'state'>;
/** What it gives stays as it was made: another gift is another item. */
export type ItemChange = Omit<ItemDraft, 'grantKind' | 'grantValue' | 'couponType' | 'validDays'>;

export interface Changed<T> {
  before: T | null;
  after: T;
}

export function createMallDesk({ db }: { db: Db }) {
  async function lockItem(tx: Tx, id: number, version: number): Promise<ItemRow> {
    const [row] = await tx.select().from(mallItems).where(eq(mallItems.id, id)).for('update');
    if (!row) throw missing();
    if (row.version !== version) throw new Fault(30309);
    return row;
  }

  async function set(tx: Tx, before: ItemRow, change: Partial<ItemRow>): Promise<Changed<ItemRow>> {
    const [after] = await tx
      .update(mallItems)
      .set({ ...change, version: before.version + 1 })
      .where(eq(mallItems.id, before.id))
      .returning();
    if (!after) throw missing();
    return { before, after };
  }

  return {
    items: (): Promise<ItemRow[]> => db.select().from(mallItems).orderBy(asc(mallItems.sort), asc(mallItems.id)),

    async item(executor: Db, id: number): Promise<ItemRow | null> {
      const [row] = await executor.select().from(mallItems).where(eq(mallItems.id, id));
      return row ?? null;
    },

    async make(tx: Tx, draft: ItemDraft): Promise<Changed<ItemRow>> {
      const [after] = await tx
        .insert(mallItems)
        .values({ ...draft, stockLeft: draft.stockTotal ?? null })
        .returning();
      if (!after) throw new Error('INSERT gave no row');
      return { before: null, after };
    },

    /** The stock is stated as a whole; what has been sold of it is taken off. */
    async change(tx: Tx, id: number, version: number, change: ItemChange): Promise<Changed<ItemRow>> {
      const before = await lockItem(tx, id, version);
      const total = change.stockTotal ?? null;
      const [sold] = await tx
        .select({ n: sql<number>`coalesce(sum(${mallOrders.quantity}), 0)::int` })
        .from(mallOrders)
        .where(and(eq(mallOrders.itemId, id), ne(mallOrders.state, 'refunded')));
      const left = total === null ? null : total - (sold?.n ?? 0);
      if (left !== null && left < 0) throw new Fault(30408, { detail: `已兑出 ${sold?.n ?? 0} 件，总库存不能更少` });
      const window = { onAt: change.onAt ?? null, offAt: change.offAt ?? null };
      return set(tx, before, { ...change, ...window, stockTotal: total, stockLeft: left });
    },

    async turn(tx: Tx, id: number, version: number, state: 'on' | 'off'): Promise<Changed<ItemRow>> {
      return set(tx, await lockItem(tx, id, version), { state });
    },

    async order(executor: Db, id: number): Promise<OrderRow | null> {
      const [row] = await executor.select().from(mallOrders).where(eq(mallOrders.id, id));
      return row ?? null;
    },

    async orders(query: {
      page: number;
      page_size: number;
      state?: MallOrderState | undefined;
      user_id?: number | undefined;
      order_no?: string | undefined;
    }): Promise<{ total: number; list: OrderRow[] }> {
      const where = and(
        query.state === undefined ? undefined : eq(mallOrders.state, query.state),
        query.user_id === undefined ? undefined : eq(mallOrders.userId, query.user_id),
        query.order_no === undefined ? undefined : eq(mallOrders.orderNo, query.order_no),
      );
      const { limit, offset } = slice(query);
      const list = await db
        .select()
        .from(mallOrders)
        .where(where)
        .orderBy(desc(mallOrders.id))
        .limit(limit)
        .offset(offset);
      return { total: await countSome(db, mallOrders, where), list };
    },

    /** For the archive of the account. */
    async everything(userId: number): Promise<OrderRow[]> {
      return db.select().from(mallOrders).where(eq(mallOrders.userId, userId)).orderBy(asc(mallOrders.id));
    },
  };
}
