/** All SQL on people, their sessions and hand-off tickets. */
import { and, count, desc, eq, gt, inArray, isNull, lt, min, ne, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { avatars, handoffs, sessions, users } from './tables.ts';
import type { EndReason } from './tables.ts';

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;

const SESSION_DAYS = 30;

export async function findUser(db: Db, id: number): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

export async function findUserByPhone(db: Db, phoneDigest: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.phoneDigest, phoneDigest));
  return row ?? null;
}

/** Two first sign-ins at the same moment give one account: the later one finds the earlier row. */
export async function findOrCreateByPhone(
  tx: Tx,
  phone: { digest: string; sealed: string },
  nickname: string,
  utmSource: string | null,
): Promise<UserRow> {
  await tx
    .insert(users)
    .values({ nickname, phoneDigest: phone.digest, phoneSealed: phone.sealed, utmSource })
    .onConflictDoNothing({ target: users.phoneDigest });
  const [row] = await tx.select().from(users).where(eq(users.phoneDigest, phone.digest)).for('update');
  if (!row) throw new Error('The account that was just made is missing');
  return row;
}

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
  change: Partial<Pick<UserRow, 'nickname' | 'avatar' | 'fillNanAdjusted'>>,
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
  deviceId: string;
  netDigest: string;
  netShown: string;
  agent: string;
}

/** One live session per person and channel: the older one ends in the same transaction. */
export async function insertSession(tx: Tx, session: NewSession): Promise<SessionRow> {
  await endSessions(tx, session.userId, 'replaced', eq(sessions.platform, session.platform));
  const [row] = await tx
    .insert(sessions)
    .values({ ...session, endsAt: sql`now() + make_interval(days => ${SESSION_DAYS})` })
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
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.endsAt, sql`now()`)))
    .orderBy(desc(sessions.seenAt));
}

export async function insertHandoff(db: Db, ticketDigest: string, flowDigest: string, userId: number): Promise<void> {
  await db.delete(handoffs).where(lt(handoffs.createdAt, sql`now() - interval '1 hour'`));
  await db.insert(handoffs).values({ ticketDigest, flowDigest, userId });
}

/** Takes the ticket out, also when it is too old or held by the wrong browser: it is spent either way. */
export async function takeHandoff(
  tx: Db,
  ticketDigest: string,
): Promise<{ flowDigest: string; userId: number } | null> {
  const [row] = await tx
    .delete(handoffs)
    .where(eq(handoffs.ticketDigest, ticketDigest))
    .returning({
      flowDigest: handoffs.flowDigest,
      userId: handoffs.userId,
      isFresh: sql<boolean>`${handoffs.createdAt} > now() - interval '60 seconds'`,
    });
  return row?.isFresh ? row : null;
}

export async function usersByIds(db: Db, ids: number[]): Promise<UserRow[]> {
  return ids.length === 0 ? [] : db.select().from(users).where(inArray(users.id, ids));
}
