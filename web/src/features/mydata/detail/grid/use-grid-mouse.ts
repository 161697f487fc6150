/** Pressing and drawing with the mouse: cells, whole rows from their numbers, whole columns from their heads. */
import type { Column } from '@hengxi/server/files/schema';
import { type MouseEvent, useRef } from 'react';

import { columnAt } from './column-layout.ts';
import { HEAD_HEIGHT } from './grid-head.tsx';
import { everything, holdsRow, only, type Rect, rectOf, wholeRows } from './selection.ts';
import { useDrag } from './use-drag.ts';
import type { Grid } from './use-grid.ts';

export function useGridMouse(
  { view, selecting, editor, layout }: Grid,
  columns: readonly Column[],
  onSelect: (column: string) => void,
  focus: () => void,
) {
  const { box, top, left, indexWidth, rowHeight, total, setTop } = view;
  const zone = useRef<'cell' | 'index' | 'head'>('cell');
  const placeAt = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const edge = box?.getBoundingClientRect();
    const x = clientX - (edge?.left ?? 0);
    const y = clientY - (edge?.top ?? 0);
    const row = Math.floor((top + Math.max(0, y - HEAD_HEIGHT)) / rowHeight);
    const isOutside = row >= total || x - indexWidth + left > (layout.lefts.at(-1) ?? 0);
    return {
      row: Math.min(total - 1, row),
      column: columnAt(layout, left, Math.max(0, x - indexWidth)),
      isHead: y < HEAD_HEIGHT,
      isIndex: x < indexWidth,
      isOutside,
    };
  };
  // A menu opened from the grid is drawn elsewhere on the page, but React tells the grid of its clicks too.
  const isInside = ({ target }: MouseEvent) => target instanceof Element && box?.contains(target) === true;
  const isOwn = (event: MouseEvent) =>
    !isInside(event) || (event.target instanceof Element && event.target.closest('[data-own]') !== null);
  const select = (at: ReturnType<typeof placeAt>, extend: boolean) => {
    const { selection, set } = selecting;
    const row = zone.current === 'head' ? -1 : at.row;
    if (zone.current === 'index') {
      set(wholeRows(extend ? (selection?.active.row ?? row) : row, row, columns.length));
    } else {
      const place = { row, column: at.column };
      const isSameKind = selection !== null && selection.active.row < 0 === row < 0;
      set(extend && isSameKind ? { active: selection.active, far: place } : only(place));
    }
  };
  const onStart = (event: MouseEvent): boolean => {
    if (isOwn(event) || event.target === box) return false;
    event.preventDefault();
    // What is being typed is kept first; refused text stays, and so does the selection.
    if (!editor.commit()) return false;
    focus();
    const at = placeAt(event);
    if (at.isHead && at.isIndex) {
      selecting.set(everything(total, columns.length));
      return false;
    }
    if (at.isOutside) return false;
    zone.current = at.isHead ? 'head' : at.isIndex ? 'index' : 'cell';
    select(at, event.shiftKey);
    const column = columns[at.column];
    if (at.isHead && column && !event.shiftKey) onSelect(column.id);
    return true;
  };
  const onMouseDown = useDrag({
    box,
    head: HEAD_HEIGHT,
    index: indexWidth,
    onStart,
    onMove: (point) => select(placeAt(point), true),
    scrollBy: (x, y) => {
      if (y !== 0 && zone.current !== 'head') setTop(top + y);
      if (x !== 0 && zone.current !== 'index') box?.scrollBy({ left: x });
    },
  });
  return {
    onMouseDown,
    isCell: (event: MouseEvent) => {
      const at = placeAt(event);
      return !isOwn(event) && !at.isHead && !at.isIndex && !at.isOutside;
    },
    /** What a menu at this point is about: the selection that holds it, else the cell or the row under it. */
    choose: (event: MouseEvent): { point: { left: number; top: number }; rect: Rect } | null => {
      const at = placeAt(event);
      if (isOwn(event) || at.isHead || at.isOutside || total === 0) return null;
      const edge = box?.getBoundingClientRect();
      const point = { left: event.clientX - (edge?.left ?? 0), top: event.clientY - (edge?.top ?? 0) };
      const { rect, set } = selecting;
      const isIn =
        holdsRow(rect, at.row) && (at.isIndex || (at.column >= (rect?.left ?? 0) && at.column <= (rect?.right ?? -1)));
      if (isIn && rect) return { point, rect };
      const next = at.isIndex ? wholeRows(at.row, at.row, columns.length) : only({ row: at.row, column: at.column });
      set(next);
      focus();
      return { point, rect: rectOf(next, total) };
    },
    headAt: (event: MouseEvent): number | null => {
      const at = placeAt(event);
      return at.isHead && !at.isIndex && isInside(event) ? at.column : null;
    },
  };
}
