/** Estimates with intervals: error bars with single cases and a contrast (estimation plot), or a forest with the numbers beside it. */
import { num } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { xCategory, yLabelWidth, yValue } from './axes.ts';
import { contrastPart } from './contrast.ts';
import { type Context, type Drawing, plotHeight, type Series } from './drawing.ts';
import { drawForest } from './forest.ts';
import { bracketRoom, overlayExtent, overlays } from './overlays.ts';
import { countsOf, extent, gradeStep, isGraded, limited, niceScale, type Scale, swarm } from './scale.ts';
import { SPREAD_NAMES } from './figure-edit.ts';
import type { ChartSource, Source } from './source.ts';
import { seriesColour } from './theme.ts';

/** Above this many cases in a group single points would blur: a thinner cloud is drawn from evenly spaced ones. */
const SWARM_MOST = 220;

export interface Estimate {
  label: string;
  group: string;
  row: number;
  y: number | null;
  low: number | null;
  high: number | null;
  tip: string[];
}

export function estimates(source: ChartSource): Estimate[] {
  return Array.from({ length: source.size }, (_, i) => ({
    label: source.text('x', i),
    group: source.has('group') ? source.text('group', i) : '',
    row: source.row(i),
    y: source.num('y', i),
    low: source.num('low', i),
    high: source.num('high', i),
    tip: [
      [source.text('x', i), source.has('group') ? source.text('group', i) : ''].filter((t) => t !== '').join(' · '),
      `${source.heading('y')} ${source.shown('y', i)}`,
      ...(source.has('low') ? [`[${source.shown('low', i)}, ${source.shown('high', i)}]`] : []),
    ],
  }));
}

function isForest(source: ChartSource, all: readonly Estimate[]): boolean {
  if (source.other('raw') !== null || source.other('contrast') !== null) return false;
  if (source.has('texts') || source.over.some(({ overlay }) => overlay.type === 'reference' && overlay.x !== null))
    return true;
  return all.length > 8 || all.some((e) => e.label.length > 12);
}

export function drawInterval(source: ChartSource, context: Context): Drawing {
  const all = estimates(source);
  return isForest(source, all) ? drawForest(source, context, all) : drawMeans(source, context, all);
}

interface Cases {
  value: [number, number, number, number];
  tip: string[];
}

interface Cloud {
  points: Cases[];
  thinned: boolean;
  /** Cases drawn of the largest group. */
  most: number;
  /** Circles whose area is a number of cases. */
  sized: boolean;
}

/** Single cases around each middle line; a large group shows every k-th case in order of size. */
function cases(
  raw: Source,
  labels: readonly string[],
  scale: Scale,
  plot: number,
  half: number,
  compact: boolean,
): Cloud {
  const all = raw.numbers('y').filter((v): v is number => v !== null);
  if (isGraded(all)) return graded(raw, labels, scale, plot, half);
  const radius = compact ? 1.7 : 2.3;
  let thinned = false;
  let most = 0;
  const points = labels.flatMap((label, g) => {
    const all = Array.from({ length: raw.size }, (_, i) => i)
      .filter((i) => raw.text('x', i) === label)
      .map((i) => raw.num('y', i))
      .filter((v): v is number => v !== null)
      .sort((a, b) => a - b);
    const step = Math.ceil(all.length / SWARM_MOST);
    thinned ||= step > 1;
    const shown = step > 1 ? all.filter((_, i) => i % step === 0) : all;
    most = Math.max(most, shown.length);
    const offsets = swarm(
      shown.map((v) => ((v - scale.min) / (scale.max - scale.min)) * plot),
      radius,
      half,
    );
    return shown.map((v, i): Cases => ({
      value: [g, v, offsets[i] ?? 0, radius],
      tip: [label, `${raw.heading('y')} ${num(v)}`],
    }));
  });
  return { points, thinned, most, sized: false };
}

/** Of values that many cases share, a circle each: its area is their number. */
function graded(raw: Source, labels: readonly string[], scale: Scale, plot: number, half: number): Cloud {
  const groups = labels.map((label) => {
    const rows = Array.from({ length: raw.size }, (_, i) => i).filter((i) => raw.text('x', i) === label);
    return countsOf(rows.map((i) => raw.num('y', i)).filter((v): v is number => v !== null));
  });
  const most = Math.max(1, ...groups.flatMap((counts) => [...counts.values()]));
  const step = gradeStep(groups.flatMap((counts) => [...counts.keys()]));
  const largest = Math.max(4, Math.min(half, ((step / (scale.max - scale.min)) * plot) / 2 - 1));
  const points = groups.flatMap((counts, g) =>
    [...counts].map(([v, n]): Cases => ({
      value: [g, v, 0, Math.max(1.5, largest * Math.sqrt(n / most))],
      tip: [labels[g] ?? '', `${raw.heading('y')} ${num(v)}`, `n = ${n}`],
    })),
  );
  return { points, thinned: false, most: 0, sized: true };
}

function cloud(points: readonly Cases[], context: Context): CustomSeriesOption {
  return {
    type: 'custom',
    encode: { x: 0, y: 1 },
    z: 2,
    data: points.map((p) => ({ value: p.value, tip: p.tip })),
    renderItem: (_, api) => {
      const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
      return {
        type: 'circle',
        shape: { cx: x + Number(api.value(2)), cy: y, r: Number(api.value(3)) },
        style: { fill: seriesColour(context.theme, Number(api.value(0))), opacity: context.theme.dot },
      };
    },
  };
}

/** A hollow ink marker for the mean, 2 px ink without caps for its interval; the shape changes with the group. */
function means(
  all: readonly Estimate[],
  context: Context,
  place: (e: Estimate) => [number, number],
  shapes: (e: Estimate) => number,
): CustomSeriesOption {
  const { theme } = context;
  const size = context.compact ? 5 : 5.6;
  return {
    type: 'custom',
    encode: { x: 0, y: [1, 2, 3] },
    z: 6,
    data: all.map((e) => ({
      value: [...place(e), e.y ?? Number.NaN, e.low ?? Number.NaN, e.high ?? Number.NaN, shapes(e)],
      row: e.row,
      tip: e.tip,
    })),
    renderItem: (_, api) => {
      const shift = Number(api.value(1));
      const [x0 = 0, y = 0] = api.coord([api.value(0), api.value(2)]);
      const x = x0 + shift;
      const [, low = 0] = api.coord([api.value(0), api.value(3)]);
      const [, high = 0] = api.coord([api.value(0), api.value(4)]);
      const style = { fill: theme.paper, stroke: theme.ink, lineWidth: 2 };
      const marker =
        Number(api.value(5)) % 2 === 0
          ? { type: 'circle' as const, shape: { cx: x, cy: y, r: size }, style }
          : {
              type: 'polygon' as const,
              shape: {
                points: [
                  [x, y - size * 1.25],
                  [x + size * 1.25, y],
                  [x, y + size * 1.25],
                  [x - size * 1.25, y],
                ],
              },
              style,
            };
      const bar =
        Number.isFinite(low) && Number.isFinite(high)
          ? [
              {
                type: 'line' as const,
                shape: { x1: x, x2: x, y1: low, y2: high },
                style: { stroke: theme.ink, lineWidth: 2 },
              },
            ]
          : [];
      return { type: 'group', children: [...bar, { ...marker, emphasis: { style: { fill: theme.pri } } }] };
    },
  };
}

/** Groups with their number of cases: of the table, or of the cases drawn where all of them are. */
function categories(labels: readonly string[], source: ChartSource, raw: Source | null): string[] {
  const counts = new Map<string, string>();
  if (source.has('count')) {
    for (let i = 0; i < source.size; i += 1) counts.set(source.text('x', i), source.shown('count', i));
  } else if (raw !== null && source.chart.thinned === null) {
    for (const label of labels) counts.set(label, String(casesOf(raw, label)));
  }
  return labels.map((label) => (counts.has(label) ? `${label}（n = ${counts.get(label)}）` : label));
}

/** Fewer cases came with the chart than its groups have. */
function isPart(source: ChartSource, raw: Source | null): boolean {
  if (raw === null || !source.has('count')) return false;
  return Array.from({ length: source.size }, (_, i) => i).some(
    (i) => casesOf(raw, source.text('x', i)) < (source.num('count', i) ?? 0),
  );
}

function casesOf(raw: Source, label: string): number {
  return Array.from({ length: raw.size }, (_, i) => i).filter((i) => raw.text('x', i) === label).length;
}

function drawMeans(source: ChartSource, context: Context, all: readonly Estimate[]): Drawing {
  const raw = source.other('raw');
  const contrast = source.other('contrast');
  const labels = [...new Set(all.map((e) => e.label))];
  const groups = [...new Set(all.map((e) => e.group))];
  const values = [
    ...all.flatMap((e) => [e.y, e.low, e.high]),
    ...(raw === null ? [] : raw.numbers('y')),
    ...overlayExtent(source, 'y'),
    // One axis for all facets never cuts off what this one draws.
    ...(source.shared('y', 'low', 'high') ?? []),
  ];
  const y = limited(niceScale(...extent(values), { steps: 3 }), context.limits?.y);
  const left = yLabelWidth(y, context);
  const plot = plotHeight(context, 190, 260);
  const part = contrast === null || labels.length !== 2 ? null : contrastPart(contrast, all, y, context, plot);
  const top = (part?.own === true ? 48 : 32) + bracketRoom(source, context);
  const right = part === null ? 12 : part.width;
  const room = context.width - left - right;
  const { axis, height: under } = xCategory(categories(labels, source, raw), room, context, 0, source.heading('x'));
  const height = Math.max(under, part?.below ?? 0);
  const half = Math.min(60, (room / labels.length) * 0.4);
  const cloudy =
    raw === null
      ? { points: [], thinned: false, most: 0, sized: false }
      : cases(raw, labels, y, plot, half, context.compact);
  const shift = (e: Estimate): number =>
    (groups.indexOf(e.group) - (groups.length - 1) / 2) * Math.min(26, ((room / labels.length) * 0.6) / groups.length);
  const series: Series[] = [
    ...(raw === null ? [] : [cloud(cloudy.points, context)]),
    means(
      all,
      context,
      (e) => [labels.indexOf(e.label), shift(e)],
      (e) => (groups.length > 1 ? groups.indexOf(e.group) : labels.indexOf(e.label)),
    ),
    ...overlays(source, context, labels),
    ...(part?.series({ plot, left, room, top }) ?? []),
  ];
  return {
    height: plot + top + height + 6,
    option: {
      grid: [
        { left, right, top, bottom: height + 6 },
        ...(part === null ? [] : [{ left: left + room, right: 0, top, bottom: height + 6 }]),
      ],
      xAxis: [axis, ...(part === null ? [] : [part.xAxis])],
      yAxis: [yValue({ scale: y, name: source.heading('y') }, context), ...(part === null ? [] : [part.yAxis])],
      series,
    },
    reading: reading({
      raw,
      most: cloudy.thinned || isPart(source, raw) ? cloudy.most : null,
      contrast: part !== null,
      own: part?.own ?? false,
      sized: cloudy.sized,
      bars: barsOf(source, context, all),
    }),
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index, dot: true })) } : {}),
  };
}

/** What the lines through the marks are; null = there are none, undefined = no interval of confidence: the method says what. */
function barsOf(source: ChartSource, context: Context, all: readonly Estimate[]): string | null | undefined {
  if (all.every((e) => e.low === null)) return null;
  if (context.spread === 'sd' || context.spread === 'se') return SPREAD_NAMES[context.spread];
  const named = source.heading('low');
  if (/CI|置信/.test(named)) return named.replace(/(?<=\p{Script=Han})(?=CI)/u, ' ');
  return named.endsWith('限') ? '其置信区间' : undefined;
}

interface Reading {
  raw: Source | null;
  /** Cases drawn of the largest group, where not all are. */
  most: number | null;
  contrast: boolean;
  /** The contrast has a scale of its own. */
  own: boolean;
  sized: boolean;
  bars: string | null | undefined;
}

const SIZED = '圆越大，取该值的个案越多';

function reading({ raw, most, contrast, own, sized, bars }: Reading): string {
  if (bars === undefined) return sized ? `${SIZED}。` : '';
  const cases = sized
    ? SIZED
    : most === null
      ? '每点为一个个案'
      : `点为按大小均匀抽取的个案，每组至多显示 ${most} 个，统计用全部个案`;
  const parts = [
    ...(raw === null ? [] : [cases]),
    bars === null ? '空心标记为均值' : `空心标记为均值，竖线为${bars}`,
    ...(contrast ? [`右侧为均值差的估计与置信区间${own ? '，另用一条坐标轴，虚线为 0' : ''}`] : []),
  ];
  return `${parts.join('；')}。`;
}
