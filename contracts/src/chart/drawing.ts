/** What every chart kind receives and gives back. Kinds are pure: rows and a width in, an ECharts option out; they draw the same on screen, in print and in tests. */
import type { EChartsOption, SeriesOption } from 'echarts';

import type { AxisName, Limits, Spread } from './figure-edit.ts';
import type { ChartSource } from './source.ts';
import type { ChartTheme } from './theme.ts';

export interface Context {
  width: number;
  theme: ChartTheme;
  /** A phone, or a small multiple: smaller letters, fewer ticks. */
  compact: boolean;
  /** What its reader set, beyond what stands in the element. */
  limits?: Partial<Record<AxisName, Limits>> | undefined;
  points?: boolean | undefined;
  spread?: Spread | undefined;
  /** Height of the plot beside the usual one: a slide is flatter or taller than its contents ask for. */
  stretch?: number | undefined;
}

export interface Drawing {
  option: EChartsOption;
  height: number;
  /** Series named outside the picture: only when there are more than four, or no room for labels at the marks. */
  legend?: { text: string; index: number; line?: boolean; dot?: boolean }[];
  /** What a reader must know to read the marks, for the line under the figure. */
  reading?: string;
}

export type Draw = (source: ChartSource, context: Context) => Drawing;

/**
 * What a mark carries beside its place: the row of the table it stands for, the lines of its tip, the rows of the data
 * behind it (from 1), and whether it breaks a rule.
 */
export interface Mark {
  row?: number;
  tip?: string[];
  cases?: number[];
  signal?: boolean;
}

export type Series = SeriesOption;

export const TEXT = 12;

/** One point is 4/3 of a CSS pixel. */
export function textSize(context: Context): number {
  return context.theme.size ?? (context.compact ? 11.5 : TEXT);
}

/** Height of the plot: small where there is little room. */
export function plotHeight(context: Context, compact: number, wide: number): number {
  return (context.compact ? compact : wide) * (context.stretch ?? 1);
}
