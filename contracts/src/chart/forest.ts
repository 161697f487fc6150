/** A forest: labels left, estimates and intervals on one axis, the numbers right. */
import { columnDecimals, interval, num } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { labelsWidth, xValue, yCategory } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import type { Estimate } from './interval.ts';
import { overlayExtent, overlays } from './overlays.ts';
import { extent, limited, niceScale, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT } from './theme.ts';

function marks(
  all: readonly Estimate[],
  context: Context,
  texts: readonly string[],
  sizes: readonly number[],
  limits: [number, number],
): CustomSeriesOption {
  const { theme } = context;
  const size = textSize(context);
  return {
    type: 'custom',
    encode: { x: [1, 2, 3], y: 0 },
    z: 6,
    clip: false,
    data: all.map((e, i) => ({
      value: [i, e.y ?? Number.NaN, e.low ?? Number.NaN, e.high ?? Number.NaN],
      row: e.row,
      tip: e.tip,
    })),
    renderItem: (params, api) => {
      const i = params.dataIndex;
      const e = all[i];
      if (!e || e.y === null) return null;
      const end = (v: number | null): number =>
        api.coord([Math.max(limits[0], Math.min(limits[1], v ?? e.y ?? 0)), i])[0] ?? 0;
      const [x = 0, y = 0] = api.coord([e.y, i]);
      const half = sizes[i] ?? 4.5;
      const cut = (v: number | null, low: boolean) => v !== null && (low ? v < limits[0] : v > limits[1]);
      const arrow = (at: number, direction: number) => ({
        type: 'polygon' as const,
        shape: {
          points: [
            [at, y - 4],
            [at + direction * 6, y],
            [at, y + 4],
          ],
        },
        style: { fill: theme.ink },
      });
      const right = api.coord([limits[1], i])[0] ?? 0;
      return {
        type: 'group',
        children: [
          ...(e.low === null && e.high === null
            ? []
            : [
                {
                  type: 'line' as const,
                  shape: { x1: end(e.low), x2: end(e.high), y1: y, y2: y },
                  style: { stroke: theme.ink, lineWidth: 2 },
                },
              ]),
          ...(cut(e.low, true) ? [arrow(end(e.low), -1)] : []),
          ...(cut(e.high, false) ? [arrow(end(e.high), 1)] : []),
          {
            type: 'rect',
            shape: { x: x - half, y: y - half, width: half * 2, height: half * 2 },
            style: { fill: theme.paper, stroke: theme.ink, lineWidth: 2 },
            emphasis: { style: { fill: theme.pri } },
          },
          {
            type: 'text',
            x: right + 12,
            y: y - size / 2,
            style: { text: texts[i] ?? '', fill: theme.ink2, font: `${size}px ${FONT}` },
          },
        ],
      };
    },
  };
}

function weights(source: ChartSource): number[] {
  if (!source.has('size')) return [];
  const values = source.numbers('size');
  const [, most] = extent(values);
  return values.map((v) => 3 + 4 * Math.sqrt(Math.max(0, v ?? 0) / (most || 1)));
}

/** One very wide interval must not press all others into a dot: the axis shows twice the spread of the estimates, arrows lead out. */
function limitsOf(source: ChartSource, all: readonly Estimate[]): [number, number] {
  const [low, high] =
    source.shared('y', 'low', 'high') ??
    extent([...all.flatMap((e) => [e.y, e.low, e.high]), ...overlayExtent(lain(source), 'x')]);
  const widths = all
    .map((e) => (e.high ?? 0) - (e.low ?? 0))
    .filter((w) => Number.isFinite(w) && w > 0)
    .sort((a, b) => a - b);
  const middle = widths[Math.floor(widths.length / 2)] ?? high - low;
  const [first, last] = extent([...all.map((e) => e.y), ...overlayExtent(lain(source), 'x')]);
  return [Math.max(low, first - middle * 3), Math.min(high, last + middle * 3)];
}

/** A line at an estimate stands upright here; the method gives it so already, its reader names the axis of the numbers. */
function lain(source: ChartSource): ChartSource {
  const over = source.over.map(({ overlay, of }) =>
    overlay.type === 'reference' && overlay.x === null
      ? { overlay: { ...overlay, x: overlay.y, y: null }, of }
      : { overlay, of },
  );
  return { ...source, over };
}

export function drawForest(source: ChartSource, context: Context, all: readonly Estimate[]): Drawing {
  const labels = all.map((e) => (e.group === '' ? e.label : `${e.label} · ${e.group}`));
  const places = columnDecimals(all.map((e) => e.y));
  const texts = all.map((e, i) =>
    source.has('texts')
      ? source.text('texts', i)
      : e.y === null
        ? ''
        : `${num(e.y, places)} ${interval(e.low, e.high, places)}`,
  );
  const left = labelsWidth(labels, context, context.width * (context.compact ? 0.3 : 0.34));
  const right = Math.max(...texts.map((t) => textWidth(t, textSize(context)))) + 22;
  const scale = limited(niceScale(...limitsOf(source, all), { steps: context.compact ? 3 : 4 }), context.limits?.y);
  const row = 30 * (context.stretch ?? 1);
  return {
    height: 14 + all.length * row + 48,
    option: {
      grid: { left, right, top: 14, bottom: 48 },
      xAxis: xValue({ scale, name: source.heading('y') }, context),
      yAxis: yCategory(labels, left, context, 0, row),
      series: [marks(all, context, texts, weights(source), [scale.min, scale.max]), ...overlays(lain(source), context)],
    },
    reading: '方块为估计值，横线为其置信区间。',
  };
}
