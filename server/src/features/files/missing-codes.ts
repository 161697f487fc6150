/**
 * Numbers that look like codes of "no answer" (9, 99, -1): they stand apart from all other values of their column. A
 * column that merely reaches 99, or a scale from -3 to 3, is left alone.
 */
import { isCode } from '@hengxi/contracts/missing-codes';
import type { Column } from './schema.ts';

interface Counted {
  value: number;
  count: number;
}
export interface Suspect {
  value: number;
  /** null where the profile does not tell. */
  count: number | null;
}

const HIGH_CODES = new Set([97, 98, 99, 997, 998, 999, 9997, 9998, 9999]);
const LOW_CODES = new Set([-1, -2, -3, -7, -8, -9, -97, -98, -99, -998, -999, -9999]);
/** Columns of up to so many values are judged by all of them, others by their outermost values. */
const FEW = 10;
const AGE = /年龄|岁数|周岁|(?<![a-z])age(?![a-z])/iu;
/** What nobody reaches by chance: codes this far out need not be repeated. */
const FAR = 10;

const sum = (values: readonly Counted[]): number => values.reduce((total, { count }) => total + count, 0);

function numbers(column: Column, known: readonly { value: unknown; count: number }[] | null | undefined): Counted[] {
  return (known ?? []).flatMap(({ value, count }) =>
    typeof value === 'number' && !isCode(value, column) ? [{ value, count }] : [],
  );
}

/** Codes of a column, with their counts. */
export function suspectedCodes(column: Column): Suspect[] {
  const { whole, n, distinct, lowest, highest } = column.profile;
  if (!['int', 'float'].includes(column.storage) || !whole || n === 0) return [];
  const every = numbers(column, column.levels ?? column.profile.top);
  if (every.length >= distinct && distinct <= FEW) return ofFew(every, n);
  if (!lowest || !highest) return ofRange(column);
  return [...above(column, numbers(column, highest)), ...below(column, numbers(column, lowest))];
}

/** Of a question with few answers. */
function ofFew(values: readonly Counted[], n: number): Suspect[] {
  const ordinary = values
    .map(({ value }) => value)
    .filter((value) => !HIGH_CODES.has(value) && !LOW_CODES.has(value))
    .toSorted((a, b) => a - b);
  const answers = ordinary.filter((value) => value !== 9);
  const [low, high] = [answers[0], answers.at(-1)];
  if (low === undefined || high === undefined || answers.length < 2) return [];
  const isRun = high - low === answers.length - 1 && (low === 0 || low === 1);
  // The lower half of a scale around zero: -3 … 3, or -1, 0, 1 where the -1 is given often.
  const negatives = values.filter(({ value }) => value < 0);
  const isAround = negatives.some(({ value }) => value === -high) && sum(negatives) >= n / FAR;
  return values.filter(({ value, count }) => {
    if (value === 9) return isRun && high <= 6 && count < n / 2;
    if (HIGH_CODES.has(value)) return value > high + Math.max(3, high - low);
    return LOW_CODES.has(value) && low >= 0 && !isAround;
  });
}

const spreadOf = ({ profile: { q1, q3 } }: Column): number => Math.max((q3 ?? 0) - (q1 ?? 0), 1);

/** 97, 98, 99, 999 at the upper end, `values` from the largest downwards. */
function above(column: Column, values: readonly Counted[]): Suspect[] {
  const end = values.findIndex(({ value }) => !HIGH_CODES.has(value));
  const next = values[end];
  const codes = values.slice(0, Math.max(end, 0));
  const least = codes.at(-1);
  if (!next || !least) return [];
  const gap = least.value - next.value;
  const spread = spreadOf(column);
  if (gap >= FAR * spread) return codes;
  if (sum(codes) < 2) return [];
  const isAge = AGE.test(`${column.name} ${column.label ?? ''}`);
  // Old people become rarer with every year: several of 99 after years without anybody are no age.
  return gap >= (isAge ? 5 : 2 * spread) ? codes : [];
}

/** -1, -9, -99 below numbers that are never negative otherwise, `values` from the smallest upwards. */
function below(column: Column, values: readonly Counted[]): Suspect[] {
  const end = values.findIndex(({ value }) => !LOW_CODES.has(value));
  const next = values[end];
  const codes = values.slice(0, Math.max(end, 0));
  const nearest = codes.at(-1);
  if (!next || !nearest || next.value < 0) return [];
  const gap = next.value - nearest.value;
  if (gap >= Math.max(5, spreadOf(column) / 2)) return codes;
  const each = sum(codes) / codes.length;
  return each >= 2 && (gap >= 5 || each > 2 * next.count) ? codes : [];
}

/** Of tables that were read before their outermost values were kept. */
function ofRange(column: Column): Suspect[] {
  const { min, max, q1, q3 } = column.profile;
  if (q1 == null || q3 == null || typeof min !== 'number' || typeof max !== 'number') return [];
  const codes: number[] = [];
  if (LOW_CODES.has(min) && q1 >= 0 && !isCode(min, column)) codes.push(min);
  const isFar = max >= 999 && max > q3 + FAR * spreadOf(column);
  if (HIGH_CODES.has(max) && isFar && !isCode(max, column)) codes.push(max);
  return codes.map((value) => ({ value, count: null }));
}
