/** All SQL on people, their sessions and hand-off tickets. */
import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  gte,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  min,
  ne,
  notInArray,
  or,
  sql,
} from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { dayOf, dayRange, isRecent } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { happened } from '../../lib/product-events.ts';
import { avatars, handoffs, sessions, users } from './tables.ts';
import type { EndReason } from './tables.ts';

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;

const SESSION_DAYS = 30;
/** How long a person may take to choose among several channels. */
const OFFER_MINUTES = 10;

export async function findUser(db: Db, id: number): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

export async function findUserByPhone(db: Db, phoneDigest: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.phoneDigest, phoneDigest));
  return row ?? null;
}

/** People whose nickname holds these words, newest first; for the desk. */
export async function usersByNickname(db: Db, words: string, most: number): Promise<UserRow[]> {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  return db
    .select()
    .from(users)
    .where(and(ilike(users.nickname, pattern), isNull(users.removedAt)))
    .orderBy(desc(users.id))
    .limit(most);
}

/** Two first sign-ins at the same moment give one account: the later one finds the earlier row. */
export async function findOrCreateByPhone(
  tx: Tx,
  phone: { digest: string; sealed: string },
  nickname: string,
  utmSource: string | null,
): Promise<{ user: UserRow; isNew: boolean }> {
  const inserted = await tx
    .insert(users)
    .values({ nickname, phoneDigest: phone.digest, phoneSealed: phone.sealed, utmSource })
    .onConflictDoNothing({ target: users.phoneDigest })
    .returning({ id: users.id });
  const [row] = await tx.select().from(users).where(eq(users.phoneDigest, phone.digest)).for('update');
  if (!row) throw new Error('The account that was just made is missing');
  if (inserted.length > 0) await bound(tx, row.id, phone.digest);
  return { user: row, isNew: inserted.length > 0 };
}

/** An account without a phone, for whoever comes by another way. */
export async function insertUser(tx: Tx, nickname: string, utmSource: string | null): Promise<UserRow> {
  const [row] = await tx.insert(users).values({ nickname, utmSource }).returning();
  if (!row) throw new Error('INSERT gave no row');
  return row;
}

export async function setPhone(tx: Tx, id: number, phone: { digest: string; sealed: string } | null): Promise<void> {
  await tx
    .update(users)
    .set({ phoneDigest: phone?.digest ?? null, phoneSealed: phone?.sealed ?? null })
    .where(eq(users.id, id));
  if (phone) await bound(tx, id, phone.digest);
}

const bound = (tx: Tx, id: number, digest: string): Promise<void> =>
  happened(tx, { kind: 'user', id }, { kind: 'phone_bound', subject: digest });

export async function findDemo(db: Db): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.isDemo, true));
  return row ?? null;
}

export async function insertDemo(db: Db, nickname: string): Promise<UserRow> {
  await db.insert(users).values({ nickname, isDemo: true }).onConflictDoNothing();
  const row = await findDemo(db);
  if (!row) throw new Error('The demo account that was just made is missing');
  return row;
}

export async function lockUser(tx: Tx, id: number): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return row ?? null;
}

export async function updateUser(
  db: Db,
  id: number,
  change: Partial<Pick<UserRow, 'nickname' | 'avatar' | 'fillNanAdjusted' | 'analyticsConsent'>>,
): Promise<UserRow> {
  const [row] = await db.update(users).set(change).where(eq(users.id, id)).returning();
  if (!row) throw new Error(`User ${id} is missing`);
  return row;
}

export async function setBan(tx: Tx, id: number, ban: { reason: string; until: Date | null } | null): Promise<void> {
  await tx
    .update(users)
    .set(
      ban
        ? { bannedAt: sql`now()`, banReason: ban.reason, banUntil: ban.until }
        : { bannedAt: null, banReason: null, banUntil: null },
    )
    .where(eq(users.id, id));
}

/** Replaces the picture: older ones of the person go. */
export async function putAvatar(db: Db, userId: number, key: string, png: Uint8Array): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(avatars).where(eq(avatars.userId, userId));
    await tx.insert(avatars).values({ key, userId, png });
    await tx.update(users).set({ avatar: key }).where(eq(users.id, userId));
  });
}

export async function removeAvatar(db: Db, userId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(avatars).where(eq(avatars.userId, userId));
    await tx.update(users).set({ avatar: null }).where(eq(users.id, userId));
  });
}

export async function findAvatar(db: Db, key: string): Promise<Uint8Array | null> {
  const [row] = await db.select({ png: avatars.png }).from(avatars).where(eq(avatars.key, key));
  return row?.png ?? null;
}

export interface NewSession {
  userId: number;
  platform: string;
  enterpriseId?: number | null;
  deviceId: string;
  netDigest: string;
  netShown: string;
  agent: string;
}

/** One live session per person and channel: the older one ends in the same transaction. */
export async function insertSession(tx: Tx, session: NewSession): Promise<SessionRow> {
  await endSessions(tx, session.userId, 'replaced', eq(sessions.platform, session.platform));
  return insertRow(tx, session, null);
}

/** A session for one of several channels: it ends nothing until its first call accepts it. */
export const insertOffer = (tx: Tx, session: NewSession): Promise<SessionRow> =>
  insertRow(tx, session, sql`now() + make_interval(mins => ${OFFER_MINUTES})`);

/** When somebody last used the product; null: never. */
export async function lastSeenOf(db: Db, userId: number): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(sessions.seenAt) })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  return row?.at ?? null;
}

/** How many accounts were made on the same day from a device or a network of this one's (but `without` these), with itself. */
export async function madeTogether(db: Db, { id, createdAt }: UserRow, without: string[]): Promise<number> {
  const { from, to } = dayRange(dayOf(createdAt));
  const own = db.select().from(sessions).where(eq(sessions.userId, id)).as('own');
  const [row] = await db
    .select({ n: countDistinct(users.id) })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .innerJoin(
      own,
      or(
        and(ne(own.deviceId, ''), eq(sessions.deviceId, own.deviceId)),
        and(notInArray(own.netDigest, ['', ...without]), eq(sessions.netDigest, own.netDigest)),
      ),
    )
    .where(and(gte(users.createdAt, from), lt(users.createdAt, to), eq(users.isDemo, false)));
  return row?.n ?? 0;
}

/** Withdraws what was offered before and never used. */
export async function dropOffers(tx: Db, userId: number): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), isNotNull(sessions.offeredUntil)));
}

/** Offers nobody accepted; run now and then. */
export async function tidyOffers(db: Db): Promise<void> {
  await db.delete(sessions).where(lt(sessions.offeredUntil, sql`now()`));
}

/**
 * The first call of an offered session: it becomes live and ends the older one of its channel. False when the offer
 * has run out. The person's row is locked, so that two offers of one channel come one after another.
 */
export async function acceptOffer(db: Db, session: SessionRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, session.userId);
    const [row] = await tx
      .select({ isGood: sql<boolean>`${sessions.offeredUntil} IS NULL OR ${sessions.offeredUntil} > now()` })
      .from(sessions)
      .where(and(eq(sessions.id, session.id), isNull(sessions.endedAt)));
    if (!row?.isGood) return false;
    await tx
      .update(sessions)
      .set({ endedAt: sql`now()`, endedReason: 'replaced' })
      .where(
        and(
          eq(sessions.userId, session.userId),
          eq(sessions.platform, session.platform),
          isNull(sessions.endedAt),
          isNull(sessions.offeredUntil),
          ne(sessions.id, session.id),
        ),
      );
    await tx.update(sessions).set({ offeredUntil: null }).where(eq(sessions.id, session.id));
    return true;
  });
}

async function insertRow(tx: Tx, session: NewSession, offeredUntil: SQL | null): Promise<SessionRow> {
  const [row] = await tx
    .insert(sessions)
    .values({ ...session, offeredUntil, endsAt: sql`now() + make_interval(days => ${SESSION_DAYS})` })
    .returning();
  if (!row) throw new Error('INSERT gave no row');
  return row;
}

async function endSessions(tx: Db, userId: number, reason: EndReason, which?: ReturnType<typeof eq>): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ endedAt: sql`now()`, endedReason: reason })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), which))
    .returning({ id: sessions.id });
  return ended.length;
}

export const endAllSessions = (tx: Db, userId: number, reason: EndReason): Promise<number> =>
  endSessions(tx, userId, reason);

/** Ends the sessions of one channel of an enterprise, when the person leaves it. */
export const endEnterpriseSessions = (
  tx: Db,
  userId: number,
  enterpriseId: number,
  reason: EndReason,
): Promise<number> => endSessions(tx, userId, reason, eq(sessions.enterpriseId, enterpriseId));

export const endOneSession = (tx: Db, userId: number, id: number, reason: EndReason): Promise<number> =>
  endSessions(tx, userId, reason, eq(sessions.id, id));

export const endOtherSessions = (tx: Db, userId: number, keep: number, reason: EndReason): Promise<number> =>
  endSessions(tx, userId, reason, ne(sessions.id, keep));

/** Devices and networks first used by the person within the last 24 hours. */
export async function countNew(tx: Db, userId: number): Promise<{ devices: number; networks: number }> {
  const firsts = async (column: typeof sessions.deviceId): Promise<number> => {
    const first = tx
      .select({ at: min(sessions.createdAt).as('at') })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .groupBy(column)
      .as('first');
    const [row] = await tx
      .select({ n: count() })
      .from(first)
      .where(gt(first.at, sql`now() - interval '24 hours'`));
    return row?.n ?? 0;
  };
  return { devices: await firsts(sessions.deviceId), networks: await firsts(sessions.netDigest) };
}

export interface SessionState {
  session: SessionRow;
  user: UserRow;
  /** Within its 30 days by the database's clock. */
  isLive: boolean;
  isBanned: boolean;
  /** `seen_at` is older than a minute. */
  isStale: boolean;
}

const banned = sql<boolean>`(${users.bannedAt} IS NOT NULL AND (${users.banUntil} IS NULL OR ${users.banUntil} > now()))`;

export async function sessionState(db: Db, id: number): Promise<SessionState | null> {
  const [row] = await db
    .select({
      session: sessions,
      user: users,
      isLive: sql<boolean>`${sessions.endsAt} > now()`,
      isBanned: banned,
      isStale: sql<boolean>`${sessions.seenAt} < now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, id));
  return row ?? null;
}

export async function isBanned(db: Db, userId: number): Promise<boolean> {
  const [row] = await db.select({ banned }).from(users).where(eq(users.id, userId));
  return row?.banned ?? false;
}

/** Those of the given people who are banned now. */
export async function bannedAmong(db: Db, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, ids), banned));
  return rows.map((row) => row.id);
}

export async function touchSession(db: Db, id: number): Promise<void> {
  await db
    .update(sessions)
    .set({ seenAt: sql`now()` })
    .where(eq(sessions.id, id));
}

export async function liveSessions(db: Db, userId: number): Promise<SessionRow[]> {
  return db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.endedAt),
        isNull(sessions.offeredUntil),
        gt(sessions.endsAt, sql`now()`),
      ),
    )
    .orderBy(desc(sessions.seenAt));
}

export async function insertHandoff(
  db: Db,
  ticketDigest: string,
  flowDigest: string,
  userId: number,
  lucky: boolean,
): Promise<void> {
  await db.delete(handoffs).where(lt(handoffs.createdAt, sql`now() - interval '1 hour'`));
  await db.insert(handoffs).values({ ticketDigest, flowDigest, userId, lucky });
}

/** Takes the ticket out, also when it is too old or held by the wrong browser: it is spent either way. */
export async function takeHandoff(
  tx: Db,
  ticketDigest: string,
): Promise<{ flowDigest: string; userId: number; lucky: boolean } | null> {
  const [row] = await tx
    .delete(handoffs)
    .where(eq(handoffs.ticketDigest, ticketDigest))
    .returning({
      flowDigest: handoffs.flowDigest,
      userId: handoffs.userId,
      lucky: handoffs.lucky,
      isFresh: isRecent(handoffs.createdAt, 60),
    });
  return row?.isFresh ? row : null;
}

export async function usersByIds(db: Db, ids: number[]): Promise<UserRow[]> {
  return ids.length === 0 ? [] : db.select().from(users).where(inArray(users.id, ids));
}

/** Devices a person ever signed in from. */
export async function devicesOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db.selectDistinct({ id: sessions.deviceId }).from(sessions).where(eq(sessions.userId, userId));
  return rows.map(({ id }) => id);
}
