import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { awardOf, eigen, fitScores, ranked } from './model.ts';

interface Case {
  rows: { paper: number; judge: number; score: number }[];
  theta: number;
  adjusted: number[];
  se: number[];
  judges: number[];
  effects: number[];
  error: number;
}
// model.oracle.R writes it with lme4.
const cases: Case[] = JSON.parse(readFileSync(new URL('model.oracle.json', import.meta.url), 'utf8'));
/** How far a number is from what it should be, relative to it or to 1. */
const far = (got: number | null | undefined, wanted: number): number =>
  Math.abs((got ?? Number.NaN) - wanted) / Math.max(1, Math.abs(wanted));

describe('scores without the severity of judges', () => {
  it.each(cases.map((one, at) => [at, one] as const))('agree with lme4 (case %i)', (_, one) => {
    const { papers, judges, variance, method } = fitScores(one.rows);
    expect(method).toBe('model');
    one.adjusted.forEach((score, at) => expect(far(papers.get(at + 1)?.adjusted, score)).toBeLessThan(1e-8));
    one.se.forEach((se, at) => expect(far(papers.get(at + 1)?.se, se)).toBeLessThan(1e-8));
    one.judges.forEach((judge, at) => expect(far(judges.get(judge), one.effects[at] ?? 0)).toBeLessThan(1e-8));
    expect(far(variance?.error, one.error)).toBeLessThan(1e-8);
    expect(far(variance && Math.sqrt(variance.judge / variance.error), one.theta)).toBeLessThan(1e-8);
  });

  it('has a case where judges do not differ, and scores stay as they are', () => {
    const flat = cases.filter(({ theta }) => theta === 0);
    expect(flat.length).toBeGreaterThan(0);
    for (const { papers } of flat.map(({ rows }) => fitScores(rows)))
      for (const { raw, adjusted } of papers.values()) expect(adjusted).toBe(raw);
  });

  it('do not depend on the order of the reviews', () => {
    const [one] = cases;
    const [a, b] = [fitScores(one!.rows), fitScores(one!.rows.toReversed())];
    for (const [paper, { adjusted }] of a.papers)
      expect(far(b.papers.get(paper)?.adjusted, adjusted)).toBeLessThan(1e-8);
  });

  it('are plain means below twelve papers or four judges, or where nothing differs', () => {
    const rows = Array.from({ length: 11 }, (_, p) =>
      [1, 2, 3, 4].map((judge) => ({ paper: p, judge, score: p + judge })),
    ).flat();
    const few = fitScores(rows);
    expect([few.method, few.papers.get(3)]).toEqual([
      'mean',
      { n: 4, raw: 5.5, adjusted: 5.5, se: expect.closeTo(0.6454972, 6) },
    ]);
    const three = Array.from({ length: 20 }, (_, p) =>
      [1, 2, 3].map((judge) => ({ paper: p, judge, score: p * judge })),
    ).flat();
    expect(fitScores(three).method).toBe('mean');
    const same = Array.from({ length: 20 }, (_, p) =>
      [1, 2, 3, 4].map((judge) => ({ paper: p, judge, score: p })),
    ).flat();
    expect(fitScores(same)).toMatchObject({ method: 'mean', variance: null });
  });
});

test('rotations find eigenvalues: those of a path of four are known', () => {
  const path = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)));
  const { values } = eigen(path);
  const known = [1, 2, 3, 4].map((k) => 2 - 2 * Math.cos((k * Math.PI) / 5));
  values.toSorted((a, b) => a - b).forEach((value, at) => expect(far(value, known[at] ?? 0)).toBeLessThan(1e-8));
});

test('ties share a rank, and one at a line wins the award', () => {
  const order = ranked([70, 90.0000000001, 90, 80, 80], (score) => score);
  expect(order.map(({ rank }) => rank)).toEqual([1, 1, 3, 3, 5]);
  const prizes = [
    { award: '一等奖', places: 1 },
    { award: '二等奖', places: 2 },
  ];
  expect(order.map(({ rank }) => awardOf(prizes, rank)?.award ?? null)).toEqual([
    '一等奖',
    '一等奖',
    '二等奖',
    '二等奖',
    null,
  ]);
});
