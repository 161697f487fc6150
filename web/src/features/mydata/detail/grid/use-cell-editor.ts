/** Typing into the active cell, emptying the selection, pasting a block: every one a single thing to undo. */
import type { Cell, Column } from '@hengxi/server/files/schema';
import { type KeyboardEvent, useState } from 'react';

import { toast } from '../../../../lib/toast.ts';
import { parseBlock } from '../../upload/paste.ts';
import { type CellChange, CELLS_MOST, cellKey } from './cell-edits.ts';
import { editText } from './cell-text.ts';
import { tiled } from './clipboard.ts';
import { type EditAct, editAct, type EditMode } from './edit-keys.ts';
import { readCell } from './read-cell.ts';
import type { RangeCells } from './row-blocks.ts';
import { type Rect, sizeOf } from './selection.ts';
import type { ReadRange } from './use-range.ts';
import type { Selecting } from './use-grid-selection.ts';

/** What the page offers for changing cells; null where the table is only read. */
export interface Editing {
  cells: ReadonlyMap<string, CellChange>;
  change: (batch: readonly CellChange[]) => void;
  /** null: nothing to undo here, so the key belongs to the page, which undoes the last step. */
  undo: (() => void) | null;
  redo: (() => void) | null;
}

interface EditorOf {
  editing: Editing | null;
  columns: readonly Column[];
  total: number;
  labels: readonly (ReadonlyMap<unknown, string> | null)[];
  selecting: Selecting;
  read: ReadRange;
}

interface Entry {
  mode: EditMode;
  text: string;
  fault: string | null;
}

const CLOSED: Entry = { mode: 'closed', text: '', fault: null };

export function useCellEditor({ editing, columns, total, labels, selecting, read }: EditorOf) {
  const [entry, setEntry] = useState<Entry>(CLOSED);
  const { active, rect } = selecting;
  const column = columns[active.column];

  /** The value as it stands, with what was changed before. */
  const now = (row: number, id: string, value: Cell): Cell => {
    const edit = editing?.cells.get(cellKey(row, id));
    return edit ? edit.value : value;
  };
  const withRange = (block: Rect, use: (found: RangeCells) => void) => {
    const found = read(block);
    if (!(found instanceof Promise)) return use(found);
    found.then(use).catch(() => toast.bad('这些行没有读到，没有改动'));
  };
  const own = (): Rect => ({ top: active.row, bottom: active.row, left: active.column, right: active.column });

  const open = () => {
    if (!column || active.row < 0) return;
    withRange(own(), ({ cells, index }) => {
      const value = now(index[0] ?? 0, column.id, cells[0]?.[0] ?? null);
      setEntry({ mode: 'editing', text: editText(value, column, labels[active.column] ?? null), fault: null });
    });
  };
  const type = (text: string) =>
    setEntry((old) => ({ mode: old.mode === 'closed' ? 'typing' : old.mode, text, fault: null }));

  /** False where the text is refused: it stays, with the reason beside it. */
  const commit = (): boolean => {
    if (entry.mode === 'closed') return true;
    if (!column || active.row < 0) return true;
    const parsed = readCell(entry.text, column);
    if ('fault' in parsed) {
      setEntry({ ...entry, fault: parsed.fault });
      return false;
    }
    withRange(own(), ({ cells, index }) => {
      const row = index[0] ?? 0;
      const old = cells[0]?.[0] ?? null;
      const isSame = entry.text === editText(now(row, column.id, old), column, labels[active.column] ?? null);
      if (!isSame) editing?.change([{ row, column: column.id, old, value: parsed.value }]);
    });
    setEntry(CLOSED);
    return true;
  };
  const close = () => setEntry(CLOSED);

  const isTooMany = (count: number): boolean => {
    if ((editing?.cells.size ?? 0) + count <= CELLS_MOST) return false;
    toast.warn(`一次最多改 ${CELLS_MOST.toLocaleString('en-US')} 个单元格；整列的改动请用数据处理`);
    return true;
  };
  const clear = () => {
    if (!rect || isTooMany(sizeOf(rect).cells)) return;
    withRange(rect, ({ cells, index }) =>
      editing?.change(
        index.flatMap((row, r) =>
          columns.slice(rect.left, rect.right + 1).map((one, c) => ({
            row,
            column: one.id,
            old: cells[r]?.[c] ?? null,
            value: null,
          })),
        ),
      ),
    );
  };

  const paste = (text: string) => {
    if (!rect) return;
    const size = sizeOf(rect);
    const block = tiled(parseBlock(text), size.rows, size.columns);
    const wide = Math.max(0, ...block.map((row) => row.length));
    const to = {
      top: rect.top,
      bottom: Math.min(total, rect.top + block.length) - 1,
      left: rect.left,
      right: Math.min(columns.length, rect.left + wide) - 1,
    };
    if (block.length === 0 || isTooMany(sizeOf(to).cells)) return;
    const batch: CellChange[] = [];
    withRange(to, ({ cells, index }) => {
      const bad = faultOf(block, to, columns, (r, c, value) => {
        const id = columns[to.left + c]?.id ?? '';
        batch.push({ row: index[r] ?? 0, column: id, old: cells[r]?.[c] ?? null, value });
      });
      if (bad) {
        selecting.go({ row: to.top + bad.row, column: to.left + bad.column });
        setEntry({ mode: 'closed', text: '', fault: `${bad.fault}，整块没有粘贴` });
        return;
      }
      editing?.change(batch);
      selecting.set({ active: { row: to.top, column: to.left }, far: { row: to.bottom, column: to.right } });
      const left = cutOff({ rows: block.length - index.length, columns: to.left + wide - columns.length });
      if (left !== '')
        toast.note(`多出的 ${left} 没有粘贴：数据是 ${total.toLocaleString('en-US')} 行 × ${columns.length} 列`);
    });
  };

  const perform = (act: EditAct) => {
    switch (act.act) {
      case 'open':
        return open();
      case 'clear':
        return clear();
      case 'undo':
        return editing?.undo?.();
      case 'redo':
        return editing?.redo?.();
      case 'cancel':
        return close();
      case 'step':
        return selecting.go({ row: active.row, column: Math.max(0, active.column + act.right) });
      default:
        if (!commit()) return undefined;
        return selecting.go({
          row: Math.max(0, active.row + act.down),
          column: Math.max(0, active.column + act.right),
        });
    }
  };
  /** True where the key was one of editing; what is typed into the open field belongs to the field. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!editing || active.row < 0) return false;
    const act = editAct(event, entry.mode);
    if ((act?.act === 'undo' || act?.act === 'redo') && editing[act.act] === null) return true;
    // Past the ends of the row Tab leads out of the table, or there would be no way out by keys.
    if (act?.act === 'step' && columns[active.column + act.right] === undefined) return true;
    if (act) {
      event.preventDefault();
      perform(act);
    } else if (entry.mode === 'closed' && entry.fault !== null) close();
    return act !== null || entry.mode !== 'closed' || isTyped(event);
  };
  return { ...entry, open, type, commit, close, paste, clear, onKey };
}

/** A sign that the field is about to take; Shift and Ctrl with the space bar select. */
function isTyped({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !(key === ' ' && shiftKey);
}

/** What of a pasted block lies beyond the table, in words. */
export function cutOff({ rows, columns }: { rows: number; columns: number }): string {
  return [rows > 0 ? `${rows} 行` : '', columns > 0 ? `${columns} 列` : ''].filter(Boolean).join('、');
}

interface Bad {
  row: number;
  column: number;
  fault: string;
}

/** Hands every readable cell on; the first that cannot be read ends it. */
function faultOf(
  block: readonly (readonly string[])[],
  to: Rect,
  columns: readonly Column[],
  onCell: (row: number, column: number, value: Cell) => void,
): Bad | null {
  for (const [row, line] of block.entries()) {
    if (to.top + row > to.bottom) break;
    for (const [at, text] of line.entries()) {
      const column = columns[to.left + at];
      if (!column || to.left + at > to.right) break;
      const found = readCell(text, column);
      if ('fault' in found) return { row, column: at, fault: found.fault };
      onCell(row, at, found.value);
    }
  }
  return null;
}
