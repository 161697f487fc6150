/** Profiles on three or more axes from zero; groups by colour, dash and marker. */
import type { RadarSeriesOption } from 'echarts';

import { labelStyle, tickText } from './axes.ts';
import { type Context, type Drawing } from './drawing.ts';
import { clip, extent, niceScale } from './scale.ts';
import type { ChartSource } from './source.ts';
import { DASHES, MARKERS, seriesColour } from './theme.ts';

export function drawRadar(source: ChartSource, context: Context): Drawing {
  const axes = source.levels('axis');
  const groups = source.has('group') ? source.levels('group') : [''];
  const [low, high] = source.shared('value') ?? extent(source.numbers('value'));
  const scale = niceScale(low, high, { zero: true });
  const find = (axis: string, group: string): number =>
    Array.from({ length: source.size }, (_, i) => i).find(
      (i) => source.text('axis', i) === axis && (!source.has('group') || source.text('group', i) === group),
    ) ?? -1;
  const series: RadarSeriesOption = {
    type: 'radar',
    data: groups.map((name, g) => ({
      name,
      value: axes.map((axis) => source.num('value', find(axis, name)) ?? Number.NaN),
      tip: [name, ...axes.map((axis) => `${axis} ${source.shown('value', find(axis, name))}`)].filter((t) => t !== ''),
      symbol: MARKERS[g % MARKERS.length] ?? 'circle',
      symbolSize: 7,
      lineStyle: { color: seriesColour(context.theme, g), width: 2, type: DASHES[g % DASHES.length] ?? 'solid' },
      itemStyle: { color: seriesColour(context.theme, g) },
      areaStyle: { color: seriesColour(context.theme, g), opacity: groups.length > 2 ? 0 : 0.1 },
    })),
  };
  return {
    height: context.compact ? 300 : 380,
    option: {
      radar: {
        indicator: axes.map((name) => ({
          name: clip(name, context.compact ? 72 : 120),
          min: scale.min,
          max: scale.max,
        })),
        radius: '66%',
        splitNumber: Math.round((scale.max - scale.min) / scale.step),
        axisName: labelStyle(context),
        splitArea: { show: false },
        splitLine: { lineStyle: { color: context.theme.line } },
        axisLine: { lineStyle: { color: context.theme.line } },
        axisLabel: { show: false },
      },
      series: [series],
    },
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index, line: true })) } : {}),
    reading: `各轴从 ${tickText(scale, scale.min)} 到 ${tickText(scale, scale.max)}。`,
  };
}
