/** Time of decisions is the database's; a day is a calendar day in Asia/Shanghai. */
import { sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import type { Db } from './db.ts';

/**
 * Reads the time once for a decision, which then passes it on. Tests hand in one of their own. It is the time of the
 * reading, not of the transaction's begin: whoever got a lock later also has the later time.
 */
export type Clock = (db: Db) => Promise<Date>;

export const databaseClock: Clock = async (db) => {
  const answer: unknown = await db.execute(sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`);
  // Both drivers answer with `rows`, which their common type does not say.
  const { rows } = answer as { rows: { ms: string | number }[] };
  return new Date(Number(rows[0]?.ms));
};

/** For the embedded database, which takes its time from this process. */
export const processClock: Clock = async () => new Date();

/**
 * How far a clock may be set back in ordinary running. What was written this very moment stands in the future for as
 * long; it has happened all the same.
 */
const STEP_SECONDS = 5;
const step = sql`make_interval(secs => ${STEP_SECONDS})`;

/** Not to wait for, whatever the clock does next. */
export const atOnce = sql`now() - ${step}`;

/** The instant at which to ask what has begun, so that what was given this moment has. */
export const stepAhead = (now: Date): Date => new Date(now.getTime() + STEP_SECONDS * 1000);

/** Not in the future, but for what was written just before a step. */
export const hasBegun = (column: AnyColumn): SQL => sql`${column} <= now() + ${step}`;

/**
 * Written within the last seconds; null without a time. What lies further ahead than a step was written before the
 * clock was set back by much: it neither lives on nor holds anybody up.
 */
export const isRecent = (column: AnyColumn, seconds: number): SQL<boolean | null> =>
  sql<boolean | null>`(${column} > now() - make_interval(secs => ${seconds}) AND ${hasBegun(column)})`;

export const DAY_MS = 86_400_000;
/** China has had one time and no summer time since 1991. */
const OFFSET_MS = 8 * 3_600_000;

/** 2026-11-21 */
export const dayOf = (at: Date): string => new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10);

/** The instants a day (2026-11-21) begins and ends at in Shanghai. */
export function dayRange(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00+08:00`);
  return { from, to: new Date(from.getTime() + DAY_MS) };
}

/** The next midnight in Shanghai. */
export function midnightAfter(at: Date): Date {
  const local = at.getTime() + OFFSET_MS;
  return new Date(local - (local % DAY_MS) + DAY_MS - OFFSET_MS);
}

/** 20261121 in Shanghai; part of order numbers. */
export const compactDay = (at: Date): string => dayOf(at).replaceAll('-', '');
