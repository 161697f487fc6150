/**
 * The consistency ratio while somebody answers, by the formulas of the engine (hengxi/stats/pairwise.py and
 * pairwise_group.py): λmax of the principal eigenvector, Saaty's (1980) random index, where judgements are missing the one
 * simulated for as many (random-index.json, the engine's own table), missing ones completed so that λmax is smallest.
 */
import GAP_INDEX from './random-index.json' with { type: 'json' };

export type Matrix = (number | null)[][];

const RANDOM_INDEX = [0, 0, 0, 0.58, 0.9, 1.12, 1.24, 1.32, 1.41, 1.45, 1.49, 1.51, 1.48, 1.56, 1.57, 1.59];
const SCALE = [9, 8, 7, 6, 5, 4, 3, 2].map((k) => 1 / k).concat([1, 2, 3, 4, 5, 6, 7, 8, 9]);
const BOUND = Math.log(9);

export interface Pair {
  i: number;
  j: number;
}
export interface Hint extends Pair {
  current: number;
  implied: number;
  proposed: number;
  /** CR with this one changed. */
  ratio: number;
}
export type Standing =
  | { kind: 'apart'; missing: Pair }
  | { kind: 'open' }
  | { kind: 'judged'; ratio: number; weights: number[]; hints: Hint[]; triad: [number, number, number] | null };

/** Principal eigenvector and eigenvalue of a positive matrix, by powers. */
export function principal(a: readonly (readonly number[])[]): { value: number; weights: number[] } {
  const n = a.length;
  let weights = Array.from({ length: n }, () => 1 / n);
  let value = n;
  for (let step = 0; step < 1000; step += 1) {
    const raised = a.map((row) => row.reduce((sum, cell, j) => sum + cell * (weights[j] ?? 0), 0));
    const total = raised.reduce((sum, x) => sum + x, 0);
    const next = raised.map((x) => x / total);
    const moved = Math.max(...next.map((x, k) => Math.abs(x - (weights[k] ?? 0))));
    weights = next;
    value = total;
    if (moved < 1e-14) break;
  }
  return { value: Math.max(value, n), weights };
}

export function gapsOf(a: Matrix): Pair[] {
  return a.flatMap((row, i) => row.flatMap((cell, j) => (j > i && cell === null ? [{ i, j }] : [])));
}

/** A pair that would join two parts of the comparisons; null where all are joined. */
export function missingLink(a: Matrix): Pair | null {
  const joined = new Set([0]);
  for (const at of joined) a[at]?.forEach((cell, k) => cell !== null && joined.add(k));
  const lonely = a.findIndex((_, k) => !joined.has(k));
  return lonely < 0 ? null : { i: 0, j: lonely };
}

/** One judgement of a whole matrix. */
const cellOf = (a: readonly (readonly number[])[], { i, j }: Pair): number => a[i]?.[j] ?? 1;

function withCell(a: number[][], { i, j }: Pair, value: number): number[][] {
  return a.map((row, at) =>
    row.map((cell, k) => (at === i && k === j ? value : at === j && k === i ? 1 / value : cell)),
  );
}

const bounded = (log: number): number => Math.exp(Math.min(BOUND, Math.max(-BOUND, log)));

/**
 * The missing cells where λmax is smallest, within 1/9 and 9: there the slope v_i a_ij r_j − v_j a_ji r_i of the left and
 * right eigenvectors v and r is nought, so that a_ij = √(v_j r_i / (v_i r_j)); convex in the logarithms, so that it settles.
 */
export function completed(a: Matrix): number[][] {
  const gaps = gapsOf(a);
  let whole = a.map((row) => row.map((cell) => cell ?? 1));
  for (let step = 0; step < 500 && gaps.length > 0; step += 1) {
    const right = principal(whole).weights;
    const left = principal(whole.map((_, j) => whole.map((row) => row[j] ?? 1))).weights;
    const balance = (at: number): number => Math.log((right[at] ?? 1) / (left[at] ?? 1)) / 2;
    const before = whole;
    for (const gap of gaps) whole = withCell(whole, gap, bounded(balance(gap.i) - balance(gap.j)));
    const moved = Math.max(...gaps.map((gap) => Math.abs(Math.log(cellOf(whole, gap) / cellOf(before, gap)))));
    if (moved < 1e-10) break;
  }
  return whole;
}

const TABLE: Readonly<Record<string, readonly number[] | undefined>> = GAP_INDEX;

/** Null with only n − 1 judgements: nothing can contradict. */
function randomIndex(n: number, missing: number): number | null {
  if (n < 3) return null;
  return (missing === 0 ? RANDOM_INDEX[n] : TABLE[n]?.[missing - 1]) ?? null;
}

/** CR of a matrix of which so many judgements were missing; null where it cannot be judged. */
export function ratioOf(a: readonly (readonly number[])[], missing: number): number | null {
  const n = a.length;
  const random = randomIndex(n, missing);
  return random === null ? null : (principal(a).value - n) / (n - 1) / random;
}

/** The judgements that fit the others worst, worst first; only those whose change to the nearest step helps. */
export function hintsOf(a: number[][], missing: readonly Pair[], most = 3): Hint[] {
  const before = ratioOf(a, missing.length);
  if (before === null) return [];
  const { weights } = principal(a);
  const isGap = ({ i, j }: Pair): boolean => missing.some((gap) => gap.i === i && gap.j === j);
  const pairs = a.flatMap((_, i) => a.flatMap((__, j) => (j > i && !isGap({ i, j }) ? [{ i, j }] : [])));
  return pairs
    .flatMap((pair): Hint[] => {
      const current = cellOf(a, pair);
      const implied = (weights[pair.i] ?? 0) / (weights[pair.j] ?? 1);
      const far = (step: number): number => Math.abs(Math.log(step / implied));
      const proposed = SCALE.reduce((best, step) => (far(step) < far(best) ? step : best), 1);
      const ratio = ratioOf(withCell(a, pair, proposed), missing.length);
      const helps = Math.abs(proposed - current) > 1e-9 && ratio !== null && ratio < before;
      return helps ? [{ ...pair, current, implied, proposed, ratio }] : [];
    })
    .sort((a, b) => Math.abs(Math.log(b.current / b.implied)) - Math.abs(Math.log(a.current / a.implied)))
    .slice(0, most);
}

/** Three of which each beats the next: a plain contradiction. */
export function circle(a: Matrix): [number, number, number] | null {
  const beats = (i: number, j: number): boolean => (a[i]?.[j] ?? 1) > 1;
  for (let i = 0; i < a.length; i += 1)
    for (let j = 0; j < a.length; j += 1)
      for (let k = 0; k < a.length; k += 1) if (beats(i, j) && beats(j, k) && beats(k, i)) return [i, j, k];
  return null;
}

/** What can be told of a comparison so far. */
export function standingOf(a: Matrix): Standing {
  const missing = missingLink(a);
  if (missing !== null) return { kind: 'apart', missing };
  const gaps = gapsOf(a);
  const whole = completed(a);
  const ratio = ratioOf(whole, gaps.length);
  if (ratio === null) return { kind: 'open' };
  return { kind: 'judged', ratio, weights: principal(whole).weights, hints: hintsOf(whole, gaps), triad: circle(a) };
}
