/** Proration of seats against a table worked out by hand: fee × seats × days left / days of the term, cut to a whole fen. */
import { expect, it } from 'vitest';
import { calendarDays, priceOfMoreSeats } from './seats.ts';

const at = (day: string): Date => new Date(`${day}T00:00:00+08:00`);

/** 59900 fen a seat and term. */
const TABLE: [from: string, to: string, now: string, seats: number, left: number, fen: number][] = [
  // 365 days: first day, second day, middle, last day, the end itself.
  ['2026-01-01', '2027-01-01', '2026-01-01', 1, 365, 59900],
  ['2026-01-01', '2027-01-01', '2026-01-02', 1, 364, 59735],
  ['2026-01-01', '2027-01-01', '2026-04-11', 2, 265, 86978],
  ['2026-01-01', '2027-01-01', '2026-12-31', 1, 1, 164],
  ['2026-01-01', '2027-01-01', '2026-12-31', 3, 1, 492],
  // 366 days, across 29 February 2028.
  ['2028-01-01', '2029-01-01', '2028-01-01', 1, 366, 59900],
  ['2028-01-01', '2029-01-01', '2028-02-28', 1, 308, 50407],
  ['2028-01-01', '2029-01-01', '2028-02-29', 1, 307, 50243],
  ['2028-01-01', '2029-01-01', '2028-03-01', 1, 306, 50080],
  ['2028-01-01', '2029-01-01', '2028-12-31', 1, 1, 163],
];

it.each(TABLE)('from %s to %s, on %s: %d seats, %d days left, %d fen', (from, to, now, seats, left, fen) => {
  expect(calendarDays(at(now), at(to))).toBe(left);
  expect(priceOfMoreSeats(59_900, seats, { from: at(from), to: at(to) }, at(now))).toBe(fen);
  // The last second of that day in China is the same day.
  const late = new Date(at(now).getTime() + 86_399_000);
  expect(priceOfMoreSeats(59_900, seats, { from: at(from), to: at(to) }, late)).toBe(fen);
});
