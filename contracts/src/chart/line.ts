/** Lines: trends, survival steps, ROC, scree, forecasts. Each line is named at its end; above four, or where ends meet, in a legend. */
import { date } from '../format.ts';
import type { CustomSeriesOption, LineSeriesOption } from 'echarts';

import { labelStyle, xCategory, xValue, yLabelWidth, yValue } from './axes.ts';
import { type Context, type Drawing, plotHeight, type Series, textSize } from './drawing.ts';
import { overlayExtent, overlays } from './overlays.ts';
import { extent, limited, niceScale, type Scale, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { DASHES, MARKERS, seriesColour } from './theme.ts';

interface Run {
  name: string;
  group: number;
  rows: number[];
  future: boolean;
}

/** One run a series and phase; a forecast starts at the last point seen, so that the line does not break. */
function runs(source: ChartSource): Run[] {
  const groups = source.has('series') ? source.levels('series') : [''];
  return groups.flatMap((name, group): Run[] => {
    const rows = Array.from({ length: source.size }, (_, i) => i).filter(
      (i) => !source.has('series') || source.text('series', i) === name,
    );
    if (!source.has('phase')) return [{ name, group, rows, future: false }];
    const past = rows.filter((i) => source.text('phase', i) !== 'future');
    const future = rows.filter((i) => source.text('phase', i) === 'future');
    const last = past.at(-1);
    return [
      { name, group, rows: past, future: false },
      ...(future.length > 0
        ? [{ name, group, rows: last === undefined ? future : [last, ...future], future: true }]
        : []),
    ];
  });
}

function line(
  source: ChartSource,
  context: Context,
  run: Run,
  place: (i: number) => number | null,
  named: boolean,
): LineSeriesOption {
  const color = seriesColour(context.theme, run.group);
  const dash = DASHES[run.group % DASHES.length] ?? 'solid';
  const few = context.points ?? run.rows.length <= 30;
  const isMarked = source.has('mark');
  return {
    type: 'line',
    name: run.name,
    step: source.has('step') ? 'end' : false,
    showSymbol: isMarked || few,
    showAllSymbol: isMarked ? true : 'auto',
    symbol: MARKERS[run.group % MARKERS.length] ?? 'circle',
    symbolSize: 7,
    lineStyle: { color, width: 2, type: run.future ? [4, 4] : dash },
    itemStyle: { color },
    connectNulls: false,
    data: run.rows.map((i) => ({
      value: [place(i), source.num('y', i)],
      row: source.row(i),
      ...(isMarked ? { symbol: source.num('mark', i) === null ? 'none' : 'rect', symbolSize: TICK } : {}),
      tip: [
        run.name,
        `${source.heading('x')} ${source.shown('x', i)}`,
        `${source.heading('y')} ${source.shown('y', i)}`,
      ].filter((t) => t !== ''),
    })),
    endLabel: {
      show: named && !run.future,
      ...labelStyle(context),
      color: context.theme.ink,
      formatter: () => run.name,
      distance: 10,
    },
  };
}

/** Of a marked point: a stroke across the line, as a censored case stands on a survival curve. */
const TICK = [1.5, 10];

/** Corners of a stair: it keeps its height until the next point. */
const stair = (points: number[][]): number[][] =>
  points.flatMap((point, k) => {
    const before = points[k - 1];
    return before ? [[point[0] ?? 0, before[1] ?? 0], point] : [point];
  });

/** The strip between low and high: one polygon a run, of stairs where the line is one. */
function band(
  source: ChartSource,
  context: Context,
  run: Run,
  place: (i: number) => number | null,
): CustomSeriesOption {
  const rows = run.rows.filter(
    (i) => source.num('low', i) !== null && source.num('high', i) !== null && place(i) !== null,
  );
  const edge = (role: 'low' | 'high'): number[][] => {
    const points = rows.map((i) => [place(i) ?? 0, source.num(role, i) ?? 0]);
    return source.has('step') ? stair(points) : points;
  };
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: [0],
    renderItem: (_, api) => ({
      type: 'polygon',
      shape: {
        points: [
          ...edge('low').map((point) => api.coord(point)),
          ...edge('high')
            .toReversed()
            .map((point) => api.coord(point)),
        ],
      },
      style: { fill: seriesColour(context.theme, run.group), opacity: 0.16 },
    }),
  };
}

/** Do the lines end far enough from each other that each can be named at its end? */
function apart(all: readonly Run[], source: ChartSource, y: Scale, height: number, context: Context): boolean {
  const ends = all
    .filter((run) => !run.future)
    .map((run) => source.num('y', run.rows.findLast((i) => source.num('y', i) !== null) ?? -1))
    .filter((end) => end !== null)
    .map((end) => ((end - y.min) / (y.max - y.min)) * height)
    .sort((a, b) => a - b);
  return ends.every((end, k) => k === 0 || end - (ends[k - 1] ?? 0) >= textSize(context) + 2);
}

export function drawLine(source: ChartSource, context: Context): Drawing {
  const all = runs(source);
  const groups = new Set(all.map((r) => r.group)).size;
  const numeric = source.numbers('x').every((x) => x !== null);
  const labels = numeric ? [] : source.levels('x').map((l) => (/^\d{4}-\d{2}-\d{2}T/.test(l) ? date(l) : l));
  const texts = numeric ? [] : source.levels('x');
  const place = (i: number): number | null => (numeric ? source.num('x', i) : texts.indexOf(source.text('x', i)));
  const y = limited(
    niceScale(
      ...(source.shared('y', 'low', 'high') ??
        extent([
          ...source.numbers('y'),
          ...source.numbers('low'),
          ...source.numbers('high'),
          ...overlayExtent(source, 'y'),
        ])),
    ),
    context.limits?.y,
  );
  const left = yLabelWidth(y, context);
  const named = groups > 1 && groups <= 4 && apart(all, source, y, plotHeight(context, 186, 256), context);
  const right = named ? Math.min(110, Math.max(...all.map((r) => textWidth(r.name, textSize(context)))) + 14) : 18;
  const category = xCategory(labels, context.width - left - right, context, 0, source.heading('x'));
  const series: Series[] = [
    ...(source.has('low') && source.has('high') ? all.map((r) => band(source, context, r, place)) : []),
    ...all.map((r) => line(source, context, r, place, named)),
    ...overlays(source, context, texts),
  ];
  return {
    height: 84 + plotHeight(context, 186, 256),
    option: {
      grid: { left, right, top: 34, bottom: numeric ? 50 : category.height + 8 },
      xAxis: numeric
        ? xValue(
            {
              scale: limited(
                niceScale(...extent([...source.numbers('x'), ...overlayExtent(source, 'x')]), {
                  steps: context.compact ? 4 : 6,
                  whole: source.numbers('x').every(Number.isInteger),
                }),
                context.limits?.x,
              ),
              name: source.heading('x'),
            },
            context,
          )
        : category.axis,
      yAxis: yValue({ scale: y, name: source.heading('y') }, context),
      series,
    },
    ...(groups > 1 && !named
      ? { legend: all.filter((r) => !r.future).map((r) => ({ text: r.name, index: r.group, line: true })) }
      : {}),
  };
}
