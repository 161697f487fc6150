/** A chart at a width: below 480 pixels, and in small multiples, the compact drawing. */
import type { Drawing } from './drawing.ts';
import { KINDS } from './kinds.ts';
import type { ChartSource } from './source.ts';
import type { ChartTheme } from './theme.ts';

export function drawn(source: ChartSource, width: number, theme: ChartTheme, small: boolean): Drawing {
  return KINDS[source.chart.kind](source, { width, theme, compact: small || width < 480 });
}
