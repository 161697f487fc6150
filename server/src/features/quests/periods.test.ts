import { expect, test } from 'vitest';
import { addDays, periodOf, weekOf, yearRange } from './periods.ts';

test.each([
  // The first days of 2027 belong to the last week of 2026.
  ['2026-12-31', '2026-W53'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-30', '2025-W01'],
  ['2026-11-22', '2026-W47'],
  ['2028-02-29', '2028-W09'],
])('%s lies in week %s', (day, week) => {
  expect(weekOf(day)).toBe(week);
});

test('a day and a week begin and end at midnight in Shanghai, whatever the server says', () => {
  const before = new Date('2026-12-31T15:59:59.999Z');
  const after = new Date('2026-12-31T16:00:00Z');
  expect(periodOf('daily', before, null)).toEqual({ key: '2026-12-31', end: after });
  expect(periodOf('daily', after, null).key).toBe('2027-01-01');
  expect(periodOf('weekly', after, null)).toEqual({ key: '2026-W53', end: new Date('2027-01-03T16:00:00Z') });
  expect(periodOf('weekly', new Date('2027-01-03T16:00:00Z'), null).key).toBe('2027-W01');
});

test('a window has its days, across 29 February too', () => {
  expect(periodOf('streak', new Date('2028-02-20T00:00:00Z'), 14)).toEqual({
    key: '2028-02-20',
    end: new Date('2028-03-04T16:00:00Z'),
  });
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2027-02-28', 1)).toBe('2027-03-01');
});

test('what is done once or counted has one period, and a year is a calendar year in Shanghai', () => {
  expect(periodOf('once', new Date(), null)).toEqual({ key: 'once', end: null });
  expect(periodOf('count', new Date(), null)).toEqual({ key: 'once', end: null });
  expect(yearRange(new Date('2026-12-31T16:00:00Z'))).toEqual({
    from: new Date('2026-12-31T16:00:00Z'),
    to: new Date('2027-12-31T16:00:00Z'),
  });
});
