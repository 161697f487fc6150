/** The scrolling box of the grid: its size, its true position, and the ways to move it. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { clampTop, isScaled, lastTop, type Scale, scrollOf, spacerHeight, topOf } from './scale.ts';

export interface Scroller {
  size: { width: number; height: number };
  top: number;
  left: number;
  /** Columns fly by, a whole view and more at a time: nobody can read what would be drawn of them. */
  isFlying: boolean;
  scale: Scale;
  setTop: (top: number) => void;
  setLeft: (left: number) => void;
  onScroll: () => void;
}

interface Measures {
  rows: number;
  rowHeight: number;
  headHeight: number;
}

function useSize(element: HTMLDivElement | null) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element) return;
    const read = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

export function useScroller(box: HTMLDivElement | null, { rows, rowHeight, headHeight }: Measures): Scroller {
  const size = useSize(box);
  const scale: Scale = { rows, rowHeight, view: Math.max(0, size.height - headHeight) };
  const [top, setTopState] = useState(0);
  const [left, setLeftState] = useState(0);
  const latest = useRef({ scale, top });
  useEffect(() => {
    latest.current = { scale, top };
  });
  const { isFlying, follow } = useFlight(box);
  /** Where the scrollbar stands by our doing; a scroll event with another place is the user's. */
  const expected = useRef(0);

  const setTop = useCallback(
    (next: number) => {
      const now = latest.current.scale;
      const bounded = clampTop(now, next);
      latest.current.top = bounded;
      setTopState(bounded);
      if (!box) return;
      box.scrollTo({ top: scrollOf(now, bounded) });
      expected.current = box.scrollTop;
    },
    [box],
  );

  const setLeft = useCallback(
    (next: number) => {
      box?.scrollTo({ left: next });
    },
    [box],
  );

  const onScroll = useCallback(() => {
    if (!box) return;
    setLeftState(box.scrollLeft);
    follow(box.scrollLeft);
    const moved = box.scrollTop - expected.current;
    if (Math.abs(moved) < 1) return;
    expected.current = box.scrollTop;
    const next = followed(latest.current.scale, latest.current.top, box.scrollTop, moved);
    latest.current.top = next;
    setTopState(next);
  }, [box, follow]);

  useWheel(box, latest, setTop);
  return { size, top: clampTop(scale, top), left, isFlying, scale, setTop, setLeft, onScroll };
}

/** Stands still for so long: what was left out is drawn. */
const LANDING_MS = 120;

function useFlight(box: HTMLDivElement | null) {
  const [isFlying, setFlying] = useState(false);
  const last = useRef({ left: 0, timer: 0 });
  useEffect(() => () => clearTimeout(last.current.timer), []);
  const follow = useCallback(
    (left: number) => {
      const now = last.current;
      const isFar = Math.abs(left - now.left) > (box?.clientWidth ?? 0);
      now.left = left;
      if (isFar) setFlying(true);
      clearTimeout(now.timer);
      now.timer = window.setTimeout(() => setFlying(false), LANDING_MS);
    },
    [box],
  );
  return { isFlying, follow };
}

/**
 * True position after the browser moved the scrollbar. On a smaller scale a short way is a finger or a page key, meant in
 * true pixels; a long one is the thumb of the scrollbar, meant as a share of the whole.
 */
export function followed(scale: Scale, top: number, scroll: number, moved: number): number {
  if (!isScaled(scale)) return clampTop(scale, scroll);
  if (scroll <= 0) return 0;
  if (scroll >= spacerHeight(scale) - scale.view - 1) return lastTop(scale);
  if (Math.abs(moved) <= scale.view) return clampTop(scale, top + moved);
  return topOf(scale, scroll);
}

/** On a smaller scale one notch of the wheel would fly over hundreds of rows; there we move by true pixels ourselves. */
function useWheel(
  element: HTMLDivElement | null,
  latest: RefObject<{ scale: Scale; top: number }>,
  setTop: (top: number) => void,
): void {
  useEffect(() => {
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { scale, top } = latest.current;
      if (!isScaled(scale) || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === 1 ? scale.rowHeight : event.deltaMode === 2 ? scale.view : 1;
      setTop(top + event.deltaY * unit);
      if (event.deltaX !== 0) element.scrollBy({ left: event.deltaX });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [element, latest, setTop]);
}
