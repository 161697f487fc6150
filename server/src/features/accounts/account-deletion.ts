/** Leaving: sessions and shares end at once, seven days to come back, then everything personal is removed. */
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Logger } from '../../lib/log.ts';
import { tell } from './notices.ts';
import type { People } from './people.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';
import {
  accountTickets,
  avatars,
  captchaPasses,
  handoffs,
  identityLinks,
  sandboxSms,
  sessions,
  smsCodes,
  users,
  wrongCodes,
} from './tables.ts';

export const GRACE_DAYS = 7;
const DAY_MS = 86_400_000;

export const graceEnds = (leavingAt: Date): Date => new Date(leavingAt.getTime() + GRACE_DAYS * DAY_MS);

const isOver = lt(users.leavingAt, sql`now() - make_interval(days => ${GRACE_DAYS})`);

export async function requestDeletion({ db, people }: { db: Db; people: People }, actor: Actor): Promise<Date> {
  if (await people.ownsEnterprise(db, actor.userId)) throw new Fault(30304);
  return db.transaction(async (tx) => {
    const user = await store.lockUser(tx, actor.userId);
    const [row] = await tx
      .update(users)
      .set({ leavingAt: sql`now()` })
      .where(eq(users.id, actor.userId))
      .returning({ at: users.leavingAt });
    for (const end of people.onLeave) await end(tx, actor.userId);
    await store.endAllSessions(tx, actor.userId, 'left');
    const text = '您的账号已申请注销，7天内登录可以恢复，之后数据将被删除。';
    await tell(tx, `leave:${actor.userId}:${actor.sessionId}`, user?.phoneSealed ?? null, text);
    return graceEnds(row?.at ?? new Date());
  });
}

/** Takes the wish back; 30003 when the time is over or there was none. */
export async function cancelDeletion(tx: Tx, userId: number): Promise<UserRow> {
  const user = await store.lockUser(tx, userId);
  const [row] = await tx
    .update(users)
    .set({ leavingAt: null })
    .where(
      and(
        eq(users.id, userId),
        isNotNull(users.leavingAt),
        isNull(users.removedAt),
        sql`${users.leavingAt} > now() - make_interval(days => ${GRACE_DAYS})`,
      ),
    )
    .returning();
  if (!user || !row) throw new Fault(30003);
  return row;
}

export async function isPastGrace(db: Db, userId: number): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isOver));
  return row !== undefined;
}

/** Removes what is the person's and keeps the bare row, which money still refers to. */
export async function removePerson(tx: Tx, people: People, userId: number): Promise<void> {
  const user = await store.lockUser(tx, userId);
  if (!user || user.removedAt) return;
  for (const remove of people.removers) await remove(tx, userId);
  const mine = { links: identityLinks, pictures: avatars, handoffs, tickets: accountTickets };
  for (const table of Object.values(mine)) await tx.delete(table).where(eq(table.userId, userId));
  await tx.delete(accountTickets).where(eq(accountTickets.otherId, userId));
  await tx.execute(sql`DELETE FROM idempotency WHERE user_id = ${userId}`);
  if (user.phoneDigest) {
    for (const table of [smsCodes, wrongCodes, captchaPasses, sandboxSms])
      await tx.delete(table).where(eq(table.phoneDigest, user.phoneDigest));
  }
  await tx
    .update(sessions)
    .set({ deviceId: '', netDigest: '', netShown: '', agent: '' })
    .where(eq(sessions.userId, userId));
  await tx
    .update(users)
    .set({
      nickname: '已注销用户',
      avatar: null,
      phoneDigest: null,
      phoneSealed: null,
      utmSource: null,
      analyticsConsent: false,
      leavingAt: sql`coalesce(${users.leavingAt}, now())`,
      removedAt: sql`now()`,
    })
    .where(eq(users.id, userId));
}

/** Run now and then: one transaction a person, so that one fault does not keep the others. */
export async function purgeDeletedAccounts({
  db,
  log,
  people,
}: {
  db: Db;
  log: Logger;
  people: People;
}): Promise<number> {
  const due = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isOver, isNull(users.removedAt)))
    .limit(100);
  let removed = 0;
  for (const { id } of due) {
    try {
      await db.transaction((tx) => removePerson(tx, people, id));
      removed += 1;
    } catch (error) {
      log.error({ event: 'bug', err: error, uid: id }, 'an account could not be removed and will be tried again');
    }
  }
  return removed;
}
