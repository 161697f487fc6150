/** A table of the report: title above, three lines, notes below, tools on hover and focus that move nothing. */
import type { Report, TableElement, TextElement } from '@hengxi/contracts/contract';
import { integer, type Reading, starsNote, type Token, tokens } from '@hengxi/contracts/format';
import { joinRows } from '@hengxi/contracts/report/join-rows';
import { tableStyle } from '@hengxi/contracts/report/presentation';
import { sentencesOf } from '@hengxi/contracts/report/sentence';
import { readingOf, tableText, type TableText } from '@hengxi/contracts/table-text';
import { useMemo, useState } from 'react';

import { useReport } from '../context.ts';
import { BlockNote } from '../note/block-note.tsx';
import { Sentence, Words } from '../words.tsx';
import type { TableCopy } from '@hengxi/contracts/report/copy';
import styles from './table-block.module.css';
import { TableTools } from './table-tools.tsx';
import { ThreeLines } from './three-lines.tsx';

/** What stands in the place of a count that was taken out of a share. */
const SMALL = '＜5';

/** Rows shown at once; longer tables open by pages, nothing is left out. */
const PAGE = 60;

export interface TableBlockProps {
  table: TableElement;
  /** Key in the report: names its edits and its links. */
  name: string;
  notes: readonly TextElement[];
}

export function TableBlock({ table, name, notes }: TableBlockProps) {
  const { presentation, numbers, readonly, hideSmall, document, reading: prose } = useReport();
  const { reading, tables } = presentation.value;
  const style = tableStyle(presentation.value, name);
  const edit = useMemo(() => ({ ...tables[name], style }), [tables, name, style]);
  const [pages, setPages] = useState(1);
  const { whole, unread, isLoading, load } = useWhole(table);
  const grid = useMemo(() => tableText(whole, reading, edit), [whole, reading, edit]);
  const number = numbers.get(name);
  const words = [...tokens(table.title), ...(table.at === null ? [] : [{ text: `：${table.at}` }])];
  const title = [...(number === undefined ? [] : [{ text: `${number}　` }]), ...words];
  const caption = title.map((t) => t.text).join('');
  const shown = grid.body.length > PAGE * pages ? { ...grid, body: grid.body.slice(0, PAGE * pages) } : grid;
  const left = grid.body.length - shown.body.length;
  const note = presentation.value.notes[name];
  const sentences = useMemo(
    () =>
      document === null
        ? []
        : sentencesOf({ table, tables: tablesAround(document, table), report: document, reading, edit }),
    [document, table, reading, edit],
  );
  const copy: TableCopy = {
    number: number ?? '',
    title: words,
    grid,
    notes: [
      ...noteTokens(notes, grid, readingOf(prose, edit)),
      ...(unread > 0 ? [{ text: partOf(whole.rows.length, unread) }] : []),
      ...(note === undefined ? [] : [{ text: note.replaceAll(/\s*\n\s*/g, ' ') }]),
    ],
  };
  return (
    <figure className={styles['block']} data-block={name}>
      <div className={styles['head']}>
        <figcaption className={styles['caption']}>
          <Words list={title} />
        </figcaption>
        <TableTools table={whole} name={name} copy={copy} style={style} sentences={sentences} readonly={readonly} />
      </div>
      <ThreeLines table={whole} grid={shown} caption={caption} link={name} style={style} />
      {left > 0 ? (
        <button type="button" className={`hx-link ${styles['more']}`} onClick={() => setPages(pages + 1)}>
          再显示 {Math.min(PAGE, left)} 行（还有 {integer(left)} 行）
        </button>
      ) : null}
      <Notes notes={notes} grid={grid} reading={readingOf(prose, edit)} />
      {unread > 0 ? (
        <p className={styles['note']}>
          {partOf(whole.rows.length, unread)}
          {load === undefined ? null : (
            <button type="button" className="hx-link" disabled={isLoading} onClick={load}>
              {isLoading ? '正在载入…' : '载入其余各行'}
            </button>
          )}
        </p>
      ) : null}
      {hideSmall && Object.values(table.marks).includes(SMALL) ? (
        <p className={styles['note']}>小于 5 的频数已隐藏。</p>
      ) : null}
      <BlockNote name={name} />
    </figure>
  );
}

/** Tables of the part a table stands in. */
function tablesAround(report: Report, table: TableElement): ReadonlyMap<string, TableElement> {
  const part = report.parts.find(({ elements }) => elements.includes(table));
  const list = (part?.elements ?? []).filter((e): e is TableElement => e.type === 'table');
  return new Map(list.map((t) => [t.id, t]));
}

/** The table with those of its kept rows that were asked for; `unread` of them are still missing. */
function useWhole(table: TableElement) {
  const { onMoreRows } = useReport();
  const [loaded, setLoaded] = useState<{ of: TableElement; whole: TableElement } | null>(null);
  const [isLoading, setLoading] = useState(false);
  const whole = loaded?.of === table ? loaded.whole : table;
  const unread = table.more === null ? 0 : table.more.rows - whole.rows.length;
  const file = table.more?.file ?? null;
  const read = async (ask: NonNullable<typeof onMoreRows>, name: string): Promise<void> => {
    setLoading(true);
    try {
      let joined = whole;
      for (let offset = joined.rows.length - table.rows.length; joined.rows.length < (table.more?.rows ?? 0);) {
        const page = await ask(name, offset);
        if (page.rows.length === 0) break;
        joined = joinRows(joined, page);
        offset += page.rows.length;
      }
      setLoaded({ of: table, whole: joined });
    } catch {
      // The call has said why; what was there stays, and the button can be pressed again.
    } finally {
      setLoading(false);
    }
  };
  const load = onMoreRows === undefined || file === null ? undefined : () => void read(onMoreRows, file);
  return { whole, unread, isLoading, load };
}

const partOf = (shown: number, unread: number): string =>
  `这里是前 ${integer(shown)} 行，全表共 ${integer(shown + unread)} 行。`;

type Noted = Pick<TableText, 'hasStars' | 'told'>;

function Notes({ notes, grid, reading }: { notes: readonly TextElement[]; grid: Noted; reading: Reading }) {
  const signs = grid.hasStars ? starsNote(reading) : [];
  if (notes.length === 0 && signs.length === 0 && grid.told.length === 0) return null;
  return (
    <p className={styles['note']}>
      注：
      {notes.map((note) => (
        <span key={note.id}>
          <Sentence text={note.text} facts={note.facts} />
        </span>
      ))}
      {grid.told.length > 0 ? (
        <span>
          <Words list={grid.told} />
        </span>
      ) : null}
      {signs.length > 0 ? (
        <span>
          <Words list={signs} />。
        </span>
      ) : null}
    </p>
  );
}

function noteTokens(notes: readonly TextElement[], { hasStars, told }: Noted, reading: Reading): Token[] {
  return [
    ...notes.flatMap((n) => tokens(n.text, n.facts, reading)),
    ...told,
    ...(hasStars ? [...starsNote(reading), { text: '。' }] : []),
  ];
}
