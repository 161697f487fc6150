import { expect, test } from 'vitest';
import { TIMES } from '../../testing/contest.ts';
import { demandAnswering, demandAppeals, demandSignup, phaseOf, shownInstant } from './phase.ts';

const times = { ...TIMES, publishedAt: null };
const before = (at: Date): Date => new Date(at.getTime() - 1);

test.each([
  [before(TIMES.signupFrom), 'upcoming'],
  [TIMES.signupFrom, 'signup'],
  [before(TIMES.signupTo), 'signup'],
  [TIMES.signupTo, 'waiting'],
  [before(TIMES.answerFrom), 'waiting'],
  [TIMES.answerFrom, 'answer'],
  [before(TIMES.answerTo), 'answer'],
  [TIMES.answerTo, 'review'],
] as const)('at %s it is %s', (now, phase) => {
  expect(phaseOf(times, now)).toBe(phase);
});

test('published results can be appealed against for five days', () => {
  const publishedAt = new Date('2027-01-10T04:00:00Z');
  const end = new Date('2027-01-15T04:00:00Z');
  const published = { ...times, publishedAt };
  expect([phaseOf(published, before(end)), phaseOf(published, end)]).toEqual(['notice', 'finished']);
  expect(() => demandAppeals(published, before(end))).not.toThrow();
  expect(() => demandAppeals(published, end)).toThrow('申诉已于 2027-01-15 12:00:00');
  expect(() => demandAppeals(times, end)).toThrow('还没有公布');
});

test('a second late is late, and the refusal tells the deadline', () => {
  expect(() => demandAnswering(times, before(TIMES.answerTo))).not.toThrow();
  expect(() => demandAnswering(times, TIMES.answerTo)).toThrow('提交已于 2026-12-20 18:00:00（北京时间）截止');
  expect(() => demandAnswering(times, before(TIMES.answerFrom))).toThrow('赛题将于 2026-12-10 08:00:00');
  expect(() => demandSignup(times, TIMES.signupTo)).toThrow('报名已截止');
  expect(() => demandSignup(times, before(TIMES.signupFrom))).toThrow('报名尚未开始，2026-12-01 00:00:00');
});

test('an instant is shown in Shanghai whatever the server thinks', () => {
  expect(shownInstant(new Date('2026-12-31T16:00:00Z'))).toBe('2027-01-01 00:00:00');
});
