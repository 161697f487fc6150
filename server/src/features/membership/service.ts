/** Membership: packages, grants, editions, counted use, education checks. Put together here. */
import { eq } from 'drizzle-orm';
import { databaseClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Owner } from '../../lib/guard.ts';
import { createEditions } from './editions.ts';
import { createEducation } from './education.ts';
import { createEnding } from './ending.ts';
import { createGrants, vipOf } from './grants.ts';
import { createPackages } from './packages.ts';
import { createProofs } from './proofs.ts';
import type { Membership as MembershipPage, Vip } from './schema.ts';
import { vipGrants } from './tables.ts';
import { createUnlocks } from './unlocks.ts';
import { createUsage } from './usage.ts';

export { ENDING, EndingLetter, shownDay, untilDaytime } from './ending.ts';
export { bytesText, EDITION_TEXT, needsUpgrade, shownLimits } from './editions.ts';
export { LIFETIME_END, fold, vipOf } from './grants.ts';
export type { NewGrant, Standing } from './grants.ts';
export { pricingOf } from './packages.ts';
export type { Changed, PackageDraft } from './packages.ts';
export { PROOF_BYTES } from './proofs.ts';
export type { EduRow, GrantRow, LimitsRow, PackageRow, ProofRow } from './tables.ts';
export { MEMBER_BEGUN, MemberBegunLetter } from './unlocks.ts';
export type { UnlockRow } from './unlocks.ts';
export type { Verdict } from './usage.ts';

export type Membership = ReturnType<typeof createMembership>;

export function createMembership(deps: { db: Db; keys: Keys; hasMail: boolean; clock?: Clock }) {
  const { db, keys, hasMail, clock = databaseClock } = deps;
  const unlocks = createUnlocks({ db, clock });
  const grants = createGrants({ db, clock, unlocks });
  const editions = createEditions({ db, clock, grants });
  const usage = createUsage({ db, clock, editions });
  const proofs = createProofs({ db, keys });
  const education = createEducation({ db, keys, clock, proofs, hasMail });
  const ending = createEnding({ db, clock });
  return {
    ending,
    packages: createPackages({ db, clock }),
    grants,
    editions,
    unlocks,
    usage,
    proofs,
    education,

    /** What GET /v1/user and the token show of a person. */
    async facts(userId: number, executor: Db = db): Promise<{ is_vip: boolean; vip: Vip }> {
      const standing = await grants.standing(executor, userId);
      return { is_vip: standing.isMember, vip: vipOf(standing) };
    },

    async page(owner: Owner): Promise<MembershipPage> {
      const standing =
        owner.kind === 'user' ? await grants.standing(db, owner.id) : { until: null, lifetime: false, isMember: false };
      return {
        edition: await editions.editionOf(db, owner),
        vip: vipOf(standing),
        limits: await editions.limitsOf(db, owner),
        usage: await usage.today(owner),
      };
    },

    /** Everything of a person, for the download of the account's data. */
    async everything(userId: number): Promise<{ grants: unknown[] }> {
      return { grants: await db.select().from(vipGrants).where(eq(vipGrants.userId, userId)) };
    },

    /** Run now and then. */
    tidy: async (): Promise<void> => {
      await proofs.tidy();
      await ending.plan();
    },
  };
}
