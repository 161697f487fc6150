import { expect, it, test } from 'vitest';

import { beijing, deadline, nextChange, stepsOf } from './words.ts';

const phases = {
  signup_from: '2026-12-01T00:00:00Z',
  signup_to: '2026-12-10T00:00:00Z',
  answer_from: '2026-12-10T01:00:00Z',
  answer_to: '2026-12-20T10:00:00Z',
  results_at: '2027-01-10T04:00:00Z',
  published_at: null,
  appeals_to: null,
  settled_at: null,
};

it('times are those of Beijing, to the second, and midnight is 00', () => {
  expect(beijing('2026-12-20T09:58:03Z')).toBe('2026-12-20 17:58:03');
  expect(beijing('2026-12-31T16:00:00Z')).toBe('2027-01-01 00:00:00');
  expect(deadline(phases.answer_to)).toContain('2026-12-20 18:00（北京时间');
});

test.each([
  ['upcoming', 'next next next next next'],
  ['signup', 'now next next next next'],
  ['waiting', 'done next next next next'],
  ['answer', 'done now next next next'],
  ['review', 'done done now next next'],
  ['notice', 'done done done now next'],
  ['finished', 'done done done done now'],
] as const)('in the phase %s', (phase, states) => {
  expect(
    stepsOf({ phase, phases })
      .map(({ state }) => state)
      .join(' '),
  ).toBe(states);
});

it('the page asks anew when the phase changes', () => {
  const at = (text: string) => new Date(text).getTime();
  expect(nextChange({ phases }, at('2026-12-05T00:00:00Z'))).toBe(at(phases.signup_to));
  expect(nextChange({ phases }, at(phases.answer_to))).toBeNull();
});
