/** Periods of quests, in Shanghai: a day, an ISO week, a window of days, or all time. */
import { DAY_MS, dayOf, dayRange } from '../../lib/clock.ts';
import type { QuestKind } from './schema.ts';

export interface Period {
  key: string;
  /** The first instant behind it; null: it has no end. */
  end: Date | null;
}

/** Midnight UTC of a calendar day, for counting days. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const named = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const addDays = (day: string, days: number): string => named(numberOf(day) + days * DAY_MS);

/** The Monday of a day's week. */
function mondayOf(day: string): string {
  const weekday = (new Date(numberOf(day)).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** 2026-W53: the week belongs to the year its Thursday lies in. */
export function weekOf(day: string): string {
  const thursday = addDays(mondayOf(day), 3);
  const year = thursday.slice(0, 4);
  const week = Math.floor((numberOf(thursday) - numberOf(`${year}-01-01`)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The period that an instant lies in; of a streak, the window that would begin on its day. */
export function periodOf(kind: QuestKind, at: Date, window: number | null): Period {
  const day = dayOf(at);
  switch (kind) {
    case 'once':
    case 'count':
      return { key: 'once', end: null };
    case 'daily':
      return { key: day, end: dayRange(day).to };
    case 'weekly':
      return { key: weekOf(day), end: dayRange(addDays(mondayOf(day), 7)).from };
    case 'streak':
      return { key: day, end: dayRange(addDays(day, window ?? 1)).from };
  }
}

/** The instants a calendar year begins and ends at in Shanghai. */
export function yearRange(at: Date): { from: Date; to: Date } {
  const year = Number(dayOf(at).slice(0, 4));
  const first = (n: number): Date => new Date(`${n}-01-01T00:00:00+08:00`);
  return { from: first(year), to: first(year + 1) };
}
