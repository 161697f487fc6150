import type { TableColumn } from '@hengxi/contracts/contract';
import { plainColumn } from '@hengxi/contracts/report/plain-column';
import { describe, expect, test } from 'vitest';
import { reportOf } from '../../testing/tables.ts';
import { hideSmallCounts } from './small-counts.ts';

const columns = [
  plainColumn('name', 'text', { title: '变量' }),
  plainColumn('level', 'text', { title: '取值' }),
  plainColumn('n', 'integer', { title: '频数' }),
  plainColumn('share', 'percent', { title: '百分比' }),
  plainColumn('cumulative', 'percent', { title: '累计' }),
  plainColumn('df', 'integer', { title: 'df' }),
];

function hidden(rows: unknown[][], parts: Record<string, unknown> = {}): any {
  const report = reportOf();
  report.parts[0].elements = [
    {
      type: 'table',
      id: 't',
      name: 't',
      place: 'main',
      title: 't',
      at: null,
      layout: 'long',
      merge: ['name'],
      hidden: false,
      columns,
      rows,
      depth: [],
      totals: [],
      marks: {},
      matrix: null,
      more: null,
      claim: null,
      ...parts,
    },
  ];
  return (hideSmallCounts(report).parts[0] as any).elements[0];
}
const counts = (table: any): unknown[] => table.rows.map((row: unknown[]) => row[2]);

describe('counts below five', () => {
  test('are hidden with the next smallest, per variable, whatever the order', () => {
    const rows = [
      ['甲', 'a', 3, 0.03, 0.03, 1],
      ['甲', 'b', 40, 0.4, 0.43, 1],
      ['甲', 'c', 57, 0.57, 1, 1],
      ['甲', '合计', 100, 1, null, null],
      ['乙', 'x', 98, 0.98, 0.98, 1],
      ['乙', 'y', 2, 0.02, 1, 1],
      ['乙', '合计', 100, 1, null, null],
    ];
    const table = hidden(rows, { totals: [3, 6] });
    expect(counts(table)).toEqual([null, null, 57, 100, null, null, 100]);
    expect(table.rows.map((row: unknown[]) => row[3])).toEqual([null, null, 0.57, 1, null, null, 1]);
    expect(table.rows.every((row: unknown[]) => row[4] === null)).toBe(true);
    expect(table.marks).toEqual({ '0,2': '＜5', '5,2': '＜5' });
    expect(table.rows[0][5]).toBe(1);
  });

  test('take all equals of the next smallest with them', () => {
    const rows = [
      ['甲', 'a', 10, 0, 0, 1],
      ['甲', 'b', 4, 0, 0, 1],
      ['甲', 'c', 10, 0, 0, 1],
      ['甲', 'd', 11, 0, 0, 1],
    ];
    expect(counts(hidden(rows))).toEqual([null, null, null, 11]);
  });

  test('leave zeros, fives and degrees of freedom alone', () => {
    const rows = [
      ['甲', 'a', 0, 0, 0, 3],
      ['甲', 'b', 5, 0.5, 0.5, 3],
      ['甲', 'c', 5, 0.5, 1, 3],
    ];
    expect(hidden(rows).rows).toEqual(rows);
  });

  test('of a cross table are hidden so that rows and columns both stay closed', () => {
    const wide = (key: string, level: string) =>
      plainColumn(key, 'integer', { title: 'n', span: [level], wide: level });
    const table = hidden(
      [
        ['甲', 3, 20, 30],
        ['乙', 25, 22, 35],
        ['丙', 28, 24, 31],
      ],
      {
        merge: [],
        columns: [plainColumn('name', 'text', { title: '变量' }), wide('n@0', '1'), wide('n@1', '2'), wide('n@2', '3')],
      },
    );
    const shown = table.rows.map((row: unknown[]) => row.slice(1).map((cell) => cell !== null));
    for (const line of [...shown, ...[0, 1, 2].map((c) => shown.map((row: boolean[]) => row[c]))])
      expect(line.filter((isShown: boolean) => !isShown).length).not.toBe(1);
    expect(shown[0][0]).toBe(false);
  });

  test('disappear from combined cells', () => {
    const combined = [plainColumn('a', 'n_percent', { title: 'n (%)', parts: ['n', 'share'] })];
    expect(hidden([[[3, 0.1]], [[27, 0.9]]], { merge: [], columns: combined }).rows).toEqual([[null], [null]]);
  });

  test('cannot be counted in the dots of a chart', () => {
    const report = reportOf();
    const table = report.parts[0].elements[1];
    report.parts[0].elements = [
      { ...table, id: 'points', hidden: true },
      { type: 'chart', id: 'c', kind: 'interval', of: 't', raw: { of: 'points', x: 'level', y: 'n' }, contrast: null },
    ];
    expect(hideSmallCounts(report).parts[0]?.elements).toMatchObject([{ id: 'c', raw: null }]);
  });

  test('hidden in one table are hidden in all: the missing row does not stand for a category', () => {
    const report = reportOf();
    const [, first] = report.parts[0].elements;
    const level = plainColumn('level', 'text', { title: '取值' });
    const n = plainColumn('n', 'integer', { title: '频数' });
    const valid = plainColumn('valid', 'percent', { title: '有效百分比' });
    report.parts[0].elements = [
      {
        ...first,
        columns: [level, n, valid],
        rows: [
          ['甲', 3, 0.03],
          ['乙', 40, 0.4],
          ['丙', 57, 0.57],
          ['缺失', 1, null],
          ['合计', 101, 1],
        ],
        totals: [4],
      },
      {
        ...first,
        id: 'bars',
        columns: [level, n],
        rows: [
          ['丙', 57],
          ['乙', 40],
          ['甲', 3],
        ],
        totals: [],
        hidden: true,
      },
      {
        type: 'text',
        id: 'x',
        text: '乙 {n1:integer} 例（{s1:percent1}），共 {k:integer} 类',
        facts: { n1: 40, s1: 0.4, k: 3, unused: 3 },
        about: null,
      },
    ];
    const [table, bars, text] = hideSmallCounts(report).parts[0]!.elements as any[];
    expect(table.rows.map((row: unknown[]) => row[1])).toEqual([null, null, 57, null, 101]);
    expect(bars.rows.map((row: unknown[]) => row[1])).toEqual([57, null, null]);
    expect(text).toMatchObject({
      text: '乙 {n1:text} 例（{s1:text}），共 {k:integer} 类',
      facts: { n1: '—', s1: '—', k: 3 },
    });
    expect(text.facts).not.toHaveProperty('unused');
  });

  test('do not follow from their sum: the least and the largest that two can be', () => {
    const base = [
      ['甲', 'a', 60, 0, 0, 1],
      ['甲', 'b', 38, 0, 0, 1],
    ];
    const pairOf = (first: number, second: number) => [
      ...base,
      ['甲', 'c', first, 0, 0, 1],
      ['甲', 'd', second, 0, 0, 1],
    ];
    expect(counts(hidden(pairOf(1, 1)))).toEqual([60, null, null, null]);
    expect(counts(hidden(pairOf(4, 4)))).toEqual([60, null, null, null]);
    expect(counts(hidden(pairOf(1, 5)))).toEqual([60, null, null, null]);
    expect(counts(hidden(pairOf(1, 2)))).toEqual([60, 38, null, null]);
  });

  test('of a cross table are hidden in its long form too, with expected counts, shares and figures of the whole', () => {
    const report = reportOf();
    const [, first] = report.parts[0].elements;
    const text = (key: string) => plainColumn(key, 'text');
    const column = (key: string, format: TableColumn['format'], level: string | null = null) =>
      plainColumn(key, format, { wide: level });
    const made = (id: string, columns: unknown[], rows: unknown[][], more = {}) => ({
      ...first,
      id,
      columns,
      rows,
      totals: [],
      merge: [],
      ...more,
    });
    report.parts[0].elements = [
      made(
        'cross',
        [text('level'), column('n@0', 'integer', '女'), column('n@1', 'integer', '男')],
        [
          ['甲', 40, 50],
          ['乙', 31, 29],
          ['丙', 2, 7],
        ],
      ),
      made(
        'cells',
        [
          text('row'),
          text('column'),
          plainColumn('n', 'integer'),
          plainColumn('expected', 'num'),
          plainColumn('p', 'pvalue'),
        ],
        [
          ['甲', '女', 40, 40.9, 0.5],
          ['乙', '女', 31, 27.3, 0.5],
          ['乙', '男', 29, 32.7, 0.5],
          ['丙', '女', 2, 4.1, 0.5],
        ],
        { merge: ['row'] },
      ),
      made(
        'stacks',
        [text('series'), text('x'), plainColumn('share', 'percent')],
        [
          ['女', '甲', 0.44],
          ['女', '丙', 0.22],
        ],
        { hidden: true },
      ),
      made('expectations', [plainColumn('least', 'num')], [[4.1]]),
      { type: 'chart', id: 'm', kind: 'mosaic', of: 'cells' },
      { type: 'text', id: 'x', text: '最小 {least:num2}', facts: { least: 4.1 }, about: null },
    ];
    const elements = hideSmallCounts(report).parts[0]!.elements as any[];
    const rowsOf = (id: string) => elements.find((one) => one.id === id).rows;
    expect(rowsOf('cross')).toEqual([
      ['甲', 40, 50],
      ['乙', null, null],
      ['丙', null, null],
    ]);
    expect(rowsOf('cells')).toEqual([
      ['甲', '女', 40, null, null],
      ['乙', '女', null, null, null],
      ['乙', '男', null, null, null],
      ['丙', '女', null, null, null],
    ]);
    expect(rowsOf('stacks')).toEqual([
      ['女', '甲', 0.44],
      ['女', '丙', null],
    ]);
    expect(rowsOf('expectations')).toEqual([[null]]);
    expect(elements.map(({ id }) => id)).not.toContain('m');
    expect(elements.at(-1).facts).toEqual({ least: '—' });
  });

  test('of a group are not told by a comparison of it: neither group of a pair keeps what its size is made of', () => {
    const report = reportOf();
    const [, first] = report.parts[0].elements;
    const text = (key: string) => plainColumn(key, 'text');
    const num = (key: string) => plainColumn(key, 'num');
    report.parts[0].elements = [
      {
        ...first,
        columns: [text('group'), plainColumn('n', 'integer')],
        rows: [
          ['甲', 3],
          ['乙', 40],
          ['丙', 57],
        ],
        totals: [],
      },
      {
        ...first,
        id: 'pairs',
        columns: [text('first'), text('second'), num('difference'), num('se'), num('t'), num('df')],
        rows: [
          ['甲', '丙', 1.2, 0.3, 4, 2.1],
          ['丁', '丙', 1.2, 0.3, 4, 2.1],
        ],
        totals: [],
      },
    ];
    const [, pairs] = hideSmallCounts(report).parts[0]!.elements as any[];
    expect(pairs.rows).toEqual([
      ['甲', '丙', 1.2, null, null, null],
      ['丁', '丙', 1.2, 0.3, 4, 2.1],
    ]);
  });

  test('of a group in a report by groups take the group along, and what would give it away', () => {
    const report = reportOf({ counts: [20, 30] });
    const part = (label: string, used: number, total = false): any => ({
      ...report.parts[0],
      group: { column: 'c9', name: '班', value: label, label, total },
      sample: { ...report.sample, used },
    });
    const labels = (parts: any[]): string[] =>
      hideSmallCounts({ ...report, parts }).parts.map(({ group }) => group?.label ?? '');
    expect(labels([part('a', 50), part('b', 60), part('all', 110, true)])).toEqual(['a', 'b', 'all']);
    expect(labels([part('a', 3), part('b', 60), part('c', 70), part('all', 133, true)])).toEqual(['c']);
    expect(labels([part('a', 3), part('b', 4), part('c', 70), part('all', 77, true)])).toEqual(['c']);
  });

  test('leave of the account only the rows analysed where a step, a reason or a row of no group is small', () => {
    const report = reportOf();
    const sample = { ...report.sample, file: 60, filter: 50, weight: 50, missing: 40, used: 40, why: [] as any[] };
    const account = (one: any, parts: any[] = []): any => hideSmallCounts({ ...report, sample: one, parts }).sample;
    const bare = { file: 40, filter: 40, weight: 40, missing: 40, used: 40, why: [] };
    const why = (rows: number): any => ({ column: 'c1', name: '性别', rows, reason: null });
    expect(account({ ...sample, why: [why(10)] })).toMatchObject({ file: 60, filter: 50, why: [why(10)] });
    expect(account({ ...sample, why: [why(8), why(3)] })).toMatchObject(bare);
    expect(account({ ...sample, file: 53 })).toMatchObject(bare);
    const chosen = { column: 'c1', name: '组', values: ['甲'], labels: ['甲'], rows: 4 };
    expect(account({ ...sample, chosen })).toMatchObject({ ...bare, chosen: { rows: 0 } });
    const part = (filter: number): any => ({
      ...report.parts[0],
      group: { column: 'c9', name: '班', value: filter, label: `${filter}`, total: false },
      sample: { ...sample, file: 60, filter, weight: filter, missing: filter, used: filter },
    });
    const groups = { ...sample, filter: 50, weight: 50, missing: 50, used: 50 };
    expect(account(groups, [part(20), part(30)])).toMatchObject({ file: 60 });
    expect(account({ ...groups, used: 47 }, [part(20), part(27)])).toMatchObject({ file: 47, filter: 47 });
  });
});
