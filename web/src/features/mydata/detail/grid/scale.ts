/**
 * Where rows are, when a million of them are taller than a browser allows an element to be (Firefox clips at 17.9 million
 * pixels). The scrollbar then stands for the table on a smaller scale, while wheel and keys move by true rows.
 */

export const SPACER_MOST = 15_000_000;

export interface Scale {
  rowHeight: number;
  rows: number;
  /** Height of the part of the viewport that shows rows. */
  view: number;
}

/** True height of all rows. */
export function fullHeight({ rows, rowHeight }: Scale): number {
  return rows * rowHeight;
}

/** Height of the element behind the scrollbar. */
export function spacerHeight(scale: Scale): number {
  return Math.min(fullHeight(scale), SPACER_MOST);
}

/** Furthest true position. */
export function lastTop(scale: Scale): number {
  return Math.max(0, fullHeight(scale) - scale.view);
}

function lastScroll(scale: Scale): number {
  return Math.max(0, spacerHeight(scale) - scale.view);
}

export function isScaled(scale: Scale): boolean {
  return fullHeight(scale) > SPACER_MOST;
}

export function clampTop(scale: Scale, top: number): number {
  return Math.min(lastTop(scale), Math.max(0, top));
}

/** From the scrollbar to the true position. */
export function topOf(scale: Scale, scroll: number): number {
  const most = lastScroll(scale);
  if (!isScaled(scale) || most === 0) return clampTop(scale, scroll);
  return clampTop(scale, (scroll / most) * lastTop(scale));
}

/** From the true position to the scrollbar. */
export function scrollOf(scale: Scale, top: number): number {
  const most = lastTop(scale);
  if (!isScaled(scale) || most === 0) return clampTop(scale, top);
  return (clampTop(scale, top) / most) * lastScroll(scale);
}

export interface Window {
  first: number;
  /** One past the last row drawn. */
  end: number;
  /** How far the first row is pushed out above, in pixels ≤ 0. */
  offset: number;
}

export function windowAt(scale: Scale, top: number): Window {
  const at = clampTop(scale, top);
  const first = Math.min(Math.max(0, scale.rows - 1), Math.floor(at / scale.rowHeight));
  const end = Math.min(scale.rows, Math.ceil((at + scale.view) / scale.rowHeight) + 1);
  return { first, end: Math.max(first, end), offset: first * scale.rowHeight - at };
}

/** The most rows that are drawn at once. */
export function mostRows({ rowHeight, view }: Scale): number {
  return Math.ceil(view / rowHeight) + 2;
}

/** The position that shows a row fully, moving as little as possible. */
export function reveal(scale: Scale, top: number, row: number): number {
  const start = row * scale.rowHeight;
  if (start < top) return clampTop(scale, start);
  if (start + scale.rowHeight > top + scale.view) return clampTop(scale, start + scale.rowHeight - scale.view);
  return clampTop(scale, top);
}

/** Left edges of columns, and the total width as last entry. */
export function edges(widths: readonly number[]): number[] {
  const offsets = [0];
  let x = 0;
  for (const width of widths) {
    x += width;
    offsets.push(x);
  }
  return offsets;
}

/** First and one-past-last column seen between two x positions. */
export function columnsBetween(lefts: readonly number[], from: number, to: number): [number, number] {
  const count = lefts.length - 1;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lefts[middle + 1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < count && (lefts[end] ?? 0) < to) end += 1;
  return [low, end];
}
