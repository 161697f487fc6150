/**
 * A number of a table at hand: where it comes from, unrounded, to copy or to pin. By mouse a click; by keys one stop for
 * the table, arrows from number to number, Enter.
 */
import { columnHeads, type TableText } from '@hengxi/contracts/table-text';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';

import { copyForms } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { READING, useHelpPage } from '../help-page.ts';
import styles from './three-lines.module.css';

interface Asked {
  row: number;
  column: number;
  top: number;
  left: number;
}

interface Given {
  grid: TableText;
  /** Key of the block. */
  link: string;
  /** 表 2 */
  source: string;
  words: Readonly<Record<number, readonly string[]>>;
}

export function useNumbers({ grid, link, source, words }: Given) {
  const { onPin } = useReport();
  const table = useRef<HTMLTableElement>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const isOn = onPin !== undefined;
  useEffect(() => {
    // One stop for the whole table, at its first number.
    if (isOn) table.current?.querySelector('[data-number]')?.setAttribute('tabindex', '0');
  }, [grid, isOn]);
  const close = (): void => {
    if (asked !== null) cellAt(table.current, `${asked.row}/${asked.column}`)?.focus();
    setAsked(null);
  };
  const ask = (cell: HTMLElement): void => setAsked(placeOf(cell));
  const events = isOn
    ? {
        onClick: (event: MouseEvent) => {
          const cell = numberOf(event.target);
          // A click on a link of the cell, or the end of a selection, means something else.
          if (cell === null || isBusy(event.target)) return;
          ask(cell);
        },
        onKeyDown: (event: KeyboardEvent) => {
          const cell = numberOf(event.target);
          if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.key === 'Enter' && event.target === cell) {
            event.preventDefault();
            ask(cell);
            return;
          }
          const next = nextOf(table.current, cell, event.key);
          if (next === null) return;
          event.preventDefault();
          cell.setAttribute('tabindex', '-1');
          next.setAttribute('tabindex', '0');
          next.focus();
        },
      }
    : {};
  const row = asked === null ? undefined : grid.body.find((r) => r.index === asked.row);
  const cell = asked === null ? null : (row?.cells[asked.column] ?? null);
  const card: ReactNode =
    asked === null || cell === null ? null : (
      <NumberCard
        asked={asked}
        source={source}
        exact={cell.exact ?? cell.text}
        onClose={close}
        onPin={() => {
          onPin?.({
            block: link,
            source,
            row: (words[asked.row] ?? []).join(' · '),
            column: columnHeads(grid)[asked.column]?.text ?? '',
            shown: [cell.text, cell.sub].filter(Boolean).join(' ') + (cell.stars ?? ''),
            exact: cell.exact ?? cell.text,
          });
          close();
        }}
      />
    );
  return { table, events, card };
}

interface CardProps {
  asked: Asked;
  source: string;
  exact: string;
  onPin: () => void;
  onClose: () => void;
}

function NumberCard({ asked, source, exact, onPin, onClose }: CardProps) {
  const box = useRef<HTMLDivElement>(null);
  const help = useHelpPage();
  const onLeave = useEffectEvent(onClose);
  useEffect(() => {
    const place = box.current;
    place?.querySelector('button')?.focus();
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onLeave();
    };
    const onOut = (event: globalThis.MouseEvent): void => {
      if (event.target instanceof Node && place?.contains(event.target) !== true) onLeave();
    };
    place?.addEventListener('keydown', onKey);
    document.addEventListener('mousedown', onOut);
    return () => {
      place?.removeEventListener('keydown', onKey);
      document.removeEventListener('mousedown', onOut);
    };
  }, [asked]);
  return (
    <div
      ref={box}
      className={styles['card']}
      role="dialog"
      aria-label="这个数字"
      style={{ top: asked.top, left: asked.left }}
    >
      <p>
        {source === '' ? '' : `来自 ${source}，`}未取整 {exact}
      </p>
      <div className={styles['cardActs']}>
        <button type="button" className="hx-link" onClick={onPin}>
          固定
        </button>
        <button
          type="button"
          className="hx-link"
          onClick={() => {
            void copyForms({ text: exact.replaceAll('−', '-') }, '未取整的数字已复制');
            onClose();
          }}
        >
          复制
        </button>
        {help === null ? null : (
          <a href={`${help}${READING}`} target="_blank" rel="noreferrer">
            怎么读
          </a>
        )}
        <button type="button" className="hx-link" onClick={onClose}>
          关闭
        </button>
      </div>
    </div>
  );
}

function numberOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-number]') : null;
}

function isBusy(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('button, a') !== null) return true;
  return (getSelection()?.toString() ?? '') !== '';
}

function cellAt(table: HTMLElement | null, place: string): HTMLElement | null {
  return table?.querySelector<HTMLElement>(`[data-number="${place}"]`) ?? null;
}

/** The card is as wide as it needs, up to this. */
const CARD_MOST = 300;

/** Below the cell, inside the frame of the table. */
function placeOf(cell: HTMLElement): Asked {
  const [row = '0', column = '0'] = (cell.dataset['number'] ?? '').split('/');
  const frame = cell.closest('[data-start]')?.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const room = Math.max(0, (frame?.width ?? 0) - CARD_MOST);
  return {
    row: Number(row),
    column: Number(column),
    top: box.bottom - (frame?.top ?? 0) + 4,
    left: Math.max(0, Math.min(box.left - (frame?.left ?? 0), room)),
  };
}

/** The number an arrow leads to: along the row, or the nearest in the column. */
function nextOf(table: HTMLElement | null, cell: HTMLElement, key: string): HTMLElement | null {
  const all = [...(table?.querySelectorAll<HTMLElement>('[data-number]') ?? [])];
  const at = all.indexOf(cell);
  if (key === 'ArrowRight') return all[at + 1] ?? null;
  if (key === 'ArrowLeft') return all[at - 1] ?? null;
  const column = cell.dataset['number']?.split('/')[1];
  const same = all.filter((c) => c.dataset['number']?.split('/')[1] === column);
  const here = same.indexOf(cell);
  if (key === 'ArrowDown') return same[here + 1] ?? null;
  return key === 'ArrowUp' ? (same[here - 1] ?? null) : null;
}
