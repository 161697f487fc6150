import { expect, test } from 'vitest';

import type { IntervalChart, TableElement } from '../../generated/contract.ts';
import { column, table } from '../testing/reports.ts';
import { drawChart, editedSource } from './draw.ts';
import { applyEdits, pairsOf, spreadsOf } from './apply-edits.ts';
import { type FigureEdit, readFigure, typedNumber } from './figure-edit.ts';
import { plateOf } from './plate.ts';
import { chartSource } from './source.ts';
import { LIGHT, themed } from './theme.ts';

const CHART: IntervalChart = {
  type: 'chart',
  id: 'plot',
  name: 'plot',
  place: 'main',
  title: '各组均值',
  at: null,
  facet: [],
  over: [],
  titles: {},
  thinned: null,
  kind: 'interval',
  of: 'means',
  x: 'group',
  y: 'mean',
  low: 'low',
  high: 'high',
  group: null,
  size: null,
  texts: null,
  raw: { of: 'cases', x: 'group', y: 'value' },
  contrast: null,
};
const MEANS = table(
  'means',
  [
    column('group', 'text'),
    column('mean'),
    column('sd'),
    column('se'),
    column('ci', 'interval', { title: '均值95%CI', parts: ['low', 'high'], part_format: 'num' }),
  ],
  [
    ['甲', 10, 2, 0.5, [9, 11]],
    ['乙', 14, 3, 0.75, [12.5, 15.5]],
    ['丙', 12, 1, 0.25, [11.5, 12.5]],
  ],
);
const CASES = table(
  'cases',
  [column('group', 'text'), column('value')],
  [
    ['甲', 9],
    ['乙', 15],
    ['丙', 12],
  ],
);
const PAIRS = table(
  'pairs',
  [column('first', 'text'), column('second', 'text'), column('p', 'pvalue')],
  [
    ['甲', '乙', 0.0004],
    ['乙', '甲', 0.0004],
    ['甲', '丙', 0.21],
    ['乙', '丙', 0.03],
  ],
);
const TABLES: ReadonlyMap<string, TableElement> = new Map([MEANS, CASES, PAIRS].map((t) => [t.id, t]));

const axisOf = (edit: FigureEdit) => {
  const drawing = drawChart(editedSource(CHART, TABLES, undefined, edit)!, 640, LIGHT, false, edit);
  const { yAxis, xAxis } = drawing.option as { yAxis: { min: number; max: number; name: string }[]; xAxis: unknown };
  return { drawing, y: yAxis[0]!, xAxis };
};

test('error bars of SD and SE come from the columns of the table, are named below, and leave the table as it is', () => {
  expect(spreadsOf(CHART, TABLES)).toEqual(['ci', 'sd', 'se']);
  const source = editedSource(CHART, TABLES, undefined, { spread: 'sd' })!;
  expect([source.num('low', 1), source.num('high', 1)]).toEqual([11, 17]);
  expect(axisOf({ spread: 'se' }).drawing.reading).toContain('均值 ± 标准误（SE）');
  expect(axisOf({}).drawing.reading).toContain('均值95%CI');
  expect(MEANS.columns).toHaveLength(5);
});

test('brackets are those of the pairwise comparisons, each pair once; only significant ones where so chosen', () => {
  expect(pairsOf(CHART, TABLES)).toEqual([
    { left: '甲', right: '乙', p: 0.0004 },
    { left: '甲', right: '丙', p: 0.21 },
    { left: '乙', right: '丙', p: 0.03 },
  ]);
  const made = applyEdits(CHART, TABLES, { brackets: 'significant' });
  const over = made.chart.over.at(-1)!;
  expect(over.type).toBe('bracket');
  expect(made.tables.get('of' in over ? over.of : '')?.rows).toEqual([
    ['甲', '乙', 0.0004],
    ['乙', '丙', 0.03],
  ]);
  expect(pairsOf({ ...CHART, at: '另一个变量' }, TABLES)).toEqual([]);
});

test('two groups that share one p below each other have one bracket', () => {
  const two = { ...MEANS, rows: MEANS.rows.slice(0, 2) };
  const main = table(
    'main',
    [column('g', 'text'), column('p', 'pvalue')],
    [
      ['甲', 0.01],
      ['乙', 0.01],
    ],
    { merge: ['p'] },
  );
  const tables = new Map([two, main].map((t) => [t.id, t]));
  expect(pairsOf({ ...CHART, raw: null }, tables)).toEqual([{ left: '甲', right: '乙', p: 0.01 }]);
});

test('order, limits, axis titles and lines change the drawing and keep the row behind each mark', () => {
  const edit: FigureEdit = {
    order: ['丙', '甲'],
    limits: { y: { min: 0, max: 20, step: 5 } },
    axes: { y: '得分' },
    lines: [{ axis: 'y', at: 18, label: '目标' }],
  };
  const source = editedSource(CHART, TABLES, undefined, edit)!;
  expect(source.levels('x')).toEqual(['丙', '甲', '乙']);
  expect([0, 1, 2].map((i) => source.row(i))).toEqual([2, 0, 1]);
  const { y, drawing } = axisOf(edit);
  expect([y.min, y.max, y.name]).toEqual([0, 20, '得分']);
  expect(drawing.reading).toContain('手动设定');
  expect(source.over.at(-1)?.overlay).toEqual({ type: 'reference', x: null, y: 18, label: '目标' });
});

test('single cases can be left out', () => {
  expect(editedSource(CHART, TABLES, undefined, {})!.other('raw')).not.toBeNull();
  expect(editedSource(CHART, TABLES, undefined, { points: false })!.other('raw')).toBeNull();
  expect(axisOf({ points: false }).drawing.reading).not.toContain('每点');
});

test('a slide is 16 to 9, letters are as many points as chosen, colours those of the palette', () => {
  const width = 960;
  const plate = plateOf(CHART, TABLES, { width, theme: LIGHT, edits: { plot: { size: 'slide', pt: 12 } } })!;
  expect(Math.abs(plate.height - (width * 9) / 16)).toBeLessThan(2);
  expect(themed(LIGHT, { pt: 12 }).size).toBe(16);
  expect(themed(LIGHT, { palette: 'bright' }).series[0]).toBe('#0072B2');
  expect(themed(LIGHT, {})).toEqual(LIGHT);
  expect(chartSource(CHART, TABLES)!.levels('x')).toEqual(['甲', '乙', '丙']);
});

test('what was stored is kept where it makes sense, everything else is left out', () => {
  const edit: FigureEdit = {
    title: '题',
    limits: { y: { min: 0, max: null, step: 2 } },
    palette: 'grey',
    pt: 10.5,
    size: 'double',
    spread: 'sd',
    points: false,
    lines: [{ axis: 'y', at: 3, label: '' }],
    brackets: 'all',
    order: ['乙'],
    axes: { x: '组' },
    letters: 'times',
    texts: [{ x: 0.5, y: 0.25, text: '拐点', facet: '' }],
  };
  expect(readFigure(JSON.parse(JSON.stringify(edit)))).toEqual(edit);
  const nonsense = {
    title: 7,
    limits: { y: { min: 3, max: 1 }, z: { min: 1 } },
    palette: 'loud',
    pt: 99,
    size: 'huge',
    lines: [
      { axis: 'q', at: 1 },
      { axis: 'x', at: 'NaN' },
    ],
    spread: 'range',
    order: [1, 2],
    script: 'x',
    letters: 'comic',
    texts: [{ x: 'a', y: 0, text: '没有位置' }, { x: 0, y: 0, text: ' ' }, '不是标注'],
  };
  expect(readFigure(nonsense)).toEqual({});
  expect(readFigure('text')).toEqual({});
});

test('numbers are understood as they are typed in China', () => {
  expect(['１２．５', '−3', '1,200', '', 'abc'].map(typedNumber)).toEqual([12.5, -3, 1200, null, null]);
});

test('an annotation stays inside the drawing, and is no longer than it can be shown', () => {
  const stored = {
    texts: [
      { x: -3, y: 1.7, text: '长'.repeat(100), facet: 7 },
      ...Array.from({ length: 30 }, () => ({ x: 0, y: 0, text: '一' })),
    ],
  };
  const { texts = [] } = readFigure(stored);
  expect(texts[0]).toEqual({ x: 0.01, y: 0.99, text: '长'.repeat(60), facet: '' });
  expect(texts).toHaveLength(20);
});
