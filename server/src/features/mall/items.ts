/** Items of the mall as somebody sees them: price, true stock, and why something cannot be had. */
import { and, asc, eq, gt, gte, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { DAY_MS, dayOf, dayRange } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { Credits } from '../credits/service.ts';
import type { Membership } from '../membership/service.ts';
import type { LimitPeriod, MallItem, MallItems } from './schema.ts';
import { mallItems, mallOrders } from './tables.ts';
import type { ItemRow } from './tables.ts';

/** More than so many are not counted out: only what is short is worth telling. */
const STOCK_TOLD = 20;
const QUANTITY_MAX = 10;
const PERIODS: Record<LimitPeriod, string> = { day: '今日', week: '本周', month: '本月', year: '今年', ever: '' };

/** When the period began in which a limit counts, in Shanghai; null: with the first order. */
export function periodStart(period: LimitPeriod, now: Date): Date | null {
  const day = dayOf(now);
  const { from } = dayRange(day);
  switch (period) {
    case 'day':
      return from;
    case 'week':
      return new Date(from.getTime() - ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) * DAY_MS);
    case 'month':
      return dayRange(`${day.slice(0, 7)}-01`).from;
    case 'year':
      return dayRange(`${day.slice(0, 4)}-01-01`).from;
    case 'ever':
      return null;
  }
}

export const inWindow = (now: Date) =>
  and(
    eq(mallItems.state, 'on'),
    or(isNull(mallItems.onAt), lte(mallItems.onAt, now)),
    or(isNull(mallItems.offAt), gt(mallItems.offAt, now)),
  );

/** How many somebody has of an item within its period; what was given back does not count. */
export async function boughtOf(executor: Db, item: ItemRow, userId: number, now: Date): Promise<number> {
  const since = periodStart(item.limitPeriod, now);
  const [row] = await executor
    .select({ n: sql<number>`coalesce(sum(${mallOrders.quantity}), 0)::int` })
    .from(mallOrders)
    .where(
      and(
        eq(mallOrders.itemId, item.id),
        eq(mallOrders.userId, userId),
        ne(mallOrders.state, 'refunded'),
        since ? gte(mallOrders.createdAt, since) : undefined,
      ),
    );
  return row?.n ?? 0;
}

interface Buyer {
  userId: number;
  balance: number;
  heldReason: string | null;
  isMember: boolean;
  isLifetime: boolean;
}

function whyNot(item: ItemRow, buyer: Buyer | null, bought: number, hasLocked: boolean): string | null {
  if (item.stockLeft === 0) return '已兑完';
  if (item.grantKind === 'algorithm' && !hasLocked) return '目前所有方法均可直接使用，无需解锁';
  if (!buyer) return '登录后可兑换';
  if (buyer.heldReason !== null) return `账户暂停使用积分：${buyer.heldReason}`;
  if (item.grantKind === 'algorithm' && buyer.isMember) return '会员无需解锁';
  if (item.grantKind === 'vip_days' && buyer.isLifetime) return '您已是长期会员';
  const { perUserLimit: most, limitPeriod } = item;
  if (most !== null && bought >= most) return `${PERIODS[limitPeriod]}已兑 ${bought}/${most}`;
  const short = item.priceCredits - buyer.balance;
  return short > 0 ? `积分不足，还差 ${short}` : null;
}

function wire(item: ItemRow, buyer: Buyer | null, bought: number, hasLocked: boolean): MallItem {
  const reason = whyNot(item, buyer, bought, hasLocked);
  const room = item.perUserLimit === null ? QUANTITY_MAX : item.perUserLimit - bought;
  const stock = item.stockLeft ?? QUANTITY_MAX;
  return {
    id: item.id,
    title: item.title,
    summary: item.summary,
    body_md: item.bodyMd,
    grant_kind: item.grantKind,
    grant_value: item.grantValue,
    valid_days: item.validDays,
    price_credits: item.priceCredits,
    stock_left: item.stockLeft !== null && item.stockLeft <= STOCK_TOLD ? item.stockLeft : null,
    per_user_limit: item.perUserLimit,
    limit_period: item.limitPeriod,
    bought,
    quantity_max: item.grantKind === 'algorithm' ? 1 : Math.max(1, Math.min(QUANTITY_MAX, room, stock)),
    off_at: item.offAt?.toISOString() ?? null,
    can_buy: reason === null,
    reason,
  };
}

interface Parts {
  db: Db;
  clock: Clock;
  credits: Credits;
  membership: Membership;
  hasLockedMethods: () => boolean;
}

export function createItems({ db, clock, credits, membership, hasLockedMethods }: Parts) {
  async function buyerOf(userId: number | null): Promise<Buyer | null> {
    if (userId === null) return null;
    const balance = await credits.balance(userId);
    const account = await credits.desk.find(db, userId);
    const { isMember, lifetime } = await membership.grants.standing(db, userId);
    return { userId, balance, heldReason: account?.heldReason ?? null, isMember, isLifetime: lifetime };
  }

  const shown = (rows: readonly ItemRow[], buyer: Buyer | null, now: Date): Promise<MallItem[]> =>
    Promise.all(
      rows.map(async (row) => {
        const bought = buyer ? await boughtOf(db, row, buyer.userId, now) : 0;
        return wire(row, buyer, bought, hasLockedMethods());
      }),
    );

  return {
    async list(userId: number | null, page: { page: number; page_size: number }): Promise<MallItems> {
      const now = await clock(db);
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(mallItems)
        .where(inWindow(now))
        .orderBy(asc(mallItems.sort), asc(mallItems.id))
        .limit(limit)
        .offset(offset);
      const total = await db.$count(mallItems, inWindow(now));
      return { total, list: await shown(rows, await buyerOf(userId), now) };
    },

    async read(userId: number | null, id: number): Promise<MallItem> {
      const now = await clock(db);
      const [row] = await db
        .select()
        .from(mallItems)
        .where(and(inWindow(now), eq(mallItems.id, id)));
      if (!row) throw missing();
      const [item] = await shown([row], await buyerOf(userId), now);
      if (!item) throw missing();
      return item;
    },

    /** Of a campaign, for its page. */
    async ofCampaign(campaignId: number): Promise<ItemRow[]> {
      const now = await clock(db);
      return db
        .select()
        .from(mallItems)
        .where(and(inWindow(now), eq(mallItems.campaignId, campaignId)))
        .orderBy(asc(mallItems.sort), asc(mallItems.id));
    },
  };
}
