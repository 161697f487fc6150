/** What a cell says: its value, or the label of its value. */
import { isCode } from '@hengxi/contracts/missing-codes';
import type { Cell, Column } from '@hengxi/server/files/schema';

import { clockText, isClock } from '../../../../fields/clock.ts';

export interface CellText {
  text: string;
  kind: 'missing' | 'declared' | 'number' | 'text';
}

/** Codes for a missing answer are no times. */
const isTime = (value: number, column: Column): boolean => isClock(column) && !isCode(value, column);

function numberText(value: number, column: Column): string {
  // Of times only codes for a missing answer come here: the decimals of the seconds are not theirs.
  if (column.storage === 'int' || isClock(column)) return String(value);
  if (Number.isInteger(value) && column.decimals === 0) return String(value);
  return value.toFixed(column.decimals);
}

function valueText(value: NonNullable<Cell>, column: Column): string {
  if (typeof value === 'number') return isTime(value, column) ? clockText(value) : numberText(value, column);
  if (typeof value === 'boolean') return value ? '是' : '否';
  // ISO instants as people write them; the T and empty seconds carry nothing here.
  if (column.storage === 'datetime') return value.replace('T', ' ').replace(/:00(\.0+)?$/, '');
  return value;
}

/** What the values of a column are called: answers, and codes that stand for missing (9 = 拒答, .a of Stata). */
export const namedValues = (column: Column) => [...(column.levels ?? []), ...(column.missing_labels ?? [])];

/** `.a`, `.z`: a special missing value of Stata or SAS, whose number nobody knows. */
export const specialLetter = (label: string): string | undefined => /^(\.[A-Za-z_])(?: |$)/.exec(label)?.[1];

function letterOf(value: Cell, column: Column): string | undefined {
  const label = column.missing_labels?.find((code) => code.value === value)?.label;
  return label === undefined ? undefined : specialLetter(label);
}

/** Labels by value; made once for a column, read for every cell. */
export function labelsOf(column: Column): ReadonlyMap<unknown, string> {
  const labels = new Map<unknown, string>();
  for (const level of namedValues(column)) {
    // The number of seconds is no word for a time.
    const isBare = isClock(column) && level.label === String(level.value);
    if (level.label !== null && level.label !== '' && !isBare) labels.set(level.value, level.label);
  }
  return labels;
}

/** Rows say a special missing value by its letter; everything else is known by its number. */
function codeOf(cell: Cell, column: Column): Cell {
  if (typeof cell !== 'string' || column.storage === 'text') return cell;
  return column.missing_labels?.find(({ label }) => specialLetter(label) === cell)?.value ?? cell;
}

export function cellText(cell: Cell, column: Column, labels: ReadonlyMap<unknown, string> | null): CellText {
  const value = codeOf(cell, column);
  if (value === null || value === '') return { text: '缺失', kind: 'missing' };
  const label = labels?.get(value);
  if (isCode(value, column))
    return { text: label ?? letterOf(value, column) ?? valueText(value, column), kind: 'declared' };
  return {
    text: label ?? valueText(value, column),
    kind: typeof value === 'number' && label === undefined ? 'number' : 'text',
  };
}

/** Cells without a value stand on the side of those with one: right under numbers, left under words. */
export function showsNumbers(column: Column, labels: ReadonlyMap<unknown, string> | null): boolean {
  if (column.storage !== 'int' && column.storage !== 'float') return false;
  return labels === null || !column.levels?.some(({ value }) => labels.has(value));
}

/** The text a cell is edited as: its label, or its whole value, which the decimals shown may round. */
export function editText(cell: Cell, column: Column, labels: ReadonlyMap<unknown, string> | null): string {
  const value = codeOf(cell, column);
  if (value === null) return '';
  const label = labels?.get(value);
  const name = label ?? letterOf(value, column);
  if (name !== undefined) return name;
  return typeof value === 'number' && !isTime(value, column) ? String(value) : valueText(value, column);
}

const WIDE = 13.2;
const NARROW = 7.4;

/** Roughly how wide a text is drawn at 13 px: Han signs are twice a letter. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of text) width += sign.charCodeAt(0) > 0x2e80 ? WIDE : NARROW;
  return width;
}

const WIDTH_LEAST = 84;
const WIDTH_MOST = 240;
const HEAD_EXTRA = 58;
const CELL_EXTRA = 24;

/** The width that holds the head and the texts given, for a column fitted by hand. */
export function fittingWidth(column: Column, texts: readonly string[]): number {
  const head = textWidth(column.label ?? column.name) + HEAD_EXTRA;
  return Math.ceil(Math.max(head, ...texts.map((text) => textWidth(text) + CELL_EXTRA)));
}

function widest(column: Column): string {
  const { max } = column.profile;
  if (max === undefined || max === null) return '';
  return typeof max === 'number' && isClock(column) ? clockText(max) : String(max).slice(0, 19);
}

/** A width that holds the head, and what the cells usually hold, without reading them. */
export function columnWidth(column: Column): number {
  const head = textWidth(column.label ?? column.name) + HEAD_EXTRA;
  const samples = [
    ...(column.levels ?? []).slice(0, 12).map((level) => level.label ?? String(level.value)),
    ...(column.profile.top ?? []).slice(0, 5).map((top) => String(top.value)),
    widest(column),
  ];
  const cells = Math.max(0, ...samples.map(textWidth)) + CELL_EXTRA;
  const time = column.storage === 'datetime' ? 150 : 0;
  // The head says how much is missing, with its share only where some is: 缺失 9（2.8%）.
  const missing = column.profile.missing > 0 ? textWidth(`缺失 ${column.profile.missing}（00.0%）`) + 8 : 0;
  return Math.round(
    Math.min(WIDTH_MOST, Math.max(WIDTH_LEAST, Math.min(head, 200), Math.min(cells, 220), time, missing)),
  );
}
