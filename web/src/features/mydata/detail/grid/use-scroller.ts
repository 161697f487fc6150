/** The scrolling box of the grid: its size, its true position, and the ways to move it. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { clampTop, isScaled, lastTop, type Scale, scrollOf, spacerHeight, topOf } from './scale.ts';

export interface Scroller {
  box: RefObject<HTMLDivElement | null>;
  size: { width: number; height: number };
  top: number;
  left: number;
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

function useSize(box: RefObject<HTMLDivElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const read = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

export function useScroller({ rows, rowHeight, headHeight }: Measures): Scroller {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const scale: Scale = { rows, rowHeight, view: Math.max(0, size.height - headHeight) };
  const [top, setTopState] = useState(0);
  const [left, setLeftState] = useState(0);
  const latest = useRef({ scale, top });
  useEffect(() => {
    latest.current = { scale, top };
  });
  /** Where the scrollbar stands by our doing; a scroll event with another place is the user's. */
  const expected = useRef(0);

  const setTop = useCallback((next: number) => {
    const now = latest.current.scale;
    const bounded = clampTop(now, next);
    latest.current.top = bounded;
    setTopState(bounded);
    if (!box.current) return;
    box.current.scrollTop = scrollOf(now, bounded);
    expected.current = box.current.scrollTop;
  }, []);

  const setLeft = useCallback((next: number) => {
    if (box.current) box.current.scrollLeft = next;
  }, []);

  const onScroll = useCallback(() => {
    const element = box.current;
    if (!element) return;
    setLeftState(element.scrollLeft);
    const moved = element.scrollTop - expected.current;
    if (Math.abs(moved) < 1) return;
    expected.current = element.scrollTop;
    const next = followed(latest.current.scale, latest.current.top, element.scrollTop, moved);
    latest.current.top = next;
    setTopState(next);
  }, []);

  useWheel(box, latest, setTop);
  return { box, size, top: clampTop(scale, top), left, scale, setTop, setLeft, onScroll };
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
  box: RefObject<HTMLDivElement | null>,
  latest: RefObject<{ scale: Scale; top: number }>,
  setTop: (top: number) => void,
): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { scale, top } = latest.current;
      if (!isScaled(scale) || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === 1 ? scale.rowHeight : event.deltaMode === 2 ? scale.view : 1;
      setTop(top + event.deltaY * unit);
      if (event.deltaX !== 0) element.scrollLeft += event.deltaX;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, latest, setTop]);
}
