/** What the next round shows of this one. Distributions only; every test and index is the engine's. */
import type { AnswerValue, FeedbackCard } from './schema.ts';

/** The value below which a share of the answers lies, by (n + 1)p as the Delphi method has it. */
export function quantile(sorted: readonly number[], share: number): number | null {
  const n = sorted.length;
  if (n === 0) return null;
  const at = Math.min(Math.max((n + 1) * share, 1), n);
  const low = sorted[Math.floor(at) - 1] ?? 0;
  const high = sorted[Math.ceil(at) - 1] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

/** One card an item; a card of fewer than `least` scores tells only their number. */
export function feedbackOf(
  items: readonly string[],
  answers: readonly ReadonlyMap<string, AnswerValue>[],
  { scaleMax, least }: { scaleMax: number; least: number },
): FeedbackCard[] {
  return items.map((item) => {
    const scores = answers
      .map((sheet) => sheet.get(`item:${item}`))
      .filter((value) => typeof value === 'number')
      .sort((a, b) => a - b);
    const n = scores.length;
    if (n < least) return { item, n, counts: [], q1: null, median: null, q3: null };
    const counts = Array.from({ length: scaleMax }, (_, at) => scores.filter((score) => score === at + 1).length);
    return { item, n, counts, q1: quantile(scores, 0.25), median: quantile(scores, 0.5), q3: quantile(scores, 0.75) };
  });
}
