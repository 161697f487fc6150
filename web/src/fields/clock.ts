/** Times of day and durations: numbers of seconds in the table, clock text for people, as exports write them. */
import { clockText } from '@hengxi/contracts/clock-text';
import { num } from '@hengxi/contracts/format';
import { isCode } from '@hengxi/contracts/missing-codes';

import type { Column } from './column.ts';

export { clockText };

const CLOCK = /^([+-]?)(?:(\d+) +)?(\d+):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?$/;
const MICRO = 1_000_000;

export const isClock = ({ clock, storage }: Column): boolean =>
  typeof clock === 'string' && (storage === 'int' || storage === 'float');

/** An answer as lists of answers name it: one of a time column that has no name of its own is called by its time. */
export function timed<L extends { value: unknown; label: string | null }>(level: L, column: Column): L {
  const { value, label } = level;
  const isNamed = label !== null && label !== '' && label !== String(value);
  return isNamed || typeof value !== 'number' || !isClock(column) || isCode(value, column)
    ? level
    : { ...level, label: clockText(value) };
}

const A_MINUTE = 60;

/** A mean, a quartile, an end of a column, in words of the column: a time is clock text, as fine as its differences need. */
export function figureText(value: number, column: Column): string {
  if (!isClock(column)) return num(value);
  const { min, max } = column.profile;
  const isShort = typeof min === 'number' && typeof max === 'number' && max - min < A_MINUTE;
  const unit = 10 ** Math.max(column.decimals ?? 0, isShort ? 2 : 0);
  return clockText(Math.round(value * unit) / unit);
}

/** The smallest or largest value: as it was observed, without the decimals a mean has. */
export function endText(end: unknown, column: Column): string {
  if (typeof end === 'number') return isClock(column) ? figureText(end, column) : String(end);
  return String(end).replace('T', ' ');
}

/** 8:30, 08:30:15.5, 27:02:03, 1 03:02:03 (a day before the hours) as seconds; minutes come first where the column counts so. */
export function readClock(text: string, column: Column): number | null {
  const match = CLOCK.exec(text.trim().normalize('NFKC').replace(/^−/, '-'));
  if (!match) return null;
  const [, sign, days, first, middle, last] = match;
  const short = last === undefined && days === undefined && String(column.clock).startsWith('MTIME');
  const [hours, minutes, seconds] = short
    ? [0, Number(first), Number(middle)]
    : [Number(first), Number(middle), Number(last ?? 0)];
  if (seconds >= 60 || (!short && minutes >= 60)) return null;
  const total = Number(days ?? 0) * 86_400 + hours * 3600 + minutes * 60 + seconds;
  const exact = Math.round(total * MICRO) / MICRO;
  return sign === '-' ? 0 - exact : exact;
}
