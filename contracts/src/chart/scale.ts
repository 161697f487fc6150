/** Axis limits a person would draw: round steps, three to five of them. Layout only; no statistics. */

import type { Limits } from './figure-edit.ts';

export interface Scale {
  min: number;
  max: number;
  step: number;
  /** Decimals its labels need. */
  decimals: number;
}

interface Wishes {
  /** Zero is on it. */
  zero?: boolean;
  steps?: number;
  /** Nothing lies between two whole numbers: the number of a component, of a cluster. */
  whole?: boolean;
}

export function niceScale(low: number, high: number, options: Wishes = {}): Scale {
  let [a, b] = low <= high ? [low, high] : [high, low];
  if (!Number.isFinite(a) || !Number.isFinite(b)) [a, b] = [0, 1];
  if (options.zero === true) [a, b] = [Math.min(0, a), Math.max(0, b)];
  if (a === b) [a, b] = a === 0 ? [0, 1] : [a - Math.abs(a) / 10, b + Math.abs(b) / 10];
  const round = niceStep((b - a) / (options.steps ?? 4));
  const step = options.whole === true && !Number.isInteger(round) ? Math.max(1, round * 2) : round;
  const decimals = stepDecimals(step);
  // 17 × 0.05 is not 0.85: a limit beside its tick by the last bit loses the tick. Steps of 1e-300 have no decimals to write.
  const exact = (v: number): number => (decimals === 0 || isTiny(step) ? v : Number(v.toFixed(decimals)));
  const min = exact(Math.floor(a / step + 1e-9) * step);
  const max = exact(Math.ceil(b / step - 1e-9) * step);
  return { min, max: max === min ? exact(min + step) : max, step, decimals };
}

/** Round steps, but limits that hug the data: for clouds of points, where a whole empty step would press them together. */
export function hugging(low: number, high: number, steps = 4): Scale {
  const scale = niceScale(low, high, { steps });
  const room = (high - low) * 0.04 || scale.step / 2;
  return { ...scale, min: Math.max(scale.min, low - room), max: Math.min(scale.max, high + room) };
}

/** Steps too small for decimals: such axes are labelled in powers of ten, at ticks of ours. */
export function isTiny(step: number): boolean {
  return step < 1e-9;
}

/** Decimals that write every multiple of a step exactly: 2.5 needs one. */
export function stepDecimals(step: number): number {
  let decimals = 0;
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals += 1;
  return decimals;
}

function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const share = raw / power;
  const round = share <= 1 ? 1 : share <= 2 ? 2 : share <= 2.5 ? 2.5 : share <= 5 ? 5 : 10;
  return round * power;
}

/** A scale whose ends and steps a reader set; what he left open stays. */
export function limited(scale: Scale, wanted: Limits | undefined, zero = false): Scale {
  if (wanted === undefined) return scale;
  const min = zero ? scale.min : (wanted.min ?? scale.min);
  const max = wanted.max ?? scale.max;
  if (!(min < max)) return scale;
  const fits = wanted.step !== null && (max - min) / wanted.step <= MOST_TICKS;
  const step = fits && wanted.step !== null ? wanted.step : niceStep((max - min) / 4);
  return { min, max, step, decimals: stepDecimals(step) };
}

const MOST_TICKS = 40;

export function extent(values: readonly (number | null)[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v === null || !Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : [0, 1];
}

export function ticks(scale: Scale): number[] {
  // A limit that was set by hand need not be a tick.
  const first = Math.ceil(scale.min / scale.step - 1e-9) * scale.step;
  const count = Math.floor((scale.max - first) / scale.step + 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => first + i * scale.step);
}

/**
 * Where each of many equal dots goes beside its axis so that none covers another: a beeswarm. Offsets in pixels
 * from the middle line, by the order of y; deterministic.
 */
export function swarm(ys: readonly number[], radius: number, half: number): number[] {
  const gap = radius * 2.15;
  const order = ys.map((_, i) => i).sort((a, b) => (ys[a] ?? 0) - (ys[b] ?? 0) || a - b);
  const offsets = ys.map(() => 0);
  const placed: number[] = [];
  for (const i of order) {
    const y = ys[i] ?? 0;
    const near = placed.filter((j) => Math.abs((ys[j] ?? 0) - y) < gap);
    offsets[i] = freePlace(
      near.map((j) => ({ x: offsets[j] ?? 0, dy: (ys[j] ?? 0) - y })),
      gap,
      half,
    );
    placed.push(i);
  }
  return offsets;
}

function freePlace(near: readonly { x: number; dy: number }[], gap: number, half: number): number {
  const tries = [0];
  for (const { x, dy } of near) {
    const dx = Math.sqrt(Math.max(0, gap * gap - dy * dy));
    tries.push(x + dx, x - dx);
  }
  tries.sort((a, b) => Math.abs(a) - Math.abs(b) || a - b);
  const free = tries.find((x) => near.every((o) => (o.x - x) ** 2 + o.dy ** 2 >= gap * gap - 1e-6));
  return Math.max(-half, Math.min(half, free ?? 0));
}

/** Answers on a scale: at most eleven values, each given several times. Their points would lie on each other. */
export function isGraded(values: readonly number[]): boolean {
  const distinct = new Set(values).size;
  return distinct <= MOST_GRADES && values.length >= 3 * distinct && values.length >= FEW_POINTS;
}

const MOST_GRADES = 11;
/** So few points are told apart as they are. */
const FEW_POINTS = 12;

/** The smallest distance between two of the values. */
export function gradeStep(values: readonly number[]): number {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((v, i) => v - (sorted[i] ?? v));
  return gaps.length === 0 ? 1 : Math.min(...gaps);
}

/** How often each value occurs, by value. */
export function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const v of values) counts.set(v, (counts.get(v) ?? 0) + 1);
  return counts;
}

/** Rough width of a label in pixels: 汉字 are square, Latin about half. Exact measuring needs a browser; layout does not. */
export function textWidth(text: string, size = 12): number {
  let units = 0;
  for (const c of text)
    units += /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u.test(c)
      ? 1
      : /[A-Z@%WMm]/.test(c)
        ? 0.72
        : 0.55;
  return units * size;
}

/** Cuts a label to a width; the whole text stands in the table. */
export function clip(text: string, width: number, size = 12): string {
  if (textWidth(text, size) <= width) return text;
  // By letters: half of 𠮷 is no letter.
  const short = Array.from(text);
  while (short.length > 1 && textWidth(`${short.join('')}…`, size) > width) short.pop();
  return `${short.join('')}…`;
}
