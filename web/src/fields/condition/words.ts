/** A condition in words, for the slot and the status bar: 用时 ≥ 60 且 性别 = 男. */
import { isCode } from '@hengxi/contracts/missing-codes';

import { clockText, isClock, timed } from '../clock.ts';
import type { Column } from '../column.ts';
import { codesOf, levelTitle, titleOf } from '../column.ts';
import type { Row } from './condition.ts';
import { fromFormula, JOIN_WORD, OPERATOR_SIGN, plainValue } from './condition.ts';

/** A time of day or a duration, not a code for a missing answer. */
function isTime(column: Column | undefined, value: string | number | undefined): boolean {
  return typeof value === 'number' && column !== undefined && isClock(column) && !isCode(value, column);
}

function valueWords(column: Column | undefined, value: string | number): string {
  const levels =
    column === undefined ? [] : [...(column.levels ?? []).map((one) => timed(one, column)), ...codesOf(column)];
  const level = levels.find((one) => plainValue(one.value) === value);
  if (level !== undefined) return levelTitle(level);
  return isTime(column, value) ? clockText(Number(value)) : String(value);
}

function rowWords(row: Row, known: ReadonlyMap<string, Column>): string {
  const column = known.get(row.column);
  const name =
    column === undefined ? row.column : column.label === null || column.label === '' ? column.name : column.label;
  const sign = OPERATOR_SIGN[row.operator];
  if (row.operator === 'missing' || row.operator === 'present') return `${name}${sign}`;
  const values = row.values.map((value) => valueWords(column, value)).join('、');
  const isPlain = typeof row.values[0] === 'number' && !isTime(column, row.values[0]);
  const unit = isPlain && column?.unit ? ` ${column.unit}` : '';
  return `${name} ${sign} ${values}${unit}`;
}

export function conditionWords(formula: string, known: ReadonlyMap<string, Column>): string {
  const condition = fromFormula(formula);
  if (condition === null) {
    return formula.replaceAll(/\{(\w+)\}/gu, (_, id: string) => {
      const column = known.get(id);
      return column === undefined ? id : titleOf(column);
    });
  }
  const bracket = condition.groups.length > 1;
  return condition.groups
    .map((group) => {
      const text = group.rows.map((row) => rowWords(row, known)).join(` ${JOIN_WORD[group.join]} `);
      return bracket && group.rows.length > 1 ? `（${text}）` : text;
    })
    .join(` ${JOIN_WORD[condition.join]} `);
}

/** Columns a condition names, in order of appearance. */
export function columnsIn(formula: unknown): string[] {
  if (typeof formula !== 'string') return [];
  return [...new Set([...formula.matchAll(/\{(c\d+)\}/gu)].map((match) => match[1] ?? ''))];
}
