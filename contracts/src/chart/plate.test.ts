import { expect, test } from 'vitest';

import { CHARTS } from '../testing/charts.ts';
import { ELEMENTS } from '../testing/elements.ts';
import { type Plate, plateOf, PX_PER_MM } from './plate.ts';
import { plateSvg } from './svg.ts';
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

test('an SVG has its size in millimetres, its text as text, and its words for those who cannot see it', async () => {
  const svg = await plateSvg(at(CHARTS.bar.chart, 85), LIGHT, '年级 <与> 运动');
  expect(svg).toMatch(/^<svg [^>]*width="85mm" height="[\d.]+mm" viewBox="0 0 321\.26 /);
  expect(svg).toContain('<title>年级 &lt;与&gt; 运动</title><desc>');
  expect(svg).toMatch(/<text [^>]*>男<\/text>/);
  expect(svg).not.toMatch(/NaN|undefined|<script/);
  // Nested drawings close as they open.
  expect(svg.match(/<svg\b/g)?.length).toBe(svg.match(/<\/svg>/g)?.length);
});
