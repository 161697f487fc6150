/** Cells changed but not saved yet: each entry or paste is one thing to undo, and one save is one step of the data. */
import type { Cell } from '@hengxi/server/files/schema';

export interface CellChange {
  /** Number in the whole table from 0; sorting and filtering do not change it. */
  row: number;
  column: string;
  old: Cell;
  value: Cell;
}

type Cells = ReadonlyMap<string, CellChange>;

export interface CellEdits {
  cells: Cells;
  past: readonly Cells[];
  future: readonly Cells[];
}

export const NO_EDITS: CellEdits = { cells: new Map(), past: [], future: [] };

/** As many as one save may carry. */
export const CELLS_MOST = 10_000;

export function cellKey(row: number, column: string): string {
  return `${row} ${column}`;
}

/** `old` of a cell changed twice is what the table holds; a cell put back is no change. */
export function withChanges(edits: CellEdits, batch: readonly CellChange[]): CellEdits {
  const cells = new Map(edits.cells);
  for (const change of batch) {
    const key = cellKey(change.row, change.column);
    const old = cells.has(key) ? (cells.get(key)?.old ?? null) : change.old;
    if (old === change.value) cells.delete(key);
    else cells.set(key, { ...change, old });
  }
  const isSame = batch.every((change) => {
    const key = cellKey(change.row, change.column);
    return edits.cells.get(key)?.value === cells.get(key)?.value && edits.cells.has(key) === cells.has(key);
  });
  return isSame ? edits : { cells, past: [...edits.past, edits.cells], future: [] };
}

export function undone({ cells, past, future }: CellEdits): CellEdits {
  const before = past.at(-1);
  return before ? { cells: before, past: past.slice(0, -1), future: [cells, ...future] } : { cells, past, future };
}

export function redone({ cells, past, future }: CellEdits): CellEdits {
  const [next, ...rest] = future;
  return next ? { cells: next, past: [...past, cells], future: rest } : { cells, past, future };
}
