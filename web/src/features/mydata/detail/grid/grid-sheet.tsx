/** What is drawn of the grid: the heads in sight above, the rows in sight below. */
import type { Column } from '@hengxi/server/files/schema';
import { useLayoutEffect, useRef } from 'react';

import type { CellChange } from './cell-edits.ts';
import type { ColumnLayout } from './column-layout.ts';
import styles from './data-grid.module.css';
import { FlyingHead, GridHead, HEAD_HEIGHT, type Sort } from './grid-head.tsx';
import { BlankRow, GridRow } from './grid-row.tsx';
import { holdsRow, type Rect, sizeOf } from './selection.ts';
import type { Selecting } from './use-grid-selection.ts';
import type { GridView } from './use-grid-view.ts';

/** Rows keep their place while this many are scrolled through; places in pixels stay small in a table of millions. */
const BASE_ROWS = 500;

interface PartOf {
  id: string;
  columns: readonly Column[];
  layout: ColumnLayout;
  view: GridView;
  selecting: Selecting;
  selected: string | null;
}

interface HeadsProps extends PartOf {
  sort: Sort | null;
  onMenu: (column: Column, place: number) => void;
  onWidth: (column: Column, width: number) => void;
  onFit: (column: Column, place: number) => void;
}

export function GridHeads(props: HeadsProps) {
  const { id, columns, layout, view, selecting, selected, sort, onMenu, onWidth, onFit } = props;
  const { selection, rect } = selecting;
  const { from, to, left, indexWidth, total, columnSlots, isFlying } = view;
  const isWhole = rect !== null && rect.top === 0 && rect.bottom === total - 1;
  const head = (place: number, pinned: boolean) => {
    const column = columns[place];
    const key = pinned ? 'pinned' : place % columnSlots;
    if (column && isFlying && !pinned) {
      return (
        <FlyingHead
          key={`flying ${key}`}
          column={column}
          place={place}
          left={layout.lefts[place] ?? 0}
          width={layout.widths[place] ?? 0}
        />
      );
    }
    return column ? (
      <GridHead
        key={key}
        id={`${id}--1-${place}`}
        column={column}
        place={place}
        left={(pinned ? indexWidth : 0) + (layout.lefts[place] ?? 0)}
        width={layout.widths[place] ?? 0}
        selected={column.id === selected}
        marked={isWhole && place >= rect.left && place <= rect.right}
        active={selection?.far.row === -1 && selection.far.column === place}
        pinned={pinned}
        sort={sort?.column === column.id ? sort : null}
        onMenu={onMenu}
        onWidth={onWidth}
        onFit={onFit}
      />
    ) : null;
  };
  return (
    <div role="row" aria-rowindex={1} className={styles['headRow']} style={{ height: HEAD_HEIGHT }}>
      <div role="columnheader" aria-colindex={1} className={styles['corner']} style={{ width: indexWidth }}>
        <span className="hx-hidden">行号</span>
      </div>
      {layout.pinned > 0 ? head(0, true) : null}
      <div
        role="presentation"
        className={styles['heads']}
        style={{ left: indexWidth, transform: `translateX(${-left}px)` }}
      >
        {Array.from({ length: Math.max(0, to - from) }, (_, at) => head(from + at, false))}
      </div>
    </div>
  );
}

interface SheetProps extends PartOf {
  isSorted: boolean;
  labels: readonly (ReadonlyMap<unknown, string> | null)[];
  edits: ReadonlyMap<string, CellChange> | null;
}

export function GridSheet(props: SheetProps) {
  const { id, columns, layout, view, selecting, selected, isSorted, labels, edits } = props;
  const { shown, top, left, rowHeight, indexWidth, blocks, from, to, total, rowSlots, columnSlots } = view;
  const { selection, rect } = selecting;
  const base = Math.floor(shown.first / BASE_ROWS) * BASE_ROWS;
  const shift = HEAD_HEIGHT + Math.round(base * rowHeight - top);
  const isPinned = layout.pinned > 0;
  const isPlain = !isSorted && blocks.total !== null && total === view.rows;
  const place = layout.lefts[from] ?? 0;
  const sheet = useStill(left);
  return (
    <div
      ref={sheet}
      role="presentation"
      className={styles['sheet']}
      style={{ transform: `translate3d(${-left}px, ${shift}px, 0)` }}
    >
      {Array.from({ length: shown.end - shown.first }, (_, at) => {
        const row = shown.first + at;
        const isActive = selection?.active.row === row;
        const stamp = blocks.stamp(row, from, to, isPinned);
        const where = { row, top: (row - base) * rowHeight, height: rowHeight, indexWidth };
        if (stamp === '' && !isActive) {
          // Named by their place: rows that fly by are the same elements with other numbers.
          const width = (layout.lefts[to] ?? place) - place;
          return <BlankRow key={`blank-${at}`} {...where} left={place} width={width} isPlain={isPlain} />;
        }
        const isIn = holdsRow(rect, row);
        return (
          <GridRow
            key={row % rowSlots}
            {...where}
            slots={columnSlots}
            columns={columns}
            layout={layout}
            from={from}
            to={to}
            labels={labels}
            blocks={blocks}
            stamp={stamp}
            edits={edits}
            chosen={selected}
            active={isActive ? selection.active.column : -1}
            left={isIn ? (rect?.left ?? -1) : -1}
            right={isIn ? (rect?.right ?? -1) : -1}
            id={id}
          />
        );
      })}
      {rect && sizeOf(rect).cells > 1 ? <Outline rect={rect} base={base} layout={layout} view={view} /> : null}
    </div>
  );
}

/**
 * Row numbers and pinned cells move back by what the sheet is moved to the left. Written to these elements alone: a
 * custom property on the sheet would have the browser look at the style of every cell in every frame.
 */
function useStill(left: number) {
  const sheet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const still = left === 0 ? '' : `translateX(${left}px)`;
    for (const name of [styles['index'], styles['pinned']]) {
      for (const cell of sheet.current?.getElementsByClassName(name ?? '') ?? []) {
        if (cell instanceof HTMLElement && cell.style.transform !== still) cell.style.transform = still;
      }
    }
  });
  return sheet;
}

/** The line around a selected block; of a long one only the part in sight is drawn. */
function Outline({ rect, base, layout, view }: { rect: Rect; base: number; layout: ColumnLayout; view: GridView }) {
  const { shown, rowHeight, indexWidth } = view;
  const top = Math.max(rect.top, shown.first - 1);
  const bottom = Math.min(rect.bottom, shown.end);
  const left = layout.lefts[rect.left] ?? 0;
  if (bottom < top) return null;
  return (
    <div
      aria-hidden="true"
      className={styles['outline']}
      style={{
        top: (top - base) * rowHeight - 1,
        height: (bottom - top + 1) * rowHeight + 1,
        left: indexWidth + left - 1,
        width: (layout.lefts[rect.right + 1] ?? left) - left + 1,
      }}
    />
  );
}
