/** The one wrapper around ECharts: draws an option, follows its width, lets go when it leaves, and tells which mark is under the pointer. */
import {
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
import { isAbout, type Pointed } from '../pointer.ts';
import type * as EngineModule from '@hengxi/contracts/chart/engine';
import type { Drawing, Mark } from '@hengxi/contracts/chart/drawing';
import { safeOption } from '@hengxi/contracts/chart/safe-option';
import type { ChartTheme } from '@hengxi/contracts/chart/theme';

/** More marks than this are painted instead of being elements of the page. */
const SVG_MOST = 3000;
/** The click that follows a tap comes within it. */
const TAP_MS = 700;

type Engine = typeof EngineModule;
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
  /** A mark was clicked or tapped; absent where a click opens the editor of the figure. */
  onPick?: ((row: number) => void) | undefined;
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
  children,
}: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const ready = useEngine();
  const [tip, setTip] = useState<Tip | null>(null);
  const drawing = useMemo(() => draw(width), [draw, width]);
  const onMark = useEffectEvent(onPoint);
  const pickedAt = useRef(-Infinity);
  const onClick = useEffectEvent((row: number) => {
    if (onPick === undefined) return;
    pickedAt.current = performance.now();
    setTip(null);
    onPick(row);
  });
  const drawnChart = useRef<ReturnType<Engine['init']> | null>(null);
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
    chart.on('click', (event) => {
      const { row } = markOf(event.data);
      if (row !== undefined) onClick(row);
    });
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
  return (
    <div className={styles['frame']} style={{ height: drawing.height }}>
      <div ref={box} className={styles['canvas']} role="img" aria-label={summary} style={{ height: drawing.height }} />
      {children}
      {tip === null ? null : <TipBox tip={tip} width={width} />}
    </div>
  );
}

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

/** What our kinds put beside a value; ECharts hands it back untyped. */
function markOf(data: unknown): Mark {
  if (typeof data !== 'object' || data === null) return {};
  const row = 'row' in data && typeof data.row === 'number' ? data.row : undefined;
  const tip =
    'tip' in data && Array.isArray(data.tip)
      ? data.tip.filter((t: unknown): t is string => typeof t === 'string')
      : undefined;
  return { ...(row === undefined ? {} : { row }), ...(tip === undefined ? {} : { tip }) };
}

/** What a mark is called, part by part: its tip opens with its name. */
function wordsOf(mark: Mark, about: readonly string[]): string[] {
  const name = mark.tip?.[0];
  return name === undefined ? [] : [...name.split(' · '), ...about];
}

/** Where the marks are that are about something. */
function marksAt(drawing: Drawing, wanted: (mark: Mark) => boolean): { seriesIndex: number; dataIndex: number }[] {
  const series = drawing.option.series;
  const list = Array.isArray(series) ? series : series === undefined ? [] : [series];
  return list.flatMap((one, seriesIndex) => {
    const data: unknown = 'data' in one ? one.data : null;
    return Array.isArray(data)
      ? data.flatMap((item, dataIndex) => (wanted(markOf(item)) ? [{ seriesIndex, dataIndex }] : []))
      : [];
  });
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
