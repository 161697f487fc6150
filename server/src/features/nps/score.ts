/** Promoters (9, 10) less detractors (0 to 6), in percent, with its 95% interval. */

export interface Score {
  n: number;
  promoters: number;
  passives: number;
  detractors: number;
  /** null: fewer than 30 answers; then only the counts are told. */
  score: number | null;
  low: number | null;
  high: number | null;
}

export const LEAST_ANSWERS = 30;
const Z = 1.96;

/** `counts[s]` answers gave the score s, 0 to 10. Variance of a difference of two shares of one multinomial sample. */
export function scoreOf(counts: readonly number[]): Score {
  const sum = (from: number, to: number) => counts.slice(from, to + 1).reduce((all, n) => all + n, 0);
  const [detractors, passives, promoters] = [sum(0, 6), sum(7, 8), sum(9, 10)];
  const n = detractors + passives + promoters;
  const known = { n, promoters, passives, detractors };
  if (n < LEAST_ANSWERS) return { ...known, score: null, low: null, high: null };
  const [up, down] = [promoters / n, detractors / n];
  const difference = up - down;
  const half = Z * Math.sqrt((up + down - difference ** 2) / n);
  return { ...known, score: 100 * difference, low: 100 * (difference - half), high: 100 * (difference + half) };
}
