/** A nomogram: one horizontal scale below the other, marks at the places the engine computed. */
import type { CustomSeriesOption } from 'echarts';

import { labelsWidth } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { clip, extent, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT } from './theme.ts';

export function drawNomogram(source: ChartSource, context: Context): Drawing {
  const scales = source.levels('scale');
  const left = labelsWidth(scales, context, context.width * 0.3);
  const [low, high] = extent(source.numbers('position'));
  const row = 46;
  const size = textSize(context);
  const { theme } = context;
  const at = (position: number): number =>
    left + (high === low ? 0 : ((position - low) / (high - low)) * (context.width - left - 24));
  const series: CustomSeriesOption = {
    type: 'custom',
    coordinateSystem: 'none',
    data: scales.map((name, k) => ({ value: k, tip: [name] })),
    renderItem: (params) => {
      const name = scales[params.dataIndex] ?? '';
      const y = 26 + params.dataIndex * row;
      const rows = Array.from({ length: source.size }, (_, i) => i).filter(
        (i) => source.text('scale', i) === name && source.num('position', i) !== null,
      );
      const xs = rows.map((i) => at(source.num('position', i) ?? 0));
      let free = -Infinity;
      const marks = rows.flatMap((i, k) => {
        const x = xs[k] ?? 0;
        const text = source.text('value', i);
        const half = textWidth(text, size) / 2;
        const shown = x - half > free + 4;
        if (shown) free = x + half;
        return [
          {
            type: 'line' as const,
            shape: { x1: x, x2: x, y1: y, y2: y + 5 },
            style: { stroke: theme.ink2, lineWidth: 1 },
          },
          ...(shown
            ? [
                {
                  type: 'text' as const,
                  x,
                  y: y + 8,
                  style: { text, fill: theme.ink2, font: `${size}px ${FONT}`, align: 'center' as const },
                },
              ]
            : []),
        ];
      });
      return {
        type: 'group',
        children: [
          {
            type: 'text',
            x: left - 12,
            y,
            style: {
              text: clip(name, left - 14, size),
              fill: theme.ink,
              font: `${size}px ${FONT}`,
              align: 'right',
              verticalAlign: 'middle',
            },
          },
          {
            type: 'line',
            shape: { x1: Math.min(...xs), x2: Math.max(...xs), y1: y, y2: y },
            style: { stroke: theme.ink3, lineWidth: 1 },
          },
          ...marks,
        ],
      };
    },
  };
  return { height: 26 + scales.length * row, option: { series: [series] } };
}
