/** Keys of a spreadsheet; editing has the first word. */
import type { Column } from '@hengxi/server/files/schema';
import { type KeyboardEvent, useRef } from 'react';

import { type Direction, jumpOf, knownEdge, type SeekEdge } from './jump.ts';
import { movedBy, type Place } from './move.ts';
import { everything, type GridSelection, only, wholeRows } from './selection.ts';
import type { Grid } from './use-grid.ts';

export function useGridKeys(
  { view, selecting, editor }: Grid,
  columns: readonly Column[],
  onSelect: (column: string) => void,
  onMenu: (column: number) => void,
  seekEdge: SeekEdge,
  /** Rows and columns put in and taken out; null: nothing may be. */
  onHand: ((what: 'insert' | 'delete' | 'menu') => void) | null,
) {
  const asked = useRef(0);
  /** Goes on at once where the cells are known; an answer that comes after another key is not followed. */
  const jump = (from: Place, to: Direction, extend: boolean) => {
    const { go } = selecting;
    const known = knownEdge({ blocks: view.blocks, columns, rows: view.total }, from, to);
    if (known) {
      go(known, extend);
      return;
    }
    const mine = asked.current;
    seekEdge(from, to).then(
      (place) => {
        if (asked.current === mine) go(place, extend);
      },
      () => undefined, // the cell stays where it is; the next press asks again
    );
  };
  return (event: KeyboardEvent) => {
    const { target } = event;
    // Keys in a menu opened from the grid reach it through React, although the menu is drawn elsewhere.
    const isElsewhere = !(target instanceof Element) || !event.currentTarget.contains(target);
    if (event.nativeEvent.isComposing || isElsewhere || target instanceof HTMLButtonElement) return;
    asked.current += 1;
    const { active, far, set, go } = selecting;
    const isMenuKey = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');
    const hand = isMenuKey && active.row >= 0 ? 'menu' : handKey(event);
    if (hand && onHand) {
      event.preventDefault();
      onHand(hand);
      return;
    }
    if (isMenuKey || (event.altKey && event.key === 'ArrowDown')) {
      event.preventDefault();
      onMenu(active.column);
      return;
    }
    if (event.altKey || editor.onKey(event)) return;
    const control = event.ctrlKey || event.metaKey;
    const next = blockOf(event, active, far, view.total, columns.length);
    if (next) {
      event.preventDefault();
      set(next);
      return;
    }
    const direction = jumpOf(event);
    if (direction) {
      event.preventDefault();
      const from = event.shiftKey ? far : active;
      // A block from the head holds whole columns: its far corner stays in the head.
      const isStuck = event.shiftKey && active.row < 0 && (direction === 'down' || direction === 'up');
      if (!isStuck && view.total > 0) jump(from, direction, event.shiftKey);
      return;
    }
    const page = Math.max(1, Math.floor(view.scale.view / view.rowHeight) - 1);
    // A block from the head holds whole columns: its far corner stays in the head.
    const extent = { rows: event.shiftKey && active.row < 0 ? 0 : view.total, columns: columns.length, page };
    const to = movedBy(event, event.shiftKey ? far : active, extent);
    if (to) {
      event.preventDefault();
      go(event.shiftKey && active.row >= 0 ? { ...to, row: Math.max(0, to.row) } : to, event.shiftKey);
    } else if (!control && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      const column = columns[active.column];
      if (column) onSelect(column.id);
    }
  };
}

/** Ctrl+Alt and = or −: Ctrl alone makes the page of a browser larger and smaller. */
function handKey({ ctrlKey, metaKey, altKey, key, code }: KeyboardEvent): 'insert' | 'delete' | null {
  if (!(ctrlKey || metaKey) || !altKey) return null;
  if (key === '=' || key === '+' || code === 'Equal' || code === 'NumpadAdd') return 'insert';
  return key === '-' || code === 'Minus' || code === 'NumpadSubtract' ? 'delete' : null;
}

/** Ctrl+A, Shift+Space, Ctrl+Space, Escape: blocks that need no moving. */
function blockOf(event: KeyboardEvent, active: Place, far: Place, rows: number, columns: number): GridSelection | null {
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === 'a') return everything(rows, columns);
  if (event.key === ' ' && event.shiftKey) return wholeRows(Math.max(0, active.row), Math.max(0, far.row), columns);
  if (event.key === ' ' && control)
    return { active: { row: -1, column: active.column }, far: { row: -1, column: far.column } };
  return event.key === 'Escape' ? only(active) : null;
}
