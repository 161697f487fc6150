/** Orders as they are shown to who made them. */
import { and, desc, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import { missing } from '../../lib/errors.ts';
import { calculateType, settingsOf } from './context.ts';
import type { Buyer, Context } from './context.ts';
import type { Order, OrderList, OrderQuery, PaymentState } from './schema.ts';
import { besides, listOrders, loadOrder } from './store.ts';
import { orders } from './tables.ts';
import type { OrderRow } from './tables.ts';
import { serializeOrder } from './serialize.ts';

const RECENT_MINUTES = 30;

export type OrderHistory = ReturnType<typeof createOrderHistory>;

export function createOrderHistory({ db, clock, holdings }: Pick<Context, 'db' | 'clock' | 'holdings'>) {
  async function wireAll(rows: OrderRow[]): Promise<Order[]> {
    const beside = await besides(
      db,
      rows.map(({ orderNo }) => orderNo),
    );
    const now = await clock(db);
    const settings = await settingsOf(db);
    return rows.map((row) => serializeOrder(row, beside(row.orderNo), now, settings));
  }

  return {
    async list(buyer: Buyer, query: OrderQuery): Promise<OrderList> {
      const { total, rows } = await listOrders(db, buyer, query);
      return { total, list: await wireAll(rows) };
    },

    /** All orders of an enterprise, for those who manage it. */
    async listOf(enterpriseId: number, query: OrderQuery): Promise<OrderList> {
      const { total, rows } = await listOrders(db, { userId: null, enterpriseId }, query);
      return { total, list: await wireAll(rows) };
    },

    async read(buyer: Buyer, orderNo: string): Promise<Order> {
      const [order] = await wireAll([await loadOrder(db, buyer, orderNo)]);
      if (!order) throw missing();
      return order;
    },

    /** The person's own open or just paid order; null without one. */
    async recent(buyer: Buyer): Promise<Order | null> {
      const now = await clock(db);
      const since = new Date(now.getTime() - RECENT_MINUTES * 60_000);
      const [row] = await db
        .select()
        .from(orders)
        .where(
          and(
            eq(orders.userId, buyer.userId),
            sql`${orders.enterpriseId} IS NOT DISTINCT FROM ${buyer.enterpriseId}`,
            sql`${orders.closeReason} IS DISTINCT FROM 'superseded'`,
            or(
              and(eq(orders.state, 'created'), gt(orders.expiresAt, now)),
              and(eq(orders.state, 'paid'), isNotNull(orders.paidAt), gt(orders.paidAt, since)),
            ),
          ),
        )
        .orderBy(desc(orders.id))
        .limit(1);
      return row ? ((await wireAll([row]))[0] ?? null) : null;
    },

    async state(buyer: Buyer, orderNo: string): Promise<PaymentState> {
      const order = await loadOrder(db, buyer, orderNo);
      const { snapshot, packageId, state } = order;
      // Seats are the enterprise's: nothing of the person's has changed.
      const isOwn = order.kind !== 'seat';
      const paid =
        state === 'paid' && isOwn ? { ...(await holdings(order.userId)), group_qr: snapshot.group_qr } : null;
      return {
        state,
        subscription: { id: packageId, title: snapshot.title, calculate_type: calculateType(snapshot) },
        paid,
      };
    },
  };
}
