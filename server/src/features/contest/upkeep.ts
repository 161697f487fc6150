/** What happens to a season by itself: reminders before its deadline, and the end of the names it was given. */
import { and, eq, gt, inArray, isNotNull, lte, ne, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { shownInstant } from './phase.ts';
import { contests, people, submissions, teams } from './tables.ts';
import type { ContestRow } from './tables.ts';

const HOUR_MS = 3_600_000;
/** Hours before the deadline, and how long the round may be late for it. */
const REMINDERS = [
  { hours: 24, within: HOUR_MS },
  { hours: 1, within: HOUR_MS / 2 },
] as const;
const KEPT_YEARS = 2;

/** A message to a person; the key names the occasion, so that it comes once. */
export type Tell = (tx: Tx, userId: number, key: string, text: string) => Promise<void>;

export function createUpkeep({ db, clock, tell }: { db: Db; clock: Clock; tell: Tell }) {
  async function remindOf(contest: ContestRow, hours: number): Promise<void> {
    const members = await db
      .select({
        userId: people.userId,
        sent: sql<number>`(SELECT count(*)::int FROM ${submissions} WHERE ${submissions.teamId} = ${people.teamId} AND ${submissions.state} = 'submitted')`,
      })
      .from(people)
      .where(and(eq(people.contestId, contest.id), isNotNull(people.teamId)));
    const end = shownInstant(contest.answerTo);
    await db.transaction(async (tx) => {
      for (const { userId, sent } of members) {
        const state = sent === 0 ? '您的队伍还没有提交作品。' : `您的队伍已提交 ${sent} 次，以最后一次为准。`;
        const text = `“${contest.title}”将于 ${end}（北京时间）截止提交，还有 ${hours} 小时。${state}`;
        await tell(tx, userId, `contest:${contest.id}:${userId}:${hours}:${contest.answerTo.toISOString()}`, text);
      }
    });
  }

  return {
    /** A day and an hour before the deadline, whatever has been sent; a postponed one is told of anew. */
    async remind(): Promise<void> {
      const now = (await clock(db)).getTime();
      const open = await db
        .select()
        .from(contests)
        .where(and(isNotNull(contests.openedAt), gt(contests.answerTo, new Date(now))));
      for (const contest of open)
        for (const { hours, within } of REMINDERS) {
          const left = contest.answerTo.getTime() - now;
          if (left <= hours * HOUR_MS && left > hours * HOUR_MS - within) await remindOf(contest, hours);
        }
    },

    /** Two years after the prizes nobody needs to know who took part; awards and numbers stay. */
    async forgetOld(): Promise<void> {
      const now = await clock(db);
      const old = db
        .select({ id: contests.id })
        .from(contests)
        .where(lte(contests.settledAt, sql`${now}::timestamptz - make_interval(years => ${KEPT_YEARS})`));
      await db
        .update(people)
        .set({ nameSealed: '', schoolSealed: '' })
        .where(and(inArray(people.contestId, old), ne(people.nameSealed, '')));
      await db
        .update(teams)
        .set({ tutorSealed: null, tutorSchoolSealed: null })
        .where(and(inArray(teams.contestId, old), isNotNull(teams.tutorSealed)));
    },
  };
}
