/** Histogram: bars that touch, from the engine's class limits; densities come as overlays. */
import { num } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { xValue, yLabelWidth, yValue } from './axes.ts';
import { type Context, type Drawing, plotHeight } from './drawing.ts';
import { overlayExtent, overlays } from './overlays.ts';
import { extent, limited, niceScale } from './scale.ts';
import type { ChartSource } from './source.ts';
import { fill, firstFill, hatchOf } from './theme.ts';

function boxes(source: ChartSource, context: Context, groups: readonly string[]): CustomSeriesOption {
  return {
    type: 'custom',
    encode: { x: [0, 1], y: 2 },
    data: Array.from({ length: source.size }, (_, i) => ({
      value: [
        source.num('low', i) ?? 0,
        source.num('high', i) ?? 0,
        source.num('count', i) ?? 0,
        source.has('series') ? groups.indexOf(source.text('series', i)) : 0,
      ],
      row: source.row(i),
      tip: [
        `${num(source.num('low', i) ?? 0)} 至 ${num(source.num('high', i) ?? 0)}`,
        `${source.heading('count')} ${source.shown('count', i)}`,
      ],
    })),
    renderItem: (_, api) => {
      const [x1 = 0, y1 = 0] = api.coord([api.value(0), api.value(2)]);
      const [x2 = 0, y0 = 0] = api.coord([api.value(1), 0]);
      const paint = fill(context.theme, Number(api.value(3)) + firstFill(context.theme, groups.length));
      return {
        type: 'rect',
        shape: { x: x1, y: y1, width: Math.max(1, x2 - x1), height: Math.max(0, y0 - y1) },
        style: {
          fill: paint.color,
          stroke: paint.borderColor ?? context.theme.paper,
          lineWidth: 1,
          opacity: groups.length > 1 ? 0.62 : 0.86,
          ...hatchOf(paint),
        },
      };
    },
  };
}

export function drawHistogram(source: ChartSource, context: Context): Drawing {
  const groups = source.has('series') ? source.levels('series') : [''];
  const [low, high] = source.shared('low', 'high') ?? extent([...source.numbers('low'), ...source.numbers('high')]);
  const [, most] = extent([...source.numbers('count'), ...overlayExtent(source, 'y')]);
  const y = limited(niceScale(0, most, { zero: true }), context.limits?.y, true);
  const round = niceScale(low, high, { steps: context.compact ? 4 : 6 });
  // The axis ends where the classes end: a rounded limit would add empty room that looks like data.
  const fitting = {
    ...round,
    min: Math.min(round.min + (low - round.min < round.step * 0.5 ? 0 : round.step), low),
    max: Math.max(high, round.max - (round.max - high < round.step * 0.5 ? 0 : round.step)),
  };
  const x = limited(fitting, context.limits?.x);
  const left = yLabelWidth(y, context);
  return {
    height: 80 + plotHeight(context, 170, 230),
    option: {
      grid: { left, right: 12, top: 32, bottom: 48 },
      xAxis: xValue({ scale: x, name: source.heading('x') }, context),
      yAxis: yValue({ scale: y, name: source.heading('count') }, context),
      series: [boxes(source, context, groups), ...overlays(source, context)],
    },
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index })) } : {}),
  };
}
