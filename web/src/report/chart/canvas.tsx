/** The one wrapper around ECharts: draws an option, follows its width, lets go when it leaves, and tells which mark is under the pointer. */
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import styles from './canvas.module.css';
import point from './point.module.css';
import { isAbout, type Pointed } from '../pointer.ts';
import type * as EngineModule from '@hengxi/contracts/chart/engine';
import { markOf, marksOf, type PlacedMark } from '@hengxi/contracts/chart/cases';
import type { Drawing, Mark } from '@hengxi/contracts/chart/drawing';
import { safeOption } from '@hengxi/contracts/chart/safe-option';
import type { ChartTheme } from '@hengxi/contracts/chart/theme';

/** More marks than this are painted instead of being elements of the page. */
const SVG_MOST = 3000;
/** The click that follows a tap comes within it. */
const TAP_MS = 700;

/** How far from a point a click still means it, with a mouse and with a finger. */
const REACH = 10;
const TOUCH = 24;

const NO_TARGETS: readonly PlacedMark[] = [];

type Engine = typeof EngineModule;
type Chart = ReturnType<Engine['init']>;

/** A click on a mark, and on a place of the drawing, as ECharts tells them. */
interface Clicked {
  data?: unknown;
  seriesIndex?: number | undefined;
  dataIndex?: number | undefined;
  event?: { event: unknown } | undefined;
}
interface Placed {
  offsetX: number;
  offsetY: number;
  event: { type: string };
}
let engine: Engine | null = null;

export interface CanvasProps {
  /** Draws for a width; called again when the width changes. */
  draw: (width: number) => Drawing;
  theme: ChartTheme;
  marks: number;
  /** Spoken instead of the picture. */
  summary: string;
  /** Table behind the marks, and words that hold for all of them (the facet, the variable). */
  table: string;
  about: readonly string[];
  /** Row whose marks stand out; null = none. */
  pointed: Pointed | null;
  onPoint: (at: Pointed | null) => void;
  /** A mark that stands for a row was clicked or tapped; absent where a click opens the editor of the figure. */
  onPick?: ((row: number) => void) | undefined;
  /** Marks that lead somewhere: points are small, so that a click beside one means it too. `onTarget`: which of them. */
  targets?: readonly PlacedMark[] | undefined;
  onTarget?: ((at: number) => void) | undefined;
  /** The point one stands on: a ring shows it. */
  stood?: PlacedMark | null | undefined;
  /** What stands beside that point. `onLeave`: a click elsewhere on the picture. */
  card?: ReactNode;
  onLeave?: (() => void) | undefined;
  /** What stands on the drawing. */
  children?: ReactNode;
}

interface Tip {
  x: number;
  y: number;
  lines: string[];
}

export function Canvas({
  draw,
  theme,
  marks: count,
  summary,
  table,
  about,
  pointed,
  onPoint,
  onPick,
  targets = NO_TARGETS,
  onTarget,
  stood = null,
  card = null,
  onLeave,
  children,
}: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const ready = useEngine();
  const [tip, setTip] = useState<Tip | null>(null);
  const drawing = useMemo(() => draw(width), [draw, width]);
  const onMark = useEffectEvent(onPoint);
  const pickedAt = useRef(-Infinity);
  const pickedBy = useRef<unknown>(null);
  const keepClick = (native: unknown): void => {
    pickedAt.current = performance.now();
    pickedBy.current = native;
    setTip(null);
  };
  const onMarkClick = useEffectEvent((event: Clicked) => {
    const { row } = markOf(event.data);
    const at = targets.findIndex((one) => one.seriesIndex === event.seriesIndex && one.dataIndex === event.dataIndex);
    if (at >= 0 && onTarget !== undefined) {
      keepClick(event.event?.event);
      onTarget(at);
    } else if (row !== undefined && onPick !== undefined) {
      keepClick(event.event?.event);
      onPick(row);
    }
  });
  const onPlaceClick = useEffectEvent((chart: Chart, { offsetX, offsetY, event }: Placed) => {
    // The same click, told of its mark already.
    if (onTarget === undefined || pickedBy.current === event) return;
    const at = nearest(chart, targets, offsetX, offsetY, event.type.startsWith('touch') ? TOUCH : REACH);
    if (at === null && onLeave === undefined) return;
    keepClick(event);
    if (at === null) onLeave?.();
    else onTarget(at);
  });
  const [ring, setRing] = useState<{ x: number; y: number } | null>(null);
  const drawnChart = useRef<Chart | null>(null);
  useLayoutEffect(() => {
    const place = box.current;
    if (ready === null || place === null) return undefined;
    const chart = ready.init(place, null, {
      renderer: count > SVG_MOST ? 'canvas' : 'svg',
      width,
      height: drawing.height,
    });
    chart.setOption(safeOption(drawing.option, theme), { notMerge: true });
    // With its own size written in, the drawing shrinks with the paper.
    place.querySelector('svg')?.setAttribute('viewBox', `0 0 ${width} ${drawing.height}`);
    chart.on('mouseover', (event) => {
      const mark = markOf(event.data);
      onMark({ from: 'mark', table, row: mark.row ?? null, words: wordsOf(mark, about) });
      if (mark.tip !== undefined && event.event !== undefined)
        setTip({ x: event.event.offsetX, y: event.event.offsetY, lines: mark.tip });
    });
    chart.on('mouseout', () => {
      onMark(null);
      setTip(null);
    });
    chart.on('click', (event) => onMarkClick(event));
    chart.getZr().on('click', (event) => onPlaceClick(chart, event));
    // The picture around it opens its editor; after a tap the browser tells of the click a little later.
    const keep = (event: Event): void => {
      if (performance.now() - pickedAt.current < TAP_MS) event.stopPropagation();
    };
    place.addEventListener('click', keep);
    drawnChart.current = chart;
    return () => {
      place.removeEventListener('click', keep);
      drawnChart.current = null;
      chart.dispose();
    };
  }, [ready, drawing, theme, width, count, table, about]);
  useEffect(() => {
    const chart = drawnChart.current;
    if (chart === null || pointed === null) return undefined;
    const marks = marksAt(drawing, (mark) => isAbout(pointed, table, mark.row, wordsOf(mark, about)));
    for (const mark of marks) chart.dispatchAction({ type: 'highlight', ...mark });
    return () => {
      if (!chart.isDisposed()) for (const mark of marks) chart.dispatchAction({ type: 'downplay', ...mark });
    };
  }, [drawing, pointed, table, about]);
  useLayoutEffect(() => {
    const chart = drawnChart.current;
    // oxlint-disable-next-line react/react-compiler -- the place is known once the drawing is there
    setRing(chart === null || stood === null ? null : placeOf(chart, stood));
  }, [stood, drawing, ready, theme]);
  return (
    <div className={styles['frame']} style={{ height: drawing.height }}>
      <div ref={box} className={styles['canvas']} role="img" aria-label={summary} style={{ height: drawing.height }} />
      {children}
      {ring === null ? null : (
        <span className={point['ring']} style={{ left: ring.x, top: ring.y }} aria-hidden="true" />
      )}
      {card === null || ring === null ? null : (
        <div className={point['beside']} style={besideOf(ring, width, drawing.height)}>
          {card}
        </div>
      )}
      {tip === null ? null : <TipBox tip={tip} width={width} />}
    </div>
  );
}

const CARD = 380;
const APART = 16;

/** Below a point of the upper half, above one of the lower; as wide as the picture where that is narrow. */
function besideOf({ x, y }: { x: number; y: number }, width: number, height: number): CSSProperties {
  const across = width < CARD * 1.4 ? { left: 0, right: 0 } : { left: clamp(x - CARD / 2, width - CARD), width: CARD };
  return y < height / 2 ? { ...across, top: y + APART } : { ...across, bottom: height - y + APART };
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));

function TipBox({ tip, width }: { tip: Tip; width: number }) {
  const left = tip.x > width - 180;
  return (
    <div
      className={styles['tip']}
      aria-hidden="true"
      style={{ top: tip.y, left: tip.x, transform: `translate(${left ? 'calc(-100% - 12px)' : '12px'}, -50%)` }}
    >
      {tip.lines.map((line, i) => (
        <div key={`${i}`}>{line}</div>
      ))}
    </div>
  );
}

/** Where a mark lies on the drawing; of one moved aside (an outlier among others) with that. */
function placeOf(chart: Chart, { seriesIndex, value }: PlacedMark): { x: number; y: number } | null {
  const [x, y] = chart.convertToPixel({ seriesIndex }, [value[0] ?? 0, value[1] ?? 0]);
  if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) return null;
  return { x: x + (value[2] ?? 0), y };
}

function nearest(chart: Chart, targets: readonly PlacedMark[], x: number, y: number, radius: number): number | null {
  let found: number | null = null;
  let least = radius;
  for (const [i, target] of targets.entries()) {
    const at = placeOf(chart, target);
    const distance = at === null ? Infinity : Math.hypot(at.x - x, at.y - y);
    if (distance > least) continue;
    least = distance;
    found = i;
  }
  return found;
}

/** What a mark is called, part by part: its tip opens with its name. */
function wordsOf(mark: Mark, about: readonly string[]): string[] {
  const name = mark.tip?.[0];
  return name === undefined ? [] : [...name.split(' · '), ...about];
}

/** Where the marks are that are about something. */
function marksAt(drawing: Drawing, wanted: (mark: Mark) => boolean): { seriesIndex: number; dataIndex: number }[] {
  return marksOf(drawing)
    .filter(wanted)
    .map(({ seriesIndex, dataIndex }) => ({ seriesIndex, dataIndex }));
}

const WIDTH_FIRST = 640;

function useWidth(box: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(WIDTH_FIRST);
  useLayoutEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const read = (): void => {
      if (place.clientWidth > 0) setWidth(place.clientWidth);
    };
    read();
    const watch = new ResizeObserver(read);
    watch.observe(place);
    return () => watch.disconnect();
  }, [box]);
  return width;
}

function useEngine(): Engine | null {
  const [loaded, setLoaded] = useState(engine);
  useEffect(() => {
    if (engine !== null) return undefined;
    let gone = false;
    void import('@hengxi/contracts/chart/engine').then((module) => {
      engine = module;
      if (!gone) setLoaded(module);
    });
    return () => {
      gone = true;
    };
  }, []);
  return loaded;
}
