import { describe, expect, test } from 'vitest';

import { calendarDays, isCreditCode, priceOfMoreSeats } from './seats.ts';

const at = (text: string): Date => new Date(`${text}+08:00`);

describe('days', () => {
  test.each([
    ['2026-11-21T00:00', '2026-11-21T23:59', 0],
    ['2026-11-21T23:59', '2026-11-22T00:00', 1],
    ['2026-11-21T08:00', '2027-11-21T08:00', 365],
    ['2027-11-21T08:00', '2028-11-21T08:00', 366],
    ['2028-02-28T12:00', '2028-03-01T12:00', 2],
  ])('%s to %s: %i', (from, to, days) => expect(calendarDays(at(from), at(to))).toBe(days));
});

describe('seats added midway', () => {
  const year = { from: at('2026-01-01T10:00'), to: at('2027-01-01T10:00') };
  const leap = { from: at('2028-01-01T10:00'), to: at('2029-01-01T10:00') };
  // fee 120000 fen a seat and year; by hand: floor(120000 * seats * left / days).
  test.each([
    [year, 1, '2026-01-01T10:00', 120_000],
    [year, 1, '2026-01-02T09:00', 119_671],
    [year, 1, '2026-12-31T23:00', 328],
    [year, 1, '2027-01-01T09:00', 0],
    [year, 7, '2026-07-02T00:00', 421_150],
    [leap, 1, '2028-01-01T10:00', 120_000],
    [leap, 1, '2028-02-29T10:00', 100_655],
    [leap, 3, '2028-12-31T10:00', 983],
  ])('%#', (term, seats, now, fen) => expect(priceOfMoreSeats(120_000, seats, term, at(now))).toBe(fen));

  test('never for a moment outside the term, nor for parts of seats', () => {
    expect(() => priceOfMoreSeats(120_000, 1, year, at('2027-01-02T00:00'))).toThrow(RangeError);
    expect(() => priceOfMoreSeats(120_000, 1, year, at('2025-12-31T00:00'))).toThrow(RangeError);
    expect(() => priceOfMoreSeats(120_000, 1.5, year, at('2026-05-01T00:00'))).toThrow(RangeError);
  });
});

describe('a unified social credit code', () => {
  // Codes of listed companies, from their published business licences.
  test.each(['9144030071526726XG', '914403001922038216', '91330100799655058B'])('%s', (code) =>
    expect(isCreditCode(code)).toBe(true),
  );
  test.each(['914403001922038217', '9144030071526726Xg', '9144030071526726X', '9144030071526726IG', ''])(
    '%s is none',
    (code) => expect(isCreditCode(code)).toBe(false),
  );
});
