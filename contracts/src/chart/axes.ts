/** Axes as look/style.md section 8: a line on the base only, a faint horizontal grid, three to five ticks, bars from zero. */
import { fixed, integer, scientific } from '../format.ts';
import type { GridComponentOption, XAXisComponentOption, YAXisComponentOption } from 'echarts';

import { type Context, textSize } from './drawing.ts';
import { clip, isTiny, type Scale, textWidth, ticks } from './scale.ts';
import { FONT } from './theme.ts';

export function tickText(scale: Scale, value: number): string {
  if (value !== 0 && (isTiny(scale.step) || Math.abs(value) >= 1e15)) return inPowers(scale.step, value);
  if (Math.abs(value) >= 1e7) return fixed(value, 0);
  return scale.decimals === 0 && Math.abs(value) >= 10_000 ? integer(Math.round(value)) : fixed(value, scale.decimals);
}

/** 2.5×10⁻³⁰⁰, with as many digits as tell it from its neighbours. */
function inPowers(step: number, value: number): string {
  const [mantissa = '', power = '0'] = Number(step.toPrecision(3)).toExponential().split('e');
  const places = Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Number(power);
  return scientific(value, Math.max(1, places + mantissa.replace(/[-.]/g, '').length));
}

export function labelStyle(context: Context): { color: string; fontSize: number; fontFamily: string } {
  return { color: context.theme.ink2, fontSize: textSize(context), fontFamily: FONT };
}

function isTick(scale: Scale, v: number): boolean {
  return Math.abs(v / scale.step - Math.round(v / scale.step)) < 1e-6;
}

interface ValueAxis {
  scale: Scale;
  name?: string;
  /** The base carries the line; the other axis only labels. */
  base?: boolean;
  grid?: boolean;
  format?: (value: number) => string;
  position?: 'left' | 'right' | 'top' | 'bottom';
  gridIndex?: number;
  show?: boolean;
}

function common(axis: ValueAxis, context: Context) {
  const { scale } = axis;
  const format = axis.format ?? ((v: number) => tickText(scale, v));
  // The library rounds its ticks to twenty decimals.
  const own = isTiny(scale.step) ? { customValues: ticks(scale) } : {};
  return {
    type: 'value' as const,
    min: scale.min,
    max: scale.max,
    // Not `interval`, which would count from the end of the axis instead of from zero.
    minInterval: scale.step,
    maxInterval: scale.step,
    show: axis.show ?? true,
    gridIndex: axis.gridIndex ?? 0,
    axisLine: { show: axis.base ?? false, onZero: false, lineStyle: { color: context.theme.ink3, width: 1 } },
    axisTick: { show: false, ...own },
    axisLabel: {
      ...own,
      ...labelStyle(context),
      margin: 8,
      // The ends of an axis that hugs its data are no ticks.
      formatter: (v: number) => (isTick(scale, v) ? format(Math.abs(v) < scale.step / 1e6 ? 0 : v) : ''),
    },
    splitLine: { show: axis.grid ?? false, lineStyle: { color: context.theme.line2, width: 1 } },
    nameTextStyle: { ...labelStyle(context), color: context.theme.ink2 },
  };
}

export function xValue(axis: ValueAxis, context: Context): XAXisComponentOption {
  return {
    ...common({ base: true, ...axis }, context),
    position: axis.position === 'top' ? 'top' : 'bottom',
    ...(axis.name ? { name: axis.name, nameLocation: 'middle' as const, nameGap: 28 } : {}),
  };
}

export function yValue(axis: ValueAxis, context: Context): YAXisComponentOption {
  const right = axis.position === 'right';
  return {
    ...common({ grid: true, ...axis }, context),
    position: right ? 'right' : 'left',
    ...(axis.name
      ? {
          name: axis.name,
          nameLocation: 'end' as const,
          nameGap: 12,
          nameTextStyle: {
            ...labelStyle(context),
            align: right ? ('right' as const) : ('left' as const),
            padding: right
              ? [0, -36, 0, 0]
              : [0, 0, 0, -Math.max(0, yLabelWidth(axis.scale, context, axis.format) - 2)],
          },
        }
      : {}),
  };
}

export function yLabelWidth(scale: Scale, context: Context, format?: (v: number) => string): number {
  const write = format ?? ((v: number) => tickText(scale, v));
  return Math.max(...ticks(scale).map((t) => textWidth(write(t), textSize(context)))) + 10;
}

/** A line of letters needs this much; how many labels are left out between two where there is less. */
export const LETTER_ROOM = 13;
const skipped = (each: number): number => Math.max(0, Math.ceil(LETTER_ROOM / Math.max(0.1, each)) - 1);

/** Labels of categories: cut to their room, turned only when even that would leave a letter or two. */
export function xCategory(
  labels: readonly string[],
  room: number,
  context: Context,
  gridIndex = 0,
  name = '',
): { axis: XAXisComponentOption; height: number } {
  const size = textSize(context);
  const each = room / Math.max(1, labels.length) - 6;
  const longest = Math.max(0, ...labels.map((l) => textWidth(l, size)));
  const turned = longest > each && each < 40;
  const cut = turned ? 96 : Math.max(each, 24);
  const lines = turned ? labels.map((l) => clip(l, cut, size)) : labels.map((l) => wrap(l, cut, size));
  const under = turned
    ? Math.min(96, longest) * 0.72 + 14
    : 8 + 17 * Math.max(1, ...lines.map((l) => l.split('\n').length));
  return {
    axis: {
      type: 'category',
      data: labels.map((_, i) => String(i)),
      gridIndex,
      ...(name === ''
        ? {}
        : {
            name: clip(name, room, size),
            nameLocation: 'middle' as const,
            nameGap: under + 2,
            nameTextStyle: labelStyle(context),
          }),
      axisLine: { lineStyle: { color: context.theme.ink3, width: 1 }, onZero: false },
      axisTick: { show: false },
      axisLabel: {
        ...labelStyle(context),
        interval: turned ? skipped(room / Math.max(1, labels.length)) : labels.length > 60 ? 'auto' : 0,
        rotate: turned ? 45 : 0,
        lineHeight: 17,
        margin: 8,
        formatter: (value: string) => lines[Number(value)] ?? '',
      },
    },
    height: under + (name === '' ? 0 : NAME),
  };
}

/** What the title of an axis takes below its labels. */
const NAME = 20;

/** Rows this high take names of two lines. */
const TWO_LINES = 2 * LETTER_ROOM;

/** Categories down the left side: forests, horizontal bars. */
export function yCategory(
  labels: readonly string[],
  width: number,
  context: Context,
  gridIndex = 0,
  each = Infinity,
): YAXisComponentOption {
  return {
    type: 'category',
    inverse: true,
    data: labels.map((_, i) => String(i)),
    gridIndex,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: {
      ...labelStyle(context),
      interval: skipped(each),
      margin: 10,
      lineHeight: LETTER_ROOM + 1,
      // A long name goes on in a second line where its row has the room.
      formatter: (value: string) =>
        (each >= TWO_LINES ? wrap : clip)(labels[Number(value)] ?? '', width - 10, textSize(context)),
    },
  };
}

export function labelsWidth(labels: readonly string[], context: Context, most: number): number {
  return Math.min(most, Math.max(24, ...labels.map((l) => textWidth(l, textSize(context)))) + 14);
}

/** A word of Latin letters or a number stays whole where it fits; closing marks do not begin a line. */
const PIECES = /[\p{Script=Latin}\p{Nd}.,%'’_-]+[）)】》、，。：；！？”]*|\s+|.[）)】》、，。：；！？”]*/gsu;

/** The end of a label that tells one from the next: a count in brackets, or a value. It stays whole, on a line of its own. */
function tailOf(label: string, width: number, size: number): { name: string; tail: string } | null {
  const bracket = label.lastIndexOf('（n = ');
  const at = bracket > 0 ? bracket : label.lastIndexOf(' = ');
  if (at <= 0) return null;
  const tail = label.slice(at).trim();
  // Where the brackets have no room, the count stands without them, and then without its blanks.
  const bare = tail.slice(1, -1);
  const forms = bracket > 0 ? [tail, bare, bare.replaceAll(' ', '')] : [tail];
  const fitting = forms.find((t) => textWidth(t, size) <= width);
  return fitting === undefined ? null : { name: clip(label.slice(0, at), width, size), tail: fitting };
}

export function wrap(label: string, width: number, size: number): string {
  if (textWidth(label, size) <= width) return label;
  const split = tailOf(label, width, size);
  if (split !== null) return `${split.name}\n${split.tail}`;
  const lines = [''];
  for (const piece of label.match(PIECES) ?? [])
    for (const part of textWidth(piece, size) > width ? piece : [piece]) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && textWidth((last + part).trimEnd(), size) > width) lines.push(part.trimStart());
      else lines[lines.length - 1] = last + part;
    }
  const [first = '', second = '', ...rest] = lines.map((line) => line.trim());
  return rest.length === 0 ? `${first}\n${second}`.trim() : `${first}\n${clip(second + rest.join(''), width, size)}`;
}

export function grid(box: { left: number; right: number; top: number; bottom: number }): GridComponentOption {
  return { ...box, containLabel: false };
}
