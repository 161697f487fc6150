/** A table of the report: title above, three lines, notes below, tools on hover and focus that move nothing. */
import type { TableElement, TextElement } from '@hengxi/contracts/contract';
import { integer, plain, starsNote, tokens } from '@hengxi/contracts/format';
import { readingOf, tableText } from '@hengxi/contracts/table-text';
import { useMemo, useState } from 'react';

import { useReport } from '../context.ts';
import { Sentence, Words } from '../words.tsx';
import type { TableCopy } from './copy.ts';
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
  const { presentation, numbers, readonly, hideSmall } = useReport();
  const { reading, tables } = presentation.value;
  const edit = tables[name];
  const [pages, setPages] = useState(1);
  const grid = useMemo(() => tableText(table, reading, edit), [table, reading, edit]);
  const number = numbers.get(name);
  const title = [
    ...(number === undefined ? [] : [{ text: `${number}　` }]),
    ...tokens(table.title),
    ...(table.at === null ? [] : [{ text: `：${table.at}` }]),
  ];
  const caption = title.map((t) => t.text).join('');
  const shown = grid.body.length > PAGE * pages ? { ...grid, body: grid.body.slice(0, PAGE * pages) } : grid;
  const left = grid.body.length - shown.body.length;
  const copy: TableCopy = {
    caption,
    grid,
    notes: noteTexts(notes, grid.hasStars, grid.diagonal, readingOf(reading, edit)),
  };
  return (
    <figure className={styles['block']} data-block={name}>
      <div className={styles['head']}>
        <figcaption className={styles['caption']}>
          <Words list={title} />
        </figcaption>
        <TableTools table={table} name={name} copy={copy} readonly={readonly} />
      </div>
      <ThreeLines table={table} grid={shown} caption={caption} link={name} />
      {left > 0 ? (
        <button type="button" className={`hx-link ${styles['more']}`} onClick={() => setPages(pages + 1)}>
          再显示 {Math.min(PAGE, left)} 行（还有 {integer(left)} 行）
        </button>
      ) : null}
      <Notes notes={notes} grid={grid} />
      {table.more === null ? null : (
        <p className={styles['note']}>
          报告内显示前 {integer(table.rows.length)} 行，全部 {integer(table.more.rows)} 行随报告保存。
        </p>
      )}
      {hideSmall && Object.values(table.marks).includes(SMALL) ? (
        <p className={styles['note']}>小于 5 的频数已隐藏。</p>
      ) : null}
    </figure>
  );
}

function Notes({
  notes,
  grid,
}: {
  notes: readonly TextElement[];
  grid: { hasStars: boolean; diagonal: string | null };
}) {
  const { presentation } = useReport();
  const signs = grid.hasStars ? starsNote(presentation.value.reading.stars) : [];
  if (notes.length === 0 && signs.length === 0 && grid.diagonal === null) return null;
  return (
    <p className={styles['note']}>
      注：
      {notes.map((note) => (
        <span key={note.id}>
          <Sentence text={note.text} facts={note.facts} />
        </span>
      ))}
      {grid.diagonal === null ? null : <span>对角线为{grid.diagonal}。</span>}
      {signs.length > 0 ? (
        <span>
          <Words list={signs} />。
        </span>
      ) : null}
    </p>
  );
}

function noteTexts(
  notes: readonly TextElement[],
  hasStars: boolean,
  diagonal: string | null,
  reading: Parameters<typeof plain>[2],
): string[] {
  const parts = [
    ...notes.map((n) => plain(n.text, n.facts, reading)),
    ...(diagonal === null ? [] : [`对角线为${diagonal}。`]),
    ...(hasStars && reading !== undefined
      ? [
          `${starsNote(reading.stars)
            .map((t) => t.text)
            .join('')}。`,
        ]
      : []),
  ];
  return parts.length === 0 ? [] : [`注：${parts.join('')}`];
}
