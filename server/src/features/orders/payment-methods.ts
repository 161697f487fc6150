/** How an open order can be paid: pictures for scanning, and the page behind the picture for either app. */
import { eq, sql } from 'drizzle-orm';
import QRCode from 'qrcode';
import { Fault } from '../../lib/errors.ts';
import { randomCode } from '../../lib/keys.ts';
import { QR_SECONDS, TRANSFER_DAYS } from './context.ts';
import type { Buyer, Context } from './context.ts';
import { ProviderBusy } from './providers/provider.ts';
import type { PayMethod, Qr } from './schema.ts';
import { loadOrder } from './store.ts';
import { orders } from './tables.ts';
import type { OrderRow } from './tables.ts';

export type PaymentMethods = ReturnType<typeof createPaymentMethods>;

export function createPaymentMethods({ db, clock, keys, cashiers }: Context) {
  const ticketDigest = (ticket: string): string => keys.digest('pay-ticket', ticket);

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
      const payment = await provider.open({
        order_no: orderNo,
        total,
        title: `衡析 ${snapshot.title}`,
        expires_at: expiresAt,
      });
      return payment.code_url;
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

  return {
    picture,
    ticketDigest,

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
  };
}
