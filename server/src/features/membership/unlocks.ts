/** Unlocks: one member method for some days, without the other rights of a member. */
import { and, asc, eq, gt, gte, isNull, lte, max } from 'drizzle-orm';
import { z } from 'zod';
import { DAY_MS, stepAhead } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { methodUnlocks } from './tables.ts';

export type UnlockRow = typeof methodUnlocks.$inferSelect;

/** Somebody has become a member: what unlocks are left is needless, and whoever sold them hears of it. */
export const MEMBER_BEGUN = 'membership.begun';
export const MemberBegunLetter = z.strictObject({ user_id: z.number() });

export function createUnlocks({ db, clock }: { db: Db; clock: Clock }) {
  const isLive = (userId: number, now: Date) =>
    and(eq(methodUnlocks.userId, userId), isNull(methodUnlocks.revokedAt), gt(methodUnlocks.endsAt, now));
  const named = (source: string, ref: string) => and(eq(methodUnlocks.source, source), eq(methodUnlocks.ref, ref));

  return {
    /** Days behind those that the person has already for this method. */
    async grant(
      tx: Tx,
      unlock: { userId: number; method: string; source: string; ref: string; days: number },
    ): Promise<UnlockRow> {
      const { days, ...rest } = unlock;
      const now = await clock(tx);
      const [last] = await tx
        .select({ at: max(methodUnlocks.endsAt) })
        .from(methodUnlocks)
        .where(and(isLive(unlock.userId, now), eq(methodUnlocks.method, unlock.method)));
      const startsAt = last?.at ?? now;
      const endsAt = new Date(startsAt.getTime() + days * DAY_MS);
      const [row] = await tx
        .insert(methodUnlocks)
        .values({ ...rest, startsAt, endsAt })
        .returning();
      if (!row) throw new Error('INSERT gave no row');
      return row;
    },

    async find(executor: Db, source: string, ref: string): Promise<UnlockRow | null> {
      const [row] = await executor.select().from(methodUnlocks).where(named(source, ref));
      return row ?? null;
    },

    /** Takes an unlock back; those behind it move forward by what was left of it. False when it was gone already. */
    async revoke(tx: Tx, source: string, ref: string): Promise<boolean> {
      const now = await clock(tx);
      const [gone] = await tx
        .update(methodUnlocks)
        .set({ revokedAt: now })
        .where(and(named(source, ref), isNull(methodUnlocks.revokedAt)))
        .returning();
      if (!gone) return false;
      const left = gone.endsAt.getTime() - Math.max(now.getTime(), gone.startsAt.getTime());
      const behind = await tx
        .select()
        .from(methodUnlocks)
        .where(
          and(
            isLive(gone.userId, now),
            eq(methodUnlocks.method, gone.method),
            gte(methodUnlocks.startsAt, gone.endsAt),
          ),
        )
        .orderBy(asc(methodUnlocks.startsAt));
      const earlier = (at: Date): Date => new Date(at.getTime() - Math.max(0, left));
      for (const { id, startsAt, endsAt } of behind)
        await tx
          .update(methodUnlocks)
          .set({ startsAt: earlier(startsAt), endsAt: earlier(endsAt) })
          .where(eq(methodUnlocks.id, id));
      return true;
    },

    /** What is left of a person's, the oldest first. */
    async live(executor: Db, userId: number, now: Date): Promise<UnlockRow[]> {
      return executor.select().from(methodUnlocks).where(isLive(userId, now)).orderBy(asc(methodUnlocks.startsAt));
    },

    /** An analysis begins that only an unlock allows: it counts as used. */
    async use(owner: Owner, method: string): Promise<void> {
      const now = await clock(db);
      await db
        .update(methodUnlocks)
        .set({ usedAt: now })
        .where(
          and(
            isLive(owner.id, now),
            eq(methodUnlocks.method, method),
            lte(methodUnlocks.startsAt, stepAhead(now)),
            isNull(methodUnlocks.usedAt),
          ),
        );
    },
  };
}
