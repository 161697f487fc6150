/** Charts as the engine sends them, for kinds that no method has used yet: the labels and marks that are drawn. */
import { describe, expect, test } from 'vitest';

import { chartOf, DRAWINGS, elementsOf, SOLVING, tablesOf } from '../testing/toys.ts';
import { plateOf } from './plate.ts';
import { plateSvg } from './svg.ts';
import { GREY, LIGHT } from './theme.ts';

const TABLES = tablesOf(DRAWINGS);

async function svgOf(name: string, width = 640, theme = LIGHT): Promise<string> {
  const plate = plateOf(chartOf(DRAWINGS, name), TABLES, { width, theme });
  if (plate === null) throw new Error('nothing drawn');
  return plateSvg(plate, theme, name);
}

const textsIn = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].flatMap(([, text]) => text ?? []);
const countOf = (svg: string, mark: RegExp): number => [...svg.matchAll(mark)].length;

const TREE = ['交货迟', '人员', '新手多', '轮班', '设备', '老化'];
const LABELS: Record<string, string[]> = {
  groups: ['甲', '乙', '丙', '均值', '组', '**'],
  words_net: ['满意', '价格', '服务', '推荐', '0.62', '−0.31', '0.80', '0.12', '态度', '产品'],
  layer_net: ['满意', '价格', '服务', '推荐'],
  path_net: ['满意', '价格', '服务', '推荐', '0.62', '−0.31'],
  contour: ['温度', '压力', '14', '19'],
  surface: ['温度', '压力', '14', '19'],
  region: ['温度', '压力'],
  dendrogram: ['北京', '天津', '广州', '距离', '10.0'],
  rules_tree: [...TREE, 'n = 100', 'n = 35'],
  outline: TREE,
  fishbone: TREE,
  cloud: ['满意', '快递', '包装', '慢', '形容词', '名词'],
  stages: ['访问', '注册', '下单', '离开'],
  transition: ['低', '高'],
  nomogram: ['得分', '年龄', '性别', '0', '50', '100', '20', '60', '女', '男'],
  control: ['均值', '极差', '子组', 'UCL 14.00', 'CL 11.00', 'LCL 8.00', 'UCL 5.00', '改进前', '改进后'],
  pie: ['商城', '小程序', '门店', '50.0%', '30.0%', '20.0%'],
  ring: ['商城', '小程序', '门店', '50.0%'],
  treemap: ['商城', '小程序', '门店'],
  sunburst: ['线上', '线下', '商城', '小程序', '门店'],
  biplot: ['因子1', '因子2', '甲', '乙', '丙', '数学', '语文', '关注区'],
};

test('every chart of the toy is looked at here', () => {
  const names = elementsOf(DRAWINGS).flatMap((e) => (e.type === 'chart' ? [e.name] : []));
  expect(Object.keys(LABELS).toSorted()).toEqual(names.toSorted());
});

describe.each(Object.entries(LABELS))('%s', (name, labels) => {
  test.each([
    ['on a screen', 640, LIGHT],
    ['printed in grey', 529, GREY],
  ])('has its labels %s', async (_, width, theme) => {
    const svg = await svgOf(name, width, theme);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(textsIn(svg)).toEqual(expect.arrayContaining(labels));
  });

  test('is drawn on a phone', async () => {
    const svg = await svgOf(name, 330);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(textsIn(svg).length).toBeGreaterThan(1);
  });
});

test('names that stand before and after are two columns of streams, in the order of the table', async () => {
  const svg = await svgOf('transition');
  expect(textsIn(svg)).toEqual(['低', '高', '低', '高']);
  // Four streams and four ends.
  expect(countOf(svg, /<path/g)).toBe(8);
});

test('a stage that is passed through stands once', async () => {
  expect(textsIn(await svgOf('stages'))).toHaveLength(4);
});

test('a signal of a control chart is a triangle, and a new phase begins at a line', async () => {
  const option = plateOf(chartOf(DRAWINGS, 'control'), TABLES, { width: 640, theme: LIGHT })?.cells[0]?.drawing.option;
  const points = [option?.series ?? []].flat().flatMap((s) => (s.type === 'line' ? [s.data ?? []] : []));
  expect(points.map((data) => data.length)).toEqual([12, 12]);
  const isTriangle = (point: unknown): boolean => (point as { symbol?: string }).symbol === 'triangle';
  expect(points.map((data) => data.findIndex(isTriangle))).toEqual([7, -1]);
  expect(countOf(await svgOf('control'), /stroke-dasharray="2,3"/g)).toBe(2);
});

test('panels of a control chart share their left edge, and a process without phases has no line between them', () => {
  const table = TABLES.get('points');
  if (table === undefined) throw new Error('no table');
  const at = table.columns.findIndex((column) => column.key === 'phase');
  const rows = table.rows.map((row) => row.map((cell, i) => (i === at ? null : cell)));
  const drawn = (tables: typeof TABLES) =>
    plateOf(chartOf(DRAWINGS, 'control'), tables, { width: 640, theme: LIGHT })?.cells[0]?.drawing.option;
  const plain = drawn(new Map([...TABLES, ['points', { ...table, rows }]]));
  expect([plain?.series ?? []].flat()).toHaveLength([drawn(TABLES)?.series ?? []].flat().length - 2);
  expect(new Set([plain?.grid ?? []].flat().map((grid) => grid.left)).size).toBe(1);
});

test('a negative link is dashed, a feasible region has a cell for each point inside, an ellipse is drawn', async () => {
  expect(countOf(await svgOf('words_net'), /stroke-dasharray/g)).toBe(1);
  const inside = TABLES.get('grid')?.rows.filter((row) => row[3] === 1).length;
  const [shaded] = [
    plateOf(chartOf(DRAWINGS, 'region'), TABLES, { width: 640, theme: LIGHT })?.cells[0]?.drawing.option.series ?? [],
  ].flat();
  expect(shaded?.data).toHaveLength(inside ?? 0);
  expect(await svgOf('biplot')).toMatch(/stroke-dasharray/);
});

test('the panel of the solver is one plate of two named drawings', async () => {
  const panel = elementsOf(SOLVING).find((e) => e.type === 'panel');
  if (panel?.type !== 'panel') throw new Error('no panel');
  const plate = plateOf(panel, tablesOf(SOLVING), { width: 640, theme: LIGHT });
  expect(plate?.cells).toHaveLength(2);
  expect(plate?.texts.map((t) => t.text)).toEqual(['销量', '收入']);
  expect(textsIn(await plateSvg(plate!, LIGHT, panel.title))).toEqual(expect.arrayContaining(['价格', '100', '10.0']));
});
