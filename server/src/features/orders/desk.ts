/** Lists for the operator's desk: newest first, paged by an index, narrowed by state, order or person. */
import { and, desc, eq, inArray, ne } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { countSome, slice } from '../../lib/paging.ts';
import { bankTransfers, coupons, invoices, orders, payments, refunds } from './tables.ts';
import type { CouponRow, InvoiceRow, OrderRow, PaymentRow, RefundRow, TransferRow } from './tables.ts';

export interface DeskQuery {
  page: number;
  page_size: number;
  state?: string | undefined;
  order_no?: string | undefined;
  user_id?: number | undefined;
}

export interface DeskPage<T> {
  total: number;
  list: T[];
}

export function createDesk(db: Db) {
  const given = <T>(value: T | undefined, condition: (value: T) => SQL): SQL | undefined =>
    value === undefined ? undefined : condition(value);

  return {
    async orders(query: DeskQuery): Promise<DeskPage<OrderRow>> {
      const where = and(
        given(query.state, (state) => eq(orders.state, state as OrderRow['state'])),
        given(query.order_no, (no) => eq(orders.orderNo, no)),
        given(query.user_id, (id) => eq(orders.userId, id)),
      );
      const { limit, offset } = slice(query);
      const list = await db.select().from(orders).where(where).orderBy(desc(orders.id)).limit(limit).offset(offset);
      return { total: await countSome(db, orders, where), list };
    },

    /** `state` is the outcome: applied, duplicate, anomaly. */
    async payments(query: DeskQuery): Promise<DeskPage<PaymentRow>> {
      const where = and(
        given(query.state, (outcome) => eq(payments.outcome, outcome as PaymentRow['outcome'])),
        given(query.order_no, (no) => eq(payments.orderNo, no)),
      );
      const { limit, offset } = slice(query);
      const list = await db.select().from(payments).where(where).orderBy(desc(payments.id)).limit(limit).offset(offset);
      return { total: await countSome(db, payments, where), list };
    },

    async refunds(query: DeskQuery): Promise<DeskPage<RefundRow>> {
      const where = and(
        given(query.state, (state) => eq(refunds.state, state as RefundRow['state'])),
        given(query.order_no, (no) => eq(refunds.orderNo, no)),
      );
      const { limit, offset } = slice(query);
      const list = await db.select().from(refunds).where(where).orderBy(desc(refunds.id)).limit(limit).offset(offset);
      return { total: await countSome(db, refunds, where), list };
    },

    /** Whether the buyer has had money of the order back; a payment sent back because it was one too many is none of it. */
    async hasGoneBack(no: string): Promise<boolean> {
      const [row] = await db
        .select({ id: refunds.id })
        .from(refunds)
        .where(
          and(
            eq(refunds.orderNo, no),
            ne(refunds.kind, 'duplicate'),
            inArray(refunds.state, ['agreed', 'refunding', 'refunded', 'failed']),
          ),
        )
        .limit(1);
      return row !== undefined;
    },

    async transfers(query: DeskQuery): Promise<DeskPage<TransferRow>> {
      const where = and(
        given(query.state, (state) => eq(bankTransfers.state, state as TransferRow['state'])),
        given(query.order_no, (no) => eq(bankTransfers.orderNo, no)),
      );
      const { limit, offset } = slice(query);
      const list = await db
        .select()
        .from(bankTransfers)
        .where(where)
        .orderBy(desc(bankTransfers.id))
        .limit(limit)
        .offset(offset);
      return { total: await countSome(db, bankTransfers, where), list };
    },

    async invoices(query: DeskQuery): Promise<DeskPage<InvoiceRow>> {
      const where = and(
        given(query.state, (state) => eq(invoices.state, state as InvoiceRow['state'])),
        given(query.order_no, (no) => eq(invoices.orderNo, no)),
        given(query.user_id, (id) => eq(invoices.userId, id)),
      );
      const { limit, offset } = slice(query);
      const list = await db.select().from(invoices).where(where).orderBy(desc(invoices.id)).limit(limit).offset(offset);
      return { total: await countSome(db, invoices, where), list };
    },

    async coupons(query: DeskQuery): Promise<DeskPage<CouponRow>> {
      const where = and(
        given(query.state, (state) => eq(coupons.state, state as CouponRow['state'])),
        given(query.user_id, (id) => eq(coupons.userId, id)),
      );
      const { limit, offset } = slice(query);
      const list = await db.select().from(coupons).where(where).orderBy(desc(coupons.id)).limit(limit).offset(offset);
      return { total: await countSome(db, coupons, where), list };
    },

    /** One of each, as the desk looks at it before an act. */
    async order(executor: Db, no: string): Promise<OrderRow | null> {
      const [row] = await executor.select().from(orders).where(eq(orders.orderNo, no));
      return row ?? null;
    },
    async payment(executor: Db, id: number): Promise<PaymentRow | null> {
      const [row] = await executor.select().from(payments).where(eq(payments.id, id));
      return row ?? null;
    },
    async refund(executor: Db, id: number): Promise<RefundRow | null> {
      const [row] = await executor.select().from(refunds).where(eq(refunds.id, id));
      return row ?? null;
    },
    async transfer(executor: Db, id: number): Promise<TransferRow | null> {
      const [row] = await executor.select().from(bankTransfers).where(eq(bankTransfers.id, id));
      return row ?? null;
    },
    async invoice(executor: Db, id: number): Promise<InvoiceRow | null> {
      const [row] = await executor.select().from(invoices).where(eq(invoices.id, id));
      return row ?? null;
    },
    async coupon(executor: Db, id: number): Promise<CouponRow | null> {
      const [row] = await executor.select().from(coupons).where(eq(coupons.id, id));
      return row ?? null;
    },
  };
}
