/** Three panes side by side, the result below the other two where there is little room: widths by drag or Ctrl+Alt+←/→, each side pane foldable, F6 walks through them. */
import { DoubleRightOutlined } from '@ant-design/icons';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';

import { useShortcut } from '../../../lib/shortcuts.ts';
import { useStacked } from '../../../lib/use-media.ts';
import type { PaneWidths } from '../local.ts';
import { readPanes, writePanes } from '../local.ts';
import styles from './panes.module.css';

type Side = 'variables' | 'settings';

const LIMITS: Record<Side, readonly [number, number]> = { variables: [180, 420], settings: [300, 560] };
const STEP = 24;
/** Below this the variables are drawn out when wanted (style: 1024); beside the boxes, not over them, so that one can drag. */
const NARROW = 1180;

function usual(side: Side, width: number): number {
  if (side === 'variables') return width >= 1440 ? 256 : 240;
  return width >= 1440 ? 384 : width >= 1280 ? 360 : 344;
}

const within = (side: Side, width: number): number =>
  Math.max(LIMITS[side][0], Math.min(LIMITS[side][1], Math.round(width)));

function useWindowWidth(): number {
  const [width, setWidth] = useState(window.innerWidth);
  useEffect(() => {
    const resized = (): void => setWidth(window.innerWidth);
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  return width;
}

const FoldContext = createContext<(side: Side) => void>(() => undefined);

/** For the button in each pane that folds it away. */
export function useFold(): (side: Side) => void {
  return use(FoldContext);
}

export interface PanesProps {
  variables: ReactNode;
  settings: ReactNode;
  result: ReactNode;
}

export function Panes({ variables, settings, result }: PanesProps) {
  const screen = useWindowWidth();
  const stacked = useStacked();
  const narrow = screen < NARROW && !stacked;
  const [panes, setPanes] = useState<PaneWidths>(readPanes);
  const [drawer, setDrawer] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const store = useCallback((next: PaneWidths): void => {
    setPanes(next);
    writePanes(next);
  }, []);
  const widthOf = (side: Side): number => panes[side] ?? usual(side, screen);
  const resize = (side: Side, width: number): void => store({ ...panes, [side]: within(side, width) });
  const fold = (side: Side): void => {
    if (stacked) return;
    if (side === 'variables' && narrow) setDrawer(false);
    else store(side === 'variables' ? { ...panes, variablesFolded: true } : { ...panes, settingsFolded: true });
  };
  const unfold = (side: Side): void =>
    store(side === 'variables' ? { ...panes, variablesFolded: false } : { ...panes, settingsFolded: false });

  const nudge = (by: number): void => {
    const inVariables =
      root.current?.querySelector('[data-pane="variables"]')?.contains(document.activeElement) ?? false;
    const side: Side = inVariables ? 'variables' : 'settings';
    resize(side, widthOf(side) + by);
  };
  useShortcut('Ctrl+Alt+ArrowLeft', () => nudge(-STEP));
  useShortcut('Ctrl+Alt+ArrowRight', () => nudge(STEP));
  const walk = (by: number): void => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[data-pane]') ?? [])];
    const at = all.findIndex((pane) => pane.contains(document.activeElement));
    const next = all[(at + by + all.length) % all.length];
    const target = next?.querySelector<HTMLElement>('[role="tree"],[role="region"],[tabindex="0"],button,input');
    (target ?? next)?.focus();
  };
  useShortcut('F6', () => walk(1));
  useShortcut('Shift+F6', () => walk(-1));

  const hasVariables = variables !== null;
  const showVariables = !hasVariables ? false : narrow ? drawer : stacked || !panes.variablesFolded;
  const showSettings = stacked || !panes.settingsFolded;
  const width = (side: Side) => (stacked ? undefined : { width: widthOf(side) });
  return (
    <FoldContext value={fold}>
      <div ref={root} className={styles['panes']} data-stacked={stacked}>
        {showVariables ? (
          <>
            <section className={styles['pane']} data-pane="variables" aria-label="变量" style={width('variables')}>
              {variables}
            </section>
            {stacked ? null : <Divider side="variables" width={widthOf('variables')} onResize={resize} />}
          </>
        ) : !hasVariables ? null : (
          <Unfold label="变量" onClick={() => (narrow ? setDrawer(true) : unfold('variables'))} />
        )}
        {!showSettings ? (
          <Unfold label="设置" onClick={() => unfold('settings')} />
        ) : (
          <>
            <section className={styles['settings']} data-pane="settings" aria-label="设置" style={width('settings')}>
              {settings}
            </section>
            {stacked ? null : <Divider side="settings" width={widthOf('settings')} onResize={resize} />}
          </>
        )}
        <section className={styles['result']} data-pane="result" aria-label="结果">
          {result}
        </section>
      </div>
    </FoldContext>
  );
}

function Unfold({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={styles['unfold']} onClick={onClick} aria-label={`展开${label}栏`}>
      <DoubleRightOutlined aria-hidden />
      <span aria-hidden="true">{label}</span>
    </button>
  );
}

interface DividerProps {
  side: Side;
  width: number;
  onResize: (side: Side, width: number) => void;
}

/** A hairline that can be grabbed; the arrows move it too. */
function Divider({ side, width, onResize }: DividerProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const down = (event: PointerEvent<HTMLDivElement>): void => {
    start.current = { x: event.clientX, width };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (start.current !== null) onResize(side, start.current.width + event.clientX - start.current.x);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    if (by === 0 || event.ctrlKey) return;
    event.preventDefault();
    onResize(side, width + by);
  };
  const [low, high] = LIMITS[side];
  return (
    // A focusable separator is the pattern for a window splitter.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={styles['divider']}
      role="separator"
      aria-orientation="vertical"
      aria-label={side === 'variables' ? '变量栏宽度' : '设置栏宽度'}
      aria-valuenow={width}
      aria-valuemin={low}
      aria-valuemax={high}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => {
        start.current = null;
      }}
      onKeyDown={keys}
    />
  );
}
