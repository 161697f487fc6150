import { expect, test } from 'vitest';

import { SIZES } from '../chart/figure-edit.ts';

import type { BarChart } from '../../generated/contract.ts';
import { column, MAIN, report, table as tableOf } from '../testing/reports.ts';
import { documentOf, wordsOf } from './blocks.ts';
import { tableText } from '../table-text.ts';
import { READING } from '../format.ts';
import {
  figureOf,
  PRESENTATION,
  readPresentation,
  SECTION_NOTES,
  tableStyle,
  withAllFigures,
  withFigure,
  withGrey,
  withNote,
  withTable,
} from './presentation.ts';

const BARS: BarChart = {
  type: 'chart',
  id: 'bars',
  name: 'bars',
  place: 'main',
  title: '图',
  at: null,
  facet: [],
  over: [],
  titles: {},
  thinned: null,
  kind: 'bar',
  of: 'heights',
  x: 'x',
  y: 'y',
  series: null,
  start: null,
  low: null,
  high: null,
  second: null,
  arrange: 'grouped',
};
const CHARTS_TABLES = {
  chart: BARS,
  table: tableOf('heights', [column('x', 'text'), column('y')], [['甲', 1]], { hidden: true }),
};

test('every edit survives being stored and read', () => {
  let p = withFigure(PRESENTATION, 'plot', { palette: 'blue', pt: 10, title: '题' });
  p = withTable(p, 'result', { style: 'apa', rows: { hidden: ['女'], order: ['女', '男'], names: { 男: '男生' } } });
  p = withNote(withAllFigures(p, 'plot'), '@lead', ' 见正文 ');
  p = { ...p, style: 'plain' };
  expect(readPresentation(JSON.parse(JSON.stringify(p)))).toEqual(p);
  expect(readPresentation({})).toEqual(PRESENTATION);
  expect([tableStyle(p, 'result'), tableStyle(p, 'other')]).toEqual(['apa', 'plain']);
});

test('what holds for all figures gives way to what one figure says; grey print and back', () => {
  const blue = withFigure(PRESENTATION, 'a', { palette: 'blue', points: false });
  const all = withAllFigures(blue, 'a');
  expect(figureOf(all, 'b')).toEqual({ palette: 'blue' });
  expect(figureOf(all, 'a')).toEqual({ palette: 'blue', points: false });
  expect(figureOf(withFigure(all, 'b', { palette: 'bright' }), 'b').palette).toBe('bright');
  const sized = withAllFigures(withFigure(PRESENTATION, 'a', { size: SIZES[0] }), 'a');
  expect(figureOf(sized, 'b')).toEqual({ size: SIZES[0] });
  const again = readPresentation(withFigure(sized, 'a', { size: undefined, asPage: true }));
  expect([figureOf(again, 'a'), figureOf(again, 'b')]).toEqual([{}, { size: SIZES[0] }]);
  expect(figureOf(withFigure(again, 'a', { size: SIZES[1] }), 'a')).toEqual({ size: SIZES[1] });
  expect(withAllFigures(again, 'a')).toEqual(PRESENTATION);
  expect(figureOf(withGrey(all, true), 'a')).toEqual({ palette: 'grey', points: false });
  expect(figureOf(withGrey(withGrey(all, true), false), 'b')).toEqual({});
});

test('an edit taken back leaves nothing behind; an empty note is no note', () => {
  const edited = withFigure(PRESENTATION, 'a', { pt: 10 });
  expect(withFigure(edited, 'a', { pt: undefined })).toEqual(PRESENTATION);
  expect(withNote(withNote(PRESENTATION, 'a', '注'), 'a', '  ')).toEqual(PRESENTATION);
});

const texts = (grid: ReturnType<typeof tableText>) => grid.body.map((row) => row.cells.map((c) => c?.text ?? null));

test('rows are hidden, renamed and put in another order; their numbers, decimals and places in the report stay', () => {
  const plain = tableText(MAIN, READING);
  const turned = tableText(MAIN, READING, { rows: { hidden: [], order: ['女', '男'], names: { 女: '女生' } } });
  expect(turned.body.map((r) => r.index)).toEqual([1, 0]);
  expect(texts(turned)[0]?.slice(0, 4)).toEqual(['女生', ...(texts(plain)[1]?.slice(1, 4) ?? [])]);
  // The p that both share is merged again, in the new order.
  expect(turned.body.map((r) => r.cells[4]?.rowSpan ?? null)).toEqual([2, null]);
  const one = tableText(MAIN, READING, { rows: { hidden: ['男'], order: [], names: {} } });
  expect(texts(one)).toEqual([[...(texts(plain)[1]?.slice(0, 4) ?? []), texts(plain)[0]?.[4] ?? '']]);
  const none = tableText(MAIN, READING, { rows: { hidden: ['男', '女'], order: [], names: {} } });
  expect(none.body).toHaveLength(2);
});

test('医学 writes x̄±s and P, with a zero before the point', () => {
  const grid = tableText(MAIN, READING, { style: 'medical' });
  expect(grid.head.flat().map((h) => h.text)).toContain('x̄±s');
  expect(grid.head.flat().map((h) => h.text)).toContain('P');
  expect(texts(grid)[0]).toEqual(['男', '139', '3.82±1.69', '[3.54, 4.11]', '0.001']);
});

test('a document carries the edits of figures, the style of tables and the notes to every writer', () => {
  const chart = CHARTS_TABLES.chart;
  let p = withFigure(PRESENTATION, chart.id, { title: '我的图', size: 'double', palette: 'grey' });
  p = withNote(
    withNote(withTable(p, 'result', { style: 'apa' }), 'result', '样本见第二章。'),
    SECTION_NOTES.sample,
    '补充说明',
  );
  const blocks = documentOf([
    { report: report([MAIN, CHARTS_TABLES.table, chart]), title: '题', madeAt: null, note: '', presentation: p },
  ]);
  const table = blocks.find((b) => b.type === 'table' && b.key === 'result');
  const figure = blocks.find((b) => b.type === 'figure');
  expect(table?.type === 'table' && [table.style, wordsOf(table.notes).endsWith('样本见第二章。')]).toEqual([
    'apa',
    true,
  ]);
  expect(figure?.type === 'figure' && [wordsOf(figure.title), figure.size, figure.edits[chart.id]?.palette]).toEqual([
    '我的图',
    'double',
    'grey',
  ]);
  expect(blocks.some((b) => b.type === 'text' && b.as === 'note' && wordsOf(b.words) === '附注：补充说明')).toBe(true);
});
