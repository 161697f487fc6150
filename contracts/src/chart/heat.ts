/** Cells coloured by value: correlations (diverging around zero), confusion and missing patterns (sequence). */
import type { CustomSeriesOption } from 'echarts';

import { labelStyle, labelsWidth, xCategory, yCategory } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { extent, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT, onFill, ramp } from './theme.ts';

/**
 * Shares and correlations take the colours of their whole range, so that a weak correlation looks weak and two
 * figures can be compared.
 */
function cellColour(values: readonly (number | null)[], context: Context): (v: number) => string {
  const known = values.filter((v): v is number => v !== null);
  if (!known.every((v) => v >= -1 && v <= 1)) return colourOf(values, context);
  return colourOf(known.some((v) => v < 0) ? [-1, 1] : [0, 1], context);
}

/** Values on both sides of zero take the diverging colours with zero in the middle. */
export function colourOf(values: readonly (number | null)[], context: Context): (v: number) => string {
  const [low, high] = extent(values);
  if (low < 0 && high > 0) {
    const most = Math.max(-low, high);
    return (v) => ramp(context.theme.diverging, (v / most + 1) / 2);
  }
  return (v) => ramp(context.theme.sequence, high === low ? 0.5 : (v - low) / (high - low));
}

/** A matrix of variables calls its sides only by where they are. */
const named = (heading: string): string => (heading === '行' || heading === '列' ? '' : heading);

/** Room for the title of the rows. */
const TOP = 26;

/** Rows that stand on one printed page, in pixels. */
const PAGE = 780;

export function drawHeat(source: ChartSource, context: Context): Drawing {
  const rows = source.levels('row');
  const columns = source.levels('column');
  const left = labelsWidth(rows, context, context.width * 0.34);
  const right = 8;
  const width = (context.width - left - right) / Math.max(1, columns.length);
  const height = Math.max(Math.min(20, PAGE / rows.length), Math.min(46, width, 640 / rows.length));
  const { axis, height: below } = xCategory(
    columns,
    context.width - left - right,
    context,
    0,
    named(source.heading('column')),
  );
  return {
    height: TOP + rows.length * height + below + 10,
    option: {
      grid: { left, right, top: TOP, bottom: below + 10 },
      xAxis: { ...axis, axisLine: { show: false } },
      yAxis: {
        ...yCategory(rows, left, context, 0, height),
        name: named(source.heading('row')),
        nameLocation: 'start',
        nameGap: 8,
        nameTextStyle: { ...labelStyle(context), align: 'right' },
      },
      series: [cells(source, context, rows, columns, width, height)],
    },
  };
}

function cells(
  source: ChartSource,
  context: Context,
  rows: readonly string[],
  columns: readonly string[],
  width: number,
  height: number,
): CustomSeriesOption {
  const colour = cellColour(source.numbers('value'), context);
  const size = Math.min(textSize(context), height * 0.55);
  const written = Array.from({ length: source.size }, (_, i) =>
    source.has('text') ? source.text('text', i) : source.shown('value', i),
  );
  const fits = Math.max(0, ...written.map((t) => textWidth(t, size))) < width - 4 && height >= 18;
  return {
    type: 'custom',
    data: written.map((text, i) => ({
      value: [columns.indexOf(source.text('column', i)), rows.indexOf(source.text('row', i))],
      row: source.row(i),
      tip: [
        `${source.text('row', i)} × ${source.text('column', i)}`,
        `${source.heading('value')} ${source.shown('value', i)}`,
        ...(source.has('mark') ? [source.text('mark', i)] : []),
        text,
      ].filter((t, k, all) => t !== '' && all.indexOf(t) === k),
    })),
    renderItem: (params, api) => {
      const i = params.dataIndex;
      const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
      const v = source.num('value', i);
      const paint = v === null ? context.theme.paper : colour(v);
      const mark = source.has('mark') && source.value('mark', i) !== null ? source.text('mark', i) : '';
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: x - width / 2 + 0.5, y: y - height / 2 + 0.5, width: width - 1, height: height - 1 },
            style: { fill: paint, stroke: v === null ? context.theme.line : 'none', lineWidth: 1 },
          },
          ...(fits && v !== null
            ? [
                {
                  type: 'text' as const,
                  x,
                  y,
                  style: {
                    text: `${written[i] ?? ''}${mark}`,
                    fill: onFill(context.theme, paint),
                    font: `${size}px ${FONT}`,
                    align: 'center' as const,
                    verticalAlign: 'middle' as const,
                  },
                },
              ]
            : []),
        ],
      };
    },
  };
}
