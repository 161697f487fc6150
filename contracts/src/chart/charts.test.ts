import type { Cell, ChartKind, TableElement } from '../../generated/contract.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { CHARTS, chart } from '../testing/charts.ts';
import { column, table } from '../testing/reports.ts';
import { chartSvg } from './svg.ts';
import { KINDS } from './kinds.ts';
import { safeOption } from './safe-option.ts';
import { tickText, wrap } from './axes.ts';
import { niceScale, stepDecimals, swarm, textWidth, ticks } from './scale.ts';
import { chartSource, facetsOf } from './source.ts';
import { summaryOf } from './summary.ts';
import { DARK, GREY, LIGHT } from './theme.ts';

const byId = (tables: readonly TableElement[]): Map<string, TableElement> => new Map(tables.map((t) => [t.id, t]));
const KIND_NAMES = Object.keys(CHARTS) as ChartKind[];

describe.each(KIND_NAMES)('%s', (kind) => {
  const { chart: element, tables } = CHARTS[kind];
  const source = chartSource(element, byId(tables))!;

  test.each([
    ['wide', 720, LIGHT],
    ['phone', 350, LIGHT],
    ['dark', 720, DARK],
    ['grey print', 720, GREY],
  ])('draws %s', async (_, width, theme) => {
    const drawing = KINDS[kind](source, { width, theme, compact: width < 480 });
    expect(drawing.height).toBeGreaterThan(60);
    const svg = await chartSvg(drawing, theme, width);
    expect(svg).toContain('<svg');
    expect(svg).not.toContain('NaN');
    expect((svg.match(/<(path|text|circle|rect|polyline|polygon|line)\b/g) ?? []).length).toBeGreaterThan(5);
  });

  test('is said in words', () => {
    const words = summaryOf(source);
    expect(words).toContain(element.title);
    expect(words).not.toMatch(/undefined|NaN|null/);
  });

  test('an empty table gives no picture and no error', () => {
    const empty = chartSource(element, byId(tables.map((t) => ({ ...t, rows: [] }))));
    expect(empty?.size ?? 0).toBe(0);
  });
});

test('no tooltip, tool box or CSS text reaches ECharts, wherever it stands (S7)', () => {
  const option = safeOption(
    {
      tooltip: { formatter: '<img src=x onerror=alert(1)>' },
      toolbox: {},
      series: [{ type: 'bar', tooltip: { extraCssText: 'x', formatter: () => '<b>' }, data: [1] }],
    },
    LIGHT,
  );
  expect(JSON.stringify(option)).not.toMatch(/tooltip|toolbox|extraCssText|onerror/);
  expect(option.animation).toBe(false);
});

test('names that look like markup stay text in the picture', async () => {
  const rows = [
    ['<script>alert(1)</script>', 3],
    ['{a|b}', 5],
  ];
  const bars = table('bars', [column('x', 'text'), column('y')], rows);
  const element = chart('bar', {
    of: 'bars',
    x: 'x',
    y: 'y',
    series: null,
    start: null,
    low: null,
    high: null,
    second: null,
    arrange: 'grouped',
  });
  const svg = await chartSvg(
    KINDS.bar(chartSource(element, byId([bars]))!, { width: 600, theme: LIGHT, compact: false }),
    LIGHT,
    600,
  );
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;scr');
});

test('a Pareto line stands on its own axis, bars start at zero', () => {
  const bars = table(
    'bars',
    [column('x', 'text'), column('y', 'integer'), column('c', 'percent')],
    [
      ['甲', 50, 0.5],
      ['乙', 30, 0.8],
      ['丙', 20, 1],
    ],
  );
  const element = chart('bar', {
    of: 'bars',
    x: 'x',
    y: 'y',
    series: null,
    start: null,
    low: null,
    high: null,
    second: 'c',
    arrange: 'grouped',
  });
  const { option } = KINDS.bar(chartSource(element, byId([bars]))!, { width: 600, theme: LIGHT, compact: false });
  const [first, second] = option.yAxis as { min: number; max: number }[];
  expect(first).toMatchObject({ min: 0 });
  expect(second).toMatchObject({ min: 0, max: 1 });
});

test('facets split rows and share an axis only when their ranges are alike', () => {
  const rows = ['身高', '体重'].flatMap((v, k) => ['男', '女'].map((g, i) => [v, g, (k === 0 ? 1.7 : 60) + i]));
  const means = table('means', [column('v', 'text'), column('g', 'text'), column('m')], rows);
  const element = chart('interval', {
    of: 'means',
    x: 'g',
    y: 'm',
    low: 'm',
    high: 'm',
    group: null,
    size: null,
    texts: null,
    raw: null,
    contrast: null,
    facet: ['v'],
  });
  const tables = byId([means]);
  const facets = facetsOf(element, tables);
  expect(facets.map((f) => f.label)).toEqual(['身高', '体重']);
  const first = chartSource(element, tables, facets[0])!;
  expect(first.size).toBe(2);
  expect(first.row(1)).toBe(1);
  expect(first.shared('y')).toBeNull();
});

test('parts of a compound cell feed a chart by their own keys', () => {
  const means = table(
    'means',
    [column('g', 'text'), column('ci', 'interval', { parts: ['lo', 'hi'], part_format: 'num' }), column('m')],
    [['男', [3.5, 4.1], 3.8]],
  );
  const element = chart('interval', {
    of: 'means',
    x: 'g',
    y: 'm',
    low: 'lo',
    high: 'hi',
    group: null,
    size: null,
    texts: null,
    raw: null,
    contrast: null,
  });
  const source = chartSource(element, byId([means]))!;
  expect([source.num('low', 0), source.num('high', 0)]).toEqual([3.5, 4.1]);
});

describe('layout', () => {
  test('labels of an axis write their step exactly: 2.5 is never shown as 3', () => {
    for (const [low, high] of [
      [0, 10],
      [0, 0.9],
      [-3, 13],
      [0, 12345],
      [0.001, 0.0042],
    ] as const) {
      const scale = niceScale(low, high);
      for (const t of ticks(scale)) expect(Number(t.toFixed(scale.decimals))).toBeCloseTo(t, 9);
      expect(scale.min).toBeLessThanOrEqual(low);
      expect(scale.max).toBeGreaterThanOrEqual(high);
    }
    expect(stepDecimals(2.5)).toBe(1);
  });

  test('dots of a swarm do not cover each other while there is room', () => {
    const ys = Array.from({ length: 60 }, (_, i) => (i % 12) * 6);
    const xs = swarm(ys, 2, 60);
    for (let i = 0; i < ys.length; i += 1)
      for (let k = 0; k < i; k += 1) expect(Math.hypot(xs[i]! - xs[k]!, ys[i]! - ys[k]!)).toBeGreaterThan(4);
  });
});

test.each([
  ['stacked', 50],
  ['full', 1],
] as const)('a %s chart piles its series from zero', (arrange, top) => {
  const bars = table(
    'bars',
    [column('x', 'text'), column('s', 'text'), column('y')],
    [
      ['甲', '男', 30],
      ['甲', '女', 15],
      ['乙', '男', 10],
      ['乙', '女', 40],
    ],
  );
  const element = chart('bar', {
    of: 'bars',
    x: 'x',
    y: 'y',
    series: 's',
    start: null,
    low: null,
    high: null,
    second: null,
    arrange,
  });
  const { option } = KINDS.bar(chartSource(element, byId([bars]))!, { width: 600, theme: LIGHT, compact: false });
  const [axis] = option.yAxis as { min: number; max: number }[];
  expect(axis!.min).toBe(0);
  expect(axis!.max).toBeGreaterThanOrEqual(top);
  expect(axis!.max).toBeLessThan(top * 1.3);
});

test('points along names are swarms: none covers another, colour runs from low to high', () => {
  const rows = Array.from({ length: 60 }, (_, i): Cell[] => [(i % 7) / 10, i % 2 === 0 ? '甲' : '乙', i / 59]);
  const points = table('p', [column('v'), column('n', 'text'), column('s')], rows);
  const none = { series: null, size: null, label: null, low: null, high: null, row: null };
  const element = chart('point', { of: 'p', x: 'v', y: 'n', shade: 's', ...none });
  const drawing = KINDS.point(chartSource(element, byId([points]))!, { width: 600, theme: LIGHT, compact: false });
  const series = z.array(z.object({ type: z.string(), data: z.array(z.unknown()) })).parse(drawing.option.series);
  const Dot = z.object({
    value: z.tuple([z.number(), z.number()]),
    symbolOffset: z.tuple([z.number(), z.number()]),
    itemStyle: z.object({ color: z.string() }),
  });
  const dots = z.array(Dot).parse(series.find(({ type }) => type === 'scatter')?.data);
  expect(dots).toHaveLength(60);
  expect(new Set(dots.map(({ value, symbolOffset }) => [...value, ...symbolOffset].join())).size).toBe(60);
  expect(dots[0]?.itemStyle.color).not.toBe(dots.at(-1)?.itemStyle.color);
});

test('lines that end at one place are named in a legend, lines that end apart at their ends', () => {
  const drawn = (ends: readonly number[]) => {
    const rows = ends.flatMap((end, i): Cell[][] => [
      [0, 0, `线${i}`],
      [1, end, `线${i}`],
    ]);
    const lines = table('l', [column('x'), column('y'), column('s', 'text')], rows);
    const none = { low: null, high: null, step: null, phase: null, mark: null };
    const element = chart('line', { of: 'l', x: 'x', y: 'y', series: 's', ...none });
    return KINDS.line(chartSource(element, byId([lines]))!, { width: 600, theme: LIGHT, compact: false });
  };
  expect(drawn([1, 1, 1]).legend?.map(({ text }) => text)).toEqual(['线0', '线1', '线2']);
  expect(drawn([1, 0.5, 0.1]).legend).toBeUndefined();
});

test('of a stair the strip is a stair too, and only marked points have their stroke', () => {
  const rows: Cell[][] = [
    [0, 1, 1, 1, 1, null],
    [2, 0.6, 0.4, 0.8, 1, 1],
    [5, 0.3, 0.1, 0.5, 1, null],
  ];
  const curve = table('c', [column('x'), column('y'), column('l'), column('h'), column('step'), column('mark')], rows);
  const roles = { of: 'c', x: 'x', y: 'y', series: null, low: 'l', high: 'h', step: 'step', phase: null, mark: 'mark' };
  const element = chart('line', roles);
  const { option } = KINDS.line(chartSource(element, byId([curve]))!, { width: 600, theme: LIGHT, compact: false });
  const [strip, line] = option.series as [
    { renderItem: (_: unknown, api: { coord: (p: number[]) => number[] }) => { shape: { points: number[][] } } },
    { step: string; data: { symbol: string }[] },
  ];
  const { points } = strip.renderItem(null, { coord: (point) => point }).shape;
  expect(points.slice(0, 5)).toEqual([
    [0, 1],
    [2, 1],
    [2, 0.4],
    [5, 0.4],
    [5, 0.1],
  ]);
  expect(points.slice(5)).toEqual([
    [5, 0.5],
    [5, 0.8],
    [2, 0.8],
    [2, 1],
    [0, 1],
  ]);
  expect(line.step).toBe('end');
  expect(line.data.map(({ symbol }) => symbol)).toEqual(['none', 'rect', 'none']);
});

test('limits are the very numbers of their ticks', () => {
  expect(niceScale(0.88, 1)).toMatchObject({ min: 0.85, max: 1, step: 0.05 });
});

test('nothing is labelled between two numbers of components', () => {
  expect(niceScale(1, 4, { steps: 6 }).step).toBe(0.5);
  expect(niceScale(1, 4, { steps: 6, whole: true })).toEqual({ min: 1, max: 4, step: 1, decimals: 0 });
  expect(niceScale(1, 16, { steps: 6, whole: true }).step).toBe(5);
});

test('an axis of numbers without decimals is labelled in powers of ten, each tick unlike the next', async () => {
  for (const [low, high] of [
    [1.2e-300, 8e-300],
    [2e300, 8e300],
    [4.991e300, 5.002e300],
    [-3e-12, 2e-12],
  ] as const) {
    const scale = niceScale(low, high, { steps: 3 });
    expect(scale.min).toBeLessThanOrEqual(low);
    expect(scale.max).toBeGreaterThanOrEqual(high);
    const labels = ticks(scale).map((t) => tickText(scale, t));
    expect(labels.length).toBeGreaterThan(2);
    expect(new Set(labels).size).toBe(labels.length);
  }
  const boxes = table(
    'boxes',
    ['x', 'min', 'q1', 'median', 'q3', 'max'].map((key, i) => column(key, i === 0 ? 'text' : 'num')),
    [['甲', 1.2e-300, 4e-300, 5e-300, 6e-300, 8e-300]],
  );
  const { chart: element } = CHARTS.box;
  const tiny = { ...element, of: 'boxes', ...roles('x', 'min', 'q1', 'median', 'q3', 'max') };
  const source = chartSource(tiny, byId([boxes]));
  if (source === null) throw new Error('no source');
  const svg = await chartSvg(KINDS.box(source, { width: 500, theme: LIGHT, compact: false }), LIGHT, 500);
  expect(svg).toMatch(/>\d×10⁻³⁰⁰</);
});

const roles = (...keys: string[]): Record<string, string | null> => ({
  ...Object.fromEntries(['series', 'outliers', 'density'].map((key) => [key, null])),
  ...Object.fromEntries(keys.map((key) => [key, key])),
});

test('labels break between words, keep their count, and begin no line with a closing mark', () => {
  expect(wrap('女性（n = 164）', 84, 12)).toBe('女性\n（n = 164）');
  expect(wrap('在职研究生与进修教师（n = 9）', 72, 12)).toMatch(/^在职研.*…\n（n = 9）$/u);
  expect(wrap('女性（n = 164）', 50, 12)).toBe('女性\nn = 164');
  expect(wrap('女性（n = 164）', 39, 12)).toBe('女性\nn=164');
  expect(wrap('control group', 60, 12)).toBe('control\ngroup');
  expect(wrap('很同意（五分）以上', 73, 12)).toBe('很同意（五\n分）以上');
  expect(
    wrap('𠮷野家𠮷野家', 30, 12)
      .split('\n')
      .every((line) => textWidth(line, 12) <= 30),
  ).toBe(true);
});
