import { expect, test } from 'vitest';

import type { Element } from '../../generated/contract.ts';
import { plain, READING } from '../format.ts';
import { tableText } from '../table-text.ts';
import { column, report, table } from '../testing/reports.ts';
import { decimalsOf } from './decimals.ts';

const COLUMNS = [
  column('name', 'text'),
  column('mean'),
  column('ci', 'interval', { parts: ['low', 'high'], around: 'mean' }),
  column('share', 'percent'),
];
const ROWS = [
  ['甲', 0.0323, [0.0104, 0.25], 0.1234],
  ['乙', 0.0461, [-0.0123, 0.0567], 0.4],
  ['丙', 3.25, [3.004, 3.456], 0.5],
];
const MADE = report([table('t1', COLUMNS, ROWS)] as Element[]);

const said = (text: string, facts: Record<string, number>, decimals: number | null = null): string => {
  const reading = { ...READING, decimals };
  return plain(text, facts, { ...reading, places: decimalsOf(MADE, reading) });
};

test('a number of a sentence has the decimals of the table it stands in', () => {
  const cells = tableText(table('t1', COLUMNS, ROWS)).body.map((row) => row.cells.map((cell) => cell?.text));
  expect(cells[2]).toEqual(['丙', '3.250', '[3.004, 3.456]', '50.0%']);
  expect(said('平均 {m:num}', { m: 3.25 })).toBe('平均 3.250');
  expect(said('平均 {m:num}（95% CI {low:num} 到 {high:num}）', { m: 3.25, low: 3.004, high: 3.456 })).toBe(
    '平均 3.250（95% CI 3.004 到 3.456）',
  );
  expect(said('低 {m:num}，{d:+num}', { m: 0.0123, d: 3.25 }), 'a difference is said by its size').toBe(
    '低 0.012，+3.250',
  );
});

test('what stands in no table, whole numbers and the reader’s own wish stay as they were', () => {
  expect(said('{m:num}', { m: 3.26 })).toBe('3.26');
  expect(said('{m:num}', { m: 3 })).toBe('3.00');
  expect(said('{m:num}', { m: 3.25 }, 1)).toBe('3.3');
  expect(said('{m:num2}', { m: 3.25 })).toBe('3.25');
});

test('decimals chosen for the table hold for the sentence', () => {
  const reading = { ...READING, places: decimalsOf(MADE, READING, { t1: { decimals: 4 } }) };
  expect(plain('{m:num}', { m: 3.25 }, reading)).toBe('3.2500');
});
