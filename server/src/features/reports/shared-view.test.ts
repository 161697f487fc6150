import { plainColumn } from '@hengxi/contracts/report/plain-column';
import { expect, test } from 'vitest';

import { reportOf } from '../../testing/tables.ts';
import { forVisitor } from './shared-view.ts';

const base = { place: 'main', at: null, title: '' };
const points = {
  ...base,
  type: 'table',
  id: 'points',
  name: 'points',
  hidden: true,
  layout: 'long',
  columns: [
    plainColumn('value', 'num', { title: '取值' }),
    plainColumn('row', 'integer', { title: '行号' }),
    plainColumn('rows', 'text', { title: '离群值的行' }),
    plainColumn('behind', 'rows', { title: '数据行' }),
  ],
  rows: [[1.5, 7, [[7], [8]], [7, 8]]],
  matrix: null,
  more: null,
};
const chart = (kind: string, words: object) => ({ ...base, type: 'chart', id: kind, kind, of: 'points', ...words });

test('a visitor gets the points of a chart without the rows behind them, whatever its kind', () => {
  const report = reportOf();
  report.parts[0].elements = [
    points,
    chart('point', { row: 'row' }),
    chart('control', { rows: 'behind' }),
    chart('box', { rows: 'rows' }),
  ];
  const elements: any[] = forVisitor(report, { blocks: null, hideSmall: false }).parts[0]?.elements ?? [];
  expect(elements[0].rows).toEqual([[1.5, null, null, null]]);
  expect(elements.slice(1).map((one) => [one.row, one.rows].includes(null))).toEqual([true, true, true]);
  // Of a chart alone only what it draws.
  const [alone] = forVisitor(report, { blocks: ['control'], hideSmall: false }).parts[0]?.elements ?? [];
  expect((alone as any).columns.map(({ key }: { key: string }) => key)).not.toContain('behind');
});
