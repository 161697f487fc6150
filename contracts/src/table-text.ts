/**
 * A table of the report as rows of finished texts: head with spanners, merged cells, decimals, stars, and the reader's
 * presentation (order, names, hidden columns, turned). Screen, clipboard and exports read this one shape.
 */
import type { TableColumn, TableElement } from '../generated/contract.ts';
import { type BodyCell, NUMBERS, plainCell, starsOf, writer } from './cell-text.ts';
import { ABSENT, type Reading, READING, type Token } from './format.ts';
import type { TableStyle } from './report/table-style.ts';
import { constantCount } from './constant-columns.ts';
import { columnId, type HeadCell, headOf, said } from './table-head.ts';
import { matrixText } from './table-matrix.ts';
import { chosenRows, rowName, type RowsEdit } from './table-rows.ts';

/** What a reader may change about one table. Values are never among it. */
export interface TableEdit {
  decimals?: number | null;
  p?: Reading['p'];
  turned?: boolean;
  /** Column ids (see columnId). */
  hidden?: string[];
  order?: string[];
  names?: Record<string, string>;
  style?: TableStyle;
  rows?: RowsEdit;
}

export interface BodyRow {
  /** Index of the row in the element; of a turned table, of the column. */
  index: number;
  depth: number;
  total: boolean;
  /** null = covered by the merged cell above, or in a turned table by the one before. */
  cells: (BodyCell | null)[];
}

export interface TableText {
  head: HeadCell[][];
  body: BodyRow[];
  columns: number;
  /** Longest stars of each column, so that digits stay under each other. */
  starRoom: number[];
  hasStars: boolean;
  /** Cells of a matrix hold several numbers under each other: r, below it p and n. */
  stacked: boolean;
  /** What the note says of a matrix: what its diagonal holds, and the number of cases where all cells have the same. */
  told: Token[];
}

export function readingOf(reading: Reading, edit: TableEdit | undefined): Reading {
  return {
    ...reading,
    decimals: edit?.decimals === undefined ? reading.decimals : edit.decimals,
    p: edit?.p ?? reading.p,
  };
}

/** `fold`: a long record of one case stands in columns beside each other; spreadsheets want one below the other. */
export function tableText(table: TableElement, reading: Reading = READING, edit?: TableEdit, fold = true): TableText {
  const own = readingOf(reading, edit);
  // 医学 journals write a mean as x̄±s, a share behind its count without the sign, and *P*.
  const dressed = edit?.style === 'medical' ? { ...own, p: edit.p ?? 'zero', medical: true } : own;
  if (table.matrix !== null && table.matrix !== undefined) return matrixText(table.matrix, own, edit?.rows);
  const chosen = chosenColumns(table, edit);
  const alike = constantCount(table, chosen);
  const turned = (edit?.turned ?? false) !== table.turned;
  const shown = longText(
    table,
    chosen.filter((i) => !alike.columns.has(i)),
    dressed,
    edit,
  );
  const grid = { ...shown, told: alike.told };
  if (table.layout === 'record') return fold ? folded(turn(grid, true)) : turn(grid, true);
  return turned ? turn(grid, false) : grid;
}

/** Columns in the reader's order without the hidden ones; columns the edit does not know keep their place at the end. */
export function chosenColumns(table: TableElement, edit?: TableEdit): number[] {
  const all = table.columns.map((column, index) => ({ id: columnId(column), index }));
  const order = edit?.order ?? [];
  const rank = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length);
  const hidden = new Set(edit?.hidden ?? []);
  const kept = all.filter((c) => !hidden.has(c.id)).sort((a, b) => rank(a.id) - rank(b.id) || a.index - b.index);
  return (kept.length > 0 ? kept : all).map((c) => c.index);
}

// --- long, wide ------------------------------------------------------------------------------------------------------

function longText(table: TableElement, chosen: readonly number[], reading: Reading, edit?: TableEdit): TableText {
  const columns = chosen.map((i) => table.columns[i]).filter((c): c is TableColumn => c !== undefined);
  const writers = chosen.map((i) => writer(table, i, reading));
  const order = chosenRows(table, edit?.rows);
  const merged = mergedSpans(table, chosen, order);
  const body = order.map((r, at): BodyRow => ({
    index: r,
    depth: table.depth[r] ?? 0,
    total: table.totals.includes(r),
    cells: chosen.map((i, c): BodyCell | null => {
      const row = table.rows[r] ?? [];
      const w = writers[c];
      const rowSpan = merged[c]?.[at] ?? 1;
      if (w === null || w === undefined || rowSpan === 0) return null;
      const mark = table.marks[`${r},${i}`];
      const shown = starsOf(table, row, w.column, reading);
      return {
        ...plainCell(row[i], w),
        ...renamed(table, r, i, edit?.rows),
        ...(shown === '' ? {} : { stars: shown }),
        // A value taken out (a small count in a share) leaves its mark in its place.
        ...(mark === undefined ? {} : row[i] === null ? { text: mark } : { mark }),
        rowSpan,
        head: c === 0,
        numeric: NUMBERS.has(w.column.format),
      };
    }),
  }));
  const starRoom = chosen.map((_, c) =>
    body.reduce((most, row) => Math.max(most, row.cells[c]?.stars?.length ?? 0), 0),
  );
  return {
    head: headOf(columns, edit?.names ?? {}, reading.medical === true),
    body,
    columns: columns.length,
    starRoom,
    hasStars: starRoom.some((n) => n > 0),
    stacked: false,
    told: [],
  };
}

function renamed(table: TableElement, r: number, i: number, rows: RowsEdit | undefined): { text?: string } {
  const name = rowName(table, r, i, rows);
  return name === null ? {} : { text: name };
}

/** Equal neighbours of the merge columns become one; later columns only inside the block of the first. */
function mergedSpans(
  table: TableElement,
  chosen: readonly number[],
  order: readonly number[],
): Record<number, number[]> {
  const spans: Record<number, number[]> = {};
  const first = table.columns.findIndex((c) => c.key === table.merge[0]);
  const equal = (at: number, i: number): boolean =>
    JSON.stringify(table.rows[order[at] ?? -1]?.[i]) === JSON.stringify(table.rows[order[at - 1] ?? -1]?.[i]);
  chosen.forEach((i, c) => {
    if (!table.merge.includes(table.columns[i]?.key ?? '')) return;
    const same = (at: number): boolean =>
      at > 0 && equal(at, i) && (i === first || (equal(at, first) && !table.totals.includes(order[at] ?? -1)));
    const column = order.map(() => 1);
    for (let at = order.length - 1; at > 0; at -= 1) {
      if (!same(at)) continue;
      column[at - 1] = (column[at - 1] ?? 1) + (column[at] ?? 1);
      column[at] = 0;
    }
    spans[c] = column;
  });
  return spans;
}

// --- turned, record --------------------------------------------------------------------------------------------------

/** So many letters are a word, which stands over the numbers of its case; a sentence begins where reading begins. */
const WORD = 12;

/** What stands at a place: its own cell, or the merged one that covers it. */
export function spokenAt(grid: TableText, r: number, c: number): BodyCell | null {
  const cells = grid.body[r]?.cells ?? [];
  const before = cells.findLastIndex((cell, at) => at <= c && cell !== null);
  if (before >= 0 && c - before < (cells[before]?.colSpan ?? 1)) return cells[before] ?? null;
  for (let k = r - 1; k >= 0; k -= 1) {
    const above = grid.body[k]?.cells[c];
    if (above) return above;
  }
  return null;
}

/** How many rows a cell stands for; 0 where it is covered. A record is one case. */
const heightAt = (grid: TableText, r: number, c: number, record: boolean): number =>
  record ? 1 : (grid.body[r]?.cells[c]?.rowSpan ?? (r === 0 ? 1 : 0));

/** Columns become rows. A record table has no head: its first column names the item. */
function turn(grid: TableText, record: boolean): TableText {
  const heads = columnHeads(grid);
  const from = record ? 0 : 1;
  const body = heads.slice(from).map((head, k): BodyRow => ({
    index: k + from,
    depth: 0,
    total: false,
    cells: [
      { text: head.text, tokens: head.tokens, rowSpan: 1, head: true, numeric: false },
      ...grid.body.map((row, r): BodyCell | null => {
        const colSpan = heightAt(grid, r, k + from, record);
        if (colSpan === 0) return null;
        const own = row.cells[k + from] ?? { text: ABSENT, numeric: true };
        const numeric = own.numeric || (!record && own.text.length <= WORD);
        return { ...own, numeric, rowSpan: 1, head: false, ...(colSpan > 1 ? { colSpan } : {}) };
      }),
    ],
  }));
  const title = (text: string, column: number, colSpan = 1): HeadCell => ({
    tokens: [{ text }],
    text,
    colSpan,
    rowSpan: 1,
    at: column,
    spanner: false,
    hint: null,
    numeric: column > 0,
  });
  const names = grid.body.flatMap((row, r): HeadCell[] => {
    const colSpan = heightAt(grid, r, 0, record);
    return colSpan === 0 ? [] : [title(row.cells[0]?.text ?? '', r + 1, colSpan)];
  });
  const starRoom = [
    0,
    ...grid.body.map((_, r) => Math.max(0, ...body.map((row) => row.cells[r + 1]?.stars?.length ?? 0))),
  ];
  return {
    head: record ? [] : [[title(heads[0]?.text ?? '', 0), ...names]],
    body,
    columns: grid.body.length + 1,
    starRoom,
    hasStars: grid.hasStars,
    stacked: false,
    told: grid.told,
  };
}

/** Items beside each other in groups of this many lines: a record is read at a glance, not scrolled. */
const RECORD_LINES = 5;

/** A long record of one case stands in two or three columns of item and value. */
function folded(grid: TableText): TableText {
  const groups = Math.min(3, Math.ceil(grid.body.length / RECORD_LINES));
  if (grid.columns !== 2 || groups < 2) return grid;
  const lines = Math.ceil(grid.body.length / groups);
  const blank = (head: boolean): BodyCell => ({ text: '', rowSpan: 1, head, numeric: !head });
  const body = Array.from({ length: lines }, (_, r): BodyRow => ({
    index: r,
    depth: 0,
    total: false,
    cells: Array.from(
      { length: groups },
      (__, g) => grid.body[g * lines + r]?.cells ?? [blank(false), blank(false)],
    ).flat(),
  }));
  const starRoom = Array.from({ length: groups }, () => grid.starRoom).flat();
  return { ...grid, body, columns: groups * 2, starRoom };
}

/** One head a column, spanners written before it. */
export function columnHeads(grid: TableText): HeadCell[] {
  return Array.from({ length: grid.columns }, (_, c) => {
    const over = grid.head.flat().filter((h) => h.at <= c && c < h.at + h.colSpan);
    const own = over.find((h) => !h.spanner);
    const above = over.filter((h) => h.spanner).map((h) => `${h.text} `);
    const words: Token[] = [...above.map((t): Token => ({ text: t })), ...(own?.tokens ?? [])];
    return {
      tokens: words,
      text: said(words),
      colSpan: 1,
      rowSpan: 1,
      at: c,
      spanner: false,
      hint: own?.hint ?? null,
      numeric: own?.numeric ?? true,
    };
  });
}
