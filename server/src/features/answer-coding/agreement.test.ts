/** Agreement of two coders; κ and α by R 4.2.2 (tables of counts; MASI over all pairs). */
import { expect, test } from 'vitest';
import { agreementOf, alpha, masi } from './agreement.ts';
import type { Pair } from './agreement.ts';

const FIRST = [[1], [1, 2], [2], [3], [1], [2, 3], [1], [2], [1, 3], [2]];
const SECOND = [[1], [1], [2], [3], [1, 2], [2], [2], [2], [1, 3], [1]];
const PAIRS: Pair[] = FIRST.map((one, i) => [one, SECOND[i] ?? []]);

test('κ of each code, their mean and α are those of R', () => {
  const found = agreementOf(PAIRS, [1, 2, 3, 4], 7);
  expect(found.codes.map(({ kappa }) => kappa)).toEqual([
    expect.closeTo(0.6, 12),
    expect.closeTo(0.2, 12),
    expect.closeTo(0.7368421052631576, 12),
    null,
  ]);
  expect(found.mean_kappa).toBeCloseTo((0.6 + 0.2 + 0.7368421052631576) / 3, 12);
  expect(found.alpha).toBeCloseTo(0.4290484140233722, 12);
  expect(found.codes[1]).toMatchObject({ agreed: 0.6, first: 5, second: 5 });
});

test('the interval holds κ, is the same each time and is missing where κ is', () => {
  const found = agreementOf(PAIRS, [1, 4], 7);
  expect(agreementOf(PAIRS, [1, 4], 7)).toEqual(found);
  expect(found.codes[0]!.low!).toBeLessThan(0.6);
  expect(found.codes[0]!.high!).toBeGreaterThan(0.6);
  expect(found.codes[1]).toMatchObject({ kappa: null, low: null, high: null });
});

test('two who always agree', () => {
  const same: Pair[] = FIRST.map((one) => [one, one]);
  expect(agreementOf(same, [1, 2], 1)).toMatchObject({ mean_kappa: 1, alpha: 1 });
  expect(alpha([[[1], [1]]])).toBeNull();
});

test('MASI: equal, part, overlap, nothing shared', () => {
  expect([masi([1], [1]), masi([1], [1, 2]), masi([1, 2], [2, 3]), masi([1], [2])]).toEqual([
    0,
    expect.closeTo(1 - (1 / 2) * (2 / 3), 12),
    expect.closeTo(1 - (1 / 3) * (1 / 3), 12),
    1,
  ]);
});
