/** Where a key takes the active cell. Row −1 is the head. */

export interface Place {
  row: number;
  column: number;
}

export interface Extent {
  rows: number;
  columns: number;
  /** Rows of one screen. */
  page: number;
}

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** null: not a key of the grid. Ctrl with an arrow is a matter of jump.ts. */
export function movedBy({ key, ctrlKey, metaKey }: Key, at: Place, extent: Extent): Place | null {
  const far = ctrlKey || metaKey;
  const lastRow = extent.rows - 1;
  const lastColumn = extent.columns - 1;
  const to = (row: number, column: number): Place => ({
    row: clamp(row, -1, lastRow),
    column: clamp(column, 0, Math.max(0, lastColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return to(at.row + 1, at.column);
    case 'ArrowUp':
      return to(at.row - 1, at.column);
    case 'ArrowRight':
      return to(at.row, at.column + 1);
    case 'ArrowLeft':
      return to(at.row, at.column - 1);
    case 'Home':
      return far ? to(0, 0) : to(at.row, 0);
    case 'End':
      return far ? to(lastRow, lastColumn) : to(at.row, lastColumn);
    case 'PageDown':
      return to(at.row + extent.page, at.column);
    case 'PageUp':
      return to(Math.max(0, at.row - extent.page), at.column);
    default:
      return null;
  }
}
