/** Rows come in blocks of 200, and of wide tables only the columns looked at; blocks not seen lately are let go. */
import type { Cell, Rows } from '@hengxi/server/files/schema';

import type { Rect } from './selection.ts';

export const BLOCK_ROWS = 200;
export const BLOCK_COLUMNS = 60;
const BLOCKS_KEPT = 80;
/** Blocks flown over while the scrollbar is dragged are not fetched. */
const SETTLE_MS = 60;

export interface RangeCells {
  cells: Cell[][];
  /** Row numbers in the whole table from 0. */
  index: number[];
}

interface Block {
  /** Blocks are numbered as they arrive. */
  serial: number;
  rows: readonly (readonly Cell[])[];
  index: readonly number[];
  /** Texts of the file where a cell does not say it all, by row and column; null for nearly every block. */
  odd: ReadonlyMap<string, string> | null;
}

export type FetchBlock = (
  request: { offset: number; limit: number; columns: string[] },
  signal: AbortSignal,
) => Promise<Rows>;

export interface VisibleBlock {
  first: number;
  end: number;
  fromColumn: number;
  toColumn: number;
  /** The first column is in sight too, wherever the others are. */
  withFirst?: boolean;
}

export class RowBlocks {
  readonly #blocks = new Map<string, Block>();
  readonly #pending = new Map<string, AbortController>();
  readonly #columns: readonly string[];
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #seen: VisibleBlock | null = null;
  #fetch: FetchBlock | null = null;
  #serial = 0;
  /** Row in sight when the timer was set. */
  #passed = 0;
  /** Rows there are for the present sort, filter and search; null until the first answer. */
  total: number | null = null;
  error: unknown = null;

  constructor(columns: readonly string[], changed: () => void) {
    this.#columns = columns;
    this.#changed = changed;
  }

  /** undefined: not here yet. */
  cell(row: number, column: number): Cell | undefined {
    const block = this.#blocks.get(keyOf(Math.floor(row / BLOCK_ROWS), Math.floor(column / BLOCK_COLUMNS)));
    return block?.rows[row % BLOCK_ROWS]?.[column % BLOCK_COLUMNS];
  }

  /** What the file says of a cell that was read otherwise than it is written. */
  odd(row: number, column: number): string | undefined {
    const block = this.#blocks.get(keyOf(Math.floor(row / BLOCK_ROWS), Math.floor(column / BLOCK_COLUMNS)));
    return block?.odd?.get(oddKey(row % BLOCK_ROWS, this.#columns[column]));
  }

  /**
   * Which blocks hold the cells of a row between two columns (and the first, if asked): another text when one arrives.
   * Empty while none of them is here.
   */
  stamp(row: number, fromColumn: number, toColumn: number, withFirst: boolean): string {
    const rowBlock = Math.floor(row / BLOCK_ROWS);
    let key = '';
    for (const column of columnBlocks(fromColumn, toColumn, withFirst)) {
      const block = this.#blocks.get(keyOf(rowBlock, column));
      if (block) key += `${block.serial} `;
    }
    return key;
  }

  /** Number of the row in the whole table, from 1; sorting and filtering do not change it. */
  rowNumber(row: number, column: number): number | null {
    const block = this.#blocks.get(keyOf(Math.floor(row / BLOCK_ROWS), Math.floor(column / BLOCK_COLUMNS)));
    const at = block?.index[row % BLOCK_ROWS];
    return at === undefined ? null : at + 1;
  }

  /** The cells of a block with the numbers of its rows from 0, or null while a part of it is not here. */
  range({ top, bottom, left, right }: Rect): RangeCells | null {
    const cells: Cell[][] = [];
    const index: number[] = [];
    for (let row = top; row <= bottom; row += 1) {
      const number = this.rowNumber(row, left);
      if (number === null) return null;
      const line: Cell[] = [];
      for (let column = left; column <= right; column += 1) {
        const value = this.cell(row, column);
        if (value === undefined) return null;
        line.push(value);
      }
      cells.push(line);
      index.push(number - 1);
    }
    return { cells, index };
  }

  /** Tells what is on screen; missing blocks are fetched once the movement has settled. */
  look(seen: VisibleBlock, fetch: FetchBlock): void {
    this.#seen = seen;
    this.#fetch = fetch;
    if (this.#timer !== null) return;
    if (this.#blocks.size === 0 && this.#pending.size === 0) {
      this.#fill();
      return;
    }
    this.#wait();
  }

  /** While the rows fly by faster than blocks could be read, none is asked for. */
  #wait(): void {
    this.#passed = this.#seen?.first ?? 0;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (Math.abs((this.#seen?.first ?? 0) - this.#passed) > BLOCK_ROWS) this.#wait();
      else this.#fill();
    }, SETTLE_MS);
  }

  retry(): void {
    this.error = null;
    this.#fill();
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const controller of this.#pending.values()) controller.abort();
    this.#pending.clear();
  }

  #fill(): void {
    const seen = this.#seen;
    if (!seen || this.error) return;
    const wanted = new Set<string>();
    const lastRow = Math.max(seen.first, seen.end - 1);
    const columns = columnBlocks(seen.fromColumn, seen.toColumn, seen.withFirst ?? false);
    for (let r = Math.floor(seen.first / BLOCK_ROWS); r <= Math.floor(lastRow / BLOCK_ROWS); r += 1) {
      for (const c of columns) {
        wanted.add(keyOf(r, c));
        this.#need(r, c);
      }
    }
    for (const [key, controller] of this.#pending) {
      if (!wanted.has(key)) {
        controller.abort();
        this.#pending.delete(key);
      }
    }
  }

  #need(rowBlock: number, columnBlock: number): void {
    const key = keyOf(rowBlock, columnBlock);
    const known = this.#blocks.get(key);
    if (known) {
      // Seen again: moved to the end of the order in which blocks are let go.
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return;
    }
    if (this.#pending.has(key) || !this.#fetch) return;
    const controller = new AbortController();
    this.#pending.set(key, controller);
    const columns = this.#columns.slice(columnBlock * BLOCK_COLUMNS, (columnBlock + 1) * BLOCK_COLUMNS);
    this.#fetch({ offset: rowBlock * BLOCK_ROWS, limit: BLOCK_ROWS, columns }, controller.signal)
      .then((rows) => this.#keep(key, rows))
      .catch((error: unknown) => {
        // An aborted block may have been asked for again meanwhile; that request stays.
        if (controller.signal.aborted) return;
        this.#pending.delete(key);
        this.error = error;
        this.#changed();
      });
  }

  #keep(key: string, { rows, index, total, odd = [] }: Rows): void {
    this.#pending.delete(key);
    this.#serial += 1;
    this.#blocks.set(key, {
      serial: this.#serial,
      rows,
      index,
      odd: odd.length === 0 ? null : new Map(odd.map(([row, column, text]) => [oddKey(row, column), text])),
    });
    this.total = total;
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= BLOCKS_KEPT) break;
      this.#blocks.delete(old);
    }
    this.#changed();
  }
}

function columnBlocks(from: number, to: number, withFirst: boolean): Set<number> {
  const indexes = new Set(withFirst ? [0] : []);
  const last = Math.floor(Math.max(from, to - 1) / BLOCK_COLUMNS);
  for (let block = Math.floor(from / BLOCK_COLUMNS); block <= last; block += 1) indexes.add(block);
  return indexes;
}

function oddKey(row: number, column: string | undefined): string {
  return `${row} ${column}`;
}

function keyOf(rowBlock: number, columnBlock: number): string {
  return `${rowBlock}:${columnBlock}`;
}
