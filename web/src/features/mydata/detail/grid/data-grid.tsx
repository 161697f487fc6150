/**
 * The table of a version: any number of rows and columns, only what is seen is drawn and fetched. The focus stays on the
 * grid; the active cell is announced by aria-activedescendant, because a cell scrolled away no longer exists.
 */
import type { Column } from '@hengxi/server/files/schema';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useReducer,
  useState,
} from 'react';

import { errorText } from '../../../../lib/api.ts';
import { cellText, columnWidth, labelsOf } from './cell-text.ts';
import styles from './data-grid.module.css';
import { GridHead, HEAD_HEIGHT, type Sort } from './grid-head.tsx';
import { movedBy, type Place } from './move.ts';
import { type FetchBlock, RowBlocks } from './row-blocks.ts';
import { columnsBetween, edges, reveal, spacerHeight, windowAt } from './scale.ts';
import { useScroller } from './use-scroller.ts';

export interface GridHandle {
  goTo: (place: Partial<Place>) => void;
  focus: () => void;
}

export interface DataGridProps {
  ref?: Ref<GridHandle>;
  columns: readonly Column[];
  /** Rows of the whole table; the blocks say how many are left after a filter. */
  rows: number;
  /** Changes when sort, filter or search change: everything is fetched anew. */
  source: string;
  fetch: FetchBlock;
  labels: boolean;
  selected: string | null;
  sort: Sort | null;
  onSelect: (column: string) => void;
  onTotal: (total: number) => void;
}

const INDEX_LEAST = 46;

function rowHeightOf(): number {
  const value = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row-grid'));
  return Number.isFinite(value) && value > 0 ? value : 29;
}

function useBlocks(columns: readonly Column[], source: string): RowBlocks {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const ids = useMemo(() => columns.map((column) => column.id), [columns]);
  const blocks = useMemo(
    () => new RowBlocks(ids, redraw),
    // A new source is a new set of blocks although the class does not read it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [ids, source],
  );
  useEffect(() => () => blocks.dispose(), [blocks]);
  return blocks;
}

export function DataGrid(props: DataGridProps) {
  const { ref, columns, rows, source, fetch, labels, selected, sort, onSelect, onTotal } = props;
  const id = useId();
  const [rowHeight] = useState(rowHeightOf);
  const blocks = useBlocks(columns, source);
  const total = blocks.total ?? rows;
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const { size, top, left, scale, setTop, setLeft, onScroll } = useScroller(box, {
    rows: total,
    rowHeight,
    headHeight: HEAD_HEIGHT,
  });
  const [active, setActive] = useState<Place | null>(null);
  const widths = useMemo(() => columns.map(columnWidth), [columns]);
  const lefts = useMemo(() => edges(widths), [widths]);
  const texts = useMemo(() => columns.map((column) => (labels ? labelsOf(column) : null)), [columns, labels]);
  const indexWidth = Math.max(INDEX_LEAST, String(rows).length * 8 + 18);
  const shown = windowAt(scale, top);
  const [from, to] = columnsBetween(lefts, left, left + size.width - indexWidth);

  useEffect(() => {
    blocks.look({ first: shown.first, end: shown.end, fromColumn: from, toColumn: to }, fetch);
  }, [blocks, fetch, shown.first, shown.end, from, to]);
  useEffect(() => {
    if (blocks.total !== null) onTotal(blocks.total);
  }, [blocks.total, onTotal]);
  useEffect(() => setTop(0), [source, setTop]);

  const goTo = (place: Partial<Place>) => {
    const row = Math.min(total - 1, place.row ?? active?.row ?? shown.first);
    const column = place.column ?? active?.column ?? from;
    setActive({ row, column });
    if (row >= 0) setTop(reveal(scale, top, row));
    const shift = leftThatShows(lefts, column, left, size.width - indexWidth);
    if (shift !== left) setLeft(shift);
  };
  useImperativeHandle(ref, () => ({ goTo, focus: () => box?.focus() }));

  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey) return;
    const at = active ?? { row: shown.first, column: from };
    const page = Math.max(1, Math.floor(scale.view / rowHeight) - 1);
    const next = movedBy(event, at, { rows: total, columns: columns.length, page });
    if (next) {
      event.preventDefault();
      goTo(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const column = columns[at.column];
      if (column) onSelect(column.id);
    }
  };
  const onCopy = (event: ClipboardEvent) => {
    if (!active || active.row < 0 || !getSelection()?.isCollapsed) return;
    const column = columns[active.column];
    const value = blocks.cell(active.row, active.column);
    if (!column || value === undefined) return;
    event.clipboardData.setData(
      'text/plain',
      value === null ? '' : cellText(value, column, texts[active.column] ?? null).text,
    );
    event.preventDefault();
  };

  const cellId = (place: Place) => `${id}-${place.row}-${place.column}`;
  const isDrawn =
    active !== null &&
    active.column >= from &&
    active.column < to &&
    (active.row === -1 || (active.row >= shown.first && active.row < shown.end));
  const visible = columns.slice(from, to);

  return (
    <div
      ref={setBox}
      className={styles['box']}
      role="grid"
      tabIndex={0}
      aria-label="数据表"
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={isDrawn && active ? cellId(active) : undefined}
      aria-readonly="true"
      onScroll={onScroll}
      onFocus={() => setActive((old) => old ?? { row: shown.first, column: from })}
      onKeyDown={onKey}
      onCopy={onCopy}
    >
      <div
        role="presentation"
        style={{ height: spacerHeight(scale) + HEAD_HEIGHT, width: indexWidth + (lefts.at(-1) ?? 0) }}
      >
        <div role="presentation" className={styles['stage']} style={{ height: size.height, width: size.width }}>
          <div role="row" aria-rowindex={1} className={styles['headRow']} style={{ height: HEAD_HEIGHT }}>
            {visible.map((column, place) => (
              <GridHead
                key={column.id}
                id={cellId({ row: -1, column: from + place })}
                column={column}
                place={from + place}
                left={indexWidth + (lefts[from + place] ?? 0) - left}
                width={widths[from + place] ?? 0}
                selected={column.id === selected}
                active={active?.row === -1 && active.column === from + place}
                sort={sort?.column === column.id ? sort : null}
                onSelect={() => {
                  setActive({ row: -1, column: from + place });
                  onSelect(column.id);
                }}
              />
            ))}
            <div role="columnheader" aria-colindex={1} className={styles['corner']} style={{ width: indexWidth }}>
              <span className="hx-hidden">行号</span>
            </div>
          </div>
          {Array.from({ length: shown.end - shown.first }, (_, place) => shown.first + place).map((row) => (
            <div
              key={row}
              role="row"
              aria-rowindex={row + 2}
              className={styles['row']}
              style={{ top: HEAD_HEIGHT + shown.offset + (row - shown.first) * rowHeight, height: rowHeight }}
            >
              {visible.map((column, place) => {
                const at = from + place;
                const value = blocks.cell(row, at);
                const text = value === undefined ? null : cellText(value, column, texts[at] ?? null);
                const classes = [styles['cell']];
                if (text) classes.push(styles[text.kind]);
                if (column.id === selected) classes.push(styles['chosen']);
                if (active?.row === row && active.column === at) classes.push(styles['active']);
                return (
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the grid
                  <div
                    key={column.id}
                    id={cellId({ row, column: at })}
                    role="gridcell"
                    tabIndex={-1}
                    aria-colindex={at + 2}
                    className={classes.join(' ')}
                    style={{ left: indexWidth + (lefts[at] ?? 0) - left, width: widths[at] ?? 0 }}
                    onClick={() => setActive({ row, column: at })}
                  >
                    {text?.text ?? ''}
                  </div>
                );
              })}
              <div role="rowheader" aria-colindex={1} className={styles['index']} style={{ width: indexWidth }}>
                {blocks.rowNumber(row, from) ?? '…'}
              </div>
            </div>
          ))}
          {blocks.error ? <LoadFault error={blocks.error} onRetry={() => blocks.retry()} /> : null}
        </div>
      </div>
    </div>
  );
}

function LoadFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={styles['fault']} role="alert">
      {errorText(error)}
      <button type="button" className="hx-link" onClick={onRetry}>
        重试
      </button>
    </div>
  );
}

/** The horizontal position that shows a column fully, moving as little as possible. */
function leftThatShows(lefts: readonly number[], column: number, left: number, view: number): number {
  const start = lefts[column] ?? 0;
  const end = lefts[column + 1] ?? start;
  if (start < left) return start;
  return end > left + view ? end - view : left;
}
