/** Campaigns: what they show, what they give, friend invitations. */
import { databaseClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import type { Membership } from '../membership/service.ts';
import type { Points } from '../points/service.ts';
import { BudgetSpent, createClaims } from './claims.ts';
import type { CouponMaker } from './claims.ts';
import { createFriends } from './friends.ts';
import type { Faces } from './friends.ts';
import type { AdDetail } from './schema.ts';
import { createPlacements } from './placements.ts';

export type { CampaignDraft, CouponMaker } from './claims.ts';
export type { Faces, PersonFacts } from './friends.ts';
export type { AdRow, BroadcastRow } from './tables.ts';
export type { AdDraft, BroadcastDraft } from './placements.ts';

export type Campaigns = ReturnType<typeof createCampaigns>;

export function createCampaigns(deps: {
  db: Db;
  membership: Membership;
  points: Points;
  coupons: CouponMaker;
  people: Faces;
  rewards: (campaignId: number) => Promise<Pick<AdDetail, 'quests' | 'items'>>;
  clock?: Clock;
}) {
  const { clock = databaseClock } = deps;
  const claims = createClaims({ ...deps, clock });
  const friends = createFriends({ ...deps, clock, claims });
  return {
    shows: createPlacements({ db: deps.db, clock, rewards: deps.rewards }),
    claims,
    friends,

    /** A new account signs in for the first time: who invited it, and the welcome gift (1 when it was given). */
    async welcome(tx: Tx, userId: number): Promise<0 | 1> {
      await friends.link(tx, userId);
      try {
        return await tx.transaction((inner) => claims.lucky(inner, userId));
      } catch (error) {
        if (error instanceof BudgetSpent) return 0;
        throw error;
      }
    },
  };
}
