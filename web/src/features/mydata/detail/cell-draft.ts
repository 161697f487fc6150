/** Changed cells that are not saved yet, kept by this browser for each version and person: a reload or a crash loses none. */
import type { Version } from '@hengxi/server/files/schema';
import { z } from 'zod';

import { CELL_DRAFTS, type DraftKey, draftKeys, readDraft, writeDraft } from '../../../lib/drafts.ts';
import { currentToken, ownerOf } from '../../../lib/session.ts';
import { readStored } from '../../../lib/storage.ts';
import { type CellChange, cellKey, CELLS_MOST } from './grid/cell-edits.ts';

/** Letters of one draft: the storage of a browser is small, and other drafts want some of it. */
const LONGEST = 1_000_000;

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const Draft = z.object({
  number: z.number(),
  /** Row, column, what the table holds, what was typed. */
  cells: z.array(z.tuple([z.number().int().min(0), z.string(), Cell, Cell])).max(CELLS_MOST),
});

const person = (): string => ownerOf(currentToken()) ?? '';
const keyOf = (fid: number, vid: number): DraftKey => `${CELL_DRAFTS}${person()}:${fid}:${vid}`;

export type Cells = ReadonlyMap<string, CellChange>;

/** What was typed into this version before; cells of variables or rows that it lacks are of nothing. */
export function readCellDraft({ fid, vid, rows, columns }: Version): Cells {
  const draft = Draft.safeParse(readDraft(keyOf(fid, vid)));
  if (!draft.success) return new Map();
  const known = new Set(columns.map(({ id }) => id));
  return new Map(
    draft.data.cells
      .filter(([row, column]) => row < rows && known.has(column))
      .map(([row, column, old, value]) => [cellKey(row, column), { row, column, old, value }]),
  );
}

/** False where the browser has no room for it. */
export function writeCellDraft({ fid, vid, number }: Version, cells: Cells): boolean {
  const key = keyOf(fid, vid);
  if (cells.size === 0) {
    if (readStored(key) !== null) writeDraft(key, null);
    return true;
  }
  const draft = {
    number,
    cells: Array.from(cells.values(), ({ row, column, old, value }) => [row, column, old, value]),
  };
  const text = JSON.stringify(draft);
  if (text.length > LONGEST) {
    writeDraft(key, null);
    return false;
  }
  writeDraft(key, draft);
  return readStored(key) === text;
}

export interface LeftCells {
  vid: number;
  number: number;
  count: number;
  drop: () => void;
}

/** Unsaved cells of other versions of the file: the newest version is what one comes back to. */
export function leftCells({ fid, vid }: Pick<Version, 'fid' | 'vid'>): LeftCells[] {
  const prefix: DraftKey = `${CELL_DRAFTS}${person()}:${fid}:`;
  return draftKeys(prefix).flatMap((key) => {
    const other = Number(key.slice(prefix.length));
    const found = Draft.safeParse(readDraft(key));
    if (other === vid || !found.success) return [];
    const { number, cells } = found.data;
    return [{ vid: other, number, count: cells.length, drop: () => writeDraft(key, null) }];
  });
}
