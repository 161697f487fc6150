/** One row of the grid. Rows are drawn again only when something in them changes: scrolling moves the sheet, not them. */
import type { Cell, Column } from '@hengxi/server/files/schema';
import { memo } from 'react';

import { type CellChange, cellKey } from './cell-edits.ts';
import { type CellText, cellText } from './cell-text.ts';
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
  labels: readonly (ReadonlyMap<unknown, string> | null)[];
  blocks: RowBlocks;
  /** Changes when a block arrived; the blocks themselves stay the same object. */
  loads: number;
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
}

function drawn(props: GridRowProps, at: number): Drawn {
  const column = props.columns[at];
  const value = props.blocks.cell(props.row, at);
  if (!column || value === undefined) return { text: null, old: undefined };
  const labels = props.labels[at] ?? null;
  const number = props.edits && props.edits.size > 0 ? props.blocks.rowNumber(props.row, at) : null;
  const edit = number === null ? undefined : props.edits?.get(cellKey(number - 1, column.id));
  return edit
    ? { text: cellText(edit.value, column, labels), old: edit.old }
    : { text: cellText(value, column, labels), old: undefined };
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, top, height, indexWidth, columns, layout, from, to, blocks, left, right, id } = props;
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
        const { text, old } = drawn(props, at);
        const classes = [styles['cell']];
        if (text) classes.push(styles[text.kind]);
        if (column.id === props.chosen) classes.push(styles['chosen']);
        if (at >= left && at <= right) classes.push(styles['picked']);
        if (at === props.active) classes.push(styles['active']);
        if (old !== undefined) classes.push(styles['edited']);
        if (layout.pinned > 0 && at === 0) classes.push(styles['pinned']);
        return (
          <div
            key={column.id}
            id={`${id}-${row}-${at}`}
            role="gridcell"
            aria-colindex={at + 2}
            className={classes.join(' ')}
            title={old === undefined ? undefined : `原值 ${old === null || old === '' ? '缺失' : String(old)}`}
            style={{ left: indexWidth + (layout.lefts[at] ?? 0), width: layout.widths[at] ?? 0 }}
          >
            {text?.text ?? ''}
          </div>
        );
      })}
    </div>
  );
});
