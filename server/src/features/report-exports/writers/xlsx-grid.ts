/**
 * A finished table as a spreadsheet wants it: one number a cell. A mean ± sd becomes two columns under its head; in a
 * table whose variables stand in rows, two rows.
 */
import type { BodyCell, CellNumber } from '@hengxi/contracts/cell-text';
import type { HeadCell } from '@hengxi/contracts/table-head';
import { type BodyRow, spokenAt, type TableText } from '@hengxi/contracts/table-text';

export interface SpreadCell {
  text: string;
  /** Stars and marks. */
  after: string;
  number: CellNumber | null;
  numeric: boolean;
  depth: number;
}

export interface SpreadRow {
  isTotal: boolean;
  cells: SpreadCell[];
}

export interface Spread {
  head: HeadCell[][];
  /** Rows made of the rows of the report from one to another: a long table is never held twice. */
  rows: (from: number, to: number) => SpreadRow[];
  /** Rows of the report. */
  size: number;
  columns: number;
}

const partsOf = (cell: BodyCell | null): CellNumber[] => (cell?.numbers ?? []).filter((n) => n.what !== '');

/** The parts of a column are the same all the way down, or it holds several kinds of cells and is left as it is. */
function columnParts(grid: TableText, c: number): string[] {
  const cells = grid.body
    .map((row) => partsOf(row.cells[c] ?? null).map((n) => n.what))
    .filter((parts) => parts.length > 0);
  const first = cells[0] ?? [];
  const whole = grid.body.every((row) => {
    const cell = row.cells[c] ?? null;
    return cell === null || cell.numbers === undefined || partsOf(cell).length > 0;
  });
  return whole && cells.every((parts) => parts.join() === first.join()) ? first : [];
}

export function spreadGrid(grid: TableText): Spread {
  const parts = Array.from({ length: grid.columns }, (_, c) => columnParts(grid, c));
  const mixed = grid.body.some((row) =>
    row.cells.some((cell, c) => (parts[c]?.length ?? 0) === 0 && partsOf(cell).length > 0),
  );
  return mixed || grid.stacked ? spreadRows(grid) : spreadColumns(grid, parts);
}

function single(cell: BodyCell, depth: number): SpreadCell {
  const [only, ...others] = cell.numbers ?? [];
  return {
    text: [cell.text, cell.sub].filter((t) => t !== undefined && t !== '').join(' '),
    after: `${cell.stars ?? ''}${cell.mark ?? ''}`,
    // A second line (the p under a correlation) would be lost behind a number.
    number: only !== undefined && others.length === 0 && cell.sub === undefined ? only : null,
    numeric: cell.numeric,
    depth,
  };
}

const part = (number: CellNumber, after: string): SpreadCell => ({
  text: number.text,
  after,
  number,
  numeric: true,
  depth: 0,
});

const BLANK: SpreadCell = { text: '', after: '', number: null, numeric: false, depth: 0 };

function spreadColumns(grid: TableText, parts: readonly string[][]): Spread {
  const width = parts.map((p) => Math.max(1, p.length));
  const start = width.map((_, c) => width.slice(0, c).reduce((a, b) => a + b, 0));
  const deep = parts.some((p) => p.length > 0);
  const head = grid.head.map((row, r) =>
    row.map((h): HeadCell => {
      const colSpan = width.slice(h.at, h.at + h.colSpan).reduce((a, b) => a + b, 0);
      const split = h.colSpan === 1 && (parts[h.at]?.length ?? 0) > 0;
      const reaches = r + h.rowSpan === grid.head.length;
      return {
        ...h,
        at: start[h.at] ?? 0,
        colSpan,
        spanner: h.spanner || split,
        rowSpan: deep && reaches && !split && !h.spanner ? h.rowSpan + 1 : h.rowSpan,
      };
    }),
  );
  const below = parts.flatMap((names, c) =>
    names.map((text, k): HeadCell => ({
      tokens: [{ text }],
      text,
      colSpan: 1,
      rowSpan: 1,
      at: (start[c] ?? 0) + k,
      spanner: false,
      hint: null,
      numeric: true,
    })),
  );
  const rowAt = (row: BodyRow, r: number): SpreadRow => ({
    isTotal: row.total,
    cells: parts.flatMap((names, c): SpreadCell[] => {
      const cell = spokenAt(grid, r, c);
      if (cell === null) return [BLANK];
      if (names.length === 0) return [single(cell, c === 0 ? row.depth : 0)];
      const numbers = partsOf(cell);
      const after = `${cell.stars ?? ''}${cell.mark ?? ''}`;
      return names.map((_, k): SpreadCell => {
        const number = numbers[k];
        if (number !== undefined) return part(number, k === 0 ? after : '');
        return { ...BLANK, text: k === 0 ? cell.text : '', numeric: true };
      });
    }),
  });
  return {
    head: deep ? [...head, below] : head,
    rows: (from, to) => grid.body.slice(from, to).map((row, k) => rowAt(row, from + k)),
    size: grid.body.length,
    columns: width.reduce((a, b) => a + b, 0),
  };
}

function spreadRows(grid: TableText): Spread {
  const rowsAt = (row: BodyRow, r: number): SpreadRow[] => {
    const cells = row.cells.map((_, c) => spokenAt(grid, r, c));
    const names = cells.map((cell) => partsOf(cell).map((n) => n.what)).find((list) => list.length > 0) ?? [];
    if (names.length === 0)
      return [
        { isTotal: row.total, cells: cells.map((cell, c) => (cell ? single(cell, c === 0 ? row.depth : 0) : BLANK)) },
      ];
    return names.map((name, k): SpreadRow => ({
      isTotal: row.total && k === 0,
      cells: cells.map((cell, c): SpreadCell => {
        if (cell === null) return BLANK;
        const number = partsOf(cell)[k];
        if (number !== undefined) return part(number, k === 0 ? (cell.stars ?? '') : '');
        if (c === 0) return { ...single(cell, row.depth), text: `${cell.text}（${name}）` };
        return k === 0 ? single(cell, 0) : BLANK;
      }),
    }));
  };
  return {
    head: grid.head,
    rows: (from, to) => grid.body.slice(from, to).flatMap((row, k) => rowsAt(row, from + k)),
    size: grid.body.length,
    columns: grid.columns,
  };
}
