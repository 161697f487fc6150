import { expect, test } from 'vitest';

import { tableText } from '../table-text.ts';
import { column, report, table } from '../testing/reports.ts';
import { documentOf } from './blocks.ts';
import { reportFile } from './html.ts';
import { PRESENTATION } from './presentation.ts';
import { naturalWidths, partsOf } from './wide-table.ts';

const ITEMS = Array.from({ length: 12 }, (_, i) => `第${i + 1}类`);
const WIDE = table(
  't',
  [column('who', 'text'), ...ITEMS.flatMap((wide) => [column('n', 'integer', { wide }), column('m', 'num', { wide })])],
  Array.from({ length: 3 }, (_, r) => [`行${r}`, ...ITEMS.flatMap((_item, i) => [1000 * r + i, 10_000 + r + i / 8])]),
  { layout: 'wide', title: '各类' },
);

test('parts hold every column once, the names of the rows each time, and spanners of what is below them', () => {
  const grid = tableText(WIDE);
  const widths = naturalWidths(grid, 8);
  const room = widths.reduce((a, b) => a + b, 0) / 3;
  const parts = partsOf(grid, widths, room);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) {
    expect(part.body.map((row) => row.cells[0]?.text)).toEqual(['行0', '行1', '行2']);
    expect(part.head[0]?.reduce((sum, h) => sum + h.colSpan, 0)).toBe(part.columns);
    expect(naturalWidths(part, 8).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(room);
  }
  const firstRow = parts.flatMap((part) => part.body[0]!.cells.slice(1).map((cell) => cell?.text));
  expect(firstRow).toEqual(grid.body[0]!.cells.slice(1).map((cell) => cell?.text));
  expect(partsOf(grid, widths, room * 4)).toEqual([grid]);
});

test('the parts of a table are as few as fit and as even as can be', () => {
  const grid = tableText(
    table(
      't',
      [column('who', 'text'), ...ITEMS.slice(0, 7).map((title) => column(title, 'integer'))],
      [['行', 1, 2, 3, 4, 5, 6, 7]],
    ),
  );
  const columns = (widths: number[], room: number) => partsOf(grid, widths, room).map((part) => part.columns - 1);
  expect(columns([2, 1, 1, 1, 1, 1, 1, 1], 5)).toEqual([3, 2, 2]);
  expect(columns([2, 1, 1, 1, 1, 1, 1, 1], 8)).toEqual([4, 3]);
  expect(columns([2, 1, 1, 9, 1, 1, 1, 1], 5)).toEqual([2, 1, 2, 2]);
  expect(columns([2, 1, 1, 1, 1, 1, 1, 1], 9)).toEqual([7]);
});

test('the printed page cuts a table that is wider than it, the page for the screen does not', () => {
  const blocks = documentOf([
    { report: report([WIDE]), title: '报告', madeAt: null, note: '', presentation: PRESENTATION },
  ]);
  const page = (paper: boolean) =>
    reportFile({ title: '报告', blocks, style: 'three', pictures: new Map(), math: () => '', paper });
  expect(page(true).match(/>续表 1　各类</g)).toHaveLength(1);
  expect(page(true).match(/>表 1　各类：/g)).toHaveLength(1);
  expect(page(false)).not.toContain('续表');
});
