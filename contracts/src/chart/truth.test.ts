/** A figure never says more than its numbers: colours, intervals and labels of single kinds. */
import type { Cell, TableElement } from '../../generated/contract.ts';
import { expect, test } from 'vitest';

import { chart } from '../testing/charts.ts';
import { column, table } from '../testing/reports.ts';
import type { Drawing } from './drawing.ts';
import { KINDS } from './kinds.ts';
import { chartSource, facetsOf } from './source.ts';
import { chartSvg } from './svg.ts';
import { LIGHT, ramp } from './theme.ts';

const byId = (tables: readonly TableElement[]): Map<string, TableElement> => new Map(tables.map((t) => [t.id, t]));
const CONTEXT = { width: 420, theme: LIGHT, compact: false };

const svgOf = (drawing: Drawing): Promise<string> => chartSvg(drawing, LIGHT, CONTEXT.width);

function heat(values: readonly number[]): Promise<string> {
  const cells = table(
    'cells',
    [column('r', 'text'), column('c', 'text'), column('v')],
    values.map((v, i): Cell[] => [`行${i}`, '列', v]),
  );
  const element = chart('heat', { of: 'cells', row: 'r', column: 'c', value: 'v', text: null, mark: null });
  return svgOf(KINDS.heat(chartSource(element, byId([cells]))!, CONTEXT));
}

test('a weak correlation never takes the colour of a strong one', async () => {
  const strongest = ramp(LIGHT.diverging, 1);
  expect(await heat([0.98, -0.2, 1])).toContain(`fill="${strongest}"`);
  expect(await heat([0.09, -0.02, 0.01])).not.toContain(`fill="${strongest}"`);
  // Counts have no such range: their largest is the darkest.
  expect(await heat([2, 40])).toContain(`fill="${ramp(LIGHT.sequence, 1)}"`);
});

test('points with an interval show it', async () => {
  const groups = table(
    'groups',
    [column('x'), column('y'), column('low'), column('high')],
    [
      [0.2, 0.3, 0.1, 0.5],
      [0.6, 0.7, 0.5, 0.9],
    ],
  );
  const none = { series: null, size: null, label: null, row: null, shade: null };
  const lines = async (low: string | null, high: string | null) => {
    const element = chart('point', { of: 'groups', x: 'x', y: 'y', low, high, ...none });
    const svg = await svgOf(KINDS.point(chartSource(element, byId([groups]))!, CONTEXT));
    return svg.match(new RegExp(`stroke="${LIGHT.ink3}"`, 'gi'))?.length ?? 0;
  };
  expect((await lines('low', 'high')) - (await lines(null, null))).toBe(2);
});

test('names of thirty columns of a mosaic are written out, as many as have room', async () => {
  const levels = Array.from({ length: 30 }, (_, i) => `第${i + 1}号站点`);
  const counts = table(
    'counts',
    [column('r', 'text'), column('c', 'text'), column('n', 'integer')],
    levels.flatMap((level): Cell[][] => [
      ['是', level, 7],
      ['否', level, 5],
    ]),
  );
  const element = chart('mosaic', { of: 'counts', row: 'r', column: 'c', count: 'n', residual: null });
  const drawn = async (width: number): Promise<string[]> => {
    const drawing = KINDS.mosaic(chartSource(element, byId([counts]))!, { ...CONTEXT, width });
    const svg = await chartSvg(drawing, LIGHT, width);
    return [...svg.matchAll(/>([^<>]*站点|第[^<>]*…)</g)].map(([, text = '']) => text);
  };
  expect(await drawn(700)).toEqual(levels);
  const narrow = await drawn(300);
  expect(narrow.length).toBeGreaterThan(10);
  expect(narrow.every((name) => levels.includes(name))).toBe(true);
});

test('a part of a stack too thin for its number goes without', async () => {
  const bars = table(
    'bars',
    [column('x', 'text'), column('s', 'text'), column('y')],
    [
      ['甲', '多', 957],
      ['甲', '少', 43],
    ],
  );
  const none = { start: null, low: null, high: null, second: null };
  const element = chart('bar', { of: 'bars', x: 'x', y: 'y', series: 's', arrange: 'stacked', ...none });
  const svg = await svgOf(KINDS.bar(chartSource(element, byId([bars]))!, CONTEXT));
  expect(svg).toContain('>957.00<');
  expect(svg).not.toContain('>43.00<');
});

test('the labels of the difference stay inside the picture', async () => {
  const means = table(
    'means',
    [column('g', 'text'), column('m'), column('low'), column('high')],
    [
      ['甲', 1.17, 0.9, 1.4],
      ['乙', 1.17, 0.9, 1.4],
    ],
  );
  const difference = table(
    'difference',
    [column('l', 'text'), column('d'), column('low'), column('high')],
    [['甲 − 乙', 0, -0.33, 0.33]],
  );
  const element = chart('interval', {
    of: 'means',
    x: 'g',
    y: 'm',
    low: 'low',
    high: 'high',
    group: null,
    size: null,
    texts: null,
    raw: null,
    contrast: { of: 'difference', label: 'l', y: 'd', low: 'low', high: 'high' },
  });
  const width = 300;
  const drawing = KINDS.interval(chartSource(element, byId([means, difference]))!, { ...CONTEXT, width });
  const svg = await chartSvg(drawing, LIGHT, width);
  const labels = [...svg.matchAll(/translate\(([\d.]+) [\d.]+\)"[^>]*>(−?\d\.\d+)</g)];
  const starts = labels
    .filter(([, , text]) => /^−?0\.\d\d$/.test(text!))
    .map(([, x, text]) => Number(x) + text!.length * 6);
  expect(starts.length).toBeGreaterThan(2);
  for (const end of starts) expect(end).toBeLessThanOrEqual(width);
});

test.each([
  ['下限', '空心标记为均值，竖线为其置信区间。'],
  ['均值CI', '空心标记为均值，竖线为均值 CI。'],
  ['最低', ''],
])('lines called %s are read as what they are', (low, said) => {
  const means = table(
    'means',
    [column('g', 'text'), column('m'), column('low', 'num', { title: low }), column('high')],
    [
      ['甲', 2, 1, 3],
      ['乙', 3, 2, 4],
    ],
  );
  const none = { group: null, size: null, texts: null, raw: null, contrast: null };
  const element = chart('interval', { of: 'means', x: 'g', y: 'm', low: 'low', high: 'high', ...none });
  const drawing = KINDS.interval(chartSource(element, byId([means]))!, { ...CONTEXT, width: 600 });
  expect(drawing.reading).toBe(said);
});

test('an axis shared by facets holds the cases of each, not only the means', () => {
  const items = ['题1', '题2'];
  const means = table(
    'means',
    [column('v', 'text'), column('g', 'text'), column('m'), column('low'), column('high')],
    items.flatMap((v) => ['男', '女'].map((g) => [v, g, 3, 2.9, 3.1])),
  );
  const cases = table(
    'cases',
    [column('v', 'text'), column('g', 'text'), column('value')],
    items.flatMap((v) => ['男', '女'].flatMap((g) => [1, 3, 5].map((n) => [v, g, n]))),
  );
  const element = chart('interval', {
    of: 'means',
    x: 'g',
    y: 'm',
    low: 'low',
    high: 'high',
    group: null,
    size: null,
    texts: null,
    raw: { of: 'cases', x: 'g', y: 'value' },
    contrast: null,
    facet: ['v'],
  });
  const tables = byId([means, cases]);
  const drawing = KINDS.interval(chartSource(element, tables, facetsOf(element, tables)[0])!, CONTEXT);
  const [axis] = [drawing.option.yAxis].flat() as { min: number; max: number }[];
  expect(axis?.min).toBeLessThanOrEqual(1);
  expect(axis?.max).toBeGreaterThanOrEqual(5);
});
