/** Orders: buying, payments, refunds, coupons, invoices, bank transfers. Put together here; knows no product. */
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { databaseClock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { topicOf } from '../../lib/outbox.ts';
import type { Outbox } from '../../lib/outbox.ts';
import { createBills } from './bills.ts';
import { createOrderPlacement } from './place-order.ts';
import { changeSettings, settingsOf } from './context.ts';
import type { Context } from './context.ts';
import { createCoupons } from './coupons.ts';
import { createDesk } from './desk.ts';
import { createInvoices } from './invoices.ts';
import type { PdfPrinter } from './invoice-sample.ts';
import { createPayments } from './payments.ts';
import { createRefunds } from './refunds.ts';
import type { CouponQuery } from './schema.ts';
import { orders } from './tables.ts';
import { createTransfers } from './transfers.ts';

export type { Purchase } from './place-order.ts';
export type { Buyer, Holdings, Product } from './context.ts';
export type { DeskPage, DeskQuery } from './desk.ts';
export type { CouponDraft } from './coupons.ts';
export type { PdfPrinter } from './invoice-sample.ts';
export type { Outcome } from './payments.ts';
/** Their libraries are loaded only where there are keys for them. */
export const loadAlipay = () => import('./providers/alipay.ts');
export const loadWechat = () => import('./providers/wechat.ts');
export { createCashiers } from './providers/cashiers.ts';
export type { Cashiers } from './providers/cashiers.ts';
export type { PaidFact, PaymentProvider } from './providers/provider.ts';
export { createSandbox } from './providers/sandbox.ts';
export type { Snapshot } from './tables.ts';
export type { BillDayRow, BillDifferenceRow } from './tables.ts';
export type { CouponRow, InvoiceRow, MoneySettings, OrderRow, PaymentRow, RefundRow, TransferRow } from './tables.ts';

export type Orders = ReturnType<typeof createOrders>;

type Given = Omit<Context, 'clock'> & { clock?: Context['clock']; outbox: Outbox; print: PdfPrinter };

const OrderLetter = z.strictObject({ order_no: z.string() });
const BillLetter = z.strictObject({ provider: z.string(), day: z.string() });
const RefundLetter = z.strictObject({ refund_no: z.string() });

export function createOrders(given: Given) {
  const context: Context = { ...given, clock: given.clock ?? databaseClock };
  const { db, clock, cashiers } = context;
  const coupons = createCoupons({ db, clock });
  const payments = createPayments(context, coupons);
  const buying = createOrderPlacement(context, coupons, payments);
  const refunds = createRefunds(context, coupons, payments);
  const transfers = createTransfers(context, payments);
  const invoices = createInvoices(context, given.print);
  const bills = createBills(context, payments);

  const { outbox } = given;
  outbox.register(
    'order.ask',
    topicOf(OrderLetter, async ({ order_no: orderNo }) => {
      await buying.ask(orderNo);
      return 'done';
    }),
  );
  outbox.register(
    'order.end',
    topicOf(OrderLetter, ({ order_no: orderNo }) => buying.end(orderNo)),
  );
  outbox.register(
    'order.close',
    topicOf(OrderLetter, ({ order_no: orderNo }) => buying.closeAtProviders(orderNo)),
  );
  outbox.register(
    'refund',
    topicOf(RefundLetter, ({ refund_no: refundNo }) => refunds.deliver(refundNo)),
  );

  outbox.register(
    'bill',
    topicOf(BillLetter, ({ provider, day }) => bills.compare(provider, day)),
  );

  return {
    bills,
    buying,
    payments,
    refunds,
    transfers,
    invoices,
    coupons,
    cashiers,
    desk: createDesk(db),
    settings: { read: () => settingsOf(db), change: changeSettings },

    /** GET /v1/coupon/vip/amount. A wrong code is counted. */
    async couponAmount(userId: number, query: CouponQuery): Promise<number> {
      const { code, coupon_type: type, subscription_id: id } = query;
      const pack = id === undefined ? null : await context.membership.packages.find(db, id);
      return coupons.guess(userId, () => coupons.amount({ code, userId, pack, type }));
    },

    /** Whether a person has ever paid: such an account is not empty. */
    async hasPaid(executor: Db, userId: number): Promise<boolean> {
      const [row] = await executor
        .select({ id: orders.id })
        .from(orders)
        .where(and(eq(orders.userId, userId), sql`${orders.state} IN ('paid', 'refunded')`))
        .limit(1);
      return row !== undefined;
    },

    /** Everything of a person, for the archive of the account. */
    everything: (userId: number) => db.select().from(orders).where(eq(orders.userId, userId)),

    /** Run now and then. */
    tidy: async (): Promise<void> => {
      await coupons.tidy();
      await bills.plan();
    },
  };
}
