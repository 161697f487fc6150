/** Points: scatter, Q-Q, residuals, quadrants, biplots. Colour and marker by series; labels where asked or marked. */
import type { CustomSeriesOption, ScatterSeriesOption } from 'echarts';

import { labelStyle, xValue, yLabelWidth, yValue } from './axes.ts';
import { type Context, type Drawing, plotHeight, type Series, textSize } from './drawing.ts';
import { overlayExtent, overlays } from './overlays.ts';
import { extent, hugging, limited } from './scale.ts';
import type { ChartSource } from './source.ts';
import { drawSwarm } from './swarm.ts';
import { MARKERS, seriesColour } from './theme.ts';

function tip(source: ChartSource, i: number): string[] {
  const lines = [`${source.heading('x')} ${source.shown('x', i)}`, `${source.heading('y')} ${source.shown('y', i)}`];
  if (source.has('low') && source.has('high')) lines.push(`[${source.shown('low', i)}, ${source.shown('high', i)}]`);
  const name = source.has('label') ? source.text('label', i) : source.has('series') ? source.text('series', i) : '';
  return name === '' ? lines : [name, ...lines];
}

function points(source: ChartSource, context: Context, groups: readonly string[]): ScatterSeriesOption[] {
  const many = source.size > 400;
  const sizes = source.has('size') ? extent(source.numbers('size')) : null;
  return groups.map((name, g): ScatterSeriesOption => {
    const rows = Array.from({ length: source.size }, (_, i) => i).filter(
      (i) => !source.has('series') || source.text('series', i) === name,
    );
    const labelled = source.has('label') && rows.length <= 60;
    return {
      type: 'scatter',
      name,
      symbol: MARKERS[g % MARKERS.length] ?? 'circle',
      symbolSize: many ? 4.6 : context.compact ? 5 : 6,
      itemStyle: {
        color: seriesColour(context.theme, g),
        opacity: many ? context.theme.dot : Math.min(0.85, context.theme.dot + 0.2),
      },
      emphasis: { itemStyle: { opacity: 1, borderColor: context.theme.ink, borderWidth: 1.5 } },
      data: rows.map((i) => ({
        value: [source.num('x', i), source.num('y', i)],
        name: source.has('label') ? source.text('label', i) : '',
        row: source.row(i),
        tip: tip(source, i),
        ...(sizes === null ? {} : { symbolSize: bubble(source.num('size', i), sizes) }),
      })),
      label: {
        show: labelled,
        position: 'top',
        fontSize: textSize(context) - 1,
        color: context.theme.ink2,
        formatter: ({ name: text }: { name: string }) => text,
      },
      labelLayout: { hideOverlap: true },
    };
  });
}

/** Upright lines through the points that have an interval. */
function intervals(source: ChartSource, context: Context): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: Array.from({ length: source.size }, (_, i) => [
      source.num('x', i) ?? Number.NaN,
      source.num('low', i) ?? Number.NaN,
      source.num('high', i) ?? Number.NaN,
    ]),
    renderItem: (_, api) => {
      const [x = 0, low = 0] = api.coord([api.value(0), api.value(1)]);
      const [, high = 0] = api.coord([api.value(0), api.value(2)]);
      return {
        type: 'line',
        shape: { x1: x, x2: x, y1: low, y2: high },
        style: { stroke: context.theme.ink3, lineWidth: 1.2 },
      };
    },
  };
}

/** Area, not width, tells the size. */
function bubble(value: number | null, [low, high]: [number, number]): number {
  const share = value === null || high === low ? 0.3 : (value - Math.min(0, low)) / (high - Math.min(0, low));
  return 5 + 22 * Math.sqrt(Math.max(0, share));
}

export function drawPoint(source: ChartSource, context: Context): Drawing {
  if (source.numbers('y').every((y) => y === null)) return drawSwarm(source, context);
  const groups = source.has('series') ? source.levels('series') : [''];
  const x = limited(
    hugging(
      ...(source.shared('x') ?? extent([...source.numbers('x'), ...overlayExtent(source, 'x')])),
      context.compact ? 4 : 5,
    ),
    context.limits?.x,
  );
  const y = limited(
    hugging(
      ...(source.shared('y') ??
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
  const series: Series[] = [
    ...(source.has('low') && source.has('high') ? [intervals(source, context)] : []),
    ...points(source, context, groups),
    ...overlays(source, context),
  ];
  return {
    height: 84 + plotHeight(context, 186, 256),
    option: {
      grid: { left, right: 18, top: 34, bottom: 50 },
      xAxis: xValue({ scale: x, name: source.heading('x') }, context),
      yAxis: yValue({ scale: y, name: source.heading('y') }, context),
      series,
      textStyle: labelStyle(context),
    },
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index, dot: true })) } : {}),
  };
}
