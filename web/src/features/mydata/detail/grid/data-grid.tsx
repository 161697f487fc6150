/**
 * The table of a version: any number of rows and columns, only what is seen is drawn and fetched. The focus stays on the
 * grid; the active cell is announced by aria-activedescendant, because a cell scrolled away no longer exists.
 */
import type { Column } from '@hengxi/server/files/schema';
// oxlint-disable-next-line no-restricted-imports -- open from the start and focused by itself; no button stays to go back to
import { Dropdown, type MenuProps } from 'antd';
import {
  type ClipboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

import { errorText } from '../../../../lib/api.ts';
import { CellEditor } from './cell-editor.tsx';
import { fittingWidth } from './cell-text.ts';
import { pastedText } from './clipboard.ts';
import styles from './data-grid.module.css';
import { HEAD_HEIGHT, type Sort } from './grid-head.tsx';
import { GridHeads, GridSheet } from './grid-sheet.tsx';
import type { SeekEdge } from './jump.ts';
import type { Rect } from './selection.ts';
import type { ReadRange } from './use-range.ts';
import type { Place } from './move.ts';
import type { FetchBlock } from './row-blocks.ts';
import { spacerHeight } from './scale.ts';
import type { Editing } from './use-cell-editor.ts';
import type { GridLayout } from './use-column-layout.ts';
import { type Grid, useGrid } from './use-grid.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridMouse } from './use-grid-mouse.ts';
import { useStable } from './use-stable.ts';

export interface GridHandle {
  goTo: (place: Partial<Place>) => void;
  focus: () => void;
  /** The active cell; null while nothing was chosen. */
  place: () => Place | null;
  /** Number of the active row in the table, from 0; null while nothing was chosen or its row is not loaded. */
  number: () => number | null;
  /** What is selected, as places in the view; null while nothing was chosen. */
  rect: () => Rect | null;
}

/** What is selected, and the way to its cells. */
export interface HandOf {
  rect: Rect;
  active: Place;
  total: number;
  read: ReadRange;
}

export interface RowColumnActions {
  menu: (of: HandOf) => NonNullable<MenuProps['items']>;
  onKey: (what: 'insert' | 'delete', of: HandOf) => void;
}

export interface DataGridProps {
  ref?: Ref<GridHandle>;
  columns: readonly Column[];
  /** Rows of the whole table; the blocks say how many are left after a filter. */
  rows: number;
  /** Changes when sort, filter or search change: everything is fetched anew. */
  source: string;
  fetch: FetchBlock;
  seekEdge: SeekEdge;
  labels: boolean;
  selected: string | null;
  sort: Sort | null;
  layout: GridLayout;
  /** Null: the table is only read. */
  editing: Editing | null;
  /** Where to stand at first. */
  start: Place | null;
  menu: (column: Column) => NonNullable<MenuProps['items']>;
  /** What may be done with the selected rows and columns; null: nothing. */
  hand: RowColumnActions | null;
  onSelect: (column: string) => void;
  onTotal: (total: number) => void;
}

export function DataGrid(props: DataGridProps) {
  const { ref, columns, selected, sort, editing, start, onSelect } = props;
  const id = useId();
  const grid = useGrid({ ...props, layout: props.layout.layout });
  const { view, selecting, words, editor, layout } = grid;
  const { box, setBox, onScroll, blocks, size, scale, indexWidth, total, shown } = view;
  const field = useRef<HTMLInputElement>(null);
  const [menu, setMenu] = useState<{ column: Column; place: number } | null>(null);
  const [cellMenu, setCellMenu] = useState<{ left: number; top: number; of: HandOf } | null>(null);

  const focus = () => (field.current ?? box)?.focus({ preventScroll: true });
  const goTo = (place: Partial<Place>) =>
    selecting.go({ row: place.row ?? selecting.active.row, column: place.column ?? selecting.active.column });
  useImperativeHandle(ref, () => ({
    goTo,
    focus,
    place: () => selecting.selection?.active ?? null,
    number: () => numberOf(grid),
    rect: () => selecting.rect,
  }));
  useStart(start, size.height > 0, (place) => {
    selecting.go(place);
    focus();
  });
  useEffect(() => {
    // Switching to editing moves the focus into the field that takes what is typed.
    if (editing && box?.contains(document.activeElement)) field.current?.focus({ preventScroll: true });
  }, [editing, box]);

  const menuAt = (place: number) => {
    const column = columns[place];
    if (column) setMenu({ column, place });
  };
  const handOf = (rect: Rect | null): HandOf | null =>
    rect && { rect, active: selecting.active, total, read: grid.read };
  const cellMenuAt = (point: { left: number; top: number }, rect: Rect | null) => {
    const of = handOf(rect);
    if (of && props.hand && editor.commit()) setCellMenu({ ...point, of });
  };
  const onHand = (what: 'insert' | 'delete' | 'menu') => {
    const of = handOf(selecting.rect);
    if (what === 'menu') cellMenuAt(underActive(grid), selecting.rect);
    else if (of && editor.commit()) props.hand?.onKey(what, of);
  };
  const onKey = useGridKeys(grid, columns, onSelect, menuAt, props.seekEdge, props.hand ? onHand : null);
  const mouse = useGridMouse(grid, columns, onSelect, focus);
  const openMenu = useStable((column: Column, place: number) => setMenu({ column, place }));
  const resize = useStable((column: Column, width: number) => props.layout.resize(column.id, width));
  const fit = useStable((column: Column, place: number) => {
    const seen = Array.from({ length: shown.end - shown.first }, (_, at) => blocks.cell(shown.first + at, place));
    const texts = seen.map((value) => (value == null ? '' : (words[place]?.get(value) ?? String(value))));
    props.layout.resize(column.id, fittingWidth(column, texts));
  });
  const onCut = (event: ClipboardEvent) => {
    if (!editing || editor.mode !== 'closed') return;
    grid.onCopy(event);
    editor.clear();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!editing || editor.mode !== 'closed') return;
    event.preventDefault();
    editor.paste(pastedText(event.clipboardData));
  };

  const { far } = selecting;
  const isHere = (row: number) =>
    row >= shown.first &&
    row < shown.end &&
    (row === selecting.active.row || blocks.stamp(row, view.from, view.to, layout.pinned > 0) !== '');
  const isDrawn = selecting.selection !== null && (far.row === -1 || isHere(far.row));
  const part = { id, columns, layout, view, selecting, selected };
  return (
    <div
      ref={setBox}
      className={styles['box']}
      role="grid"
      tabIndex={0}
      aria-label="数据表"
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={isDrawn ? `${id}-${far.row}-${far.column}` : undefined}
      aria-readonly={editing === null}
      onScroll={onScroll}
      onFocus={(event) => {
        selecting.ensure();
        if (event.target === box) field.current?.focus({ preventScroll: true });
      }}
      onKeyDown={onKey}
      onCopy={(event) => (editor.mode === 'closed' ? grid.onCopy(event) : undefined)}
      onCut={onCut}
      onPaste={onPaste}
      onMouseDown={mouse.onMouseDown}
      onDoubleClick={(event) => mouse.isCell(event) && editing && editor.open()}
      onContextMenu={(event) => {
        const place = mouse.headAt(event);
        const cell = place === null && props.hand ? mouse.choose(event) : null;
        if (place === null && cell === null) return;
        event.preventDefault();
        if (place !== null) menuAt(place);
        else if (cell) cellMenuAt(cell.point, cell.rect);
      }}
    >
      <div
        role="presentation"
        style={{ height: spacerHeight(scale) + HEAD_HEIGHT, width: indexWidth + (layout.lefts.at(-1) ?? 0) }}
      >
        <div role="presentation" className={styles['stage']} style={{ height: size.height, width: size.width }}>
          <GridHeads {...part} sort={sort} onMenu={openMenu} onWidth={resize} onFit={fit} />
          <GridSheet {...part} isSorted={sort !== null} labels={words} edits={editing?.cells ?? null} />
          {editing ? <Editor field={field} grid={grid} columns={columns} /> : null}
          {blocks.error ? <LoadFault error={blocks.error} onRetry={() => blocks.retry()} /> : null}
          {cellMenu && props.hand ? (
            <GridMenu
              left={cellMenu.left}
              top={cellMenu.top}
              items={props.hand.menu(cellMenu.of)}
              onClose={() => {
                setCellMenu(null);
                focus();
              }}
            />
          ) : null}
          {menu ? (
            <GridMenu
              top={HEAD_HEIGHT}
              left={
                indexWidth + (layout.lefts[menu.place] ?? 0) - (layout.pinned > 0 && menu.place === 0 ? 0 : view.left)
              }
              items={props.menu(menu.column)}
              onClose={() => {
                setMenu(null);
                focus();
              }}
            />
          ) : null}
        </div>
      </div>
    </div>
  );
}

function numberOf({ view, selecting }: Grid): number | null {
  const active = selecting.selection?.active;
  const shown = active ? view.blocks.rowNumber(active.row, active.column) : null;
  return typeof shown === 'number' ? shown - 1 : null;
}

/** Below the active cell, where the menu of the keyboard opens. */
function underActive({ view, selecting, layout }: Grid): { left: number; top: number } {
  const { active } = selecting;
  const isPinned = layout.pinned > 0 && active.column === 0;
  const left = view.indexWidth + (layout.lefts[active.column] ?? 0) - (isPinned ? 0 : view.left);
  return { left, top: HEAD_HEIGHT + Math.round((active.row + 1) * view.rowHeight - view.top) };
}

/** Stands where the page was left before, once the grid knows its size. */
function useStart(start: Place | null, isReady: boolean, go: (place: Place) => void) {
  const done = useRef(false);
  const latest = useStable(go);
  useEffect(() => {
    if (!isReady || done.current) return;
    done.current = true;
    if (start) latest(start);
  }, [start, isReady, latest]);
}

/** What a sentence about a refused cell takes up at most. */
const REFUSAL = { width: 340, height: 32 };

function Editor({
  field,
  grid,
  columns,
}: {
  field: RefObject<HTMLInputElement | null>;
  grid: Grid;
  columns: readonly Column[];
}) {
  const { view, selecting, editor, layout } = grid;
  const { active } = selecting;
  const column = columns[active.column];
  const isPinned = layout.pinned > 0 && active.column === 0;
  const number = view.blocks.rowNumber(active.row, active.column);
  const left = view.indexWidth + (layout.lefts[active.column] ?? 0) - (isPinned ? 0 : view.left);
  const top = HEAD_HEIGHT + Math.round(active.row * view.rowHeight - view.top);
  return (
    <CellEditor
      ref={field}
      label={`第 ${number ?? active.row + 1} 行，${column?.label ?? column?.name ?? ''}`}
      row={active.row + 2}
      column={active.column + 2}
      mode={editor.mode}
      text={editor.text}
      fault={editor.fault}
      isNumber={column?.storage === 'int' || column?.storage === 'float'}
      place={{
        left,
        top,
        minWidth: layout.widths[active.column] ?? 0,
        height: view.rowHeight,
      }}
      room={{
        below: top + view.rowHeight + REFUSAL.height < view.size.height,
        right: left + REFUSAL.width < view.size.width,
      }}
      onText={(text) => {
        if (active.row < 0) return;
        selecting.go(active);
        editor.type(text);
      }}
      onCompose={() => active.row >= 0 && editor.type(editor.text)}
      onBlur={() => editor.commit()}
    />
  );
}

/** Drawn once its place is known, hence the wait before keys can go on in it. */
const MENU_MS = 60;

interface GridMenuProps {
  left: number;
  top: number;
  items: MenuProps['items'];
  onClose: () => void;
}

function GridMenu({ left, top, items, onClose }: GridMenuProps) {
  const name = `grid-menu-${useId().replaceAll(/\W/g, '')}`;
  useEffect(() => {
    const timer = setTimeout(() => document.querySelector<HTMLElement>(`.${name} [role="menu"]`)?.focus(), MENU_MS);
    return () => clearTimeout(timer);
  }, [name]);
  return (
    <Dropdown
      open
      rootClassName={name}
      trigger={['click']}
      menu={{ items, onClick: onClose }}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <span data-own aria-hidden="true" className={styles['anchor']} style={{ left, top }} />
    </Dropdown>
  );
}

function LoadFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="row" className={styles['editorRow']}>
      <div role="gridcell" className={styles['fault']} data-own>
        <span role="alert">{errorText(error)}</span>
        <button type="button" className="hx-link" onClick={onRetry}>
          重试
        </button>
      </div>
    </div>
  );
}
