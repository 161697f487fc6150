import { expect, test } from 'vitest';
import type { TableColumn, TableElement } from '../generated/contract.ts';
import { columnHeads, tableText, type TableText } from './table-text.ts';
import { column, table as namedTable } from './testing/reports.ts';

/** What it is called does not matter here. */
const table = (columns: TableColumn[], rows: TableElement['rows'], more: Partial<TableElement> = {}): TableElement =>
  namedTable('t', columns, rows, more);

const shown = (grid: TableText): (string | null)[][] =>
  grid.body.map((row) => row.cells.map((c) => (c === null ? null : c.text + (c.stars ?? ''))));

test('the item of a wide table is said once, though the engine names it twice', () => {
  const t = table([column('a@0', 'num', { wide: '甲', span: ['甲'] })], [[1]], { layout: 'wide' });
  expect(tableText(t).head).toHaveLength(2);
});

test('a wide column without a title is headed by its item, and takes its stars from the p named', () => {
  const t = table(
    [
      column('item', 'text'),
      column('r@0', 'num', { wide: '甲', title: '', stars: 'p@0' }),
      column('p@0', 'pvalue', { wide: '甲' }),
      column('q', 'pvalue'),
    ],
    [['乙', 0.5, 0.001, 0.2]],
    { layout: 'wide' },
  );
  const outer = table(
    [column('r@0', 'num', { wide: '甲', title: '', stars: 'p' }), column('p', 'pvalue')],
    [[0.5, 0.03]],
    { layout: 'wide' },
  );
  expect(columnHeads(tableText(t)).map((h) => h.text)).toEqual(['item', '甲', '甲 p@0', 'q']);
  expect(shown(tableText(t))).toEqual([['乙', '0.50**', '.001', '.200']]);
  expect(tableText(outer).head).toHaveLength(1);
  expect(shown(tableText(outer))).toEqual([['0.50*', '.030']]);
});

test('sixty items keep their labels in any order of columns', () => {
  const items = Array.from({ length: 60 }, (_, i) => `i${60 - i}`);
  const t = table(
    [column('item', 'text'), column('n', 'integer')],
    items.map((name, i) => [name, i]),
  );
  expect(tableText(t).body.map((row) => [row.cells[0]?.text, row.cells[1]?.text])).toEqual(
    items.map((name, i) => [name, String(i)]),
  );
});

test('a wide column without a title of its own is called by its item', () => {
  const t = table([column('x', 'text'), column('v@0', 'num', { title: '', wide: 'P5' })], [['速度', 1]], {
    layout: 'wide',
  });
  expect(tableText(t).head.map((row) => row.map((h) => h.text))).toEqual([['x', 'P5']]);
});

test('the number of one row stands as it is counted, not as a measured value', () => {
  const t = table([column('r', 'rows'), column('p', 'percent')], [[1008, 0.94]]);
  expect(tableText(t).body[0]?.cells[0]).toMatchObject({ text: '1008', rows: [1008] });
});

test('the number of a row and a number among texts are numbers to a spreadsheet, shown as before', () => {
  const t = table(
    [column('r', 'rows'), column('v', 'text')],
    [
      [1008, 3],
      [[7], 0.25],
      [[7, 9], '3'],
    ],
  );
  const cells = tableText(t).body.map((row) => row.cells);
  expect(cells.map((row) => row.map((c) => c?.text))).toEqual([
    ['1008', '3'],
    ['7', '0.25'],
    ['7、9', '3'],
  ]);
  expect(cells.map((row) => row.map((c) => c?.numbers?.map((n) => n.x)))).toEqual([
    [[1008], [3]],
    [[7], [0.25]],
    [undefined, undefined],
  ]);
});

test('a matrix of covariances shows sums of squares on its diagonal, each number with digits of its own', () => {
  const layer = (key: string, title: string, values: number[][]) => ({ key, title, format: 'num' as const, values });
  const covariance = layer('covariance', '协方差', [
    [152_345_678.25, 12.3456],
    [12.3456, 0.00312],
  ]);
  const sscp = layer('sscp', '离差积和', [
    [1_523_456_782.5, 123.456],
    [123.456, 0.0312],
  ]);
  const labels = ['收入', '比例'];
  const matrix = { labels, layers: [covariance, sscp], show: 'lower' as const, diagonal: null };
  const grid = tableText(table([], [], { layout: 'matrix', matrix }));
  expect(grid.body.map((row) => row.cells.slice(1).map((c) => [c?.text, c?.sub]))).toEqual([
    [
      ['152,345,678.3', '1,523,456,782.5'],
      ['', undefined],
    ],
    [
      ['12.35', '123.5'],
      ['0.0031', '0.031'],
    ],
  ]);
  expect(grid.body[1]?.cells[2]?.numbers?.map((n) => n.x)).toEqual([0.00312, 0.0312]);
  const alike = {
    ...matrix,
    layers: [
      layer('covariance', '协方差', [
        [4.1234, 0.5],
        [0.5, 3.2],
      ]),
    ],
  };
  expect(shown(tableText(table([], [], { layout: 'matrix', matrix: alike })))).toEqual([
    ['收入', '4.12', ''],
    ['比例', '0.50', '3.20'],
  ]);
});
