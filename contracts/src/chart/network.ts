/** Nodes and links: path diagrams at given places, hierarchies in layers, everything else around a circle pulled by its links. */
import { num } from '../format.ts';
import type { GraphSeriesOption } from 'echarts';

import { labelStyle } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { clip, extent, textWidth } from './scale.ts';
import type { ChartSource, Source } from './source.ts';
import { seriesColour } from './theme.ts';

type Point = [number, number];

/** Layers by longest way from a node without incoming links; a cycle stops at the number of nodes. */
function layers(ids: readonly string[], links: readonly [string, string][]): Map<string, Point> {
  const depth = new Map(ids.map((id) => [id, 0]));
  for (let round = 0; round < ids.length; round += 1) {
    let moved = false;
    for (const [a, b] of links) {
      const next = (depth.get(a) ?? 0) + 1;
      if (a !== b && next > (depth.get(b) ?? 0) && next < ids.length) {
        depth.set(b, next);
        moved = true;
      }
    }
    if (!moved) break;
  }
  const rows = new Map<number, string[]>();
  for (const id of ids) rows.set(depth.get(id) ?? 0, [...(rows.get(depth.get(id) ?? 0) ?? []), id]);
  const last = Math.max(...rows.keys(), 1);
  return new Map(
    [...rows].flatMap(([level, members]) =>
      members.map((id, k): [string, Point] => [id, [(k + 1) / (members.length + 1), level / last]]),
    ),
  );
}

/** Springs, always the same: starts on a circle, 200 small steps. */
function springs(ids: readonly string[], links: readonly [string, string][]): Map<string, Point> {
  const at = ids.map((_, i): Point => [
    Math.cos((2 * Math.PI * i) / ids.length),
    Math.sin((2 * Math.PI * i) / ids.length),
  ]);
  const ends = links.map(([a, b]): Point => [ids.indexOf(a), ids.indexOf(b)]);
  const ideal = 1.6 / Math.sqrt(Math.max(1, ids.length));
  for (let step = 0; step < 200; step += 1) {
    const push = at.map((): Point => [0, 0]);
    for (let i = 0; i < at.length; i += 1)
      for (let j = i + 1; j < at.length; j += 1) pull(at, push, i, j, (d) => -(ideal * ideal) / d);
    for (const [i, j] of ends) if (i !== j) pull(at, push, i, j, (d) => (d * d) / ideal);
    const heat = 0.12 * (1 - step / 200);
    at.forEach((p, i) => {
      const [dx, dy] = push[i] ?? [0, 0];
      const length = Math.hypot(dx, dy) || 1;
      p[0] += (dx / length) * Math.min(length, heat);
      p[1] += (dy / length) * Math.min(length, heat);
    });
  }
  return new Map(ids.map((id, i) => [id, at[i] ?? [0, 0]]));
}

function pull(
  at: readonly Point[],
  push: readonly Point[],
  i: number,
  j: number,
  force: (distance: number) => number,
): void {
  const [a, b, fa, fb] = [at[i], at[j], push[i], push[j]];
  if (!a || !b || !fa || !fb) return;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const d = Math.hypot(dx, dy) || 1e-3;
  const f = force(d);
  fa[0] += (dx / d) * f;
  fa[1] += (dy / d) * f;
  fb[0] -= (dx / d) * f;
  fb[1] -= (dy / d) * f;
}

function places(
  nodes: Source,
  ids: readonly string[],
  links: readonly [string, string][],
  arrange: string,
): Map<string, Point> {
  if (arrange === 'fixed' && nodes.has('x'))
    return new Map(ids.map((id, i) => [id, [nodes.num('x', i) ?? 0, nodes.num('y', i) ?? 0]]));
  return arrange === 'layers' ? layers(ids, links) : springs(ids, links);
}

function fitted(at: ReadonlyMap<string, Point>, width: number, height: number): (id: string) => Point {
  const [x1, x2] = extent([...at.values()].map((p) => p[0]));
  const [y1, y2] = extent([...at.values()].map((p) => p[1]));
  const scale = (v: number, low: number, high: number, room: number): number =>
    high === low ? room / 2 : ((v - low) / (high - low)) * room;
  return (id) => {
    const p = at.get(id) ?? [0, 0];
    return [scale(p[0], x1, x2, width), scale(p[1], y1, y2, height)];
  };
}

/** Where a straight arrow towards a box or an ellipse meets its border: the library ends arrows by a mean radius, under wide shapes. */
function border(
  from: readonly [number, number],
  to: readonly [number, number],
  [width, height]: readonly [number, number],
  shape: string,
): [number, number] {
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  const [a, b] = [width / 2 + 1, height / 2 + 1];
  const share =
    shape === 'circle'
      ? 1 / Math.hypot(dx / a, dy / b)
      : Math.min(dx === 0 ? Infinity : a / Math.abs(dx), dy === 0 ? Infinity : b / Math.abs(dy));
  const reach = Number.isFinite(share) ? Math.min(1, share) : 0;
  return [to[0] + dx * reach, to[1] + dy * reach];
}

const SHAPES: Record<string, string> = {
  ellipse: 'circle',
  circle: 'circle',
  rect: 'rect',
  diamond: 'diamond',
  triangle: 'triangle',
};

export function drawNetwork(source: ChartSource, context: Context): Drawing {
  const nodes = source.other('nodes');
  const edges = source.other('edges');
  if (nodes === null || edges === null) return { height: 60, option: {} };
  const ids = Array.from({ length: nodes.size }, (_, i) => nodes.text('node', i));
  const links = Array.from({ length: edges.size }, (_, i): [string, string] => [
    edges.text('source', i),
    edges.text('target', i),
  ]);
  const height = Math.min(560, Math.max(300, 120 + ids.length * 14));
  const place = fitted(
    places(nodes, ids, links, source.chart.kind === 'network' ? source.chart.arrange : 'force'),
    context.width - 160,
    height - 90,
  );
  const groups = nodes.has('group') ? nodes.levels('group') : [];
  const [, heaviest] = extent(edges.numbers('weight').map((w) => (w === null ? null : Math.abs(w))));
  const sizeOf = (id: string): [number, number] => [
    textWidth(clip(nodes.text('label', ids.indexOf(id)), 96, textSize(context)), textSize(context)) + 22,
    32,
  ];
  const shapeOf = (id: string): string => SHAPES[nodes.text('shape', ids.indexOf(id))] ?? 'circle';
  const endOf = (i: number): string => `\u0000end${i}`;
  const ends = nodes.has('shape')
    ? links.flatMap(([a, b], i) => {
        if (links.some(([c, d]) => c === b && d === a)) return [];
        const [x, y] = border(place(a), place(b), sizeOf(b), shapeOf(b));
        return [
          { id: endOf(i), name: endOf(i), x, y, symbolSize: 0, label: { show: false }, tooltip: { show: false } },
        ];
      })
    : [];
  const series: GraphSeriesOption = {
    type: 'graph',
    layout: 'none',
    left: 80,
    right: 80,
    top: 40,
    bottom: 50,
    // Ends of arrows at boxes stand still, so the boxes do, too.
    draggable: !nodes.has('shape'),
    edgeSymbol: ['none', 'arrow'],
    edgeSymbolSize: 7,
    lineStyle: { color: context.theme.ink3, opacity: 0.9 },
    label: {
      show: true,
      ...labelStyle(context),
      color: context.theme.ink,
      backgroundColor: context.theme.paper,
      padding: [1, 3],
    },
    data: [
      ...ids.map((id, i) => {
        const [x, y] = place(id);
        const colour = seriesColour(context.theme, groups.length > 0 ? groups.indexOf(nodes.text('group', i)) : 0);
        const label = clip(nodes.text('label', i), 96, textSize(context));
        const shape = SHAPES[nodes.has('shape') ? nodes.text('shape', i) : 'circle'] ?? 'circle';
        const boxed = shape === 'rect' || nodes.has('shape');
        return {
          id,
          name: id,
          x,
          y,
          row: nodes.row(i),
          tip: [
            nodes.text('label', i),
            ...(nodes.has('size') ? [`${nodes.heading('size')} ${nodes.shown('size', i)}`] : []),
          ],
          symbol: shape,
          symbolSize: boxed
            ? [textWidth(label, textSize(context)) + 22, 32]
            : 10 +
              (nodes.has('size')
                ? 16 * Math.sqrt(Math.max(0, (nodes.num('size', i) ?? 0) / (extent(nodes.numbers('size'))[1] || 1)))
                : 6),
          itemStyle: boxed ? { color: context.theme.paper, borderColor: colour, borderWidth: 1.5 } : { color: colour },
          label: { formatter: () => label, position: boxed ? ('inside' as const) : ('right' as const) },
        };
      }),
      ...ends,
    ],
    links: links.map(([a, b], i) => {
      const weight = edges.num('weight', i);
      const marked = edges.has('mark') && edges.text('mark', i) !== '';
      const text = edges.has('text') ? edges.text('text', i) : weight === null ? '' : num(weight);
      return {
        source: a,
        target: ends.some((end) => end.id === endOf(i)) ? endOf(i) : b,
        row: edges.row(i),
        ...(edges.has('ends') && edges.text('ends', i) === '' ? { symbol: ['none', 'none'] } : {}),
        tip: [`${a} → ${b}`, text, ...(marked ? [edges.text('mark', i)] : [])].filter((t) => t !== ''),
        lineStyle: {
          width: (weight === null ? 1.2 : 1 + 2.5 * (Math.abs(weight) / (heaviest || 1))) + (marked ? 1.5 : 0),
          ...(marked ? { color: seriesColour(context.theme, 1), opacity: 1 } : {}),
          type: weight !== null && weight < 0 ? ('dashed' as const) : ('solid' as const),
          curveness: links.some(([c, d]) => c === b && d === a) ? 0.2 : 0,
        },
        label: {
          show: text !== '' && links.length <= 60,
          formatter: () => text,
          fontSize: textSize(context),
          color: context.theme.ink2,
          backgroundColor: context.theme.paper,
          padding: [0, 3],
        },
      };
    }),
  };
  return {
    height,
    option: { series: [series] },
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index, dot: true })) } : {}),
    reading: edges.numbers('weight').some((w) => w !== null && w < 0) ? '线越粗权重越大，虚线为负。' : '',
  };
}
