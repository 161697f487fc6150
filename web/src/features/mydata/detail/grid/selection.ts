/** What is selected in the grid: the active cell, where typing goes, and the far corner of the block that Shift or the mouse drew. */
import type { Place } from './move.ts';

export interface GridSelection {
  active: Place;
  /** The corner that moves; the active cell itself when only one cell is selected. */
  far: Place;
}

/** All ends included. */
export interface Rect {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export function only(place: Place): GridSelection {
  return { active: place, far: place };
}

/** From the head (row −1) whole columns are selected. */
export function rectOf({ active, far }: GridSelection, rows: number): Rect {
  const left = Math.min(active.column, far.column);
  const right = Math.max(active.column, far.column);
  if (active.row < 0) return { top: 0, bottom: rows - 1, left, right };
  const end = Math.max(0, far.row);
  return { top: Math.min(active.row, end), bottom: Math.max(active.row, end), left, right };
}

export function wholeRows(from: number, to: number, columns: number): GridSelection {
  return { active: { row: from, column: 0 }, far: { row: to, column: Math.max(0, columns - 1) } };
}

export function everything(rows: number, columns: number): GridSelection {
  return wholeRows(0, Math.max(0, rows - 1), columns);
}

export function holdsRow(rect: Rect | null, row: number): boolean {
  return rect !== null && row >= rect.top && row <= rect.bottom;
}

export function sizeOf(rect: Rect): { rows: number; columns: number; cells: number } {
  const rows = rect.bottom - rect.top + 1;
  const columns = rect.right - rect.left + 1;
  return { rows, columns, cells: rows * columns };
}
