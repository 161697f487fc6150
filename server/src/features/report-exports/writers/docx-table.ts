/** A table of the report as a table of Word: rules, spans, repeated head, decimals under each other; never a picture. */
import { type BodyCell, isShared } from '@hengxi/contracts/cell-text';
import type { Saying } from '@hengxi/contracts/report/blocks';
import type { TableLook } from '@hengxi/contracts/report/table-style';
import type { HeadCell } from '@hengxi/contracts/table-head';
import type { TableText } from '@hengxi/contracts/table-text';
import { naturalWidths, partsOf } from '@hengxi/contracts/report/wide-table';
import {
  AlignmentType,
  BorderStyle,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlign,
  WidthType,
} from 'docx';
import type { IBorderOptions } from 'docx';
import { runsOf, sentenceRuns } from './docx-words.ts';

/** Room between the margins of an A4 page in twentieths of a point. */
export const ROOM = 9070;
const TWIPS = 20;
const PADDING = 80;
/** Where Times is missing its stand-in has wider digits; a part has no room left over for them. */
const WIDER = 1.3;
/** Rows of a table, or under one merged name, that are not broken over pages. */
const SHORT = 12;
/** Longer texts are broken where there is room too; in em. */
const WHOLE = 24;

const NONE: IBorderOptions = { style: BorderStyle.NONE, size: 0, color: 'auto' };
/** Points to eighths of a point. */
const line = (points: number, color = '000000'): IBorderOptions =>
  points === 0 ? NONE : { style: BorderStyle.SINGLE, size: Math.round(points * 8), color };

export interface TablePlan {
  /** Letters in points. */
  size: number;
  columns: number[];
}

/** Sizes of letters, usual and small. */
const SIZES = [9, 7.5] as const;
const SMALL = 7.5;

/** Texts break before letters shrink; columns are as wide as what stands in them. null: no size makes it fit. */
export function planTable(grid: TableText): TablePlan | null {
  const fits = (size: number, text: number): number[] | null => {
    const wanted = widthsAt(grid, text, size);
    return wanted.reduce((a, b) => a + b, 0) <= ROOM ? wanted : null;
  };
  for (const size of SIZES) {
    const wanted = fits(size, 14) ?? fits(size, 8);
    if (wanted !== null) return { size, columns: stretched(filled(wanted, widthsAt(grid, WHOLE, size), ROOM), ROOM) };
  }
  return null;
}

function widthsAt(grid: TableText, text: number, size: number): number[] {
  return naturalWidths(grid, text).map((em) => em * size * TWIPS + 2 * PADDING);
}

/** Room that is left goes first to the columns whose texts would break. */
function filled(wanted: readonly number[], whole: readonly number[], room: number): number[] {
  const lacking = wanted.map((width, c) => Math.max(0, (whole[c] ?? 0) - width));
  const left = room - wanted.reduce((a, b) => a + b, 0);
  const all = lacking.reduce((a, b) => a + b, 0);
  const share = all === 0 ? 0 : Math.max(0, Math.min(1, left / all));
  return wanted.map((width, c) => width + (lacking[c] ?? 0) * share);
}

/**
 * A table wider than the page stands in parts below each other; no number is ever broken. The page is never turned: what
 * stands before and after a turned page would leave two others half empty.
 */
export function planParts(grid: TableText): { grid: TableText; plan: TablePlan }[] {
  const plan = planTable(grid);
  if (plan !== null) return [{ grid, plan }];
  const wanted = widthsAt(grid, 8, SMALL * WIDER).map(Math.floor);
  return partsOf(grid, wanted, ROOM).map((part) => {
    const columns = widthsAt(part, 8, SMALL);
    const all = widthsAt(part, WHOLE, SMALL);
    return { grid: part, plan: { size: SMALL, columns: stretched(filled(columns, all, ROOM), ROOM) } };
  });
}

function stretched(wanted: readonly number[], room: number): number[] {
  const sum = wanted.reduce((a, b) => a + b, 0);
  return wanted.map((w) => Math.floor((w / sum) * room));
}

/** Over the further parts of a table; its number is not counted again. */
export function continued(n: number, title: Saying, look: TableLook): Paragraph {
  const style = look.caption === 'centred' ? 'Caption' : 'CaptionLeft';
  return new Paragraph({ style, keepNext: true, children: runsOf([{ text: `续表 ${n}　` }, ...title]) });
}

/** `held`: the last row stays with the note below the table. */
export function wordTable(grid: TableText, look: TableLook, plan: TablePlan, held = false): Table {
  return tableShell(grid, look, plan, bodyRows(grid, look, plan, { held }));
}

/** Widths, rules and head; the rows are the caller's. */
export function tableShell(grid: TableText, look: TableLook, plan: TablePlan, rows: TableRow[]): Table {
  const total = plan.columns.reduce((a, b) => a + b, 0);
  return new Table({
    width: { size: total, type: WidthType.DXA },
    columnWidths: plan.columns,
    layout: TableLayoutType.FIXED,
    alignment: AlignmentType.CENTER,
    borders: {
      top: line(look.rules.outer),
      bottom: line(look.rules.outer),
      left: NONE,
      right: NONE,
      insideHorizontal: NONE,
      insideVertical: NONE,
    },
    margins: { left: PADDING, right: PADDING, top: 30, bottom: 30 },
    rows: [...grid.head.map((row, r) => headRow(row, r, grid, look, plan)), ...rows],
  });
}

function paragraph(
  children: ReturnType<typeof runsOf>,
  align: Side,
  extra: { left?: number; right?: number; keepNext?: boolean } = {},
): Paragraph {
  return new Paragraph({
    style: 'TableText',
    alignment: align,
    keepNext: extra.keepNext ?? false,
    indent: { left: extra.left ?? 0, right: extra.right ?? 0 },
    children,
  });
}

type Side = (typeof AlignmentType)['LEFT' | 'CENTER' | 'RIGHT'];

const half = (points: number): number => Math.round(points * 2);

function headRow(row: readonly HeadCell[], r: number, grid: TableText, look: TableLook, plan: TablePlan): TableRow {
  const children = row.map((h) => {
    const isLast = r + h.rowSpan === grid.head.length;
    const side =
      h.at === 0 || !h.numeric
        ? AlignmentType.LEFT
        : h.spanner || h.colSpan > 1 || look.centredHead
          ? AlignmentType.CENTER
          : AlignmentType.RIGHT;
    const right = !h.spanner && side === AlignmentType.RIGHT ? starRoom(grid.starRoom[h.at] ?? 0, plan.size) : 0;
    return new TableCell({
      columnSpan: h.colSpan,
      rowSpan: h.rowSpan,
      verticalAlign: VerticalAlign.BOTTOM,
      borders: {
        top: r === 0 ? line(look.rules.outer) : NONE,
        bottom: isLast ? line(look.rules.head) : h.spanner ? line(look.rules.part) : NONE,
        left: NONE,
        right: NONE,
      },
      children: [
        paragraph(runsOf(h.tokens, { bold: look.boldHead, size: half(plan.size) }), side, {
          right,
          keepNext: true,
        }),
      ],
    });
  });
  return new TableRow({ tableHeader: true, cantSplit: true, children });
}

/** An asterisk of Times is half an em wide: moved in by that much, points stay under each other where stars are missing. */
const starRoom = (missing: number, points: number): number => Math.max(0, missing) * points * TWIPS * 0.5;

export function bodyRows(
  grid: TableText,
  look: TableLook,
  plan: TablePlan,
  { from = 0, to = grid.body.length, held = false }: { from?: number; to?: number; held?: boolean } = {},
): TableRow[] {
  const last = grid.body.length - 1;
  return grid.body.slice(from, to).map((row, k) => {
    const r = from + k;
    const isTotal = row.total && grid.body[r - 1]?.total !== true;
    const children = row.cells.flatMap((cell, c) => {
      if (cell === null) return [];
      const above =
        r === 0 ? (grid.head.length === 0 ? look.rules.outer : look.rules.head) : isTotal ? look.rules.part : 0;
      const isLast = r + cell.rowSpan - 1 === last;
      return [
        new TableCell({
          rowSpan: cell.rowSpan,
          columnSpan: cell.colSpan ?? 1,
          verticalAlign: VerticalAlign.CENTER,
          borders: {
            top: line(above),
            bottom: isLast ? line(look.rules.outer) : look.lines ? line(0.5, 'DDDDDD') : NONE,
            left: NONE,
            right: NONE,
          },
          children: cellParagraphs(cell, {
            stars: grid.starRoom[c] ?? 0,
            depth: c === 0 ? row.depth : 0,
            points: plan.size,
            // A short table stays on one page, so do the rows of one name, and no table leaves its first row alone.
            keepNext: r === last ? held : last < SHORT || r === 0 || isTogether(grid, r),
          }),
        }),
      ];
    });
    return new TableRow({ cantSplit: true, children });
  });
}

/** A row and the next one stand beside the same merged name. */
function isTogether({ body }: TableText, r: number): boolean {
  const first = body.slice(Math.max(0, r + 1 - SHORT), r + 1).findLast(({ cells }) => cells[0] !== null);
  const span = first?.cells[0]?.rowSpan ?? 1;
  return span <= SHORT && body[r + 1]?.cells[0] === null;
}

interface CellPlace {
  stars: number;
  depth: number;
  points: number;
  keepNext: boolean;
}

function cellParagraphs(cell: BodyCell, { stars, depth, points, keepNext }: CellPlace): Paragraph[] {
  const size = half(points);
  const side = isShared(cell) ? AlignmentType.CENTER : cell.numeric ? AlignmentType.RIGHT : AlignmentType.LEFT;
  const own = cell.tokens ?? [{ text: cell.text }];
  const words = cell.stars === undefined ? own : [...own, { text: cell.stars }];
  const marks = cell.mark === undefined ? [] : runsOf([{ text: cell.mark }], { size, superScript: true });
  const first = paragraph([...sentenceRuns(words, { size, ...(cell.strong ? { bold: true } : {}) }), ...marks], side, {
    keepNext,
    left: depth * 180,
    right: side === AlignmentType.RIGHT ? starRoom(stars - (cell.stars?.length ?? 0), points) : 0,
  });
  return cell.sub === undefined
    ? [first]
    : [
        first,
        paragraph(sentenceRuns([{ text: cell.sub }], { size: size - 2 }), side, {
          keepNext,
          right: starRoom(stars, points),
        }),
      ];
}
