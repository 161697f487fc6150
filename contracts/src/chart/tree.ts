/** Trees: dendrograms by merge height, rule trees and outlines by level, fishbones by branch. */
import type { CustomSeriesOption, TreeSeriesOption } from 'echarts';

import { labelStyle, labelsWidth, xValue } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { clip, extent, niceScale } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT, seriesColour } from './theme.ts';

interface Node {
  id: string;
  label: string;
  row: number;
  tip: string[];
  height: number;
  children: Node[];
}

function rootOf(source: ChartSource): Node | null {
  const nodes = new Map<string, Node>();
  for (let i = 0; i < source.size; i += 1) {
    const tip = [
      source.text('label', i),
      ...['height', 'value'].filter((r) => source.has(r)).map((r) => `${source.heading(r)} ${source.shown(r, i)}`),
    ];
    nodes.set(source.text('node', i), {
      id: source.text('node', i),
      label: source.text('label', i),
      row: source.row(i),
      tip,
      height: source.num('height', i) ?? 0,
      children: [],
    });
  }
  let root: Node | null = null;
  for (let i = 0; i < source.size; i += 1) {
    const node = nodes.get(source.text('node', i));
    const parent = source.value('parent', i) === null ? undefined : nodes.get(source.text('parent', i));
    if (node === undefined) continue;
    if (parent === undefined || parent === node) root ??= node;
    else parent.children.push(node);
  }
  return root;
}

function leaves(node: Node): Node[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leaves);
}

export function drawTree(source: ChartSource, context: Context): Drawing {
  const root = rootOf(source);
  if (root === null) return { height: 60, option: {} };
  const draw = source.chart.kind === 'tree' ? source.chart.draw : 'outline';
  if (draw === 'dendrogram' && source.has('height')) return dendrogram(source, context, root);
  if (draw === 'fishbone') return fishbone(context, root);
  return outline(source, context, root);
}

interface Joint {
  x: number;
  y: number;
}

/** Leaves down the side in the engine's order, merges at their height. */
function dendrogram(source: ChartSource, context: Context, root: Node): Drawing {
  const ends = leaves(root);
  const each = ends.length > 60 ? 12 : 20;
  const left = labelsWidth(
    ends.map((l) => l.label),
    context,
    context.width * 0.36,
  );
  const scale = niceScale(0, extent(source.numbers('height'))[1], { zero: true });
  const merges: { node: Node; ys: number[]; from: number[] }[] = [];
  const place = (node: Node): Joint => {
    if (node.children.length === 0) return { x: 0, y: ends.indexOf(node) };
    const below = node.children.map(place);
    merges.push({ node, ys: below.map((b) => b.y), from: below.map((b) => b.x) });
    return { x: node.height, y: below.reduce((s, b) => s + b.y, 0) / below.length };
  };
  place(root);
  const size = Math.min(textSize(context), each - 2);
  const series: CustomSeriesOption = {
    type: 'custom',
    clip: false,
    data: merges.map((m) => ({ value: [m.node.height, m.ys[0] ?? 0], row: m.node.row, tip: m.node.tip })),
    renderItem: (params, api) => {
      const m = merges[params.dataIndex];
      if (m === undefined) return null;
      const style = { stroke: context.theme.ink2, lineWidth: 1.3, fill: 'none' };
      const points = m.ys.map((y) => api.coord([m.node.height, y]));
      return {
        type: 'group',
        children: [
          { type: 'polyline', shape: { points }, style },
          ...m.ys.map((y, k) => ({
            type: 'polyline' as const,
            shape: { points: [api.coord([m.from[k] ?? 0, y]), api.coord([m.node.height, y])] },
            style,
          })),
        ],
      };
    },
  };
  const names: CustomSeriesOption = {
    type: 'custom',
    silent: true,
    clip: false,
    data: ends.map((_, k) => [0, k]),
    renderItem: (params, api) => {
      const [x = 0, y = 0] = api.coord([0, params.dataIndex]);
      return {
        type: 'text',
        x: x - 8,
        y,
        style: {
          text: clip(ends[params.dataIndex]?.label ?? '', left - 12, size),
          fill: context.theme.ink2,
          font: `${size}px ${FONT}`,
          align: 'right',
          verticalAlign: 'middle',
        },
      };
    },
  };
  return {
    height: 12 + ends.length * each + 48,
    option: {
      grid: { left, right: 16, top: 8, bottom: 48 },
      xAxis: xValue({ scale, name: source.heading('height') }, context),
      yAxis: { type: 'value', min: -0.5, max: ends.length - 0.5, inverse: true, show: false },
      series: [series, names],
    },
  };
}

interface Branch {
  name: string;
  tip: string[];
  children: Branch[];
}

function asBranch(node: Node, name: (node: Node) => string): Branch {
  return { name: name(node), tip: node.tip, children: node.children.map((child) => asBranch(child, name)) };
}

/** A tree of rules grows downwards and says the value of each node below its name: on paper nothing can be pointed at. */
/** Width a rule's label takes beside its neighbour; narrower trees grow downwards, wider ones to the right. */
const RULE_WIDTH = 118;
const RULE_HEIGHT = 58;

function depthOf(node: Node): number {
  return node.children.length === 0 ? 0 : 1 + Math.max(...node.children.map(depthOf));
}

function outline(source: ChartSource, context: Context, root: Node): Drawing {
  const ends = leaves(root).length;
  const isRules = source.chart.kind === 'tree' && source.chart.draw === 'rules';
  const down = isRules && ends * RULE_WIDTH <= context.width;
  const across = isRules && !down;
  const hasValue = isRules && source.has('value');
  const valueOf = new Map(
    Array.from({ length: source.size }, (_, i): [string, string] => [source.text('node', i), source.shown('value', i)]),
  );
  const name = (node: Node): string =>
    hasValue ? `${node.label}\n${source.heading('value')} = ${valueOf.get(node.id) ?? ''}` : node.label;
  const sides = across ? { left: 75, right: 75 } : down ? { left: 20, right: 20 } : { left: 80, right: 120 };
  const step = (context.width - sides.left - sides.right) / Math.max(1, depthOf(root));
  const series: TreeSeriesOption = {
    type: 'tree',
    orient: down ? 'TB' : 'LR',
    ...sides,
    top: down ? (hasValue ? 62 : 46) : across ? 56 : 10,
    bottom: down ? (hasValue ? 72 : 56) : across ? 30 : 10,
    symbol: 'circle',
    symbolSize: 8,
    roam: false,
    initialTreeDepth: 6,
    expandAndCollapse: true,
    edgeShape: 'polyline',
    lineStyle: { color: context.theme.ink3, width: 1.2 },
    itemStyle: { color: seriesColour(context.theme, 0), borderWidth: 0 },
    label: {
      ...labelStyle(context),
      position: isRules ? 'top' : 'left',
      backgroundColor: context.theme.paper,
      padding: [1, 4],
      overflow: across ? 'truncate' : 'break',
      width: across ? Math.max(60, Math.min(130, step - 12)) : 110,
      lineHeight: 16,
    },
    leaves: { label: across ? {} : { position: down ? 'bottom' : 'right' } },
    data: [asBranch(root, name)],
  };
  const height = down ? 380 : Math.max(220, ends * (across ? RULE_HEIGHT : 26));
  return { height, option: { series: [series] } };
}

/** The problem at the head, causes as ribs above and below, their parts as short bones. */
function fishbone(context: Context, root: Node): Drawing {
  const height = 340;
  const middle = height / 2;
  const { theme } = context;
  const font = `${textSize(context)}px ${FONT}`;
  const headX = context.width - 120;
  const pairs = Math.ceil(root.children.length / 2);
  const series: CustomSeriesOption = {
    type: 'custom',
    coordinateSystem: 'none',
    data: [{ value: 0, tip: root.tip }],
    renderItem: () => {
      const line = (x1: number, y1: number, x2: number, y2: number, width: number) => ({
        type: 'line' as const,
        shape: { x1, y1, x2, y2 },
        style: { stroke: theme.ink2, lineWidth: width },
      });
      const words = (text: string, x: number, y: number, align: 'left' | 'right' | 'center', strong = false) => ({
        type: 'text' as const,
        x,
        y,
        style: {
          text: clip(text, 120, textSize(context)),
          fill: strong ? theme.ink : theme.ink2,
          font: strong ? `600 ${font}` : font,
          align,
          verticalAlign: 'middle' as const,
        },
      });
      const ribs = root.children.flatMap((rib, k) => {
        const up = k % 2 === 0;
        const foot = headX - 40 - (Math.floor(k / 2) * (headX - 70)) / Math.max(1, pairs);
        const [tipX, tipY] = [foot - 70, up ? 34 : height - 34];
        const bones = rib.children.flatMap((bone, j) => {
          const t = (j + 1) / (rib.children.length + 1);
          const [x, y] = [foot + (tipX - foot) * t, middle + (tipY - middle) * t];
          return [line(x, y, x - 46, y, 1), words(bone.label, x - 50, y, 'right')];
        });
        return [
          line(foot, middle, tipX, tipY, 1.6),
          words(rib.label, tipX, tipY + (up ? -14 : 14), 'center', true),
          ...bones,
        ];
      });
      return {
        type: 'group',
        children: [line(20, middle, headX, middle, 2.4), words(root.label, headX + 8, middle, 'left', true), ...ribs],
      };
    },
  };
  return { height, option: { series: [series] } };
}
