/** A chart at a width: below 480 pixels, and in small multiples, the compact drawing. */
import type { Context, Drawing } from './drawing.ts';
import { applyEdits } from './apply-edits.ts';
import { type FigureEdit, MILLIMETRES } from './figure-edit.ts';
import { KINDS } from './kinds.ts';
import { type ChartSource, chartSource, type Facet } from './source.ts';
import type { ChartElement, TableElement } from '../../generated/contract.ts';
import type { ChartTheme } from './theme.ts';
import { READING, starsNote } from '../format.ts';

const SLIDE = 9 / 16;

/** `theme` has the reader's colours and letters in it already. */
export function drawChart(
  source: ChartSource,
  width: number,
  theme: ChartTheme,
  small: boolean,
  edit: FigureEdit = {},
): Drawing {
  const context: Context = {
    width,
    theme,
    compact: small || width < 480,
    limits: edit.limits,
    points: edit.points,
    spread: edit.spread,
  };
  const draw = (stretch: number): Drawing =>
    bracketsNamed(KINDS[source.chart.kind](source, { ...context, stretch }), source);
  const plain = clipped(draw(1), edit);
  if (edit.size !== 'slide' || small) return plain;
  // What stands around the plot keeps its height, so the plot takes what is left.
  const around = 2 * plain.height - draw(2).height;
  const plot = plain.height - around;
  const stretch = (width * SLIDE - around) / plot;
  return plot > 0 && stretch > 0.3 ? clipped(draw(stretch), edit) : plain;
}

/** Stars over brackets say what they mean. */
function bracketsNamed(drawing: Drawing, source: ChartSource): Drawing {
  if (!source.over.some(({ overlay, of }) => overlay.type === 'bracket' && (of?.size ?? 0) > 0)) return drawing;
  const meaning = starsNote(READING)
    .map((t) => t.text)
    .join('');
  return { ...drawing, reading: `${drawing.reading ?? ''}括号为两两比较，${meaning}。` };
}

/** Within limits set by hand nothing may be drawn beyond the axes; what means to stand outside says so itself. */
function clipped(drawing: Drawing, edit: FigureEdit): Drawing {
  const { series } = drawing.option;
  if (edit.limits === undefined || !Array.isArray(series)) return drawing;
  const option = {
    ...drawing.option,
    series: series.map((one) => (one.type === 'custom' && one.clip === undefined ? { ...one, clip: true } : one)),
  };
  const reading = `${drawing.reading ?? ''}坐标轴的范围是手动设定的，范围之外的不画出。`;
  return { ...drawing, option, reading };
}

/** The chart of a facet as its reader wants it; null when its table is not in the report. */
export function editedSource(
  chart: ChartElement,
  tables: ReadonlyMap<string, TableElement>,
  facet: Facet | undefined,
  edit: FigureEdit,
): ChartSource | null {
  const made = applyEdits(chart, tables, edit);
  return chartSource(made.chart, made.tables, facet, edit.order);
}

/** How wide it leaves the page, in millimetres. */
export function widthOf(edit: FigureEdit, otherwise: number): number {
  return edit.size === undefined ? otherwise : MILLIMETRES[edit.size];
}
