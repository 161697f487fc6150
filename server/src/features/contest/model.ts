/**
 * Scores without the severity of judges: y = paper + judge + error with random judges, fitted by REML. Papers take up
 * their means exactly, so that the likelihood needs the judges' part S = Z'MZ only (M removes the papers' means); in its
 * eigenvectors it is a function of one number, the ratio of variances. Agrees with lmer(score ~ 0 + paper + (1 | judge)).
 */

export interface Scored {
  paper: number;
  judge: number;
  score: number;
}
export interface PaperScore {
  n: number;
  raw: number;
  adjusted: number;
  /** null where too little was scored for one. */
  se: number | null;
}
export interface Fitted {
  method: 'model' | 'mean';
  papers: Map<number, PaperScore>;
  /** Points a judge gives more than the others; empty with means. */
  judges: Map<number, number>;
  /** Of judges and of what is left. */
  variance: { judge: number; error: number } | null;
}

/** With fewer of either the effects of judges are guesses. */
export const MODEL_LEAST = { papers: 12, judges: 4 } as const;
export const MODEL_VERSION = 1;

type Matrix = number[][];

/** Eigenvalues and eigenvectors (columns) of a symmetric matrix, by rotations of Jacobi. */
export function eigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
  const n = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const v: Matrix = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  const at = (m: Matrix, i: number, j: number): number => m[i]?.[j] ?? 0;
  const set = (m: Matrix, i: number, j: number, value: number): void => {
    const row = m[i];
    if (row) row[j] = value;
  };
  const whole = Math.sqrt(a.flat().reduce((sum, x) => sum + x * x, 0));
  for (let sweep = 0; sweep < 100; sweep += 1) {
    let off = 0;
    for (let i = 0; i < n; i += 1) for (let j = 0; j < i; j += 1) off += at(a, i, j) ** 2;
    if (Math.sqrt(off) <= 1e-15 * whole) break;
    for (let p = 0; p < n; p += 1)
      for (let q = p + 1; q < n; q += 1) {
        const apq = at(a, p, q);
        if (apq === 0) continue;
        const theta = (at(a, q, q) - at(a, p, p)) / (2 * apq);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < n; k += 1) {
          const [akp, akq] = [at(a, k, p), at(a, k, q)];
          set(a, k, p, c * akp - s * akq);
          set(a, k, q, s * akp + c * akq);
        }
        for (let k = 0; k < n; k += 1) {
          const [apk, aqk] = [at(a, p, k), at(a, q, k)];
          set(a, p, k, c * apk - s * aqk);
          set(a, q, k, s * apk + c * aqk);
          const [vkp, vkq] = [at(v, k, p), at(v, k, q)];
          set(v, k, p, c * vkp - s * vkq);
          set(v, k, q, s * vkp + c * vkq);
        }
      }
  }
  return { values: a.map((_, i) => at(a, i, i)), vectors: v };
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

function byPaper(scores: readonly Scored[]): Map<number, Scored[]> {
  const papers = new Map<number, Scored[]>();
  for (const one of scores) papers.set(one.paper, [...(papers.get(one.paper) ?? []), one]);
  return papers;
}

function means(papers: ReadonlyMap<number, Scored[]>): Fitted {
  const list = [...papers].map(([paper, rows]): [number, PaperScore] => {
    const raw = mean(rows.map(({ score }) => score));
    const spread = rows.reduce((sum, { score }) => sum + (score - raw) ** 2, 0);
    const se = rows.length > 1 ? Math.sqrt(spread / (rows.length - 1) / rows.length) : null;
    return [paper, { n: rows.length, raw, adjusted: raw, se }];
  });
  return { method: 'mean', papers: new Map(list), judges: new Map(), variance: null };
}

/** The ratio of variances at which the slope of the REML deviance is zero; 0 where judges do not differ. */
function ratioOf(values: readonly number[], u: readonly number[], within: number, freedom: number): number {
  const deviance = (ratio: number): number => {
    const rest = within - values.reduce((sum, d, k) => sum + (ratio * (u[k] ?? 0) ** 2) / (1 + ratio * d), 0);
    return values.reduce((sum, d) => sum + Math.log(1 + ratio * d), 0) + freedom * Math.log(rest);
  };
  const slope = (ratio: number): number => {
    const rest = within - values.reduce((sum, d, k) => sum + (ratio * (u[k] ?? 0) ** 2) / (1 + ratio * d), 0);
    const falls = values.reduce((sum, d, k) => sum + ((u[k] ?? 0) / (1 + ratio * d)) ** 2, 0);
    return values.reduce((sum, d) => sum + d / (1 + ratio * d), 0) - (freedom * falls) / rest;
  };
  // A grid over the logarithm finds the valley, halving the slope's interval its bottom.
  const grid = Array.from({ length: 241 }, (_, step) => 10 ** (-6 + step / 20));
  const best = grid.reduce((low, ratio) => (deviance(ratio) < deviance(low) ? ratio : low), grid[0] ?? 0);
  if (deviance(0) <= deviance(best) && slope(0) >= 0) return 0;
  let [low, high] = [best / 10 ** 0.05, best * 10 ** 0.05];
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step += 1) {
    const middle = (low + high) / 2;
    if (slope(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export function fitScores(scores: readonly Scored[]): Fitted {
  const papers = byPaper(scores);
  const judges = [...new Set(scores.map(({ judge }) => judge))].toSorted((a, b) => a - b);
  if (papers.size < MODEL_LEAST.papers || judges.length < MODEL_LEAST.judges) return means(papers);
  const column = new Map(judges.map((judge, at) => [judge, at]));
  const q = judges.length;
  const s: Matrix = judges.map(() => judges.map(() => 0));
  const b = judges.map(() => 0);
  let within = 0;
  for (const rows of papers.values()) {
    const raw = mean(rows.map(({ score }) => score));
    for (const { judge, score } of rows) {
      const j = column.get(judge) ?? 0;
      within += (score - raw) ** 2;
      b[j] = (b[j] ?? 0) + score - raw;
      const row = s[j] ?? [];
      row[j] = (row[j] ?? 0) + 1;
      for (const other of rows) {
        const k = column.get(other.judge) ?? 0;
        row[k] = (row[k] ?? 0) - 1 / rows.length;
      }
    }
  }
  const freedom = scores.length - papers.size;
  // Everybody gave a paper the same: there is nothing to tell judges apart by.
  if (freedom <= q || within < 1e-9) return means(papers);
  const { values, vectors } = eigen(s);
  const u = values.map((_, k) => b.reduce((sum, x, j) => sum + x * (vectors[j]?.[k] ?? 0), 0));
  const ratio = ratioOf(values, u, within, freedom);
  const shrunk = (k: number): number => ratio / (1 + ratio * (values[k] ?? 0));
  const rest = within - values.reduce((sum, _, k) => sum + shrunk(k) * (u[k] ?? 0) ** 2, 0);
  const error = rest / freedom;
  const effect = judges.map((_, j) =>
    values.reduce((sum, __, k) => sum + (vectors[j]?.[k] ?? 0) * shrunk(k) * (u[k] ?? 0), 0),
  );
  const list = [...papers].map(([paper, rows]): [number, PaperScore] => {
    const raw = mean(rows.map(({ score }) => score));
    const seen = rows.map(({ judge }) => column.get(judge) ?? 0);
    const severity = mean(seen.map((j) => effect[j] ?? 0));
    const uncertain = values.reduce((sum, _, k) => {
      const share = mean(seen.map((j) => vectors[j]?.[k] ?? 0));
      return sum + shrunk(k) * share ** 2;
    }, 0);
    const se = Math.sqrt(error * (1 / rows.length + uncertain));
    return [paper, { n: rows.length, raw, adjusted: raw - severity, se }];
  });
  return {
    method: 'model',
    papers: new Map(list),
    judges: new Map(judges.map((judge, j) => [judge, effect[j] ?? 0])),
    variance: { judge: ratio * error, error },
  };
}

export interface Ranked<T> {
  item: T;
  rank: number;
}

/** Best first; what is equal to a millionth of a point shares a rank. Time of submission never decides. */
export function ranked<T>(items: readonly T[], score: (item: T) => number): Ranked<T>[] {
  const rounded = (item: T): number => Math.round(score(item) * 1e6);
  const sorted = items.toSorted((a, b) => rounded(b) - rounded(a));
  return sorted.map((item) => ({ item, rank: sorted.findIndex((other) => rounded(other) === rounded(item)) + 1 }));
}

/** The award of a rank: places are counted from the top, and a tie at a line is inside it. */
export function awardOf<P extends { places: number }>(prizes: readonly P[], rank: number): P | null {
  let line = 0;
  for (const prize of prizes) {
    line += prize.places;
    if (rank <= line) return prize;
  }
  return null;
}
