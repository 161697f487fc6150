/** Matrices: one half or both, several numbers a cell, what their note says. */
import { expect, test } from 'vitest';
import type { TableElement } from '../generated/contract.ts';
import { partsOf } from './report/wide-table.ts';
import { said } from './table-head.ts';
import { tableText } from './table-text.ts';
import { table as namedTable } from './testing/reports.ts';

const table = (more: Partial<TableElement>): TableElement => namedTable('t', [], [], { layout: 'matrix', ...more });

test('correlations share their decimals however near zero one of them lies, and parts of a triangle hold no blank rows', () => {
  const names = Array.from({ length: 6 }, (_, i) => `i${i + 1}`);
  const values = names.map((_, r) => names.map((_n, c) => (r === c ? 1 : r === 1 ? 0.0002 : 0.5 - r * 0.0731)));
  const matrix = {
    labels: names,
    layers: [{ key: 'r', title: 'r', format: 'num' as const, values }],
    show: 'lower' as const,
    diagonal: null,
  };
  const grid = tableText(table({ matrix }));
  const told = grid.body.flatMap((row) => row.cells.slice(1).flatMap((c) => (c?.text ? [c.text] : [])));
  expect(told.filter((text) => !text.includes('×')).every((text) => /^[−]?\d\.\d{3}$/.test(text))).toBe(true);
  const [first, second] = partsOf(grid, [4, 4, 4, 4, 4, 4, 4], 16);
  expect(first?.body).toHaveLength(6);
  expect(second?.body.map((row) => row.cells[0]?.text)).toEqual(['i4', 'i5', 'i6']);
});

test('a count that all cells of a matrix share stands once in the note, else in each cell', () => {
  const of = (n: number) => {
    const r = {
      key: 'r',
      title: '系数',
      format: 'num' as const,
      values: [
        [1, 0.4],
        [0.4, 1],
      ],
    };
    const counts = {
      key: 'n',
      title: '*n*',
      format: 'integer' as const,
      values: [
        [420, n],
        [n, 420],
      ],
    };
    const matrix = { labels: ['甲', '乙'], show: 'lower' as const, diagonal: null, layers: [r, counts] };
    return tableText(table({ matrix }));
  };
  const [alike, unlike] = [of(420), of(408)];
  expect([alike.body[1]?.cells[1]?.sub, said(alike.told), alike.stacked]).toEqual([undefined, '各格 n = 420。', false]);
  expect([unlike.body[1]?.cells[1]?.sub, said(unlike.told), unlike.stacked]).toEqual(['408', '格内第二行为 n。', true]);
});

test('a matrix shows its lower half, the diagonal, stars and p', () => {
  const grid = tableText(
    table({
      matrix: {
        labels: ['甲', '乙'],
        show: 'lower',
        diagonal: '√AVE',
        layers: [
          {
            key: 'r',
            title: 'r',
            format: 'num',
            values: [
              [0.81, 0.4],
              [0.4, 0.79],
            ],
          },
          {
            key: 'p',
            title: 'p',
            format: 'pvalue',
            values: [
              [null, 0.003],
              [0.003, null],
            ],
          },
        ],
      },
    }),
  );
  expect(grid.head[0]?.map((h) => h.text)).toEqual(['', '甲', '乙']);
  const shown = grid.body.map((row) => row.cells.map((c) => (c === null ? null : c.text + (c.stars ?? ''))));
  expect(shown).toEqual([
    ['甲', '0.81', ''],
    ['乙', '0.40**', '0.79'],
  ]);
  expect(grid.body[1]?.cells[1]?.sub).toBe('.003');
  expect(grid.body[0]?.cells[1]?.strong).toBe(true);
  expect(said(grid.told)).toBe('格内第二行为 p。对角线为√AVE。');
});
