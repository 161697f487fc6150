/** Where columns stand: widths people may change, a first column that may stay, and which of thousands are in sight. */
import { columnsBetween, edges } from './scale.ts';

export const WIDTH_LEAST = 48;
export const WIDTH_MOST = 800;

export interface ColumnLayout {
  widths: readonly number[];
  /** Left edges without scrolling, and the width of all as last entry. */
  lefts: readonly number[];
  /** Width of the first column while it stays in sight, else 0. */
  pinned: number;
}

export function layoutOf(widths: readonly number[], isFrozen: boolean): ColumnLayout {
  return { widths, lefts: edges(widths), pinned: isFrozen ? (widths[0] ?? 0) : 0 };
}

export function boundWidth(width: number): number {
  return Math.round(Math.min(WIDTH_MOST, Math.max(WIDTH_LEAST, width)));
}

/** First and one-past-last column that scroll into sight; the pinned one is drawn besides. */
export function inSight({ lefts, pinned }: ColumnLayout, left: number, view: number): [number, number] {
  const [from, to] = columnsBetween(lefts, left + pinned, left + Math.max(pinned, view));
  return [pinned > 0 ? Math.max(1, from) : from, to];
}

/** The column under a horizontal position right of the row numbers. */
export function columnAt({ lefts, pinned }: ColumnLayout, left: number, x: number): number {
  if (x < pinned) return 0;
  const [column] = columnsBetween(lefts, left + x, left + x + 1);
  return Math.min(column, lefts.length - 2);
}

/** The horizontal position that shows a column fully, moving as little as possible. */
export function leftThatShows(layout: ColumnLayout, column: number, left: number, view: number): number {
  const { lefts, pinned } = layout;
  if (pinned > 0 && column === 0) return left;
  const start = lefts[column] ?? 0;
  const end = lefts[column + 1] ?? start;
  if (start < left + pinned) return Math.max(0, start - pinned);
  // Of a column wider than the view the beginning is shown.
  return end > left + view ? Math.min(end - view, start - pinned) : left;
}

/** The most columns that a view of this width can meet anywhere in the table. */
export function mostInSight({ lefts }: ColumnLayout, view: number): number {
  let most = 1;
  let end = 0;
  for (let from = 0; from + 1 < lefts.length; from += 1) {
    // A column that shows by its last pixel is the worst place to start at.
    const edge = (lefts[from + 1] ?? 0) - 1 + view;
    while (end + 1 < lefts.length && (lefts[end] ?? 0) < edge) end += 1;
    most = Math.max(most, end - from);
  }
  return most;
}
