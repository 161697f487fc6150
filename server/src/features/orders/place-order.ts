/** Making orders. One buyer's orders change one after the other; paying, closing and showing them stand beside. */
import { priceOf, readQuantity } from '@hengxi/contracts/price';
import { and, count, eq, inArray } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import { shortCode } from '../../lib/codes.ts';
import { violates } from '../../lib/db.ts';
import type { Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { randomCode } from '../../lib/keys.ts';
import { send } from '../../lib/outbox.ts';
import { pricingOf } from '../membership/service.ts';
import type { PackageRow } from '../membership/service.ts';
import { createClosing } from './closing.ts';
import { QR_SECONDS, TRANSFER_DAYS, lockBuyer, orderNumber, settingsOf } from './context.ts';
import type { Buyer, Context } from './context.ts';
import type { Coupons } from './coupons.ts';
import type { Payments } from './payments.ts';
import { createPaymentMethods } from './payment-methods.ts';
import { createOrderHistory } from './order-history.ts';
import type { Order, OrderBody, OrderMade, PayMethod } from './schema.ts';
import { bankTransfers, orders } from './tables.ts';
import type { OrderRow, Snapshot } from './tables.ts';

const OPEN_MS = 2 * 3_600_000;
/** A provider's notice may be lost: asked at the end of the picture and after it, and once more at the end of the order. */
const ASK_SECONDS = [QR_SECONDS, QR_SECONDS + 120, QR_SECONDS + 600, QR_SECONDS + 3600];

const snapshotOf = (row: PackageRow): Snapshot => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  ...pricingOf(row),
  valid_vip_days: row.validVipDays,
  lifetime: row.lifetime,
  points: row.points,
  group_qr: row.groupQr,
});

/** What an order is made of; seats come with quantities and prices of their own. */
export interface Purchase {
  buyer: Buyer;
  packageId: number;
  quantity: number;
  couponCode: string | null;
  method: PayMethod;
  /** Replaces the price rule for kinds whose price is not by the piece (seats midway). */
  price?: (pack: PackageRow) => number;
  /** Called with the new row, before anything is given for it. */
  made?: (tx: Tx, order: OrderRow) => Promise<void>;
}

/** A new order, and the holder of its payment page when it has one. */
export interface PlacedOrder {
  order: OrderRow;
  ticket: string | null;
}

export function createOrderPlacement(context: Context, coupons: Coupons, payments: Payments) {
  const { db, clock, membership, products, cashiers, hasPhone } = context;
  const closing = createClosing(context, coupons, payments);
  const paying = createPaymentMethods(context);
  const records = createOrderHistory(context);

  async function demandUnderLimit(tx: Tx, pack: PackageRow, userId: number): Promise<void> {
    if (pack.perUserLimit === null) return;
    const [row] = await tx
      .select({ n: count() })
      .from(orders)
      .where(and(eq(orders.userId, userId), eq(orders.packageId, pack.id), eq(orders.state, 'paid')));
    if ((row?.n ?? 0) >= pack.perUserLimit) throw new Fault(30207, { n: pack.perUserLimit });
  }

  async function insert(tx: Tx, purchase: Purchase): Promise<PlacedOrder> {
    const { buyer, quantity, couponCode, method } = purchase;
    await lockBuyer(tx, buyer.userId);
    const now = await clock(tx);
    const pack = await membership.packages.onSale(tx, purchase.packageId);
    const product = products[pack.kind];
    if (!product) throw new Fault(30205);
    await product.check(tx, buyer, pack, quantity);
    await demandUnderLimit(tx, pack, buyer.userId);
    const isTransfer = method === 4;
    const replaced = await closing.supersede(tx, buyer, pack.kind, isTransfer);
    const orderNo = orderNumber(now);
    const couponFen = couponCode
      ? await coupons.reserve(tx, { code: couponCode, userId: buyer.userId, pack, type: null }, orderNo)
      : 0;
    const price = purchase.price?.(pack) ?? priceOf(pricingOf(pack), quantity, 0, now).price;
    const total = Math.max(0, price - couponFen);
    const settings = await settingsOf(tx);
    const ticket = method === 1 && total > 0 ? randomCode() : null;
    const [order] = await tx
      .insert(orders)
      .values({
        orderNo,
        userId: buyer.userId,
        enterpriseId: buyer.enterpriseId,
        packageId: pack.id,
        snapshot: snapshotOf(pack),
        kind: pack.kind,
        quantity,
        price,
        couponFen,
        total,
        method,
        ticketDigest: ticket ? paying.ticketDigest(ticket) : null,
        agreementVersion: settings.agreementVersion,
        expiresAt: new Date(now.getTime() + (isTransfer ? TRANSFER_DAYS * DAY_MS : OPEN_MS)),
      })
      .returning();
    if (!order) throw new Error('INSERT gave no row');
    await purchase.made?.(tx, order);
    if (replaced.length > 0)
      await tx
        .update(orders)
        .set({ supersededBy: order.id })
        .where(
          inArray(
            orders.id,
            replaced.map(({ id }) => id),
          ),
        );
    if (total > 0) {
      await prepare(tx, order);
      return { order, ticket };
    }
    await coupons.use(tx, orderNo);
    if (!(await payments.apply(tx, order, now))) throw new Fault(30205);
    return { order: { ...order, state: 'paid' }, ticket };
  }

  /** What must happen if nothing else does: asking the provider, closing in the end; the remark of a bank transfer. */
  async function prepare(tx: Tx, order: OrderRow): Promise<void> {
    const { orderNo } = order;
    const end = Math.ceil((order.expiresAt.getTime() - (await clock(tx)).getTime()) / 1000) + 1;
    await send(tx, { topic: 'order.end', key: `end:${orderNo}`, payload: { order_no: orderNo }, after: end });
    if (order.method === 4) {
      for (let tries = 0; ; tries += 1)
        try {
          await tx.transaction((inner) =>
            inner.insert(bankTransfers).values({ orderNo, remark: shortCode(6), amountFen: order.total }),
          );
          return;
        } catch (error) {
          if (tries >= 4 || !violates(error, 'bank_transfers_remark')) throw error;
        }
    }
    for (const after of ASK_SECONDS)
      await send(tx, { topic: 'order.ask', key: `ask:${orderNo}:${after}`, payload: { order_no: orderNo }, after });
  }

  return {
    ...closing,
    ...paying,
    ...records,

    /** Closes an open order on the person's wish and shows it. */
    async cancel(buyer: Buyer, orderNo: string): Promise<Order> {
      await closing.cancel(buyer, orderNo);
      return records.read(buyer, orderNo);
    },

    /** An order by its parts; for enterprises, whose seats have a price of their own. */
    purchase: (tx: Tx, purchase: Purchase): Promise<PlacedOrder> => insert(tx, purchase),

    /** POST /v1/user/orders. */
    async create(userId: number, body: OrderBody, origin: string): Promise<OrderMade> {
      if (!(await hasPhone(db, userId))) throw new Fault(30202);
      const quantity = readQuantity(body.quantity);
      if (quantity === null) {
        const fault = new Fault(30208);
        throw new Fault(30208, {}, { fields: [{ field: 'quantity', code: 'quantity', text: fault.message }] });
      }
      if (!cashiers.isEnabled(body.qr)) throw new Fault(30223);
      const couponCode = body.coupon_code || null;
      const buyer: Buyer = { userId, enterpriseId: null };
      const make = () =>
        work(db, (tx) => insert(tx, { buyer, packageId: body.subscription_id, quantity, couponCode, method: body.qr }));
      const made = await (couponCode ? coupons.guess(userId, make) : make());
      const { order, ticket } = made;
      const scan = await paying.picture(order, body.qr, ticket, origin);
      const { orderNo, price, couponFen, total } = order;
      const state = order.state === 'paid' ? 'paid' : 'created';
      return { ...scan, price, coupon: couponFen, total_fee: total, order: { order_no: orderNo, state } };
    },
  };
}
