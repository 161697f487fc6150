/** Streams between stages (Sankey). */
import type { SankeySeriesOption } from 'echarts';

import { labelStyle } from './axes.ts';
import type { Context, Drawing } from './drawing.ts';
import type { ChartSource } from './source.ts';
import { seriesColour } from './theme.ts';

export function drawFlow(source: ChartSource, context: Context): Drawing {
  const names = [...new Set([...source.levels('source'), ...source.levels('target')])];
  const series: SankeySeriesOption = {
    type: 'sankey',
    left: 4,
    right: context.compact ? 70 : 110,
    top: 8,
    bottom: 8,
    nodeWidth: 12,
    nodeGap: 12,
    draggable: false,
    emphasis: { focus: 'adjacency' },
    lineStyle: { color: 'source', opacity: 0.3, curveness: 0.5 },
    label: {
      ...labelStyle(context),
      color: context.theme.ink,
      overflow: 'truncate',
      width: context.compact ? 64 : 104,
    },
    data: names.map((name, i) => ({ name, itemStyle: { color: seriesColour(context.theme, i) } })),
    links: Array.from({ length: source.size }, (_, i) => ({
      source: source.text('source', i),
      target: source.text('target', i),
      value: source.num('value', i) ?? 0,
      row: source.row(i),
      tip: [
        `${source.text('source', i)} → ${source.text('target', i)}`,
        `${source.heading('value')} ${source.shown('value', i)}`,
      ],
    })),
  };
  return { height: Math.max(260, names.length * 26), option: { series: [series] } };
}
