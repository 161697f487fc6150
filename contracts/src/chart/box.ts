/** Boxes: quartiles and whiskers from the engine; the half violin when it sends a density; outliers as points. */
import type { CustomSeriesOption } from 'echarts';

import { xCategory, yLabelWidth, yValue } from './axes.ts';
import { casesOfOutliers, withCases } from './cases.ts';
import { type Context, type Drawing, plotHeight } from './drawing.ts';
import { bracketRoom, overlayExtent, overlays } from './overlays.ts';
import { extent, limited, niceScale, swarm } from './scale.ts';
import type { ChartSource } from './source.ts';
import { fill, hatchOf, seriesColour } from './theme.ts';

interface Group {
  name: string;
  colour: number;
  row: number;
  five: number[];
  outliers: number[];
  cases: number[][];
  density: [number, number][];
  tip: string[];
}

/** Pairs of value and density, one after the other or each in its own list. */
function pairs(value: unknown): [number, number][] {
  const flat = list(value);
  if (flat.length > 0) return flat.flatMap((v, i): [number, number][] => (i % 2 === 0 ? [[v, flat[i + 1] ?? 0]] : []));
  return Array.isArray(value)
    ? value.flatMap((p: unknown): [number, number][] =>
        Array.isArray(p) && typeof p[0] === 'number' && typeof p[1] === 'number' ? [[p[0], p[1]]] : [],
      )
    : [];
}

function list(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((v: unknown): v is number => typeof v === 'number') : [];
}

const FIVE = ['min', 'q1', 'median', 'q3', 'max'];

function groupsOf(source: ChartSource): Group[] {
  const series = source.has('series') ? source.levels('series') : [];
  return Array.from({ length: source.size }, (_, i) => ({
    name: source.has('series') ? `${source.text('x', i)} ${source.text('series', i)}` : source.text('x', i),
    colour: source.has('series') ? series.indexOf(source.text('series', i)) : i,
    row: source.row(i),
    five: FIVE.map((role) => source.num(role, i) ?? Number.NaN),
    outliers: source.has('outliers') ? list(source.value('outliers', i)) : [],
    cases: casesOfOutliers(source, i),
    density: source.has('density') ? pairs(source.value('density', i)) : [],
    tip: [source.text('x', i), ...FIVE.map((role) => `${source.heading(role)} ${source.shown(role, i)}`)],
  }));
}

function boxes(groups: readonly Group[], context: Context, half: number): CustomSeriesOption {
  const { theme } = context;
  return {
    type: 'custom',
    encode: { x: 0, y: [1, 2, 3, 4, 5] },
    data: groups.map((g, i) => ({ value: [i, ...g.five], row: g.row, tip: g.tip })),
    renderItem: (params, api) => {
      const group = groups[params.dataIndex];
      const at = (v: number): number[] => api.coord([params.dataIndex, v]);
      const [low, q1, median, q3, high] = [1, 2, 3, 4, 5].map((d) => at(Number(api.value(d))));
      if (!group || !low || !q1 || !median || !q3 || !high) return null;
      const colour = seriesColour(theme, group.colour);
      const paint = fill(theme, group.colour);
      const violin = group.density.length > 2;
      const x = (low[0] ?? 0) + (violin ? half * 0.32 : 0);
      const w = violin ? half * 0.2 : half * 0.62;
      const most = Math.max(...group.density.map(([, d]) => d), 1e-12);
      const outline = group.density.map(([v, d]) => [(low[0] ?? 0) - (d / most) * half * 0.8, at(v)[1] ?? 0]);
      const stroke = { stroke: theme.ink, lineWidth: 1.2, fill: 'none' };
      const level = (y: number | undefined, a: number, b: number, width: number) => ({
        type: 'line' as const,
        shape: { x1: a, x2: b, y1: y ?? 0, y2: y ?? 0 },
        style: { ...stroke, lineWidth: width },
      });
      return {
        type: 'group',
        children: [
          ...(violin
            ? [
                {
                  type: 'polygon' as const,
                  shape: {
                    points: [[low[0] ?? 0, outline[0]?.[1] ?? 0], ...outline, [low[0] ?? 0, outline.at(-1)?.[1] ?? 0]],
                  },
                  style:
                    theme.hatched === true
                      ? { fill: paint.color, stroke: theme.ink, ...hatchOf(paint) }
                      : { fill: colour, opacity: 0.5 },
                },
              ]
            : []),
          { type: 'line', shape: { x1: x, x2: x, y1: low[1] ?? 0, y2: q1[1] ?? 0 }, style: stroke },
          { type: 'line', shape: { x1: x, x2: x, y1: q3[1] ?? 0, y2: high[1] ?? 0 }, style: stroke },
          level(low[1], x - w / 2, x + w / 2, 1.2),
          level(high[1], x - w / 2, x + w / 2, 1.2),
          {
            type: 'rect',
            shape: { x: x - w, y: q3[1] ?? 0, width: 2 * w, height: (q1[1] ?? 0) - (q3[1] ?? 0) },
            style: violin
              ? { fill: theme.paper, stroke: 'none' }
              : theme.hatched === true
                ? { fill: paint.color, stroke: 'none', ...hatchOf(paint) }
                : { fill: colour, opacity: 0.32, stroke: 'none' },
          },
          {
            type: 'rect',
            shape: { x: x - w, y: q3[1] ?? 0, width: 2 * w, height: (q1[1] ?? 0) - (q3[1] ?? 0) },
            style: stroke,
          },
          level(median[1], x - w, x + w, 2.4),
        ],
      };
    },
  };
}

function outliers(groups: readonly Group[], context: Context, height: number, span: number): CustomSeriesOption {
  const data = groups.flatMap((g, i) => {
    const offsets = swarm(
      g.outliers.map((v) => (v / span) * height),
      2.6,
      16,
    );
    return g.outliers.map((v, k) => ({
      value: [i, v, offsets[k] ?? 0, g.colour],
      row: g.row,
      tip: [g.name, `离群值 ${String(v)}`],
      ...withCases(g.cases[k] ?? []),
    }));
  });
  return {
    type: 'custom',
    encode: { x: 0, y: 1 },
    data,
    renderItem: (_, api) => {
      const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
      return {
        type: 'circle',
        shape: { cx: x + Number(api.value(2)), cy: y, r: 2.6 },
        style: { fill: 'none', stroke: seriesColour(context.theme, Number(api.value(3))), lineWidth: 1.3 },
      };
    },
  };
}

export function drawBox(source: ChartSource, context: Context): Drawing {
  const groups = groupsOf(source);
  const y = limited(
    niceScale(
      ...(source.shared('min', 'max') ??
        extent([...groups.flatMap((g) => [...g.five, ...g.outliers]), ...overlayExtent(source, 'y')])),
    ),
    context.limits?.y,
  );
  const left = yLabelWidth(y, context);
  const { axis, height } = xCategory(
    groups.map((g) => g.name),
    context.width - left - 12,
    context,
    0,
    source.heading('x'),
  );
  const plot = plotHeight(context, 210, 270);
  const top = 32 + bracketRoom(source, context);
  const half = Math.min(46, ((context.width - left - 12) / groups.length) * 0.42);
  return {
    height: plot + top + height + 6,
    option: {
      grid: { left, right: 12, top, bottom: height + 6 },
      xAxis: axis,
      yAxis: yValue({ scale: y, name: source.heading('y') }, context),
      series: [
        boxes(groups, context, half),
        outliers(groups, context, plot, y.max - y.min),
        ...overlays(source, context, source.levels('x')),
      ],
    },
    reading: `箱体为上、下折叶点（Tukey），粗线为中位数，须端为 1.5 倍箱长以内最远的值${context.points === false ? '' : '，空心点在须端之外'}。`,
  };
}
