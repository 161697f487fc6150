/** Ctrl and an arrow: to the edge of the block of filled cells, or over a gap to the next one, as in a spreadsheet. */
import type { Cell, Column } from '@hengxi/server/files/schema';

import type { Place } from './move.ts';
import type { RowBlocks } from './row-blocks.ts';

export type Direction = 'down' | 'up' | 'right' | 'left';

/** Asks where the jump ends: of a million rows only those in sight are here. */
export type SeekEdge = (from: Place, to: Direction) => Promise<Place>;

const DIRECTIONS: Record<string, Direction> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  ArrowRight: 'right',
  ArrowLeft: 'left',
};

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

export function jumpOf({ key, ctrlKey, metaKey }: Key): Direction | null {
  return ctrlKey || metaKey ? (DIRECTIONS[key] ?? null) : null;
}

/** How many of the cells ahead the jump passes; null where one of them, or the cell itself, is not known yet. */
export function jumpOver(from: Cell | undefined, ahead: Iterable<Cell | undefined>): number | null {
  if (from === undefined) return null;
  let passed = 0;
  let isGap = isBlank(from);
  for (const cell of ahead) {
    if (cell === undefined) return null;
    passed += 1;
    if (passed === 1 && isBlank(cell)) isGap = true;
    if (isGap && !isBlank(cell)) return passed;
    if (!isGap && isBlank(cell)) return passed - 1;
  }
  return passed;
}

function isBlank(cell: Cell): boolean {
  return cell === null || cell === '';
}

interface Known {
  blocks: RowBlocks;
  columns: readonly Column[];
  rows: number;
}

/** Where the jump ends, if that can be said without asking. From the head the whole column counts as one block. */
export function knownEdge({ blocks, columns, rows }: Known, from: Place, to: Direction): Place | null {
  const { row, column } = from;
  if (to === 'down' || to === 'up') {
    const end = { row: to === 'down' ? rows - 1 : 0, column };
    const isWhole = row < 0 || columns[column]?.profile.missing === 0;
    if (isWhole || row === end.row) return end;
    const step = to === 'down' ? 1 : -1;
    const passed = jumpOver(
      blocks.cell(row, column),
      cellsTo(row, end.row, step, (at) => blocks.cell(at, column)),
    );
    return passed === null ? null : { row: row + step * passed, column };
  }
  const step = to === 'right' ? 1 : -1;
  const end = to === 'right' ? columns.length - 1 : 0;
  if (row < 0) return { row, column: end };
  const passed = jumpOver(
    blocks.cell(row, column),
    cellsTo(column, end, step, (at) => blocks.cell(row, at)),
  );
  return passed === null ? null : { row, column: column + step * passed };
}

function* cellsTo(from: number, end: number, step: number, cell: (at: number) => Cell | undefined) {
  for (let at = from; at !== end;) {
    at += step;
    yield cell(at);
  }
}
