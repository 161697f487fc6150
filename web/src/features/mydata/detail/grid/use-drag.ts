/** Selecting with the mouse: press, draw, and the table scrolls while the pointer is held beyond its edge. */
import { type MouseEvent as ReactMouseEvent, useEffect, useRef } from 'react';

const SCROLL_MS = 40;
const SPEED = 0.35;

interface Point {
  clientX: number;
  clientY: number;
}

interface DragOf {
  box: HTMLDivElement | null;
  /** Height of the head and width of the row numbers: cells begin there. */
  head: number;
  index: number;
  onStart: (event: ReactMouseEvent) => boolean;
  onMove: (point: Point) => void;
  scrollBy: (x: number, y: number) => void;
}

/** How far a point lies outside of a span, signed. */
export function beyond(at: number, low: number, high: number): number {
  if (at < low) return at - low;
  return at > high ? at - high : 0;
}

export function useDrag({ box, head, index, onStart, onMove, scrollBy }: DragOf) {
  const latest = useRef({ onMove, scrollBy });
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => {
    latest.current = { onMove, scrollBy };
  });
  useEffect(() => () => stop.current?.(), []);

  const track = () => {
    let last: Point | null = null;
    const move = (event: MouseEvent) => {
      last = { clientX: event.clientX, clientY: event.clientY };
      latest.current.onMove(last);
    };
    const timer = setInterval(() => {
      if (!last || !box) return;
      const edge = box.getBoundingClientRect();
      const x = beyond(last.clientX, edge.left + index, edge.left + box.clientWidth);
      const y = beyond(last.clientY, edge.top + head, edge.top + box.clientHeight);
      if (x === 0 && y === 0) return;
      latest.current.scrollBy(x * SPEED, y * SPEED);
      latest.current.onMove(last);
    }, SCROLL_MS);
    const end = () => {
      clearInterval(timer);
      removeEventListener('mousemove', move);
      removeEventListener('mouseup', end);
      stop.current = null;
    };
    addEventListener('mousemove', move);
    addEventListener('mouseup', end);
    stop.current = end;
  };

  return (event: ReactMouseEvent) => {
    if (event.button === 0 && onStart(event)) track();
  };
}
