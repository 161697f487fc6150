/**
 * One row of the grid. Rows are drawn again only when something in them changes: scrolling moves the sheet, not them. Rows
 * and cells are keyed by the turn they take, so that what scrolls in gets the elements of what scrolled out.
 */
import type { Cell, Column } from '@hengxi/server/files/schema';
import { memo } from 'react';

import { type CellChange, cellKey } from './cell-edits.ts';
import { type CellText, cellText, showsNumbers } from './cell-text.ts';
import type { ColumnLayout } from './column-layout.ts';
import styles from './data-grid.module.css';
import type { RowBlocks } from './row-blocks.ts';

export interface GridRowProps {
  row: number;
  top: number;
  height: number;
  indexWidth: number;
  columns: readonly Column[];
  layout: ColumnLayout;
  from: number;
  to: number;
  /** How many elements the cells take turns in. */
  slots: number;
  labels: readonly (ReadonlyMap<unknown, string> | null)[];
  blocks: RowBlocks;
  /** Changes when a block of this row arrived; the blocks themselves stay the same object. */
  stamp: string;
  edits: ReadonlyMap<string, CellChange> | null;
  chosen: string | null;
  /** Column of the active cell, −1 in all other rows. */
  active: number;
  /** Selected columns of this row; −1 where none is. */
  left: number;
  right: number;
  id: string;
}

interface Drawn {
  text: CellText | null;
  old: Cell | undefined;
  /** What the file says, where that was read as something else. */
  odd: string | undefined;
}

function drawn(props: GridRowProps, at: number): Drawn {
  const column = props.columns[at];
  const value = props.blocks.cell(props.row, at);
  if (!column || value === undefined) return { text: null, old: undefined, odd: undefined };
  const labels = props.labels[at] ?? null;
  const number = props.edits && props.edits.size > 0 ? props.blocks.rowNumber(props.row, at) : null;
  const edit = number === null ? undefined : props.edits?.get(cellKey(number - 1, column.id));
  return edit
    ? { text: cellText(edit.value, column, labels), old: edit.old, odd: undefined }
    : { text: cellText(value, column, labels), old: undefined, odd: props.blocks.odd(props.row, at) };
}

const isEmpty = (text: CellText | null): boolean => text?.kind === 'missing' || text?.kind === 'declared';

/** The tooltip of a cell: what it was before it was changed, or what the file says of it. */
function titleOf({ text, old, odd }: Drawn, column: Column): string | undefined {
  if (old !== undefined) return `原值 ${old === null || old === '' ? '缺失' : String(old)}`;
  if (odd === undefined) return undefined;
  if (text?.kind !== 'missing') return `原文“${odd}”，读作 ${text?.text ?? ''}`;
  return `原文“${odd}”不是${column.storage.startsWith('date') ? '日期' : '数字'}，作缺失`;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, top, height, indexWidth, columns, layout, from, to, slots, blocks, left, right, id } = props;
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (layout.pinned > 0) places.unshift(0);
  const isSelected = left >= 0;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      className={styles['row']}
      style={{ top, height }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={isSelected ? `${styles['index']} ${styles['marked']}` : styles['index']}
        style={{ width: indexWidth }}
      >
        {blocks.rowNumber(row, places[0] ?? 0) ?? '…'}
      </div>
      {places.map((at) => {
        const column = columns[at];
        if (!column) return null;
        const cell = drawn(props, at);
        const { text, old, odd } = cell;
        const classes = [styles['cell']];
        if (text) classes.push(styles[text.kind]);
        if (isEmpty(text) && showsNumbers(column, props.labels[at] ?? null)) classes.push(styles['number']);
        if (column.id === props.chosen) classes.push(styles['chosen']);
        if (at >= left && at <= right) classes.push(styles['picked']);
        if (at === props.active) classes.push(styles['active']);
        if (old !== undefined) classes.push(styles['edited']);
        if (odd !== undefined) classes.push(styles['odd']);
        if (layout.pinned > 0 && at === 0) classes.push(styles['pinned']);
        return (
          <div
            key={layout.pinned > 0 && at === 0 ? 'pinned' : at % slots}
            id={`${id}-${row}-${at}`}
            role="gridcell"
            aria-colindex={at + 2}
            className={classes.join(' ')}
            title={titleOf(cell, column)}
            style={{ left: indexWidth + (layout.lefts[at] ?? 0), width: layout.widths[at] ?? 0 }}
          >
            {text?.text ?? ''}
          </div>
        );
      })}
    </div>
  );
});

export interface BlankRowProps {
  row: number;
  top: number;
  height: number;
  indexWidth: number;
  left: number;
  width: number;
  /** The rows stand in the order of the table: the number is known before the row is. */
  isPlain: boolean;
}

/** A row that is not here yet: while the scrollbar is dragged only its number is drawn. */
export const BlankRow = memo(function BlankRow(props: BlankRowProps) {
  const { row, top, height, indexWidth, left, width, isPlain } = props;
  return (
    <div role="row" aria-rowindex={row + 2} aria-busy="true" className={styles['row']} style={{ top, height }}>
      <div role="rowheader" aria-colindex={1} className={styles['index']} style={{ width: indexWidth }}>
        {isPlain ? row + 1 : '…'}
      </div>
      <div aria-hidden="true" className={styles['blank']} style={{ left: indexWidth + left, width }} />
    </div>
  );
});
