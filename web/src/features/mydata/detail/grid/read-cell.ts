/** What was typed or pasted as a value of its column, or what is wrong with it. */
import type { Cell, Column } from '@hengxi/server/files/schema';

import { isClock, readClock } from '../../../../fields/clock.ts';
import { namedValues, specialLetter } from './cell-text.ts';

export type ReadCell = { value: Cell } | { fault: string };

const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const DATE = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const YES = new Set(['是', 'true', 'yes', '1']);
const NO = new Set(['否', 'false', 'no', '0']);
const LONGEST = 32_767;

function readNumber(text: string): number | null {
  const plain = text.replace(/^−/, '-');
  if (!/\d/.test(plain) || !NUMBER.test(plain)) return null;
  const value = Number(plain.replaceAll(',', ''));
  return Number.isFinite(value) ? value : null;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** 2025/1/2, 2025年1月2日, 2025-01-02 08:30 as ISO text; days that do not exist are refused. */
function readDate(text: string, withTime: boolean): string | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = new Date(Date.UTC(year, month - 1, day));
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = `${match[1]}-${two(month)}-${two(day)}`;
  if (!withTime) return match[4] === undefined ? date : null;
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}`;
}

/** A value label stands for its value, whether labels are shown or not. */
function labelled(column: Column, text: string): Cell | undefined {
  return namedValues(column).find(
    ({ value, label }) => (label === text || specialLetter(label) === text) && String(value) !== text,
  )?.value;
}

export function readCell(raw: string, column: Column): ReadCell {
  const typed = raw.trim();
  if (typed === '') return { value: null };
  const value = labelled(column, typed);
  if (value !== undefined) return { value };
  const text = typed.normalize('NFKC');
  switch (column.storage) {
    case 'int':
    case 'float': {
      const number = readNumber(text) ?? (isClock(column) ? readClock(text, column) : null);
      if (number !== null) return { value: number };
      const wanted = isClock(column) ? '时刻或时长，如 08:30:15' : `数字${orLabel(column)}`;
      return { fault: `应填${wanted}，“${short(typed)}”不是` };
    }
    case 'date':
    case 'datetime': {
      const date = readDate(text, column.storage === 'datetime');
      const example = column.storage === 'date' ? '2024-01-31' : '2024-01-31 08:30';
      return date === null ? { fault: `应填日期，如 ${example}，“${short(typed)}”不是` } : { value: date };
    }
    case 'bool': {
      const word = text.toLowerCase();
      if (YES.has(word)) return { value: true };
      return NO.has(word) ? { value: false } : { fault: `应填 是 或 否，“${short(typed)}”不是` };
    }
    default:
      // Inner spaces and line breaks of a text are its own.
      return raw.length > LONGEST ? { fault: `最多 ${LONGEST.toLocaleString('en-US')} 个字` } : { value: raw };
  }
}

function orLabel(column: Column): string {
  const isLabelled = (column.levels ?? []).some((level) => level.label !== '' && level.label !== String(level.value));
  return isLabelled ? '或值标签' : '';
}

function short(text: string): string {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
}
