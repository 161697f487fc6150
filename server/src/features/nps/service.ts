/** Who is asked how likely they recommend us, when again, and what they answered (credits page, section 5). */
import { createHash, randomBytes } from 'node:crypto';
import { and, asc, count, desc, eq, sql } from 'drizzle-orm';
import { DAY_MS, databaseClock, dayOf } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Keys } from '../../lib/keys.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { slice } from '../../lib/paging.ts';
import type { Edition } from '../membership/schema.ts';
import { OPEN_MS } from './schema.ts';
import type { AnswerBody, Popup } from './schema.ts';
import { scoreOf } from './score.ts';
import type { Score } from './score.ts';
import { npsAnswers, npsPrompts } from './tables.ts';

const ACCOUNT_DAYS = 30;
const LEAST = { runs: 5, days: 3 };
/** Days until somebody may be asked again, by what they did last time. What was left without a word was closed. */
const AGAIN_DAYS = { answer: 180, close: 90, never: Number.POSITIVE_INFINITY } as const;
const LATER = { days: 14, times: 2, then: 180 };
/** Of ten thousand, on any day. */
const SAMPLE = 100;
/** A card that is older is answered no more. */
const TOKEN_HOURS = 24;

/** What of other features is asked. */
export interface Around {
  db: Db;
  keys: Keys;
  clock?: Clock | undefined;
  /** Successful analyses of a person, the days they were on, and whether anything of theirs runs now. */
  workOf: (actor: Actor) => Promise<{ runs: number; days: number; open: number }>;
  createdAt: (userId: number) => Promise<Date | null>;
  editionOf: (owner: Owner) => Promise<Edition>;
  /** Of ten thousand; tests ask everybody. */
  sample?: number;
}

export type Nps = ReturnType<typeof createNps>;

const NOT: Popup = { show: false, survey_id: null, token: null, delay_ms: null };

/** 2026Q4, by the calendar of Shanghai. */
function surveyOf(now: Date): string {
  const [year = '', month = ''] = dayOf(now).split('-');
  return `${year}Q${Math.ceil(Number(month) / 3)}`;
}

/** The same person is in or out for a whole day, whatever they open. */
export function isSampled(userId: number, now: Date, sample = SAMPLE): boolean {
  const digest = createHash('sha256')
    .update(`nps ${userId} ${dayOf(now)}`)
    .digest();
  return digest.readUInt32BE(0) % 10_000 < sample;
}

type Outcome = AnswerBody['action'] | null;

/** Days to wait after the newest prompt; `outcomes` newest first. 以后再说 waits shortly twice in a row, then long. */
export function daysAfter(outcomes: readonly Outcome[]): number {
  const [last] = outcomes;
  if (last === undefined) return 0;
  if (last !== 'later') return AGAIN_DAYS[last ?? 'close'];
  const other = outcomes.findIndex((outcome) => outcome !== 'later');
  const times = other === -1 ? outcomes.length : other;
  return times > LATER.times ? LATER.then : LATER.days;
}

const isScore = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10;

export function createNps({ db, keys, clock = databaseClock, sample = SAMPLE, ...around }: Around) {
  const digest = (token: string): string => keys.digest('nps', token);

  /** Whether what went before leaves somebody to be asked. */
  async function mayAsk(executor: Db, userId: number, now: Date): Promise<boolean> {
    const rows = await executor
      .select({ outcome: npsPrompts.outcome, shownAt: npsPrompts.shownAt })
      .from(npsPrompts)
      .where(eq(npsPrompts.userId, userId))
      .orderBy(desc(npsPrompts.shownAt), desc(npsPrompts.id));
    if (rows.some(({ outcome }) => outcome === 'never')) return false;
    const [last] = rows;
    if (!last) return true;
    return now.getTime() >= last.shownAt.getTime() + daysAfter(rows.map(({ outcome }) => outcome)) * DAY_MS;
  }

  async function isFit(actor: Actor, now: Date): Promise<boolean> {
    if (actor.isDemo || !isSampled(actor.userId, now, sample)) return false;
    const since = await around.createdAt(actor.userId);
    if (!since || now.getTime() - since.getTime() < ACCOUNT_DAYS * DAY_MS) return false;
    const { runs, days, open } = await around.workOf(actor);
    return runs >= LEAST.runs && days >= LEAST.days && open === 0;
  }

  return {
    /** Shown from this call on, once: of two tabs that ask at once one gets it. */
    async popup(actor: Actor, openMs: number, isDesktop: boolean): Promise<Popup> {
      const now = await clock(db);
      if (!isDesktop || !(await isFit(actor, now)) || !(await mayAsk(db, actor.userId, now))) return NOT;
      if (openMs < OPEN_MS) return { ...NOT, delay_ms: OPEN_MS - openMs };
      const edition = await around.editionOf(actor.owner);
      const token = randomBytes(24).toString('base64url');
      const survey = surveyOf(now);
      return db.transaction(async (tx) => {
        await tx.execute(sql`SELECT 1 FROM users WHERE id = ${actor.userId} FOR UPDATE`);
        if (!(await mayAsk(tx, actor.userId, now))) return NOT;
        const { userId } = actor;
        await tx.insert(npsPrompts).values({ userId, survey, tokenDigest: digest(token), shownAt: now, edition });
        return { show: true, survey_id: survey, token, delay_ms: 0 };
      });
    },

    /** What became of a card; each card is answered once. */
    async answer(actor: Actor, body: AnswerBody): Promise<void> {
      if (body.action === 'answer' && !isScore(body.score)) throw new Fault(31502);
      await db.transaction(async (tx) => {
        const now = await clock(tx);
        const [prompt] = await tx
          .select()
          .from(npsPrompts)
          .where(and(eq(npsPrompts.tokenDigest, digest(body.token)), eq(npsPrompts.userId, actor.userId)))
          .for('update');
        const isOld = !prompt || now.getTime() - prompt.shownAt.getTime() > TOKEN_HOURS * 3_600_000;
        if (isOld || prompt.outcome !== null || prompt.survey !== body.survey_id) throw new Fault(31501);
        await tx.update(npsPrompts).set({ outcome: body.action }).where(eq(npsPrompts.id, prompt.id));
        if (body.action !== 'answer' || !isScore(body.score)) return;
        const { comment, page, score } = body;
        const said = { comment, page, score, contactOk: body.contact_ok, appVersion: body.app_version };
        const { id: promptId, survey, userId, edition } = prompt;
        const values = { ...said, promptId, survey, userId, edition, createdAt: now };
        const kept = await tx.insert(npsAnswers).values(values).onConflictDoNothing().returning({ id: npsAnswers.id });
        if (kept.length === 0) throw new Fault(31501);
      });
    },

    /** For the desk: answers, newest first. Who gave them is told only where they agreed to be contacted. */
    async answers(page: { page: number; page_size: number }) {
      const { limit, offset } = slice(page);
      const list = await db.select().from(npsAnswers).orderBy(desc(npsAnswers.id)).limit(limit).offset(offset);
      return {
        total: await db.$count(npsAnswers),
        list: list.map((row) => ({ ...row, userId: row.contactOk ? row.userId : null })),
      };
    },

    /** For the desk: the score of each month, whole and by edition, with the share that answered; newest month first. */
    async scores(): Promise<(Score & { month: string; edition: string | null; shown: number })[]> {
      const month = sql<string>`to_char(${npsPrompts.shownAt} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM')`;
      const rows = await db
        .select({ month, edition: npsPrompts.edition, score: npsAnswers.score, n: count() })
        .from(npsPrompts)
        .leftJoin(npsAnswers, eq(npsAnswers.promptId, npsPrompts.id))
        .groupBy(month, npsPrompts.edition, npsAnswers.score)
        .orderBy(desc(month), asc(npsPrompts.edition));
      const months = [...new Set(rows.map((row) => row.month))];
      return months.flatMap((at) => {
        const ofMonth = rows.filter((row) => row.month === at);
        const editions = [...new Set(ofMonth.map(({ edition }) => edition))];
        return [null, ...(editions.length > 1 ? editions : [])].map((edition) => {
          const group = ofMonth.filter((row) => edition === null || row.edition === edition);
          const counts = Array.from({ length: 11 }, (_, score) =>
            group.filter((row) => row.score === score).reduce((all, { n }) => all + n, 0),
          );
          return { month: at, edition, shown: group.reduce((all, { n }) => all + n, 0), ...scoreOf(counts) };
        });
      });
    },

    /** For taking everything away. */
    async *belongings({ kind, id }: Owner): AsyncGenerator<OwnerFile> {
      if (kind !== 'user') return;
      const rows = await db
        .select({
          score: npsAnswers.score,
          comment: npsAnswers.comment,
          contact_ok: npsAnswers.contactOk,
          page: npsAnswers.page,
          created_at: npsAnswers.createdAt,
        })
        .from(npsAnswers)
        .where(eq(npsAnswers.userId, id))
        .orderBy(asc(npsAnswers.id));
      yield json('recommendation.json', rows);
    },

    async forget(tx: Tx, userId: number): Promise<void> {
      await tx.delete(npsAnswers).where(eq(npsAnswers.userId, userId));
      await tx.delete(npsPrompts).where(eq(npsPrompts.userId, userId));
    },
  };
}
