/** What a printed figure owes its reader: named axes, points that do not hide each other, intervals that can be seen. */
import type { Cell, ChartKind, TableElement } from '../../generated/contract.ts';
import { expect, test } from 'vitest';

import { CHARTS, chart } from '../testing/charts.ts';
import { column, table } from '../testing/reports.ts';
import type { Drawing } from './drawing.ts';
import { KINDS } from './kinds.ts';
import { chartSource } from './source.ts';
import { LIGHT } from './theme.ts';

type Drawn = Omit<Drawing, 'option'> & { option: any };

function draw(kind: ChartKind, element: Parameters<typeof chartSource>[0], tables: readonly TableElement[]): Drawn {
  const source = chartSource(element, new Map(tables.map((t) => [t.id, t])));
  if (source === null) throw new Error('nothing to draw');
  return KINDS[kind](source, { width: 560, theme: LIGHT, compact: false });
}

const NONE = { group: null, size: null, texts: null, raw: null, contrast: null };
const MEANS = { of: 'means', x: 'g', y: 'm', low: 'low', high: 'high' };

/** Two groups of answers from 1 to 5, or of times; their difference is small beside the range of the cases. */
function comparison(values: (i: number) => number): Drawn {
  const means = table(
    'means',
    [
      column('g', 'text', { title: '性别' }),
      column('m', 'num', { title: '得分' }),
      column('low', 'num', { title: '下限' }),
      column('high'),
    ],
    [
      ['男', 3.2, 3.1, 3.3],
      ['女', 3, 2.9, 3.1],
    ],
  );
  const cells = Array.from({ length: 120 }, (_, i): Cell[] => [i % 2 === 0 ? '男' : '女', values(i)]);
  const cases = table('cases', [column('g', 'text'), column('v')], cells);
  const difference = table(
    'difference',
    [column('l', 'text'), column('d'), column('low'), column('high')],
    [['男 − 女', 0.2, 0.06, 0.34]],
  );
  const element = chart('interval', {
    ...NONE,
    ...MEANS,
    raw: { of: 'cases', x: 'g', y: 'v' },
    contrast: { of: 'difference', label: 'l', y: 'd', low: 'low', high: 'high' },
  });
  return draw('interval', element, [means, cases, difference]);
}

test('answers on a scale are circles by count, not stripes of points', () => {
  const likert = comparison((i) => 1 + (i % 5));
  // Five values in two groups.
  expect(likert.option.series[0].data).toHaveLength(10);
  expect(likert.reading).toContain('圆越大，取该值的个案越多');
  const times = comparison((i) => 1 + ((i * 0.618) % 4));
  expect(times.option.series[0].data).toHaveLength(120);
  expect(times.reading).toContain('每点为一个个案');
});

test('the area of a circle is its number of cases', () => {
  const { option } = comparison((i) => (i < 96 ? 3 : 4));
  const radii = option.series[0].data.map(({ value }: any) => value[3]);
  expect(Math.max(...radii) / Math.min(...radii)).toBeCloseTo(Math.sqrt(48 / 12), 6);
});

test('an interval too short to be seen beside the cases has a scale of its own, from zero on', () => {
  const [cases, difference] = comparison((i) => 20 * ((i * 0.618) % 1)).option.yAxis;
  expect(cases.max).toBeGreaterThanOrEqual(20);
  expect(difference.min).toBeLessThanOrEqual(0);
  expect(difference.max).toBeLessThan(1);
  expect(comparison((i) => 20 * ((i * 0.618) % 1)).reading).toContain('另用一条坐标轴，虚线为 0');
});

test('one that can be seen keeps the scale of the cases', () => {
  const { option, reading } = comparison((i) => 3 + ((i * 0.618) % 1) / 2);
  expect(option.yAxis[1]).toMatchObject({ min: option.yAxis[0].min, max: option.yAxis[0].max });
  expect(reading).not.toContain('另用');
});

test('axes of categories have titles', () => {
  const titled = (kind: ChartKind): unknown[] => {
    const { chart: element, tables } = CHARTS[kind];
    const { option } = draw(kind, element, tables);
    return [option.xAxis, option.yAxis].flat().map((axis) => axis?.name);
  };
  for (const kind of ['interval', 'box', 'heat'] as const) expect(titled(kind)[0]).toBeTruthy();
  const sides = table(
    'cells',
    [column('r', 'text', { title: '真实类别' }), column('c', 'text', { title: '预测类别' }), column('v')],
    [['是', '否', 3]],
  );
  const heat = draw('heat', chart('heat', { of: 'cells', row: 'r', column: 'c', value: 'v', text: null, mark: null }), [
    sides,
  ]);
  expect([heat.option.xAxis.name, heat.option.yAxis.name]).toEqual(['预测类别', '真实类别']);
});

function scatter(x: (i: number) => number, y: (i: number) => number): Drawn {
  const rows = Array.from({ length: 100 }, (_, i): Cell[] => [x(i), y(i)]);
  const roles = {
    of: 'cases',
    x: 'x',
    y: 'y',
    series: null,
    size: null,
    label: null,
    low: null,
    high: null,
    row: null,
    shade: null,
  };
  return draw('point', chart('point', roles), [table('cases', [column('x'), column('y')], rows)]);
}

test('points of a scale item stand a little aside of each other, of two items they are circles by count', () => {
  const [one] = scatter(
    (i) => 1 + (i % 5),
    (i) => i * 0.37,
  ).option.series;
  const across = one.data.map(({ symbolOffset }: any) => symbolOffset[0]);
  expect(new Set(across).size).toBeGreaterThan(50);
  expect(Math.max(...across.map(Math.abs))).toBeLessThanOrEqual(12);
  expect(one.data.every(({ symbolOffset }: any) => symbolOffset[1] === 0)).toBe(true);
  const both = scatter(
    (i) => 1 + (i % 5),
    (i) => 1 + (i % 4),
  );
  expect(both.option.series[0].data).toHaveLength(20);
  expect(both.reading).toContain('圆越大');
  const free = scatter(
    (i) => i * 0.37,
    (i) => (i * 7.3) % 11.7,
  );
  expect(free.option.series[0].data.some((d: any) => 'symbolOffset' in d)).toBe(false);
  expect(free.reading).toBeUndefined();
});

test('a long name of a forest goes on in a second line instead of being cut', () => {
  const name = '对平台客服回应是否及时以及问题是否得到解决的评价';
  const rows = table('means', [column('g', 'text'), column('m'), column('low'), column('high')], [[name, 1, 0.5, 1.5]]);
  const { option } = draw('interval', chart('interval', { ...NONE, ...MEANS }), [rows]);
  const lines: string = option.yAxis.axisLabel.formatter('0');
  expect(lines.split('\n')).toHaveLength(2);
  expect(lines.replace('\n', '')).toBe(name);
});
