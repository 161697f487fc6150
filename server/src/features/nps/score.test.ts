import { expect, it } from 'vitest';
import { scoreOf } from './score.ts';

/** All detractors gave 0, all passives 7, all promoters 10. */
const counts = (promoters: number, passives: number, detractors: number) =>
  [detractors, 0, 0, 0, 0, 0, 0].concat([passives, 0], [0, promoters]);

// R 4: n <- p+s+d; a <- p/n; b <- d/n; x <- a-b; 100*(x + c(0,-1,1)*1.96*sqrt((a+b-x^2)/n))
it.each([
  [60, 25, 15, 45, 30.4973243847902, 59.5026756152098],
  [12, 10, 18, -15, -41.4327637601519, 11.4327637601519],
  [30, 0, 0, 100, 100, 100],
])('%d, %d, %d gives what R gives', (promoters, passives, detractors, score, low, high) => {
  const found = scoreOf(counts(promoters, passives, detractors));
  expect(found.score).toBeCloseTo(score, 8);
  expect(found.low).toBeCloseTo(low, 8);
  expect(found.high).toBeCloseTo(high, 8);
});

it('below thirty answers only counts', () => {
  expect(scoreOf(counts(20, 5, 4))).toEqual({
    n: 29,
    promoters: 20,
    passives: 5,
    detractors: 4,
    score: null,
    low: null,
    high: null,
  });
  expect(scoreOf(counts(0, 0, 0)).n).toBe(0);
});
