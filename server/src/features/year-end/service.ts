/** The year-end report (credits page, section 4): after a consent of its own, from the person's own work, gone when withdrawn. */
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { databaseClock, dayOf } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { LEAST_RUNS } from './schema.ts';
import type { YearCount, YearReport } from './schema.ts';
import { isOpen, putSeason, seasonAt, seasonOf, startOf } from './seasons.ts';
import type { Season, SeasonDraft } from './seasons.ts';
import { yearReports, yearSeasons } from './tables.ts';

/** Goes up when a figure is counted otherwise. */
const METHOD_VERSION = 1;
/** Counting takes two seconds at most; what took longer died with its server and is counted by the next look. */
const COUNTING_MS = 10_000;

interface Around {
  db: Db;
  clock?: Clock | undefined;
  /** What a person did in the personal version from one instant to before another. */
  countOf: (userId: number, from: Date, to: Date) => Promise<YearCount>;
  /** Name of a method; null where there is none any more. */
  titleOf: (path: string) => string | null;
}

export type YearEnd = ReturnType<typeof createYearEnd>;

export function createYearEnd({ db, clock = databaseClock, countOf, titleOf }: Around) {
  const of = (userId: number, year: number) => and(eq(yearReports.userId, userId), eq(yearReports.year, year));

  async function stored(userId: number, year: number) {
    const [row] = await db.select().from(yearReports).where(of(userId, year));
    return row ?? null;
  }

  /** Counts up to now and keeps it, unless the consent was withdrawn meanwhile. */
  async function count(userId: number, year: number, now: Date): Promise<void> {
    const rangeFrom = startOf(year);
    const end = startOf(year + 1);
    const rangeTo = now < end ? now : end;
    const numbers = await countOf(userId, rangeFrom, rangeTo);
    await db
      .update(yearReports)
      .set({ numbers, rangeFrom, rangeTo, methodVersion: METHOD_VERSION })
      .where(of(userId, year));
  }

  async function answer({ userId }: Actor, season: Season, now: Date): Promise<YearReport> {
    const rows = await db
      .select()
      .from(yearReports)
      .where(eq(yearReports.userId, userId))
      .orderBy(desc(yearReports.year));
    const row = rows.find(({ year }) => year === season.year);
    const base = {
      year: season.year,
      opens_at: season.opensAt.toISOString(),
      closes_at: season.closesAt.toISOString(),
      server_now: now.toISOString(),
      numbers: null,
      range: null,
      kept: rows.map(({ year }) => year),
    };
    if (!isOpen(season, now)) return { ...base, state: 'closed' };
    if (!row) return { ...base, state: 'consent' };
    const { numbers, rangeFrom, rangeTo } = row;
    if (!numbers || !rangeFrom || !rangeTo) return { ...base, state: 'computing' };
    return {
      ...base,
      state: numbers.runs < LEAST_RUNS ? 'too_few' : 'ready',
      numbers: { ...numbers, top: numbers.top === null ? null : titleOf(numbers.top) },
      range: { from: rangeFrom.toISOString(), to: rangeTo.toISOString() },
    };
  }

  return {
    async read(actor: Actor, year: number | undefined): Promise<YearReport> {
      demandPersonal(actor);
      refuseDemo(actor);
      const now = await clock(db);
      const season = year === undefined ? await seasonAt(db, now) : await seasonOf(db, year);
      const row = await stored(actor.userId, season.year);
      const isLate = row?.numbers === null && now.getTime() - row.consentAt.getTime() > COUNTING_MS;
      if (isLate && isOpen(season, now)) await count(actor.userId, season.year, now);
      return answer(actor, season, now);
    },

    /** Consents and counts; with the consent given before, counts anew up to now. */
    async consent(actor: Actor, year: number): Promise<YearReport> {
      demandPersonal(actor);
      refuseDemo(actor);
      const now = await clock(db);
      const season = await seasonOf(db, year);
      if (!isOpen(season, now)) throw new Fault(31401);
      const { userId } = actor;
      await db.insert(yearReports).values({ userId, year, consentAt: now }).onConflictDoNothing();
      await count(userId, year, now);
      return answer(actor, season, now);
    },

    /** Whether there was one. Also outside the season: a consent can be withdrawn at any time. */
    async withdraw(actor: Actor, year: number): Promise<boolean> {
      demandPersonal(actor);
      const rows = await db.delete(yearReports).where(of(actor.userId, year)).returning({ year: yearReports.year });
      return rows.length > 0;
    },

    desk: {
      find: (executor: Db, year: number): Promise<Season> => seasonOf(executor, year),
      put: (tx: Tx, year: number, version: number, draft: SeasonDraft) => putSeason(tx, year, version, draft),

      /** Each year by its season, with how many keep a report; never a single report. Newest first. */
      async years(): Promise<(Season & { kept: number; few: number; isOpen: boolean })[]> {
        const now = await clock(db);
        const few = sql<number>`count(*) FILTER (WHERE (${yearReports.numbers} ->> 'runs')::int < ${LEAST_RUNS})::int`;
        const counts = await db
          .select({ year: yearReports.year, kept: sql<number>`count(*)::int`, few })
          .from(yearReports)
          .groupBy(yearReports.year);
        const set = await db.select({ year: yearSeasons.year }).from(yearSeasons);
        const present = Number(dayOf(now).slice(0, 4));
        const years = new Set([
          present,
          present - 1,
          ...counts.map(({ year }) => year),
          ...set.map(({ year }) => year),
        ]);
        const newest = [...years].toSorted((a, b) => b - a);
        return Promise.all(
          newest.map(async (year) => {
            const season = await seasonOf(db, year);
            const counted = counts.find((row) => row.year === year) ?? { kept: 0, few: 0 };
            return { ...season, kept: counted.kept, few: counted.few, isOpen: isOpen(season, now) };
          }),
        );
      },
    },

    /** For taking everything away. */
    async *belongings({ kind, id }: Owner): AsyncGenerator<OwnerFile> {
      if (kind !== 'user') return;
      const rows = await db
        .select({
          year: yearReports.year,
          consent_at: yearReports.consentAt,
          numbers: yearReports.numbers,
          range_from: yearReports.rangeFrom,
          range_to: yearReports.rangeTo,
          method_version: yearReports.methodVersion,
        })
        .from(yearReports)
        .where(eq(yearReports.userId, id))
        .orderBy(asc(yearReports.year));
      yield json('year-end-reports.json', rows);
    },

    async forget(tx: Tx, userId: number): Promise<void> {
      await tx.delete(yearReports).where(eq(yearReports.userId, userId));
    },
  };
}
