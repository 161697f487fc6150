/** How far two coders agree: Cohen's κ of each code with a bootstrap interval, and Krippendorff's α of whole sets (MASI). */
import type { Agreement } from './schema.ts';

const RESAMPLES = 1000;

export type Pair = readonly [first: readonly number[], second: readonly number[]];

/** mulberry32: numbers in [0, 1), the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** null where chance alone would agree always: nobody used the code, or everybody always. */
function kappa(both: number, first: number, second: number, n: number): number | null {
  const seen = (both + (n - first - second + both)) / n;
  const chance = (first * second + (n - first) * (n - second)) / (n * n);
  return chance === 1 ? null : (seen - chance) / (1 - chance);
}

function kappaOf(a: readonly boolean[], b: readonly boolean[], rows: ArrayLike<number>): number | null {
  let [both, first, second] = [0, 0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? 0;
    if (a[row]) first += 1;
    if (b[row]) second += 1;
    if (a[row] && b[row]) both += 1;
  }
  return kappa(both, first, second, rows.length);
}

/** 0 for equal sets, 1 for sets that share nothing (Passonneau 2006). */
export function masi(a: readonly number[], b: readonly number[]): number {
  const shared = a.filter((id) => b.includes(id)).length;
  const all = new Set([...a, ...b]).size;
  if (all === 0) return 0;
  const isSubset = shared === a.length || shared === b.length;
  const shape = shared === all ? 1 : shared === 0 ? 0 : isSubset ? 2 / 3 : 1 / 3;
  return 1 - (shared / all) * shape;
}

export function alpha(pairs: readonly Pair[]): number | null {
  const values = pairs.flat();
  const seen = pairs.reduce((sum, [a, b]) => sum + masi(a, b), 0) / pairs.length;
  let chance = 0;
  for (let i = 0; i < values.length; i += 1)
    for (let j = 0; j < i; j += 1) chance += masi(values[i] ?? [], values[j] ?? []);
  chance /= (values.length * (values.length - 1)) / 2;
  return chance === 0 ? null : 1 - seen / chance;
}

const quantile = (sorted: readonly number[], p: number): number => {
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
};

export function agreementOf(pairs: readonly Pair[], codes: readonly number[], seed: number): Agreement {
  const n = pairs.length;
  const all = Array.from({ length: n }, (_, i) => i);
  const random = seeded(seed);
  const samples = Array.from({ length: RESAMPLES }, () => all.map(() => Math.floor(random() * n)));
  const list = codes.map((code) => {
    const a = pairs.map(([first]) => first.includes(code));
    const b = pairs.map(([, second]) => second.includes(code));
    const found = kappaOf(a, b, all);
    const drawn = found === null ? [] : samples.flatMap((rows) => kappaOf(a, b, rows) ?? []).toSorted((x, y) => x - y);
    return {
      code,
      agreed: a.filter((one, i) => one === b[i]).length / n,
      kappa: found,
      low: drawn.length > 0 ? quantile(drawn, 0.025) : null,
      high: drawn.length > 0 ? quantile(drawn, 0.975) : null,
      first: a.filter(Boolean).length,
      second: b.filter(Boolean).length,
    };
  });
  const known = list.flatMap(({ kappa: one }) => one ?? []);
  return {
    n,
    codes: list,
    mean_kappa: known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : null,
    alpha: alpha(pairs),
  };
}
