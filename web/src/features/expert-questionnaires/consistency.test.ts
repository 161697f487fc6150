/** Against Saaty's published matrices, and 60 random ones with and without gaps computed by the engine (consistency.json). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import {
  circle,
  completed,
  gapsOf,
  hintsOf,
  type Matrix,
  missingLink,
  principal,
  ratioOf,
  standingOf,
} from './consistency.ts';

function matrixOf(n: number, upper: readonly (number | null)[]): Matrix {
  const matrix: Matrix = Array.from({ length: n }, () => Array.from({ length: n }, () => 1));
  let at = 0;
  for (let i = 0; i < n; i += 1)
    for (let j = i + 1; j < n; j += 1) {
      const value = upper[at] ?? null;
      matrix[i]![j] = value;
      matrix[j]![i] = value === null ? null : 1 / value;
      at += 1;
    }
  return matrix;
}

/** Saaty 1980: which drinks are consumed most in the U.S.; buying a house. */
const DRINKS = matrixOf(7, [
  9,
  5,
  2,
  1,
  1,
  1 / 2,
  1 / 3,
  1 / 9,
  1 / 9,
  1 / 9,
  1 / 9,
  1 / 3,
  1 / 4,
  1 / 3,
  1 / 9,
  1 / 2,
  1,
  1 / 3,
  2,
  1 / 2,
  1 / 3,
]);
const HOUSE = matrixOf(8, [
  5,
  3,
  7,
  6,
  6,
  1 / 3,
  1 / 4,
  1 / 3,
  5,
  3,
  3,
  1 / 5,
  1 / 7,
  6,
  3,
  4,
  6,
  1 / 5,
  1 / 3,
  1 / 4,
  1 / 7,
  1 / 8,
  1 / 2,
  1 / 5,
  1 / 6,
  1 / 5,
  1 / 6,
  1 / 2,
]);

test('the drinks have the published weights and CR', () => {
  const whole = completed(DRINKS);
  const weights = principal(whole).weights.map((w) => Math.round(w * 1000) / 1000);
  expect(weights).toEqual([0.177, 0.019, 0.042, 0.116, 0.19, 0.129, 0.327]);
  expect(ratioOf(whole, 0)).toBeCloseTo(0.02230164638009467, 9);
});

test('the house is over the limit, with three hints that each lower CR, worst first', () => {
  const whole = completed(HOUSE);
  expect(ratioOf(whole, 0)).toBeCloseTo(0.16908686090356168, 9);
  const hints = hintsOf(whole, []);
  expect(hints.map(({ i, j, proposed }) => [i, j, proposed])).toEqual([
    [2, 6, 1],
    [0, 2, 1],
    [0, 6, 1],
  ]);
  expect(hints[0]?.ratio).toBeCloseTo(0.08797333908857574, 9);
  expect(HOUSE[2]?.[6]).toBe(6);
});

test('the ratio is the engine’s, with and without gaps', () => {
  const cases: { n: number; upper: (number | null)[]; ratio: number }[] = JSON.parse(
    readFileSync(join(import.meta.dirname, 'consistency.json'), 'utf8'),
  );
  for (const { n, upper, ratio } of cases) {
    const matrix = matrixOf(n, upper);
    const own = ratioOf(completed(matrix), gapsOf(matrix).length) ?? Number.NaN;
    expect(Math.abs(own - ratio)).toBeLessThan(1e-6);
  }
});

test('deleted cells of a consistent matrix come back while it hangs together', () => {
  const weights = [0.4, 0.3, 0.2, 0.1];
  const matrix: Matrix = weights.map((a) => weights.map((b) => a / b));
  matrix[0]![3] = matrix[3]![0] = null;
  expect(completed(matrix)[0]?.[3]).toBeCloseTo(4, 5);
});

test('what does not hang together names the missing pair; a tree cannot be judged; a circle is told', () => {
  expect(missingLink(matrixOf(4, [2, null, null, null, null, 3]))).toEqual({ i: 0, j: 2 });
  expect(standingOf(matrixOf(3, [2, null, 4])).kind).toBe('open');
  expect(circle(matrixOf(3, [2, 1 / 3, 4]))).toEqual([0, 1, 2]);
  expect(circle(matrixOf(3, [2, 3, 4]))).toBeNull();
});

test('the random index with gaps is the engine’s', () => {
  const read = (...at: string[]): unknown => JSON.parse(readFileSync(join(import.meta.dirname, ...at), 'utf8'));
  const engine = read('..', '..', '..', '..', 'engine', 'hengxi', 'stats', 'random_index.json');
  expect(read('random-index.json')).toEqual(engine);
});
