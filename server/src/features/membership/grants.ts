/**
 * Membership as a chain of grants that never overlap: each begins where the one before ends. A revoked grant keeps what
 * was used of it; what comes later moves forward. Days granted behind a lifetime wait, for the case that it is revoked.
 */
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { send } from '../../lib/outbox.ts';
import { slice } from '../../lib/paging.ts';
import type { Grant, GrantSource, Vip } from './schema.ts';
import { vipAccounts, vipGrants } from './tables.ts';
import type { GrantRow, VipAccount } from './tables.ts';
import { MEMBER_BEGUN } from './unlocks.ts';
import type { createUnlocks } from './unlocks.ts';

/** How a membership without end is told. */
export const LIFETIME_END = '2099-12-31T15:59:59Z';

export interface NewGrant {
  userId: number;
  source: GrantSource;
  /** Names the occasion; the same source and ref is granted once. */
  ref: string;
  days: number | null;
  lifetime: boolean;
}

export interface Standing {
  until: Date | null;
  lifetime: boolean;
  isMember: boolean;
}

type Span = Pick<GrantRow, 'id' | 'days' | 'lifetime' | 'startsAt' | 'endsAt'>;

/** Where live grants stand at an instant: those begun stay, the others follow one another. Pure, oldest first. */
export function fold(live: readonly Span[], now: Date): Span[] {
  const begun = live.filter(({ startsAt }) => startsAt !== null && startsAt <= now);
  const later = live.filter(({ startsAt }) => startsAt === null || startsAt > now);
  let cursor: Date | null = now;
  for (const { endsAt } of begun) cursor = endsAt === null ? null : cursor && (endsAt > cursor ? endsAt : cursor);
  const placed = later.map((span) => {
    if (cursor === null) return { ...span, startsAt: null, endsAt: null };
    const startsAt = cursor;
    cursor = span.lifetime ? null : new Date(startsAt.getTime() + (span.days ?? 0) * DAY_MS);
    return { ...span, startsAt, endsAt: cursor };
  });
  return [...begun, ...placed];
}

/** The end of a chain; null with `lifetime` or without any grant. */
export function endOf(chain: readonly Span[]): Pick<VipAccount, 'until' | 'lifetime'> {
  if (chain.some(({ lifetime }) => lifetime)) return { until: null, lifetime: true };
  const ends = chain.flatMap(({ endsAt }) => (endsAt ? [endsAt.getTime()] : []));
  return { until: ends.length > 0 ? new Date(Math.max(...ends)) : null, lifetime: false };
}

export const vipOf = ({ until, lifetime }: Standing): Vip =>
  lifetime
    ? { invalid_at: LIFETIME_END, lifetime: true }
    : { invalid_at: until?.toISOString() ?? null, lifetime: false };

/** What an account, or none, means at an instant. */
export const standingOf = (row: Pick<VipAccount, 'until' | 'lifetime'> | null | undefined, now: Date): Standing => ({
  until: row?.until ?? null,
  lifetime: row?.lifetime ?? false,
  isMember: Boolean(row && (row.lifetime || (row.until && row.until > now))),
});

const wire = (row: GrantRow): Grant => ({
  id: row.id,
  source: row.source,
  days: row.days,
  lifetime: row.lifetime,
  starts_at: row.startsAt?.toISOString() ?? null,
  ends_at: row.endsAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

interface Parts {
  db: Db;
  clock: Clock;
  unlocks: ReturnType<typeof createUnlocks>;
}

export function createGrants({ db, clock, unlocks }: Parts) {
  async function lock(tx: Tx, userId: number): Promise<VipAccount> {
    await tx.insert(vipAccounts).values({ userId }).onConflictDoNothing();
    const [row] = await tx.select().from(vipAccounts).where(eq(vipAccounts.userId, userId)).for('update');
    if (!row) throw new Error('The account that was just made is missing');
    return row;
  }

  const liveOf = (tx: Tx, userId: number): Promise<GrantRow[]> =>
    tx
      .select()
      .from(vipGrants)
      .where(and(eq(vipGrants.userId, userId), isNull(vipGrants.revokedAt)))
      .orderBy(sql`${vipGrants.startsAt} ASC NULLS LAST`, vipGrants.id);

  /** Writes the end of the chain. */
  async function close(tx: Tx, userId: number, chain: readonly Span[], now: Date): Promise<Standing> {
    const end = endOf(chain);
    await tx.update(vipAccounts).set(end).where(eq(vipAccounts.userId, userId));
    return standingOf(end, now);
  }

  /**
   * Places the live grants anew after one was taken away. `first` is where the chain began: by a clock that went back
   * nothing of it has begun yet, and what was placed must not move into the past.
   */
  async function settle(tx: Tx, userId: number, now: Date, first: Date | null): Promise<Standing> {
    const live = await liveOf(tx, userId);
    const chain = fold(live, first && first > now ? first : now);
    for (const { id, startsAt, endsAt } of chain) {
      const old = live.find((grant) => grant.id === id);
      const isSame = old?.startsAt?.getTime() === startsAt?.getTime() && old?.endsAt?.getTime() === endsAt?.getTime();
      if (!isSame) await tx.update(vipGrants).set({ startsAt, endsAt }).where(eq(vipGrants.id, id));
    }
    return close(tx, userId, chain, now);
  }

  return {
    async standing(executor: Db, userId: number): Promise<Standing> {
      const [row] = await executor
        .select({ until: vipAccounts.until, lifetime: vipAccounts.lifetime })
        .from(vipAccounts)
        .where(eq(vipAccounts.userId, userId));
      return standingOf(row, row ? await clock(executor) : new Date(0));
    },

    /** Adds days (or a lifetime) at the end of what is there. The same source and ref changes nothing a second time. */
    async grant(
      tx: Tx,
      { userId, source, ref, days, lifetime }: NewGrant,
    ): Promise<{ before: Standing; after: Standing; isNew: boolean }> {
      const account = await lock(tx, userId);
      const now = await clock(tx);
      const before = standingOf(account, now);
      // Behind everything that is there, which stays where it is.
      const starts = account.lifetime ? null : new Date(Math.max(now.getTime(), account.until?.getTime() ?? 0));
      if (lifetime && !starts) return { before, after: before, isNew: false };
      const ends = starts && days !== null ? new Date(starts.getTime() + days * DAY_MS) : null;
      const [inserted] = await tx
        .insert(vipGrants)
        .values({ userId, source, ref, days, lifetime, startsAt: starts, endsAt: ends })
        .onConflictDoNothing({ target: [vipGrants.source, vipGrants.ref] })
        .returning({ id: vipGrants.id });
      if (!inserted) return { before, after: before, isNew: false };
      const after = await close(tx, userId, await liveOf(tx, userId), now);
      if (!before.isMember && after.isMember && (await unlocks.live(tx, userId, now)).length > 0)
        await send(tx, { topic: MEMBER_BEGUN, key: `${MEMBER_BEGUN}:${inserted.id}`, payload: { user_id: userId } });
      return { before, after, isNew: true };
    },

    /** Takes a grant back: what was used of it stays used, what comes later moves forward. */
    async revoke(tx: Tx, source: GrantSource, ref: string): Promise<{ before: Standing; after: Standing }> {
      const named = and(eq(vipGrants.source, source), eq(vipGrants.ref, ref));
      const [grant] = await tx.select().from(vipGrants).where(named);
      if (!grant) throw missing();
      const account = await lock(tx, grant.userId);
      const now = await clock(tx);
      const [begin] = (await liveOf(tx, grant.userId)).flatMap(({ startsAt }) => (startsAt ? [startsAt] : []));
      await tx
        .update(vipGrants)
        .set({ revokedAt: now })
        .where(and(named, isNull(vipGrants.revokedAt)));
      return { before: standingOf(account, now), after: await settle(tx, grant.userId, now, begin ?? null) };
    },

    async findByRef(executor: Db, source: GrantSource, ref: string): Promise<GrantRow | null> {
      const [row] = await executor
        .select()
        .from(vipGrants)
        .where(and(eq(vipGrants.source, source), eq(vipGrants.ref, ref)));
      return row ?? null;
    },

    async list(userId: number, page: { page: number; page_size: number }): Promise<{ total: number; list: Grant[] }> {
      const { limit, offset } = slice(page);
      const mine = eq(vipGrants.userId, userId);
      const rows = await db
        .select()
        .from(vipGrants)
        .where(mine)
        .orderBy(desc(vipGrants.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(vipGrants).where(mine);
      return { total: all?.n ?? 0, list: rows.map(wire) };
    },
  };
}
