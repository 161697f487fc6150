/** Making, paying for and closing orders. One buyer's orders change one after the other. */
import { priceOf, readQuantity } from '@hengxi/contracts/price';
import { and, count, desc, eq, gt, inArray, isNotNull, ne, or, sql } from 'drizzle-orm';
import QRCode from 'qrcode';
import { DAY_MS } from '../../lib/clock.ts';
import { shortCode } from '../../lib/codes.ts';
import { violates } from '../../lib/db.ts';
import type { Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { randomCode } from '../../lib/keys.ts';
import { send } from '../../lib/outbox.ts';
import { pricingOf } from '../membership/service.ts';
import type { PackageRow } from '../membership/service.ts';
import { calculateType, lockBuyer, orderNumber, settingsOf } from './context.ts';
import type { Buyer, Context } from './context.ts';
import type { Coupons } from './coupons.ts';
import type { Payments } from './payments.ts';
import { ProviderBusy } from './providers/provider.ts';
import type { Order, OrderBody, OrderList, OrderMade, OrderQuery, PaymentState, PayMethod, Qr } from './schema.ts';
import { besides, findOrder, listOrders, loadOrder } from './store.ts';
import { bankTransfers, orders } from './tables.ts';
import type { OrderRow, Snapshot } from './tables.ts';
import { orderWire } from './wire.ts';

/** The picture is renewed after this; the order itself stays open for longer. */
const QR_SECONDS = 300;
const OPEN_MS = 2 * 3_600_000;
const TRANSFER_DAYS = 30;
/** A provider's notice may be lost: asked at the end of the picture and after it, and once more at the end of the order. */
const ASK_SECONDS = [QR_SECONDS, QR_SECONDS + 120, QR_SECONDS + 600, QR_SECONDS + 3600];
const RECENT_MINUTES = 30;

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
export interface Made {
  order: OrderRow;
  ticket: string | null;
}

export function createBuying(context: Context, coupons: Coupons, payments: Payments) {
  const { db, clock, keys, membership, products, cashiers, hasPhone, holdings } = context;

  const ticketDigest = (ticket: string): string => keys.digest('pay-ticket', ticket);

  async function demandUnderLimit(tx: Tx, pack: PackageRow, userId: number): Promise<void> {
    if (pack.perUserLimit === null) return;
    const [row] = await tx
      .select({ n: count() })
      .from(orders)
      .where(and(eq(orders.userId, userId), eq(orders.packageId, pack.id), eq(orders.state, 'paid')));
    if ((row?.n ?? 0) >= pack.perUserLimit) throw new Fault(30207, { n: pack.perUserLimit });
  }

  /** The open order that a new one replaces: closed, its coupon free again, told to its provider. */
  async function supersede(tx: Tx, buyer: Buyer, kind: PackageRow['kind'], isTransfer: boolean): Promise<OrderRow[]> {
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

  async function insert(tx: Tx, purchase: Purchase): Promise<Made> {
    const { buyer, quantity, couponCode, method } = purchase;
    await lockBuyer(tx, buyer.userId);
    const now = await clock(tx);
    const pack = await membership.packages.onSale(tx, purchase.packageId);
    const product = products[pack.kind];
    if (!product) throw new Fault(30205);
    await product.check(tx, buyer, pack, quantity);
    await demandUnderLimit(tx, pack, buyer.userId);
    const isTransfer = method === 4;
    const replaced = await supersede(tx, buyer, pack.kind, isTransfer);
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
        ticketDigest: ticket ? ticketDigest(ticket) : null,
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

  const nothing: Qr = { qrcode: null, code_url: null, timeout: 0 };

  /** A picture for scanning; the provider is asked outside of any transaction. */
  async function picture(order: OrderRow, method: PayMethod, ticket: string | null, origin: string): Promise<Qr> {
    if (order.total === 0) return nothing;
    if (method === 4) return { ...nothing, timeout: TRANSFER_DAYS * 86_400 };
    const codeUrl = method === 1 ? `${origin}/v1/pay/${ticket ?? ''}` : await opened(order, method);
    const qrcode = await QRCode.toDataURL(codeUrl, { margin: 1, width: 252, errorCorrectionLevel: 'M' });
    return { qrcode, code_url: codeUrl, timeout: QR_SECONDS };
  }

  /** Makes the order known to a provider. That it may be is written first, so that it is always asked or told later. */
  async function opened(order: OrderRow, method: PayMethod): Promise<string> {
    const provider = cashiers.forMethod(method);
    if (!provider) throw new Fault(30223, {}, { data: { order_no: order.orderNo } });
    await db
      .update(orders)
      .set({
        opened: sql`CASE WHEN ${orders.opened} ? ${provider.name} THEN ${orders.opened} ELSE ${orders.opened} || to_jsonb(${provider.name}::text) END`,
      })
      .where(eq(orders.id, order.id));
    try {
      const { orderNo, total, snapshot, expiresAt } = order;
      const made = await provider.open({
        order_no: orderNo,
        total,
        title: `衡析 ${snapshot.title}`,
        expires_at: expiresAt,
      });
      return made.code_url;
    } catch (error) {
      if (error instanceof ProviderBusy) throw new Fault(30223, {}, { data: { order_no: order.orderNo } });
      throw error;
    }
  }

  async function openOrder(buyer: Buyer, orderNo: string): Promise<OrderRow> {
    const order = await loadOrder(db, buyer, orderNo);
    if (order.state === 'paid' || order.state === 'refunded') throw new Fault(30221);
    if (order.state === 'closed' || order.expiresAt <= (await clock(db))) throw new Fault(30222);
    return order;
  }

  async function wireAll(rows: OrderRow[]): Promise<Order[]> {
    const beside = await besides(
      db,
      rows.map(({ orderNo }) => orderNo),
    );
    const now = await clock(db);
    const settings = await settingsOf(db);
    return rows.map((row) => orderWire(row, beside(row.orderNo), now, settings));
  }

  return {
    close,

    /** An order by its parts; for enterprises, whose seats have a price of their own. */
    purchase: (tx: Tx, purchase: Purchase): Promise<Made> => insert(tx, purchase),
    picture,

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
      if (couponCode) await coupons.demandFewMisses(userId);
      const buyer: Buyer = { userId, enterpriseId: null };
      const made = await work(db, (tx) =>
        insert(tx, {
          buyer,
          packageId: body.subscription_id,
          quantity,
          couponCode,
          method: body.qr,
        }),
      ).catch(async (error: unknown) => {
        if (error instanceof Fault && error.code === 30211) await coupons.missed(userId);
        throw error;
      });
      const { order, ticket } = made;
      const scan = await picture(order, body.qr, ticket, origin);
      const { orderNo, price, couponFen, total } = order;
      const state = order.state === 'paid' ? 'paid' : 'created';
      return { ...scan, price, coupon: couponFen, total_fee: total, order: { order_no: orderNo, state } };
    },

    /** A new picture for an order that is still open; the method may change, the order stays. */
    async renew(buyer: Buyer, orderNo: string, method: PayMethod, origin: string): Promise<Qr> {
      const order = await openOrder(buyer, orderNo);
      if ((order.method === 4) !== (method === 4) || !cashiers.isEnabled(method)) throw new Fault(30223);
      if (method !== 1) {
        await db.update(orders).set({ method }).where(eq(orders.id, order.id));
        return picture(order, method, null, origin);
      }
      // The former page stops working: who scans the new picture pays.
      const ticket = randomCode();
      await db
        .update(orders)
        .set({ method, ticketDigest: ticketDigest(ticket) })
        .where(eq(orders.id, order.id));
      return picture(order, method, ticket, origin);
    },

    /** The page behind the picture of method 1: where this browser is to go. */
    async follow(
      ticket: string,
      agent: string,
    ): Promise<{ url: string; order: OrderRow } | { order: OrderRow | null; url: null }> {
      const [order] = await db
        .select()
        .from(orders)
        .where(eq(orders.ticketDigest, ticketDigest(ticket)));
      if (!order || order.state !== 'created' || order.expiresAt <= (await clock(db)))
        return { order: order ?? null, url: null };
      const method = /AlipayClient/i.test(agent) ? 3 : 2;
      return { order, url: await opened(order, method) };
    },

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

    /** Closes an open order on the person's wish. Asked again: nothing more happens. */
    async cancel(buyer: Buyer, orderNo: string): Promise<Order> {
      await work(db, async (tx) => {
        await lockBuyer(tx, buyer.userId);
        const order = await loadOrder(tx, buyer, orderNo);
        if (order.state === 'closed') return;
        if (order.state !== 'created') throw new Fault(30221);
        if (order.method === 4 && !(await closeTransfer(tx, orderNo)))
          throw new Fault(30090, { detail: '已上传转账凭证，请等待核对' });
        await close(tx, order, 'user');
      });
      return this.read(buyer, orderNo);
    },

    /** The time of an order is over: the providers are asked once more before it closes. */
    async end(orderNo: string): Promise<'done' | { again: number }> {
      const order = await findOrder(db, orderNo);
      if (order?.state !== 'created') return 'done';
      const left = order.expiresAt.getTime() - (await clock(db)).getTime();
      if (left > 0) return { again: Math.ceil(left / 1000) + 1 };
      if ((await this.ask(orderNo)) === 'paid') return 'done';
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

    /** Asks every provider that knows the order; a payment that was found is settled. */
    async ask(orderNo: string): Promise<'paid' | 'unpaid'> {
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
