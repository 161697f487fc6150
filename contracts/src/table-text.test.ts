import { describe, expect, test } from 'vitest';
import type { TableColumn, TableElement } from '../generated/contract.ts';
import { READING } from './format.ts';
import { toLatex } from './report/copy-tex.ts';
import { toRows } from './report/copy.ts';
import { partsOf } from './report/wide-table.ts';
import { said } from './table-head.ts';
import { columnHeads, spokenAt, tableText, type TableText } from './table-text.ts';
import { column, table as namedTable } from './testing/reports.ts';

/** What it is called does not matter here. */
const table = (columns: TableColumn[], rows: TableElement['rows'], more: Partial<TableElement> = {}): TableElement =>
  namedTable('t', columns, rows, more);

const shown = (grid: TableText): (string | null)[][] =>
  grid.body.map((row) => row.cells.map((c) => (c === null ? null : c.text + (c.stars ?? ''))));

const TTEST = table(
  [
    column('variable', 'text', { title: '变量' }),
    column('group', 'level', { title: '组' }),
    column('n', 'integer', { title: '*n*' }),
    column('desc', 'mean_sd', { title: '*M* ± *SD*', parts: ['mean', 'sd'], part_format: 'num' }),
    column('t', 'num', { title: '*t*' }),
    column('p', 'pvalue', { title: '*p*' }),
    column('diff', 'estimate_ci', {
      title: '均值差 [95% CI]',
      parts: ['d', 'low', 'high'],
      part_format: 'num',
      unit: '小时',
    }),
  ],
  [
    ['运动', { value: 1, label: '男' }, 1390, [3.8212, 1.69], 3.3041, 0.0011, [0.6141, 0.2512, 0.9799]],
    ['运动', { value: 2, label: '女' }, 164, [3.2071, 1.51], 3.3041, 0.0011, [0.6141, 0.2512, 0.9799]],
  ],
  { merge: ['variable', 't', 'p', 'diff'] },
);

describe('long tables', () => {
  test('cells are written in their formats, equal neighbours merge, p takes stars', () => {
    expect(shown(tableText(TTEST))).toEqual([
      ['运动', '男', '1,390', '3.82 ± 1.69', '3.30', '.001**', '0.61'],
      [null, '女', '164', '3.21 ± 1.51', null, null, null],
    ]);
    const first = tableText(TTEST).body[0];
    expect(first?.cells[0]?.rowSpan).toBe(2);
    expect(first?.cells[6]).toMatchObject({ sub: '[0.25, 0.98]', exact: '0.6141，0.2512，0.9799' });
  });

  test('titles keep their symbols and their unit', () => {
    const head = tableText(TTEST).head[0] ?? [];
    expect(head[2]?.tokens).toEqual([{ text: 'n', st: true }]);
    expect(head[6]?.text).toBe('均值差 [95% CI]（小时）');
  });

  test('whole degrees of freedom stand without decimals, those of Welch keep theirs', () => {
    const t = table(
      [column('x', 'text'), column('df1', 'num', { title: '*df*1' }), column('df', 'num', { title: '*df*' })],
      [
        ['甲', 2, 58],
        ['乙', 2, 55.3091],
      ],
    );
    expect(shown(tableText(t))).toEqual([
      ['甲', '2', '58'],
      ['乙', '2', '55.31'],
    ]);
  });

  test('stars go to the column that claims the p', () => {
    const b = table(
      [column('x', 'text'), column('b', 'num', { stars: 'p' }), column('p', 'pvalue')],
      [['年龄', 0.52, 0.0004]],
    );
    expect(shown(tableText(b))).toEqual([['年龄', '0.52***', '< .001']]);
    expect(shown(tableText(b, { ...READING, stars: 'none' }))).toEqual([['年龄', '0.52', '< .001']]);
  });

  test('columns are hidden, ordered and renamed; hiding all shows all', () => {
    const edit = { hidden: ['n', 'desc'], order: ['group', 'variable'], names: { group: '性别' } };
    const grid = tableText(TTEST, READING, edit);
    expect(grid.head[0]?.map((h) => h.text)).toEqual(['性别', '变量', 't', 'p', '均值差 [95% CI]（小时）']);
    const none = tableText(TTEST, READING, { hidden: TTEST.columns.map((c) => c.key) });
    expect(none.columns).toBe(7);
  });

  test('decimals and p follow the edit', () => {
    expect(shown(tableText(TTEST, READING, { decimals: 3, p: 'zero' }))[0]).toEqual([
      '运动',
      '男',
      '1,390',
      '3.821 ± 1.690',
      '3.304',
      '0.001**',
      '0.614',
    ]);
  });

  test('merging stays inside the block of the first merged column', () => {
    const t = table(
      [column('a', 'text'), column('b', 'num')],
      [
        ['甲', 1],
        ['甲', 1],
        ['乙', 1],
      ],
      { merge: ['a', 'b'] },
    );
    expect(shown(tableText(t))).toEqual([
      ['甲', '1.00'],
      [null, null],
      ['乙', '1.00'],
    ]);
  });

  test('absent, infinite, percent, date, flag, rows and marked cells', () => {
    const t = table(
      [
        column('a', 'num'),
        column('i', 'interval', { parts: ['l', 'h'], part_format: 'num' }),
        column('s', 'percent'),
        column('s2', 'percent', { title: '占比(%)' }),
        column('d', 'date'),
        column('f', 'flag'),
        column('r', 'rows'),
        column('m', 'marked'),
        column('np', 'n_percent', { parts: ['n', 'pct'] }),
        column('iqr', 'median_iqr', { parts: ['m', 'a', 'b'], part_format: 'num' }),
        column('se', 'estimate_se', { parts: ['e', 's'], part_format: 'num' }),
      ],
      [
        [
          null,
          ['-inf', 0.5],
          0.4541,
          0.4541,
          '2026-11-21',
          true,
          [1, 2, 3, 4, 5, 6, 7],
          [
            ['很', null],
            ['好', 'hit'],
          ],
          [139, 0.459],
          [3.6, 2.5, 4.85],
          [0.61, 0.19],
        ],
      ],
    );
    expect(shown(tableText(t))[0]).toEqual([
      '—',
      '[−∞, 0.50]',
      '45.4%',
      '45.4',
      '2026-11-21',
      '是',
      '1、2、3、4、5、6 等 7 行',
      '很好',
      '139 (45.9%)',
      '3.60 (2.50, 4.85)',
      '0.61 (0.19)',
    ]);
  });
});

describe('layouts', () => {
  const wide = table(
    [
      column('item', 'text'),
      column('n', 'integer', { wide: '男' }),
      column('share', 'percent', { wide: '男' }),
      column('n', 'integer', { wide: '女' }),
      column('share', 'percent', { wide: '女' }),
      column('p', 'pvalue', { span: ['检验'] }),
    ],
    [['是', 10, 0.25, 20, 0.5, 0.04]],
    { layout: 'wide' },
  );

  test('columns of one key under the items of a wide table show the same decimals', () => {
    const scores = table(
      [column('item', 'text'), column('m', 'num', { wide: '甲' }), column('m', 'num', { wide: '乙' })],
      [
        ['一', 0.191, 0.2462],
        ['二', 0.251, 0.0014],
      ],
      { layout: 'wide' },
    );
    const body = shown(tableText(scores)).map((row) => row.slice(1));
    expect(body.flat().map((text) => text?.split('.')[1]?.length)).toEqual([3, 3, 3, 3]);
  });

  test('a standard error has the decimals of its estimate, and both as many as the error needs', () => {
    const columns = [column('b'), column('se', 'num', { around: 'b' })];
    const rows: TableElement['rows'] = [
      [25.5726, 3.97616, [17.7305, 33.4146]],
      [0.9580117, 0.0348416, [0.8893, 1.0267]],
      [-0.1025806, 0.0336355, [-0.2873, 0.0821]],
    ];
    const ci = column('ci', 'interval', { around: 'b', parts: ['low', 'high'] });
    expect(shown(tableText(table([...columns, ci], rows)))).toEqual([
      ['25.573', '3.976', '[17.730, 33.415]'],
      ['0.958', '0.035', '[0.889, 1.027]'],
      ['−0.103', '0.034', '[−0.287, 0.082]'],
    ]);
    expect(shown(tableText(table(columns, [[1201.5, 310.25]])))[0]).toEqual(['1201.5', '310.3']);
  });

  test('wide tables put each item over its columns', () => {
    const grid = tableText(wide);
    expect(grid.head.map((row) => row.map((h) => [h.text, h.colSpan, h.rowSpan, h.at]))).toEqual([
      [
        ['item', 1, 2, 0],
        ['男', 2, 1, 1],
        ['女', 2, 1, 3],
        ['检验', 1, 1, 5],
      ],
      [
        ['n', 1, 1, 1],
        ['share', 1, 1, 2],
        ['n', 1, 1, 3],
        ['share', 1, 1, 4],
        ['p', 1, 1, 5],
      ],
    ]);
    expect(columnHeads(grid).map((h) => h.text)).toEqual(['item', '男 n', '男 share', '女 n', '女 share', '检验 p']);
  });

  test('two items of the same name that are not neighbours stay two spanners', () => {
    const t = table(
      [column('a', 'num', { wide: '甲' }), column('b', 'num', { wide: '乙' }), column('c', 'num', { wide: '甲' })],
      [[1, 2, 3]],
      { layout: 'wide' },
    );
    expect(tableText(t).head[0]?.map((h) => [h.text, h.at])).toEqual([
      ['甲', 0],
      ['乙', 1],
      ['甲', 2],
    ]);
  });

  test('a turned table has its variables in columns', () => {
    const t = table(
      [column('v', 'text'), column('n', 'integer'), column('m', 'num')],
      [
        ['身高', 10, 1.7],
        ['体重', 12, 60.5],
      ],
      { turned: true },
    );
    const grid = tableText(t);
    expect(grid.head[0]?.map((h) => h.text)).toEqual(['v', '身高', '体重']);
    expect(shown(grid)).toEqual([
      ['n', '10', '12'],
      ['m', '1.70', '60.50'],
    ]);
    expect(shown(tableText(t, READING, { turned: true }))).toEqual([
      ['身高', '10', '1.70'],
      ['体重', '12', '60.50'],
    ]);
  });

  test('a turned table says once what several cases share', () => {
    const t = table(
      [column('v', 'text'), column('g', 'text'), column('m', 'num'), column('t', 'num')],
      [
        ['身高', '男', 1.7, 2.5],
        ['身高', '女', 1.6, 2.5],
        ['体重', '男', 70.5, 8.25],
      ],
      { merge: ['v', 't'] },
    );
    const grid = tableText(t, READING, { turned: true });
    expect(grid.head[0]?.map((h) => [h.text, h.at, h.colSpan])).toEqual([
      ['v', 0, 1],
      ['身高', 1, 2],
      ['体重', 3, 1],
    ]);
    expect(grid.body[2]?.cells.map((cell) => (cell === null ? null : [cell.text, cell.colSpan ?? 1]))).toEqual([
      ['t', 1],
      ['2.50', 2],
      null,
      ['8.25', 1],
    ]);
    // Where a table is cut into parts, each part says it again.
    const parts = partsOf(grid, [4, 4, 4, 4], 8);
    expect(parts.map((part) => part.body[2]?.cells.map((cell) => cell?.text))).toEqual([
      ['t', '2.50'],
      ['t', '2.50'],
      ['t', '8.25'],
    ]);
    expect(spokenAt(grid, 2, 2)?.text).toBe('2.50');
    expect(toRows({ number: '表 1', title: [], notes: [], grid })[0]).toEqual(['v', '身高', '身高', '体重']);
    expect(toRows({ number: '表 1', title: [], notes: [], grid })[3]).toEqual(['t', '2.50', '2.50', '8.25']);
    expect(toLatex({ number: '表 1', title: [], notes: [], grid })).toContain('t & \\multicolumn{2}{c}{2.50} & 8.25');
  });

  test('words of a turned table stand over the numbers of their case, sentences begin where reading begins', () => {
    const t = table(
      [column('v', 'text'), column('g', 'text'), column('n', 'integer')],
      [
        ['身高', '甲', 10],
        ['体重', '每周在课外参加体育锻炼三次以上', 12],
      ],
      { turned: true },
    );
    expect(tableText(t).body.map((row) => row.cells.map((cell) => cell?.numeric))).toEqual([
      [false, true, false],
      [false, true, true],
    ]);
  });

  test('a record shows item and value', () => {
    const t = table([column('n', 'integer'), column('r2', 'num')], [[303, 0.4132]], { layout: 'record' });
    const grid = tableText(t);
    expect(grid.head).toEqual([]);
    expect(shown(grid)).toEqual([
      ['n', '303'],
      ['r2', '0.41'],
    ]);
  });

  test('a long record stands in columns of item and value, read downwards', () => {
    const keys = Array.from({ length: 11 }, (_, i) => `k${i}`);
    const grid = tableText(
      table(
        keys.map((k) => column(k, 'integer')),
        [keys.map((_, i) => i)],
        { layout: 'record' },
      ),
    );
    expect(grid.columns).toBe(6);
    expect(shown(grid)[0]).toEqual(['k0', '0', 'k4', '4', 'k8', '8']);
    expect(shown(grid).at(-1)).toEqual(['k3', '3', 'k7', '7', '', '']);
  });

  test('a count that all coefficients across two lists share stands once in the note, also of the turned table', () => {
    const of = (n: number, edit = {}) => {
      const columns = ['丙', '丁'].flatMap((wide, k) => [
        column(`r@${k}`, 'num', { wide, stars: `p@${k}` }),
        column(`p@${k}`, 'pvalue', { wide }),
        column(`n@${k}`, 'integer', { wide, title: '*n*' }),
      ]);
      const rows = [
        ['甲', 0.41, 0.001, 420, 0.02, 0.6, 420],
        ['乙', 0.32, 0.004, 420, 0.11, 0.05, n],
      ];
      return tableText(table([column('item', 'text'), ...columns], rows, { layout: 'wide' }), READING, edit);
    };
    const [alike, unlike, turned] = [of(420), of(408), of(420, { turned: true })];
    expect([alike.columns, said(alike.told)]).toEqual([5, '各格 n = 420。']);
    expect([turned.body.length, said(turned.told)]).toEqual([4, '各格 n = 420。']);
    expect([unlike.columns, said(unlike.told)]).toEqual([7, '']);
    expect(said(of(420, { hidden: ['丙\u0000n@0', '丁\u0000n@1'] }).told)).toBe('');
  });
});
