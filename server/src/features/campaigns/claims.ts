/** Gifts of campaigns: each once a person, never beyond the budget, refused at once when paused. */
import { and, desc, eq, gt, gte, lte, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import type { Changed, Membership } from '../membership/service.ts';
import type { Points } from '../points/service.ts';
import type { CampaignCoupon, Lucky } from './schema.ts';
import { campaignGrants, campaigns } from './tables.ts';
import type { CampaignRow } from './tables.ts';

/** The maker of coupons, handed in: orders knows campaigns as little as campaigns knows orders. */
export interface CouponMaker {
  make(
    tx: Tx,
    coupon: { amount: number; coupon_type: 0 | 1 | 3; userId: number; validTo: Date; note: string },
  ): Promise<string>;
  read(executor: Db, code: string): Promise<CampaignCoupon | null>;
}

export type CampaignDraft = Omit<typeof campaigns.$inferInsert, 'id' | 'version'>;

interface Parts {
  db: Db;
  clock: Clock;
  membership: Membership;
  points: Points;
  coupons: CouponMaker;
}

export function createClaims({ db, clock, membership, points, coupons }: Parts) {
  const isRunning = (now: Date) =>
    and(eq(campaigns.state, 'running'), lte(campaigns.startsAt, now), gt(campaigns.endsAt, now));

  async function running(executor: Db, kind: CampaignRow['kind']): Promise<CampaignRow | null> {
    const now = await clock(executor);
    const [row] = await executor
      .select()
      .from(campaigns)
      .where(and(eq(campaigns.kind, kind), isRunning(now)))
      .orderBy(campaigns.id)
      .limit(1);
    return row ?? null;
  }

  /** One piece of the budget, or false when none is left or the campaign does not run. The row's lock comes last. */
  async function takeBudget(tx: Tx, id: number, now: Date): Promise<boolean> {
    const rows = await tx
      .update(campaigns)
      .set({ budgetLeft: sql`${campaigns.budgetLeft} - 1` })
      .where(and(eq(campaigns.id, id), isRunning(now), gte(campaigns.budgetLeft, 1)))
      .returning({ id: campaigns.id });
    return rows.length > 0;
  }

  /** True the first time for this person and kind. */
  async function insertGrant(tx: Tx, campaignId: number, userId: number, kind: string, ref: string): Promise<boolean> {
    const rows = await tx
      .insert(campaignGrants)
      .values({ campaignId, userId, kind, ref })
      .onConflictDoNothing()
      .returning({ id: campaignGrants.id });
    return rows.length > 0;
  }

  async function grantOf(executor: Db, campaignId: number, userId: number, kind: string) {
    const [row] = await executor
      .select()
      .from(campaignGrants)
      .where(
        and(
          eq(campaignGrants.campaignId, campaignId),
          eq(campaignGrants.userId, userId),
          eq(campaignGrants.kind, kind),
        ),
      );
    return row ?? null;
  }

  return {
    running,
    takeBudget,

    /** The welcome gift of a new account: 1 when it was given now. */
    async lucky(tx: Tx, userId: number): Promise<0 | 1> {
      const campaign = await running(tx, 'lucky');
      if (!campaign) return 0;
      const ref = `lucky:${campaign.id}:${userId}`;
      if (!(await insertGrant(tx, campaign.id, userId, 'lucky', ref))) return 0;
      const { vip_days: days = 0, points: gift = 0 } = campaign.gift;
      if (days > 0) await membership.grants.grant(tx, { userId, source: 'lucky', ref, days, lifetime: false });
      if (gift > 0)
        await points.add(
          tx,
          { kind: 'user', id: userId },
          { gift },
          { kind: 'lucky', key: ref, title: campaign.title, ref },
        );
      if (await takeBudget(tx, campaign.id, await clock(tx))) return 1;
      // A sign-in must not fail for a gift: what was granted in this transaction is undone by the savepoint's caller.
      throw new BudgetSpent();
    },

    /** What this account got as a welcome, whatever a page has stored. */
    async luckyOf(userId: number): Promise<Lucky> {
      const [row] = await db
        .select({ title: campaigns.title, gift: campaigns.gift, at: campaignGrants.at })
        .from(campaignGrants)
        .innerJoin(campaigns, eq(campaigns.id, campaignGrants.campaignId))
        .where(and(eq(campaignGrants.userId, userId), eq(campaignGrants.kind, 'lucky')))
        .orderBy(desc(campaignGrants.id))
        .limit(1);
      if (!row) return null;
      return { title: row.title, days: row.gift.vip_days ?? 0, points: row.gift.points ?? 0, at: row.at.toISOString() };
    },

    /** A coupon bound to the account; asked again, the same one. */
    async coupon(userId: number, campaignId: number): Promise<CampaignCoupon> {
      const [campaign] = await db.select().from(campaigns).where(eq(campaigns.id, campaignId));
      if (!campaign || campaign.kind !== 'coupon') throw missing();
      const { coupon } = campaign.gift;
      if (!coupon) throw new Error(`Campaign ${campaignId} gives coupons and does not say which`);
      return work(db, async (tx) => {
        const now = await clock(tx);
        const had = await grantOf(tx, campaignId, userId, 'coupon');
        const known = had ? await coupons.read(tx, had.ref) : null;
        if (known) return known;
        const audience = await audienceFits(tx, campaign, userId);
        if (!audience) throw new Fault(31201);
        const validTo = new Date(now.getTime() + coupon.days * 86_400_000);
        const code = await coupons.make(tx, { ...coupon, userId, validTo, note: campaign.code });
        // Of two equal requests the later one waits here and then finds that it came second.
        if (!(await insertGrant(tx, campaignId, userId, 'coupon', code))) throw new Fault(31204);
        if (!(await takeBudget(tx, campaignId, now))) throw new Fault(await whyNot(tx, campaignId, now));
        return { code, amount: coupon.amount, valid_to: validTo.toISOString() };
      });
    },

    /** Desk. */
    async put(tx: Tx, id: number | null, version: number, draft: CampaignDraft): Promise<Changed<CampaignRow>> {
      if (id === null) {
        const [after] = await tx.insert(campaigns).values(draft).returning();
        if (!after) throw new Error('INSERT gave no row');
        return { before: null, after };
      }
      const [before] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30309);
      const [after] = await tx
        .update(campaigns)
        .set({ ...draft, version: version + 1 })
        .where(eq(campaigns.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },
  };

  async function whyNot(tx: Tx, id: number, now: Date): Promise<31201 | 31202> {
    const [row] = await tx
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(and(eq(campaigns.id, id), isRunning(now)));
    return row ? 31202 : 31201;
  }

  async function audienceFits(tx: Tx, { audience }: CampaignRow, userId: number): Promise<boolean> {
    if (audience === 'all' || audience === 'new') return true;
    const { isMember } = await membership.grants.standing(tx, userId);
    return isMember === (audience === 'member');
  }
}

/** The budget ended while a gift was being made. */
export class BudgetSpent extends Error {}
