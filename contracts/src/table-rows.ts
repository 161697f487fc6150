/** Rows of a table as its reader arranged them: hidden, renamed, in another order. A row is known by its words, so that it is found again after a new run. */
import type { Cell, TableElement } from '../generated/contract.ts';
import { NUMBERS } from './cell-text.ts';
import { text } from './format.ts';

export interface RowsEdit {
  /** Row ids (see rowIds); of a matrix, its labels. */
  hidden: string[];
  order: string[];
  names: Record<string, string>;
}

const words = (cell: Cell | undefined): string =>
  cell !== null && typeof cell === 'object' && !Array.isArray(cell) ? cell.label : text(cell);

/** Columns at the left that name a row. */
function labelColumns(table: TableElement): number[] {
  const first = table.columns.findIndex((c) => NUMBERS.has(c.format) || c.wide !== null);
  return Array.from({ length: first < 0 ? Math.min(1, table.columns.length) : first }, (_, i) => i);
}

/** One id a row: the words that name it, numbered where several rows are named alike. */
export function rowIds(table: TableElement): string[] {
  const labels = labelColumns(table);
  const seen = new Map<string, number>();
  return table.rows.map((row) => {
    const id = labels.map((i) => words(row[i])).join(' · ');
    const n = (seen.get(id) ?? 0) + 1;
    seen.set(id, n);
    return n === 1 ? id : `${id}#${n}`;
  });
}

function arranged(ids: readonly string[], edit: RowsEdit | undefined): number[] {
  const all = ids.map((_, i) => i);
  if (edit === undefined) return all;
  const rank = (i: number): number => {
    const at = edit.order.indexOf(ids[i] ?? '');
    return at < 0 ? edit.order.length : at;
  };
  const hidden = new Set(edit.hidden);
  const kept = all.filter((i) => !hidden.has(ids[i] ?? ''));
  // A table never loses its last row: what a new run named otherwise would leave nothing to see.
  const shown = kept.length > 0 ? kept : all;
  return edit.order.length === 0 ? shown : shown.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

/** Indexes of the rows shown, in the order shown. */
export function chosenRows(table: TableElement, edit: RowsEdit | undefined): number[] {
  return edit === undefined ? table.rows.map((_, i) => i) : arranged(rowIds(table), edit);
}

export const chosenLabels = (labels: readonly string[], edit: RowsEdit | undefined): number[] => arranged(labels, edit);

/** The name given to a row, where this is the cell that names it. */
export function rowName(table: TableElement, r: number, i: number, edit: RowsEdit | undefined): string | null {
  if (edit === undefined || Object.keys(edit.names).length === 0 || i !== labelColumns(table).at(-1)) return null;
  return edit.names[rowIds(table)[r] ?? ''] ?? null;
}
