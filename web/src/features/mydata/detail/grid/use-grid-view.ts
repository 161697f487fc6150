/** What of the table is in sight: the blocks of rows behind it, the scroll position, the columns between the edges. */
import type { Column } from '@hengxi/server/files/schema';
import { useEffect, useMemo, useReducer, useState } from 'react';

import { type ColumnLayout, inSight, mostInSight } from './column-layout.ts';
import { HEAD_HEIGHT } from './grid-head.tsx';
import { type FetchBlock, RowBlocks } from './row-blocks.ts';
import { mostRows, type Window, windowAt } from './scale.ts';
import { type Scroller, useScroller } from './use-scroller.ts';

const INDEX_LEAST = 46;

interface ViewOf {
  columns: readonly Column[];
  rows: number;
  source: string;
  fetch: FetchBlock;
  layout: ColumnLayout;
  onTotal: (total: number) => void;
}

export interface GridView extends Scroller {
  box: HTMLDivElement | null;
  setBox: (box: HTMLDivElement | null) => void;
  blocks: RowBlocks;
  /** Rows of the whole table, and those left by sort, filter and search. */
  rows: number;
  total: number;
  rowHeight: number;
  indexWidth: number;
  /** Width of the cells right of the row numbers. */
  cellsWidth: number;
  shown: Window;
  from: number;
  to: number;
  /** How many elements rows and columns take turns in: whoever comes into sight takes over what has just left it. */
  rowSlots: number;
  columnSlots: number;
}

function rowHeightOf(): number {
  const value = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row-grid'));
  return Number.isFinite(value) && value > 0 ? value : 29;
}

function useBlocks(columns: readonly Column[], source: string): RowBlocks {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const ids = useMemo(() => columns.map((column) => column.id), [columns]);
  const blocks = useMemo(
    () => new RowBlocks(ids, redraw),
    // A new source is a new set of blocks although the class does not read it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [ids, source],
  );
  useEffect(() => () => blocks.dispose(), [blocks]);
  return blocks;
}

export function useGridView({ columns, rows, source, fetch, layout, onTotal }: ViewOf): GridView {
  const [rowHeight] = useState(rowHeightOf);
  const blocks = useBlocks(columns, source);
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const total = blocks.total ?? rows;
  const scroller = useScroller(box, { rows: total, rowHeight, headHeight: HEAD_HEIGHT });
  const { size, top, left, scale, setTop } = scroller;
  const indexWidth = Math.max(INDEX_LEAST, String(rows).length * 8 + 18);
  const cellsWidth = Math.max(0, size.width - indexWidth);
  const shown = windowAt(scale, top);
  const isPinned = layout.pinned > 0;
  const [from, to] = inSight(layout, left, cellsWidth);
  const rowSlots = mostRows(scale);
  const columnSlots = useMemo(() => mostInSight(layout, cellsWidth), [layout, cellsWidth]);

  useEffect(() => {
    blocks.look({ first: shown.first, end: shown.end, fromColumn: from, toColumn: to, withFirst: isPinned }, fetch);
  }, [blocks, fetch, shown.first, shown.end, from, to, isPinned]);
  useEffect(() => {
    if (blocks.total !== null) onTotal(blocks.total);
  }, [blocks.total, onTotal]);
  useEffect(() => setTop(0), [source, setTop]);

  const slots = { rowSlots, columnSlots };
  return {
    ...scroller,
    ...slots,
    box,
    setBox,
    blocks,
    rows,
    total,
    rowHeight,
    indexWidth,
    cellsWidth,
    shown,
    from,
    to,
  };
}
