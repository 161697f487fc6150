/** The 三线表 itself: three rules, no others; numbers right on one point; heads explain themselves on hover and focus. */
import type { TableElement } from '@hengxi/contracts/contract';
import { type BodyCell, isShared } from '@hengxi/contracts/cell-text';
import type { TableStyle } from '@hengxi/contracts/report/table-style';
import type { BodyRow, TableText } from '@hengxi/contracts/table-text';
import { Tooltip } from 'antd';
import { createContext, type UIEvent, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { useReport } from '../context.ts';
import { READING, useHelpPage } from '../help-page.ts';
import { useIsPointed } from '../pointer.ts';
import { WordAction } from '../word-actions.tsx';
import { Words } from '../words.tsx';
import { keepFitting } from './fit.ts';
import styles from './three-lines.module.css';
import { useNumbers } from './number-card.tsx';

/** 表 2: where the numbers of the cells stand. */
const Source = createContext('');

export interface ThreeLinesProps {
  table: TableElement;
  grid: TableText;
  caption: string;
  /** Names the table in links between rows and marks. */
  link: string;
  style?: TableStyle;
}

export function ThreeLines({ table, grid, caption, link, style = 'three' }: ThreeLinesProps) {
  const { scroller, over, onScroll } = useOverflow(grid);
  const changed = useChanged(table, grid);
  const words = useMemo(() => wordsOf(grid), [grid]);
  const { numbers } = useReport();
  const source = numbers.get(link) ?? '';
  const { table: numberTable, events, card } = useNumbers({ grid, link, source, words });
  return (
    <Source value={source}>
      <div className={styles['frame']} data-start={over.start} data-end={over.end}>
        <div
          ref={scroller}
          className={styles['scroll']}
          onScroll={onScroll}
          role="region"
          aria-label={caption}
          {...(over.start || over.end ? REACHABLE : {})}
        >
          <table ref={numberTable} className={styles['table']} data-style={style} {...events}>
            <caption className="hx-hidden">{caption}</caption>
            {grid.head.length > 0 ? <Head grid={grid} caption={caption} /> : null}
            <tbody>
              {grid.body.map((row) => (
                <Row
                  key={row.index}
                  row={row}
                  grid={grid}
                  link={link}
                  words={words[row.index] ?? NO_WORDS}
                  changed={changed}
                />
              ))}
            </tbody>
          </table>
        </div>
        {card}
        {over.start || over.end ? <p className={styles['swipe']}>左右滑动看全表。</p> : null}
      </div>
    </Source>
  );
}

/** A scrolling area must be reachable by keyboard; one that does not scroll needs no stop. */
const REACHABLE = { tabIndex: 0 };

/** The first row is for paper only: it repeats with the head on the next pages; on the first the title lies over it. */
function Head({ grid, caption }: { grid: TableText; caption: string }) {
  return (
    <thead>
      <tr className={styles['continued']} aria-hidden="true">
        <td colSpan={grid.columns}>续{caption}</td>
      </tr>
      {grid.head.map((row, level) => (
        <tr key={level === 0 ? 'top' : `level ${level}`}>
          {row.map((cell) => (
            <th
              key={cell.at}
              scope={cell.spanner ? 'colgroup' : 'col'}
              colSpan={cell.colSpan}
              rowSpan={cell.rowSpan}
              className={[
                styles['th'],
                cell.spanner ? styles['spanner'] : '',
                cell.spanner ? '' : cell.colSpan > 1 ? styles['shared'] : cell.numeric ? styles['right'] : '',
                cell.at === 0 ? styles['first'] : '',
                cell.text.length > LONG ? styles['long'] : '',
                cell.at + cell.colSpan === grid.columns ? styles['last'] : '',
              ].join(' ')}
              style={cell.spanner || cell.colSpan > 1 ? undefined : room(grid.starRoom[cell.at] ?? 0)}
            >
              {cell.hint === null ? (
                <Words list={cell.tokens} />
              ) : (
                <Tooltip title={<Hint words={cell.hint} />}>
                  <button type="button" className={styles['hint']}>
                    <Words list={cell.tokens} />
                  </button>
                </Tooltip>
              )}
            </th>
          ))}
        </tr>
      ))}
    </thead>
  );
}

/** What a statistic is, and where reading it is explained. */
function Hint({ words }: { words: string }) {
  const help = useHelpPage();
  if (help === null) return words;
  return (
    <>
      {words}{' '}
      <a className={styles['read']} href={`${help}${READING}`} target="_blank" rel="noreferrer">
        怎么读
      </a>
    </>
  );
}

/** Names of variables and levels may be whole questions: they break, so that the numbers stay in reach. */
const LONG = 20;

/** [0.12, 0.34]: may break behind its comma. */
const INTERVAL = /^\[.*, .*\]/u;

/** Stars hang to the right of the digits; their room is the same down the column. */
function room(stars: number): { paddingRight: string } | undefined {
  return stars === 0 ? undefined : { paddingRight: `calc(var(--gap) + ${stars * 0.55}em)` };
}

function Row({
  row,
  grid,
  link,
  words,
  changed,
}: {
  row: BodyRow;
  grid: TableText;
  link: string;
  words: readonly string[];
  changed: ReadonlySet<string>;
}) {
  const { pointer } = useReport();
  const linked = useIsPointed(pointer, link, row.index, words);
  return (
    <tr
      className={[linked ? styles['linked'] : '', row.total ? styles['total'] : ''].join(' ')}
      onMouseEnter={() => pointer.set({ from: 'row', table: link, row: row.index, words })}
      onMouseLeave={() => pointer.set(null)}
    >
      {row.cells.map((cell, c) =>
        cell === null ? null : (
          <DataCell
            key={`${row.index}/${grid.columns - c}`}
            cell={cell}
            first={c === 0}
            last={c === grid.columns - 1}
            place={`${row.index}/${c}`}
            depth={c === 0 ? row.depth : 0}
            stars={grid.starRoom[c] ?? 0}
            flash={changed.has(`${row.index}/${c}`)}
          />
        ),
      )}
    </tr>
  );
}

function DataCell({
  cell,
  first,
  last,
  place,
  depth,
  stars,
  flash,
}: {
  cell: BodyCell;
  first: boolean;
  last: boolean;
  place: string;
  depth: number;
  stars: number;
  flash: boolean;
}) {
  const { onPin } = useReport();
  const source = useContext(Source);
  const Tag = cell.head ? 'th' : 'td';
  const isNumber =
    onPin !== undefined && !cell.head && cell.numbers !== undefined && cell.numbers.some((n) => n.x !== null);
  const names = [
    styles['cell'],
    isShared(cell) ? styles['shared'] : cell.numeric ? styles['right'] : '',
    first ? styles['first'] : '',
    !cell.numeric && cell.text.length > LONG ? styles['long'] : '',
    cell.numeric ? (INTERVAL.test(cell.text) ? styles['interval'] : '') : styles['words'],
    last ? styles['last'] : '',
    cell.strong ? styles['strong'] : '',
    flash ? styles['flash'] : '',
    cell.rowSpan > 1 ? styles['merged'] : '',
    isNumber ? styles['number'] : '',
  ];
  return (
    <Tag
      className={names.join(' ')}
      rowSpan={cell.rowSpan}
      colSpan={cell.colSpan ?? 1}
      {...(cell.head ? { scope: 'row' } : {})}
      {...(cell.exact === undefined ? {} : { title: `${source === '' ? '' : `来自 ${source}，`}未取整 ${cell.exact}` })}
      {...(isNumber ? { 'data-number': place, tabIndex: -1 } : {})}
      style={{ ...room(stars), ...(depth > 0 ? { paddingLeft: 4 + depth * 18 } : {}) }}
    >
      <Content cell={cell} />
    </Tag>
  );
}

function Content({ cell }: { cell: BodyCell }) {
  const { onRows } = useReport();
  const { rows } = cell;
  const text =
    cell.action !== undefined ? (
      <WordAction does={cell.action.does} word={cell.action.word} />
    ) : rows !== undefined && rows.length > 0 && onRows !== undefined ? (
      <button type="button" className="hx-link" onClick={() => onRows({ set: 'rows', rows })}>
        {cell.text}
      </button>
    ) : cell.pieces === undefined ? (
      cell.tokens === undefined ? (
        cell.text
      ) : (
        <Words list={cell.tokens} />
      )
    ) : (
      cell.pieces.map((piece, i) => (piece.hit ? <mark key={`${i}`}>{piece.text}</mark> : piece.text))
    );
  return (
    <>
      <span className={styles['digits']}>
        {text}
        {cell.stars === undefined ? null : <span className={styles['stars']}>{cell.stars}</span>}
        {cell.mark === undefined ? null : <sup className={styles['mark']}>{cell.mark}</sup>}
      </span>
      {cell.sub === undefined ? null : <span className={styles['sub']}>{cell.sub}</span>}
    </>
  );
}

/** Makes the table fit; where it cannot, whether there is more to the left or right: the fades tell. */
function useOverflow(grid: TableText) {
  const scroller = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState({ start: false, end: false });
  const look = (box: HTMLDivElement): void => {
    const end = box.scrollWidth - box.clientWidth - box.scrollLeft > 1;
    const start = box.scrollLeft > 1;
    setOver((old) => (old.start === start && old.end === end ? old : { start, end }));
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    return keepFitting(box, () => look(box));
  }, [grid]);
  return { scroller, over, onScroll: (event: UIEvent<HTMLDivElement>) => look(event.currentTarget) };
}

const NO_WORDS: readonly string[] = [];

/** The words of each row: its cells that are no numbers, with those merged into cells above. */
function wordsOf(grid: TableText): Record<number, string[]> {
  const above: (string | undefined)[] = [];
  return Object.fromEntries(
    grid.body.map((row) => {
      row.cells.forEach((cell, c) => {
        if (cell !== null) above[c] = cell.numeric ? undefined : cell.text;
      });
      return [row.index, above.filter((t) => t !== undefined)];
    }),
  );
}

const FLASH_MS = 700;
const NONE: ReadonlySet<string> = new Set();

/** Cells whose text is another after a new result; edits of presentation are no news and do not flash. */
function useChanged(table: TableElement, grid: TableText): ReadonlySet<string> {
  const before = useRef({ table, grid });
  const [changed, setChanged] = useState(NONE);
  useEffect(() => {
    const old = before.current;
    before.current = { table, grid };
    if (old.table === table || old.grid.columns !== grid.columns) return undefined;
    setChanged(differing(old.grid, grid));
    const timer = setTimeout(() => setChanged(NONE), FLASH_MS);
    return () => clearTimeout(timer);
  }, [table, grid]);
  return changed;
}

function differing(old: TableText, now: TableText): ReadonlySet<string> {
  const notes = new Set<string>();
  now.body.forEach((row, r) =>
    row.cells.forEach((cell, c) => {
      const was = old.body[r]?.cells[c];
      if (cell !== null && (was?.text !== cell.text || was.sub !== cell.sub)) notes.add(`${row.index}/${c}`);
    }),
  );
  return notes;
}
