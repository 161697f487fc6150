import { expect, test } from 'vitest';

import { chart, CHARTS } from '../testing/charts.ts';
import { ELEMENTS } from '../testing/elements.ts';
import { column, table } from '../testing/reports.ts';
import { type Plate, plateOf, platesOf, PX_PER_MM } from './plate.ts';
import { plateSvg } from './svg.ts';
import { hatchLines } from './hatch.ts';
import type { FigureEdit } from './figure-edit.ts';
import { textWidth } from './scale.ts';
import { LIGHT } from './theme.ts';

const tables = new Map(Object.values(CHARTS).flatMap((f) => f.tables.map((t) => [t.id, t] as const)));
const at = (element: Parameters<typeof plateOf>[0], mm = 140): Plate => {
  const plate = plateOf(element, tables, { width: mm * PX_PER_MM, theme: LIGHT });
  if (plate === null) throw new Error('nothing drawn');
  return plate;
};

test('a legend that stands beside the picture on screen is on the plate', () => {
  const plate = at(CHARTS.bar.chart);
  expect(plate.texts.map((t) => t.text)).toEqual(['男', '女']);
  expect(plate.swatches).toHaveLength(2);
  expect(plate.cells[0]?.y).toBeGreaterThan(0);
});

test('the pictures of a panel stand beside each other where there is room, else below', () => {
  const { panel } = ELEMENTS;
  if (panel.type !== 'panel') throw new Error('not a panel');
  const wide = at(panel);
  expect(new Set(wide.cells.map((c) => c.x)).size).toBe(2);
  expect(new Set(wide.cells.map((c) => c.y)).size).toBe(1);
  const narrow = at(panel, 85);
  expect(new Set(narrow.cells.map((c) => c.x)).size).toBe(1);
  expect(narrow.texts.map((t) => t.text)).toEqual(panel.charts.map((c) => c.title));
});

test('many facets go on over pages, none torn, none left out, each with its own rows', () => {
  const names = Array.from({ length: 11 }, (_, i) => `因变量${i + 1}`);
  const values = names.flatMap((name, i) => [0, 1, 2].map((k) => [name, k, 100 * i + k]));
  const rows = table('points', [column('variable', 'text'), column('x'), column('y')], values);
  const none = { series: null, size: null, label: null, low: null, high: null, row: null, shade: null };
  const figure = chart('point', { ...none, of: 'points', x: 'x', y: 'y', facet: ['variable'] });
  const wish = { width: 560, theme: LIGHT };
  const whole = plateOf(figure, new Map([['points', rows]]), wish)!;
  const pages = platesOf(figure, new Map([['points', rows]]), { ...wish, most: 900 });
  expect(pages.length).toBeGreaterThan(1);
  expect(Math.max(...pages.map(({ height }) => height))).toBeLessThanOrEqual(900);
  expect(pages.flatMap(({ texts }) => texts.map(({ text }) => text))).toEqual(names);
  expect(pages.map(({ cells }) => cells[0]?.y)).toEqual(pages.map(() => whole.cells[0]?.y));
  const drawn = pages.flatMap(({ cells }) => cells.map(({ drawing }) => JSON.stringify(drawing.option.series)));
  drawn.forEach((series, i) => expect(series).toContain(`[2,${100 * i + 2}]`));
});

test('an SVG has its size in millimetres, its text as text, and its words for those who cannot see it', async () => {
  const svg = await plateSvg(at(CHARTS.bar.chart, 85), LIGHT, '年级 <与> 运动');
  expect(svg).toMatch(/^<svg [^>]*width="85mm" height="[\d.]+mm" viewBox="0 0 321\.26 /);
  expect(svg).toContain('<title>年级 &lt;与&gt; 运动</title><desc>');
  expect(svg).toMatch(/<text [^>]*>男<\/text>/);
  expect(svg).not.toMatch(/NaN|undefined|<script/);
  // Nested drawings close as they open.
  expect(svg.match(/<svg\b/g)?.length).toBe(svg.match(/<\/svg>/g)?.length);
});

const edited = (edit: FigureEdit, kind: 'bar' | 'histogram' | 'box' = 'bar'): Plate => {
  const { chart } = CHARTS[kind];
  const plate = plateOf(chart, tables, { width: 529, theme: LIGHT, edits: { [chart.id]: edit } });
  if (plate === null) throw new Error('nothing drawn');
  return plate;
};

test('the reader’s own texts stand at their shares of the drawing, in the letters chosen, and are escaped', async () => {
  const plate = edited({ letters: 'times', pt: 12, texts: [{ x: 0.5, y: 0.25, text: '拐点 <a>', facet: '' }] });
  const [cell] = plate.cells;
  const text = plate.texts.find((t) => t.text === '拐点 <a>');
  expect(text?.x).toBeCloseTo((cell?.x ?? 0) + 0.5 * (cell?.width ?? 0), 6);
  expect(text?.y).toBeCloseTo((cell?.y ?? 0) + 0.25 * (cell?.drawing.height ?? 0) + 0.35 * 16, 6);
  const svg = await plateSvg(plate, LIGHT, '图');
  expect(svg).toContain('>拐点 &lt;a&gt;</text>');
  const families = new Set([...svg.matchAll(/font-family[=:]"?([^",;]+)/g)].map((m) => m[1]?.trim()));
  expect([...families].every((f) => f?.includes('Times New Roman'))).toBe(true);
});

test.each(['bar', 'histogram', 'box'] as const)('patterns lie over the fills of a %s', async (kind) => {
  const plain = await plateSvg(edited({}, kind), LIGHT, '图');
  const hatched = await plateSvg(edited({ palette: 'pattern' }, kind), LIGHT, '图');
  expect(plain).not.toContain('<pattern');
  expect(hatched.match(/<pattern/g)?.length ?? 0).toBeGreaterThan(0);
});

test('the keys of a legend carry the hatch of their fill, cut to the key', async () => {
  const plate = edited({ palette: 'pattern' });
  expect(plate.swatches.map((s) => s.hatch !== null)).toEqual([false, true]);
  const box = { x: 10, y: 20, width: 12, height: 10 };
  const [, second] = plate.swatches;
  const lines = hatchLines(second!.hatch!, box);
  expect(lines.length).toBeGreaterThan(1);
  for (const [x, y] of lines.flat()) {
    expect(x).toBeGreaterThanOrEqual(10 - 1e-9);
    expect(x).toBeLessThanOrEqual(22 + 1e-9);
    expect(y).toBeGreaterThanOrEqual(20 - 1e-9);
    expect(y).toBeLessThanOrEqual(30 + 1e-9);
  }
});

test('a long name over a picture is broken into lines and cut, never written over the next one', () => {
  const { panel } = ELEMENTS;
  if (panel.type !== 'panel') throw new Error('not a panel');
  const long =
    '在过去一年之中您平均每个星期用于参加体育锻炼以及其他有组织的户外活动的总时间长度（小时，含往返路程所花费的时间在内）';
  const plate = at({ ...panel, charts: panel.charts.map((c) => ({ ...c, title: long })) }, 150);
  const titles = plate.texts.filter((t) => t.bold);
  expect(titles.length).toBe(2 * panel.charts.length);
  const width = plate.cells[0]?.width ?? 0;
  expect(titles.every((t) => textWidth(t.text, t.size) <= width)).toBe(true);
  expect(titles.some((t) => t.text.endsWith('…'))).toBe(true);
});
