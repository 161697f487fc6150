/** Seats as goods: what they cost, the order, and what is given and taken back for it. */
import { priceOfMoreSeats, SEATS_MAX, SEATS_MIN } from '@hengxi/contracts/seats';
import { priceOf } from '@hengxi/contracts/price';
import { and, desc, eq, gt, isNull, lte } from 'drizzle-orm';
import { DAY_MS, stepAhead } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { pricingOf } from '../membership/service.ts';
import type { Membership, PackageRow } from '../membership/service.ts';
import type { Orders, OrderRow, Product } from '../orders/service.ts';
import type { OrderMade } from '../orders/schema.ts';
import { enter, lockEnterprise } from './access.ts';
import type { Context } from './context.ts';
import { draftContract } from './contracts.ts';
import type { SeatOrderBody, SeatQuote } from './schema.ts';
import { enterprises, members, seatBlocks, seatOrders } from './tables.ts';
import type { SeatBlockRow } from './tables.ts';
import type { Terms } from './terms.ts';

interface Plan {
  from: Date;
  to: Date;
  price: number;
}

const seatsFault = (text: string): Fault =>
  new Fault(30090, { detail: text }, { fields: [{ field: 'seats', code: 'seats', text }] });

/** The term that runs: the bought block that ends last. */
async function runningTerm(db: Db, eid: number, now: Date): Promise<SeatBlockRow | null> {
  const [row] = await db
    .select()
    .from(seatBlocks)
    .where(
      and(
        eq(seatBlocks.enterpriseId, eid),
        isNull(seatBlocks.revokedAt),
        eq(seatBlocks.source, 'order'),
        lte(seatBlocks.fromAt, stepAhead(now)),
        gt(seatBlocks.toAt, now),
      ),
    )
    .orderBy(desc(seatBlocks.toAt), seatBlocks.id)
    .limit(1);
  return row ?? null;
}

export function createSeatOrders(
  { db, clock, origin }: Context,
  terms: Terms,
  deps: { membership: Membership; orders: () => Orders },
) {
  /** The one asked for, else the first on sale. */
  async function packageOf(executor: Db, id: number | undefined): Promise<PackageRow> {
    const { packages } = deps.membership;
    const first = id ?? (await packages.list('seat', { page: 1, page_size: 1 })).list[0]?.id;
    const pack = first === undefined ? null : await packages.find(executor, first);
    if (pack?.kind !== 'seat' || !pack.onSale) throw new Fault(30205);
    return pack;
  }

  async function planOf(executor: Db, eid: number, body: SeatOrderBody, pack: PackageRow): Promise<Plan> {
    const now = await clock(executor);
    const { plan, seats } = body;
    if (plan === 'more') {
      const term = await runningTerm(executor, eid, now);
      if (!term) throw seatsFault('没有正在进行的付费期，请先购买席位');
      const { fromAt: from, toAt: to } = term;
      return { from: now, to, price: priceOfMoreSeats(pack.fee, seats, { from, to }, now) };
    }
    if (seats < SEATS_MIN || seats > SEATS_MAX) throw seatsFault(`席位数须为 ${SEATS_MIN}–${SEATS_MAX} 的整数`);
    const [row] = await executor.select().from(enterprises).where(eq(enterprises.id, eid));
    const end = plan === 'renewal' ? (row?.endsAt ?? now) : now;
    const from = end > now ? end : now;
    const to = new Date(from.getTime() + (pack.validVipDays ?? 0) * DAY_MS);
    return { from, to, price: priceOf(pricingOf(pack), seats, 0, now).price };
  }

  const product: Product = {
    check: async (tx, buyer) => {
      if (buyer.enterpriseId === null) throw new Fault(30205);
      await lockEnterprise(tx, buyer.enterpriseId);
    },

    apply: async (tx, order) => {
      const [sold] = await tx.select().from(seatOrders).where(eq(seatOrders.orderNo, order.orderNo));
      if (!sold) return false;
      await lockEnterprise(tx, sold.enterpriseId);
      const now = await clock(tx);
      // Paid late: the term keeps its length and begins when it is paid; seats for a term that is over are not given.
      const late = sold.plan === 'more' ? 0 : Math.max(0, now.getTime() - sold.fromAt.getTime());
      const [fromAt, toAt] = [sold.fromAt, sold.toAt].map((at) => new Date(at.getTime() + late));
      if (!fromAt || !toAt || toAt <= now) return false;
      const { enterpriseId, seats } = sold;
      await tx
        .insert(seatBlocks)
        .values({ enterpriseId, seats, fromAt, toAt, orderNo: order.orderNo, source: 'order' });
      await terms.settle(tx, enterpriseId);
      return true;
    },

    revoke: async (tx, order) => {
      const [block] = await tx
        .update(seatBlocks)
        .set({ revokedAt: await clock(tx) })
        .where(and(eq(seatBlocks.orderNo, order.orderNo), isNull(seatBlocks.revokedAt)))
        .returning();
      if (!block) return;
      await lockEnterprise(tx, block.enterpriseId);
      await terms.settle(tx, block.enterpriseId);
    },

    offer: async (executor, order, { now, refundDays }) => {
      const [block] = await executor.select().from(seatBlocks).where(eq(seatBlocks.orderNo, order.orderNo));
      const used = await executor.$count(
        members,
        and(eq(members.enterpriseId, order.enterpriseId ?? 0), eq(members.state, 'active')),
      );
      const isEarly = now.getTime() - (order.paidAt ?? now).getTime() < refundDays * DAY_MS;
      const isUnused = block !== undefined && (block.fromAt > now || used <= 1);
      return isEarly && isUnused
        ? { amount: order.total, note: `付款 ${refundDays} 日内且席位未使用，全额退款` }
        : { amount: null, note: '由客服核定' };
    },
  };

  return {
    product,

    packages: (page: { page: number; page_size: number }) => deps.membership.packages.list('seat', page),

    async quote(userId: number, eid: number, body: SeatOrderBody): Promise<SeatQuote> {
      await enter(db, userId, eid, 'owner');
      const { from, to, price } = await planOf(db, eid, body, await packageOf(db, body.subscription_id));
      const days = Math.round((to.getTime() - from.getTime()) / DAY_MS);
      const { plan, seats } = body;
      return { plan, seats, total: price, from_at: from.toISOString(), to_at: to.toISOString(), days };
    },

    /** By the owner; a new order replaces the open one. */
    async make(userId: number, eid: number, body: SeatOrderBody): Promise<OrderMade> {
      await enter(db, userId, eid, 'owner');
      const pack = await packageOf(db, body.subscription_id);
      const { buying } = deps.orders();
      const { order, ticket } = await db.transaction(async (tx: Tx) => {
        const plan = await planOf(tx, eid, body, pack);
        return buying.purchase(tx, {
          buyer: { userId, enterpriseId: eid },
          packageId: pack.id,
          quantity: body.seats,
          couponCode: null,
          method: body.qr,
          price: () => plan.price,
          made: async (inner, { orderNo }: OrderRow) => {
            await inner.insert(seatOrders).values({
              orderNo,
              enterpriseId: eid,
              plan: body.plan,
              seats: body.seats,
              fromAt: plan.from,
              toAt: plan.to,
            });
            await draftContract(inner, eid, orderNo);
          },
        });
      });
      if (order.enterpriseId !== eid) throw missing();
      const scan = await buying.picture(order, body.qr, ticket, origin());
      const { orderNo, price, couponFen, total } = order;
      const state = order.state === 'paid' ? 'paid' : 'created';
      return { ...scan, price, coupon: couponFen, total_fee: total, order: { order_no: orderNo, state } };
    },
  };
}
