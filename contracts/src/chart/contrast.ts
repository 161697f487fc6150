/** The right half of an estimation plot: the difference of two means on its own axis, level with the groups it compares. */
import { interval, num } from '../format.ts';
import type { CustomSeriesOption, XAXisComponentOption, YAXisComponentOption } from 'echarts';

import { labelStyle, tickText, wrap } from './axes.ts';
import { type Context, type Series, textSize } from './drawing.ts';
import type { Estimate } from './interval.ts';
import { niceScale, type Scale, stepDecimals, textWidth, ticks } from './scale.ts';
import type { Source } from './source.ts';
import { FONT } from './theme.ts';

export interface ContrastPart {
  width: number;
  /** Room for the words below. */
  below: number;
  xAxis: XAXisComponentOption;
  yAxis: YAXisComponentOption;
  /** It has a scale of its own, on which the interval can be seen. */
  own: boolean;
  series: (box: { plot: number; left: number; room: number; top: number }) => Series[];
}

/** Rows of the contrast table: the first is drawn. Its zero stands at the mean it subtracts. */
export function contrastPart(
  contrast: Source,
  all: readonly Estimate[],
  y: Scale,
  context: Context,
  plot: number,
): ContrastPart | null {
  const difference = contrast.num('y', 0);
  const [first, second] = [all[0]?.y ?? null, all[1]?.y ?? null];
  if (difference === null || first === null || second === null) return null;
  // first − second or second − first: whichever the engine computed, zero lies on the subtracted group.
  const forward = Math.abs(first - second - difference) <= Math.abs(second - first - difference);
  const zero = forward ? second : first;
  const low = finite(contrast.num('low', 0), difference);
  const high = finite(contrast.num('high', 0), difference);
  const width = context.compact ? 128 : Math.min(260, context.width * 0.36);
  const own = ((high - low) / (y.max - y.min)) * plot < VISIBLE;
  const scale = own
    ? ownScale(low, high)
    : differenceScale(Math.min(low, 0), Math.max(high, 0), ((y.max - y.min) * LABEL_ROOM) / plot);
  const frame = own ? scale : y;
  const axisAt = axisPlace(scale, width, context);
  const label = wrap(contrast.text('label', 0), width - 8, textSize(context));
  return {
    width,
    below: 8 + 17 * label.split('\n').length,
    xAxis: { type: 'value', gridIndex: 1, min: 0, max: 1, show: false },
    yAxis: { type: 'value', gridIndex: 1, min: frame.min, max: frame.max, show: false },
    series: (box) => [
      own ? zeroLine(context, axisAt) : guides([first, second], context, box, axisAt, width),
      estimate(
        { contrast, difference, low, high, zero: own ? 0 : zero, scale, axisAt, width, label, own },
        frame,
        context,
      ),
    ],
    own,
  };
}

/** What the two lines of numbers take over the plot. */
const OVER = 42;

/** An interval shorter than this many pixels on the scale of the cases is drawn on one of its own. */
const VISIBLE = 36;

/** From beyond zero to beyond the interval. */
function ownScale(low: number, high: number): Scale {
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return niceScale(Math.min(low - room, 0), Math.max(high + room, 0), { steps: 4 });
}

/** Pixels between the axis and its labels. */
const LABEL_GAP = 9;

/** Pixels two labels of the axis need between them. */
const LABEL_ROOM = 22;

/** At least three labels around zero and the interval, never closer than they can be read. */
function differenceScale(low: number, high: number, room: number): Scale {
  const { step: wanted } = niceScale(0, Math.max(room, (high - low) / 3) * 4);
  const step = Math.max(wanted, niceScale(0, room * 4).step);
  const min = Math.floor(low / step - 1e-9) * step;
  const max = Math.max(Math.ceil(high / step + 1e-9) * step, min + 2 * step);
  return { min, max, step, decimals: stepDecimals(step) };
}

/** Where the axis stands in its part: as far right as its longest label lets it. */
function axisPlace(scale: Scale, width: number, context: Context): number {
  const longest = Math.max(...ticks(scale).map((t) => textWidth(tickText(scale, t), textSize(context))));
  return Math.min(0.72, 1 - (LABEL_GAP + longest) / width);
}

function finite(value: number | null, otherwise: number): number {
  return value === null || !Number.isFinite(value) ? otherwise : value;
}

/** Where there is no difference, across the part. */
function zeroLine(context: Context, axisAt: number): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    xAxisIndex: 1,
    yAxisIndex: 1,
    clip: false,
    data: [[0, 0]],
    renderItem: (_, api) => {
      const [x1 = 0, y = 0] = api.coord([0.06, 0]);
      const [x2 = 0] = api.coord([axisAt, 0]);
      return {
        type: 'line',
        shape: { x1, x2, y1: y, y2: y },
        style: { stroke: context.theme.ink3, lineWidth: 1.2, lineDash: [2, 3] },
      };
    },
  };
}

/** Dotted lines from both means across to the difference's axis. */
function guides(
  means: readonly [number, number],
  context: Context,
  box: { left: number; room: number },
  axisAt: number,
  width: number,
): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    xAxisIndex: 0,
    yAxisIndex: 0,
    clip: false,
    data: means.map((m, i) => [i, m]),
    renderItem: (_, api) => {
      const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
      return {
        type: 'line',
        shape: { x1: x + 8, x2: box.left + box.room + width * axisAt, y1: y, y2: y },
        style: { stroke: context.theme.ink3, lineWidth: 1.2, lineDash: [2, 3] },
      };
    },
  };
}

interface Difference {
  contrast: Source;
  difference: number;
  low: number;
  high: number;
  zero: number;
  scale: Scale;
  axisAt: number;
  width: number;
  /** What is subtracted from what, in lines. */
  label: string;
  own: boolean;
}

function estimate(d: Difference, y: Scale, context: Context): CustomSeriesOption {
  const { theme } = context;
  const size = textSize(context);
  const style = labelStyle(context);
  const words = (text: string, x: number, at: number, more: object = {}) => ({
    type: 'text' as const,
    x,
    y: at,
    style: { text, fill: theme.ink2, font: `${size}px ${FONT}`, ...more },
  });
  return {
    type: 'custom',
    xAxisIndex: 1,
    yAxisIndex: 1,
    clip: false,
    z: 6,
    data: [
      {
        value: [0.3, d.zero + d.difference],
        tip: [
          d.contrast.text('label', 0),
          `${num(d.difference)} ${interval(d.contrast.num('low', 0), d.contrast.num('high', 0))}`,
        ],
      },
    ],
    renderItem: (_, api) => {
      const at = (v: number): number => api.coord([0, d.zero + v])[1] ?? 0;
      const [x = 0] = api.coord([0.3, 0]);
      const [axis = 0] = api.coord([d.axisAt, 0]);
      const [left = 0] = api.coord([0, 0]);
      const headline = `${d.contrast.heading('y')} ${d.contrast.shown('y', 0)}`;
      const ends = interval(d.contrast.num('low', 0), d.contrast.num('high', 0));
      // Between the mark and the axis, or as near as the edge allows.
      const middle = (text: string): number =>
        Math.min((x + axis) / 2, left + d.width - Math.min(d.width, textWidth(text, size) + 8) / 2);
      const [, base = 0] = api.coord([0, y.min]);
      const [, top = 0] = api.coord([0, y.max]);
      const within = ticks(d.scale).filter((t) => at(t) <= base + 1 && at(t) >= top - 14);
      const tips = [within[0] ?? 0, within.at(-1) ?? 0].map(at);
      // On its own scale the axis is as high as the plot: the numbers stand over it.
      const above = d.own ? top - OVER : Math.max(top - 6, Math.min(at(d.high), tips[1] ?? 0) - 38);
      return {
        type: 'group',
        children: [
          {
            type: 'line',
            shape: { x1: axis, x2: axis, y1: tips[0] ?? 0, y2: tips[1] ?? 0 },
            style: { stroke: theme.ink3, lineWidth: 1 },
          },
          ...within.flatMap((t) => [
            {
              type: 'line' as const,
              shape: { x1: axis, x2: axis + 5, y1: at(t), y2: at(t) },
              style: { stroke: theme.ink3, lineWidth: 1 },
            },
            words(tickText(d.scale, t), axis + LABEL_GAP, at(t) - size / 2),
          ]),
          {
            type: 'line',
            shape: { x1: x, x2: x, y1: at(d.low), y2: at(d.high) },
            style: { stroke: theme.ink, lineWidth: 2 },
          },
          {
            type: 'circle',
            shape: { cx: x, cy: at(d.difference), r: context.compact ? 4 : 4.6 },
            style: { fill: theme.ink },
          },
          words(headline, middle(headline), above, {
            fill: theme.ink,
            font: `600 ${size}px ${FONT}`,
            align: 'center',
          }),
          words(ends, middle(ends), above + size + 5, { align: 'center' }),
          words(d.label, left + d.width / 2, base + 8, { align: 'center', fill: style.color, lineHeight: 17 }),
        ],
      };
    },
  };
}
