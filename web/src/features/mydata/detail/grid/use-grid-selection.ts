/** The active cell and the selected block, and the ways they are moved; what is moved to comes into sight. */
import { useState } from 'react';

import { type ColumnLayout, leftThatShows } from './column-layout.ts';
import type { Place } from './move.ts';
import { reveal } from './scale.ts';
import { type GridSelection, only, type Rect, rectOf } from './selection.ts';
import type { GridView } from './use-grid-view.ts';

export interface Selecting {
  selection: GridSelection | null;
  rect: Rect | null;
  /** Where keys start from: the active cell, or the first one in sight. */
  active: Place;
  far: Place;
  set: (selection: GridSelection) => void;
  /** Something is always selected while the grid has the focus. */
  ensure: () => void;
  /** Selects one cell, or draws the block up to it, and shows it. */
  go: (place: Place, extend?: boolean) => void;
}

export function useGridSelection(view: GridView, layout: ColumnLayout, columns: number): Selecting {
  const [selection, setSelection] = useState<GridSelection | null>(null);
  const { total, scale, top, left, cellsWidth, setTop, setLeft, shown, from } = view;
  const start: Place = { row: shown.first, column: from };
  // A search or filter leaves fewer rows: what lay beyond them is no longer selected.
  const bounded = selection && clamped(selection, total, columns);
  const show = ({ row, column }: Place) => {
    if (row >= 0) setTop(reveal(scale, top, row));
    const shift = leftThatShows(layout, column, left, cellsWidth);
    if (shift !== left) setLeft(shift);
  };
  return {
    selection: bounded,
    rect: bounded && rectOf(bounded, total),
    active: bounded?.active ?? start,
    far: bounded?.far ?? start,
    set: setSelection,
    ensure: () => setSelection((old) => old ?? only(start)),
    go: (place, extend = false) => {
      const to = { row: Math.min(total - 1, place.row), column: Math.min(columns - 1, place.column) };
      setSelection(extend && bounded ? { active: bounded.active, far: to } : only(to));
      show(to);
    },
  };
}

function clamped({ active, far }: GridSelection, rows: number, columns: number): GridSelection {
  const inside = ({ row, column }: Place): Place => ({
    row: Math.min(row, rows - 1),
    column: Math.min(column, columns - 1),
  });
  return { active: inside(active), far: inside(far) };
}
