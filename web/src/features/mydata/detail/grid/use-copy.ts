/** Ctrl+C: the selection as text, values or labels as they are shown; what is not loaded yet is fetched first. */
import type { Cell, Column } from '@hengxi/server/files/schema';
import type { ClipboardEvent } from 'react';

import { toast } from '../../../../lib/toast.ts';
import { type CellChange, cellKey } from './cell-edits.ts';
import { cellText } from './cell-text.ts';
import { toTsv, writeLater } from './clipboard.ts';
import type { RangeCells } from './row-blocks.ts';
import { type Rect, sizeOf } from './selection.ts';
import type { ReadRange } from './use-range.ts';

const ROWS_MOST = 50_000;
const CELLS_MOST = 1_000_000;

export function rangeText(
  { cells, index }: RangeCells,
  columns: readonly Column[],
  labels: readonly (ReadonlyMap<unknown, string> | null)[],
  edits: ReadonlyMap<string, CellChange> | null,
): string {
  const word = (value: Cell, at: number, row: number): string => {
    const column = columns[at];
    if (!column) return '';
    const edit = edits?.get(cellKey(row, column.id));
    const now = edit ? edit.value : value;
    return now === null || now === '' ? '' : cellText(now, column, labels[at] ?? null).text;
  };
  return toTsv(cells.map((line, r) => line.map((value, at) => word(value, at, index[r] ?? 0))));
}

interface CopyOf {
  rect: Rect | null;
  columns: readonly Column[];
  labels: readonly (ReadonlyMap<unknown, string> | null)[];
  edits: ReadonlyMap<string, CellChange> | null;
  read: ReadRange;
}

export function useCopy({ rect, columns, labels, edits, read }: CopyOf) {
  const words = (found: RangeCells, block: Rect): string =>
    rangeText(found, columns.slice(block.left, block.right + 1), labels.slice(block.left, block.right + 1), edits);

  return (event: ClipboardEvent) => {
    if (!rect) return;
    event.preventDefault();
    const { rows, columns: wide, cells } = sizeOf(rect);
    if (rows > ROWS_MOST || cells > CELLS_MOST) {
      toast.warn(`一次最多复制 ${ROWS_MOST.toLocaleString('en-US')} 行；更多请用导出`);
      return;
    }
    const copied = read(rect);
    if (!(copied instanceof Promise)) {
      event.clipboardData.setData('text/plain', words(copied, rect));
      return;
    }
    writeLater(copied.then((range) => words(range, rect)))
      .then(() => toast.done(`已复制 ${rows.toLocaleString('en-US')} 行 × ${wide} 列`))
      .catch(() => toast.bad('没有复制：浏览器不允许写剪贴板，或数据没有读到'));
  };
}
