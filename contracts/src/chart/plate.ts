/**
 * A figure as it leaves the page: all drawings of one number (the parts of a panel, the facets of a chart) on one plate,
 * each with its label and legend, which on screen stand beside the picture. Pure; what puts it on paper is in svg.ts and paint.ts.
 */
import type { ChartElement, PanelElement, TableElement } from '../../generated/contract.ts';
import { wrap } from './axes.ts';
import { drawChart, editedSource } from './draw.ts';
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

interface Wish {
  width: number;
  theme: ChartTheme;
  edits?: FigureEdits;
}

/** null where the figure has nothing to draw. */
export function plateOf(
  figure: ChartElement | PanelElement,
  tables: ReadonlyMap<string, TableElement>,
  wish: Wish,
): Plate | null {
  return platesOf(figure, tables, wish)[0] ?? null;
}

/** Plates no higher than `most`: dozens of facets go on over pages. What is higher alone is not cut. */
export function platesOf(
  figure: ChartElement | PanelElement,
  tables: ReadonlyMap<string, TableElement>,
  { width, theme, edits = {}, most = Infinity }: Wish & { most?: number },
): Plate[] {
  const items = itemsOf(figure, tables, edits);
  const columns = items.length > 1 && width >= TWO_FROM ? 2 : 1;
  const each = (width - GAP * (columns - 1)) / columns;
  const tiles = items.flatMap((item) => tileOf(item, tables, theme, edits[item.chart.id] ?? {}, each) ?? []);
  const plates: Plate[] = [];
  for (let from = 0; from < tiles.length; from += columns) {
    const row = tiles.slice(from, from + columns);
    const height = Math.max(...row.map((tile) => tile.height));
    let plate = plates.at(-1);
    if (plate === undefined || plate.height + GAP + height > most) {
      plate = { width, height: -GAP, cells: [], texts: [], swatches: [], summary: '', reading: '' };
      plates.push(plate);
    }
    const top = plate.height + GAP;
    for (const [column, tile] of row.entries()) putTile(plate, tile, column * (each + GAP), top);
    plate.height = top + height;
  }
  return plates;
}

function itemsOf(
  figure: ChartElement | PanelElement,
  tables: ReadonlyMap<string, TableElement>,
  edits: FigureEdits,
): Item[] {
  const isPanel = figure.type === 'panel';
  return (isPanel ? figure.charts : [figure]).flatMap((chart) =>
    facetsOf(chart, tables).map((facet): Item => ({
      label: [isPanel ? (edits[chart.id]?.title ?? chart.title) : '', facet.label].filter(Boolean).join(' · '),
      chart,
      facet,
      small: isPanel,
    })),
  );
}

/** One drawing with what stands around it, from its own corner. */
interface Tile extends Pick<Plate, 'height' | 'texts' | 'swatches' | 'summary' | 'reading'> {
  cell: PlateCell;
}

function tileOf(
  { label, chart, facet, small }: Item,
  tables: ReadonlyMap<string, TableElement>,
  given: ChartTheme,
  edit: FigureEdit,
  width: number,
): Tile | null {
  const theme = themed(given, edit);
  const size = theme.size ?? SIZE;
  const family = familyOf(theme);
  const source = editedSource(chart, tables, facet, edit);
  if (source === null || source.size === 0) return null;
  const drawing = drawChart(source, width, theme, small, edit);
  const lines = label === '' ? [] : wrap(label, width, size).split('\n');
  const texts = lines.map((text, i): PlateText => ({ x: 0, y: i * LINE + size + 2, text, size, bold: true, family }));
  const legend = layLegend(drawing.legend, theme, lines.length * LINE, width);
  const y = legend.bottom;
  const own = (edit.texts ?? []).filter((note) => note.facet === facet.label);
  const notes = own.map(({ x, y: share, text }): PlateText => {
    const middle = y + share * drawing.height;
    return { x: x * width, y: middle + size * 0.35, text, size, bold: false, family };
  });
  return {
    height: y + drawing.height,
    texts: [...texts, ...legend.texts, ...notes],
    swatches: legend.swatches,
    cell: { x: 0, y, width, drawing, theme },
    summary: summaryOf(source),
    reading: drawing.reading ?? '',
  };
}

function putTile(plate: Plate, { cell, texts, swatches, summary, reading }: Tile, left: number, top: number): void {
  const moved = <T extends { x: number; y: number }>(one: T): T => ({ ...one, x: one.x + left, y: one.y + top });
  plate.cells.push(moved(cell));
  plate.texts.push(...texts.map(moved));
  plate.swatches.push(...swatches.map(moved));
  plate.summary += summary;
  plate.reading ||= reading;
}

const KEY = 14;
const SPACE = 6;

/** Entries from left to right, broken into lines; gives the height below which the drawing begins. */
function layLegend(
  entries: Drawing['legend'],
  theme: ChartTheme,
  top: number,
  width: number,
): { texts: PlateText[]; swatches: Swatch[]; bottom: number } {
  const size = theme.size ?? SIZE;
  const family = familyOf(theme);
  const texts: PlateText[] = [];
  const swatches: Swatch[] = [];
  if (entries === undefined) return { texts, swatches, bottom: top };
  let x = 0;
  let y = top;
  for (const { text, index, line, dot } of entries) {
    const long = KEY + SPACE + textWidth(text, size) + 16;
    if (x > 0 && x + long > width) {
      x = 0;
      y += LINE;
    }
    const shape = line ? 'line' : dot ? 'dot' : 'box';
    const { color, borderColor, decal } = fill(theme, index);
    swatches.push({
      shape,
      x,
      y: y + LINE / 2,
      colour: shape === 'box' ? color : seriesColour(theme, index),
      outline: shape === 'box' ? (borderColor ?? null) : null,
      hatch: shape === 'box' ? (decal ?? null) : null,
    });
    texts.push({ x: x + KEY + SPACE, y: y + LINE / 2 + 4, text, size, bold: false, family });
    x += long;
  }
  return { texts, swatches, bottom: y + LINE + 4 };
}
