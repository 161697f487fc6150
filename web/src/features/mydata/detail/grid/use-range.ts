/** The cells of any block of the view: at once where they are loaded, else asked for page by page. */
import type { Column } from '@hengxi/server/files/schema';

import type { FetchBlock, RangeCells, RowBlocks } from './row-blocks.ts';
import type { Rect } from './selection.ts';

const PAGE = 500;

export type ReadRange = (rect: Rect) => RangeCells | Promise<RangeCells>;

export function readRange(blocks: RowBlocks, columns: readonly Column[], fetch: FetchBlock, rect: Rect) {
  return blocks.range(rect) ?? fetched(columns, fetch, rect);
}

async function fetched(columns: readonly Column[], fetch: FetchBlock, rect: Rect): Promise<RangeCells> {
  const ids = columns.slice(rect.left, rect.right + 1).map((column) => column.id);
  const range: RangeCells = { cells: [], index: [] };
  const { signal } = new AbortController();
  for (let offset = rect.top; offset <= rect.bottom; offset += PAGE) {
    const limit = Math.min(PAGE, rect.bottom - offset + 1);
    // One page after the other: the order matters, and a long copy must not push others aside.
    // oxlint-disable-next-line no-await-in-loop
    const { rows, index } = await fetch({ offset, limit, columns: ids }, signal);
    range.cells.push(...rows);
    range.index.push(...index);
  }
  return range;
}
