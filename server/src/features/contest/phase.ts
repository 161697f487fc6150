/** Where a contest stands: a function of its times and the clock of the server, asked in every call. */
import { DAY_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/errors.ts';
import type { Phase } from './schema.ts';

export const APPEAL_DAYS = 5;
/** What was called in before the deadline may go on arriving for so long. */
export const GRACE_MS = 10 * 60_000;

export interface Times {
  signupFrom: Date;
  signupTo: Date;
  answerFrom: Date;
  answerTo: Date;
  publishedAt: Date | null;
}

export const appealsEnd = (publishedAt: Date): Date => new Date(publishedAt.getTime() + APPEAL_DAYS * DAY_MS);

/** Half-open: at the instant a phase ends the next one has begun. */
export function phaseOf(times: Times, now: Date): Phase {
  if (times.publishedAt) return now < appealsEnd(times.publishedAt) ? 'notice' : 'finished';
  if (now < times.signupFrom) return 'upcoming';
  if (now < times.signupTo) return 'signup';
  if (now < times.answerFrom) return 'waiting';
  return now < times.answerTo ? 'answer' : 'review';
}

/** 2026-12-20 18:00:00 in Shanghai: deadlines are told to the second. */
export const shownInstant = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

export function demandSignup(times: Times, now: Date): void {
  const phase = phaseOf(times, now);
  if (phase === 'upcoming') throw new Fault(31301, { at: shownInstant(times.signupFrom) });
  if (phase !== 'signup') throw new Fault(31302);
}

export function demandAnswering(times: Times, now: Date): void {
  if (now < times.answerFrom) throw new Fault(31308, { at: shownInstant(times.answerFrom) });
  if (now >= times.answerTo) throw new Fault(31305, { at: shownInstant(times.answerTo) });
}

export function demandAppeals(times: Times, now: Date): void {
  if (!times.publishedAt) throw new Fault(31318, { detail: '结果还没有公布' });
  const end = appealsEnd(times.publishedAt);
  if (now >= end) throw new Fault(31319, { at: shownInstant(end) });
}
