/**
 * A figure as it leaves the page: all drawings of one number (the parts of a panel, the facets of a chart) on one plate,
 * each with its label and legend, which on screen stand beside the picture. Pure; what puts it on paper is in svg.ts and paint.ts.
 */
import type { ChartElement, PanelElement, TableElement } from '../../generated/contract.ts';
import { wrap } from './axes.ts';
import { drawn, editedSource } from './drawn.ts';
import type { Drawing } from './drawing.ts';
import type { FigureEdit } from './figure-edit.ts';
import { textWidth } from './scale.ts';
import { facetsOf } from './source.ts';
import { summaryOf } from './summary.ts';
import { type ChartTheme, type Decal, familyOf, fill, seriesColour, themed } from './theme.ts';

export interface PlateText {
  x: number;
  /** Baseline. */
  y: number;
  text: string;
  size: number;
  bold: boolean;
  family: string;
}

export interface Swatch {
  shape: 'line' | 'dot' | 'box';
  x: number;
  y: number;
  colour: string;
  outline: string | null;
  hatch: Decal | null;
}

export interface PlateCell {
  x: number;
  y: number;
  width: number;
  drawing: Drawing;
  /** With what its reader chose for it. */
  theme: ChartTheme;
}

export interface Plate {
  width: number;
  height: number;
  cells: PlateCell[];
  texts: PlateText[];
  swatches: Swatch[];
  /** The figure in words, for those who cannot see it. */
  summary: string;
  /** What the marks mean, for the line below. */
  reading: string;
}

/** One CSS pixel is 1/96 inch: letters of 12 px are 9 pt on paper at any of these widths. */
export const PX_PER_MM = 96 / 25.4;
const GAP = 20;
const SIZE = 12;
const LINE = 20;
/** Narrower than this, two pictures do not stand beside each other. */
const TWO_FROM = 440;

interface Item {
  label: string;
  chart: ChartElement;
  facet: ReturnType<typeof facetsOf>[number];
  small: boolean;
}

/** What the reader changed, by the id of the chart: a panel has several. */
export type FigureEdits = Readonly<Record<string, FigureEdit>>;

/** null where the figure has nothing to draw. */
export function plateOf(
  figure: ChartElement | PanelElement,
  tables: ReadonlyMap<string, TableElement>,
  { width, theme: given, edits = {} }: { width: number; theme: ChartTheme; edits?: FigureEdits },
): Plate | null {
  const isPanel = figure.type === 'panel';
  const items = (isPanel ? figure.charts : [figure]).flatMap((chart) =>
    facetsOf(chart, tables).map((facet): Item => ({
      label: [isPanel ? (edits[chart.id]?.title ?? chart.title) : '', facet.label].filter(Boolean).join(' · '),
      chart,
      facet,
      small: isPanel,
    })),
  );
  const columns = items.length > 1 && width >= TWO_FROM ? 2 : 1;
  const each = (width - GAP * (columns - 1)) / columns;
  const plate: Plate = { width, height: 0, cells: [], texts: [], swatches: [], summary: '', reading: '' };
  const said: string[] = [];
  let top = 0;
  let tallest = 0;
  let n = 0;
  for (const { label, chart, facet, small } of items) {
    const edit = edits[chart.id] ?? {};
    const theme = themed(given, edit);
    const size = theme.size ?? SIZE;
    const source = editedSource(chart, tables, facet, edit);
    if (source === null || source.size === 0) continue;
    const drawing = drawn(source, each, theme, small, edit);
    const column = n % columns;
    if (column === 0 && n > 0) {
      top += tallest + GAP;
      tallest = 0;
    }
    const x = column * (each + GAP);
    let y = top;
    for (const text of label === '' ? [] : wrap(label, each, size).split('\n')) {
      plate.texts.push({ x, y: y + size + 2, text, size, bold: true, family: familyOf(theme) });
      y += LINE;
    }
    if (drawing.legend !== undefined) y = layLegend(plate, drawing.legend, theme, x, y, each);
    plate.cells.push({ x, y, width: each, drawing, theme });
    for (const note of edit.texts ?? []) {
      if (note.facet !== facet.label) continue;
      const [left, middle] = [x + note.x * each, y + note.y * drawing.height];
      plate.texts.push({
        x: left,
        y: middle + size * 0.35,
        text: note.text,
        size,
        bold: false,
        family: familyOf(theme),
      });
    }
    tallest = Math.max(tallest, y + drawing.height - top);
    said.push(summaryOf(source));
    plate.reading ||= drawing.reading ?? '';
    n += 1;
  }
  return n === 0 ? null : { ...plate, height: top + tallest, summary: said.join('') };
}

const KEY = 14;
const SPACE = 6;

/** Entries from left to right, broken into lines; gives the height below which the drawing begins. */
function layLegend(
  plate: Plate,
  entries: NonNullable<Drawing['legend']>,
  theme: ChartTheme,
  left: number,
  top: number,
  width: number,
): number {
  const size = theme.size ?? SIZE;
  let x = left;
  let y = top;
  for (const { text, index, line, dot } of entries) {
    const long = KEY + SPACE + textWidth(text, size) + 16;
    if (x > left && x + long > left + width) {
      x = left;
      y += LINE;
    }
    const shape = line ? 'line' : dot ? 'dot' : 'box';
    const { color, borderColor, decal } = fill(theme, index);
    plate.swatches.push({
      shape,
      x,
      y: y + LINE / 2,
      colour: shape === 'box' ? color : seriesColour(theme, index),
      outline: shape === 'box' ? (borderColor ?? null) : null,
      hatch: shape === 'box' ? (decal ?? null) : null,
    });
    plate.texts.push({ x: x + KEY + SPACE, y: y + LINE / 2 + 4, text, size, bold: false, family: familyOf(theme) });
    x += long;
  }
  return y + LINE + 4;
}
