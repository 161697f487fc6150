/** Credits, quests and the mall, put together: who earned what by doing, and what it buys. */
import { creditsRoutes } from '../../features/credits/routes.ts';
import { CREDITS_ENDING, CreditsEndingLetter, createCredits } from '../../features/credits/service.ts';
import type { Credits } from '../../features/credits/service.ts';
import { findUser, lastSeenOf, madeTogether, ownNetworks, tell } from '../../features/accounts/service.ts';
import { mallRoutes } from '../../features/mall/routes.ts';
import { createMall } from '../../features/mall/service.ts';
import type { Mall, MethodFacts } from '../../features/mall/service.ts';
import { MEMBER_BEGUN, MemberBegunLetter, shownDay, untilDaytime } from '../../features/membership/service.ts';
import type { Membership } from '../../features/membership/service.ts';
import type { Orders } from '../../features/orders/service.ts';
import type { Points } from '../../features/points/service.ts';
import { questsRoutes } from '../../features/quests/routes.ts';
import { createQuests } from '../../features/quests/service.ts';
import type { Quests } from '../../features/quests/service.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { AdDetail } from '../../features/campaigns/schema.ts';
import { databaseClock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import type { App, Deps } from '../../lib/deps.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { topicOf } from '../../lib/outbox.ts';
import type { Outbox } from '../../lib/outbox.ts';

export interface CreditsCentre {
  credits: Credits;
  quests: Quests;
  mall: Mall;
  /** What a campaign's page shows of it. */
  ofCampaign(campaignId: number): Promise<Pick<AdDetail, 'quests' | 'items'>>;
  /** Counts what people have done; many times a minute. */
  /** `goesOn` is asked after each deed, and may take its time. */
  count(goesOn?: () => Promise<boolean>): Promise<void>;
  /** Ending, unclaimed bonuses, old events; now and then. */
  tidy(): Promise<void>;
  belongings(userId: number): AsyncGenerator<OwnerFile>;
  forget(tx: Tx, userId: number): Promise<void>;
}

interface Around {
  authenticate: Authenticate;
  membership: Membership;
  points: Points;
  orders: Orders;
  outbox: Outbox;
  method: (path: string) => MethodFacts | null;
  hasLockedMethods: () => boolean;
}

const hasPhone = async (executor: Db, userId: number): Promise<boolean> =>
  (await findUser(executor, userId))?.phoneDigest != null;

export function createCreditsCentre(app: App, deps: Deps, around: Around): CreditsCentre {
  const { db, log, clock = databaseClock } = deps;
  const nowhere = ownNetworks(deps.keys);
  const { authenticate, membership, points, orders, outbox, method, hasLockedMethods } = around;
  const credits = createCredits({ db, clock, lastSeen: lastSeenOf });
  const quests = createQuests({
    db,
    clock,
    log,
    credits,
    origins: async (executor, userId) => {
      const user = await findUser(executor, userId);
      return user && { createdAt: user.createdAt, together: () => madeTogether(executor, user, nowhere) };
    },
    hasPhone,
    isMember: async (executor, userId) => (await membership.grants.standing(executor, userId)).isMember,
    methodTitle: (path) => method(path)?.title ?? null,
  });
  const coupons = couponsOf(orders);
  const mall = createMall({ db, clock, credits, membership, points, method, hasLockedMethods, coupons });

  outbox.register(
    MEMBER_BEGUN,
    topicOf(MemberBegunLetter, async ({ user_id: userId }) => {
      await mall.purchases.memberBegun(userId);
      return 'done';
    }),
  );
  outbox.register(
    CREDITS_ENDING,
    topicOf(CreditsEndingLetter, async ({ user_id: userId, at, days }) => {
      const wait = untilDaytime(await clock(db));
      if (wait > 0) return { again: wait };
      const user = await findUser(db, userId);
      const amount = await credits.ending.endingAt(userId, new Date(at));
      // Spent or gone meanwhile: there is nothing to tell any more.
      if (!user?.phoneSealed || amount === 0) return 'done';
      const lastDay = shownDay(new Date(new Date(at).getTime() - 1));
      const text = `您有${amount}积分将于${lastDay}到期，登录后可在积分中心查看和使用。`;
      await tell(db, `credits:${userId}:${at}:${days}`, user.phoneSealed, text);
      return 'done';
    }),
  );

  creditsRoutes(app, { credits, demandObjectionable: quests.records.demandObjectionable });
  questsRoutes(app, { quests });
  mallRoutes(app, { mall, authenticate });

  return {
    credits,
    quests,
    mall,

    async ofCampaign(campaignId) {
      const [own, items] = [await quests.desk.ofCampaign(campaignId), await mall.items.ofCampaign(campaignId)];
      return {
        quests: own.map(({ id, title, why, kind, target, bonus }) => ({ id, title, why, kind, target, bonus })),
        items: items.map((item) => ({
          id: item.id,
          title: item.title,
          summary: item.summary,
          grant_kind: item.grantKind,
          grant_value: item.grantValue,
          price_credits: item.priceCredits,
        })),
      };
    },

    count: async (goesOn) => void (await quests.apply.round(goesOn)),

    async tidy() {
      await credits.ending.plan();
      await quests.records.creditUnclaimed();
      await quests.apply.tidy();
    },

    async *belongings(userId) {
      yield json('credits.json', await credits.everything(userId));
      yield json('quests.json', await quests.records.everything(userId));
      yield json('mall-orders.json', await mall.desk.everything(userId));
    },

    async forget(tx, userId) {
      await credits.forget(tx, userId);
      await quests.forget(tx, userId);
    },
  };
}

function couponsOf({ coupons }: Orders): Parameters<typeof createMall>[0]['coupons'] {
  return {
    make: async (tx, { amount, coupon_type: couponType, userId, validTo, note }) =>
      (await coupons.make(tx, { amount, couponType, userId, validTo, note, limitTotal: 1 })).after.code,
    isUsed: async (executor, code) => ((await coupons.find(executor, code))?.uses ?? 0) > 0,
    stop: async (tx, code) => {
      const row = await coupons.find(tx, code);
      if (!row) return false;
      const { before } = await coupons.change(tx, row.id, row.version, { state: 'stopped' });
      return before?.uses === 0;
    },
  };
}
