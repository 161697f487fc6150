/** A chart of the report: picture (small multiples by facet), title below, what the marks mean, and its numbers as a table. */
import type { ChartElement, TableElement, TextElement } from '@hengxi/contracts/contract';
import { integer, tokens } from '@hengxi/contracts/format';
import { tableText } from '@hengxi/contracts/table-text';
import { useCallback, useMemo, useState } from 'react';

import { useAppearance } from '../../lib/appearance.ts';
import { useReport } from '../context.ts';
import { ThreeLines } from '../table/three-lines.tsx';
import { Sentence, Words } from '../words.tsx';
import { usePointedRow } from '../pointer.ts';
import { Canvas } from './canvas.tsx';
import styles from './chart-block.module.css';
import { ChartTools } from './chart-tools.tsx';
import type { Drawing } from './drawing.ts';
import { drawn } from './drawn.ts';
import { type ChartSource, chartSource, type Facet, facetsOf } from './source.ts';
import { summaryOf } from './summary.ts';
import { type ChartTheme, DARK, fill, GREY, LIGHT, seriesColour } from './theme.ts';

export interface ChartBlockProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  name: string;
  notes: readonly TextElement[];
  /** Inside a panel: no number of its own, smaller. */
  inPanel?: boolean;
}

export function ChartBlock({ chart, tables, name, notes, inPanel = false }: ChartBlockProps) {
  const { numbers, presentation } = useReport();
  const theme = useTheme(presentation.value.grey);
  const [asTable, setAsTable] = useState(false);
  const facets = useMemo(() => facetsOf(chart, tables), [chart, tables]);
  const number = numbers.get(name);
  const title = [
    ...(number === undefined ? [] : [{ text: `${number}　` }]),
    ...tokens(chart.title),
    ...(chart.at === null ? [] : [{ text: `：${chart.at}` }]),
  ];
  const caption = title.map((t) => t.text).join('');
  const table = tables.get(chart.kind === 'network' ? chart.nodes : chart.of);
  const reading = useMemo(() => readingOf(chart, tables, facets[0], theme), [chart, tables, facets, theme]);
  return (
    <figure className={inPanel ? styles['small'] : styles['block']} data-block={name}>
      <div className={styles['head']}>
        <ChartTools
          name={inPanel ? null : name}
          caption={caption}
          chart={chart}
          tables={tables}
          facets={facets}
          grey={presentation.value.grey}
          asTable={asTable}
          onTable={table === undefined ? undefined : () => setAsTable(!asTable)}
        />
      </div>
      {asTable && table !== undefined ? (
        <DataTable
          table={table}
          caption={`${caption}的数据`}
          link={chart.kind === 'network' ? chart.nodes : chart.of}
        />
      ) : (
        <div className={facets.length > 1 ? styles['facets'] : undefined}>
          {facets.map((facet) => (
            <OneChart
              key={facet.label}
              chart={chart}
              tables={tables}
              facet={facet}
              theme={theme}
              small={inPanel}
              caption={caption}
            />
          ))}
        </div>
      )}
      <figcaption className={styles['caption']}>
        <Words list={title} />
      </figcaption>
      <Below chart={chart} notes={notes} reading={reading} />
    </figure>
  );
}

export function useTheme(grey: boolean): ChartTheme {
  const shown = useAppearance((s) => s.shown);
  return grey ? GREY : shown === 'dark' ? DARK : LIGHT;
}

/** What the marks are, then what the method says about them, then how many are drawn. */
function Below({ chart, notes, reading }: { chart: ChartElement; notes: readonly TextElement[]; reading: string }) {
  if (notes.length === 0 && chart.thinned === null && reading === '') return null;
  return (
    <p className={styles['note']}>
      {reading === '' ? null : <span>{reading}</span>}
      {notes.map((note) => (
        <span key={note.id}>
          <Sentence text={note.text} facts={note.facts} />
        </span>
      ))}
      {chart.thinned === null ? null : (
        <span>
          图中显示 {integer(chart.thinned.shown)} 个，统计用全部 {integer(chart.thinned.of)} 个。
        </span>
      )}
    </p>
  );
}

interface OneProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  facet: Facet;
  theme: ChartTheme;
  small: boolean;
  caption: string;
}

function OneChart({ chart, tables, facet, theme, small, caption }: OneProps) {
  const { pointer } = useReport();
  const source = useMemo(() => chartSource(chart, tables, facet), [chart, tables, facet]);
  const draw = useCallback(
    (width: number) => (source === null ? EMPTY : drawn(source, width, theme, small)),
    [source, theme, small],
  );
  const link = chart.kind === 'network' ? chart.nodes : chart.of;
  const pointed = usePointedRow(pointer);
  const about = useMemo(() => [...facet.values, ...(chart.at === null ? [] : [chart.at])], [facet, chart.at]);
  if (source === null || source.size === 0) return <p className={styles['empty']}>{caption}：没有可以画的数据。</p>;
  const now = draw(640);
  return (
    <div className={styles['one']}>
      {facet.label === '' ? null : <p className={styles['facet']}>{facet.label}</p>}
      {now.legend === undefined ? null : <Legend entries={now.legend} theme={theme} />}
      <Canvas
        draw={draw}
        theme={theme}
        marks={marksOf(source)}
        summary={summaryOf(source)}
        pointed={pointed}
        table={link}
        about={about}
        onPoint={pointer.set}
      />
    </div>
  );
}

function readingOf(
  chart: ChartElement,
  tables: ReadonlyMap<string, TableElement>,
  facet: Facet | undefined,
  theme: ChartTheme,
): string {
  const source = chartSource(chart, tables, facet);
  return source === null || source.size === 0 ? '' : (drawn(source, 640, theme, false).reading ?? '');
}

const EMPTY: Drawing = { option: {}, height: 80 };

function marksOf(source: ChartSource): number {
  return Math.max(source.size, source.other('raw')?.size ?? 0);
}

function Legend({ entries, theme }: { entries: NonNullable<Drawing['legend']>; theme: ChartTheme }) {
  return (
    <ul className={styles['legend']}>
      {entries.map((entry) => (
        <li key={entry.text}>
          <Swatch entry={entry} theme={theme} />
          {entry.text}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ entry, theme }: { entry: NonNullable<Drawing['legend']>[number]; theme: ChartTheme }) {
  const { color, borderColor } = fill(theme, entry.index);
  if (entry.line || entry.dot) {
    const style = { background: seriesColour(theme, entry.index) };
    return <span className={styles[entry.line ? 'stroke' : 'dot']} style={style} aria-hidden="true" />;
  }
  const outline = borderColor === undefined ? {} : { outline: `1px solid ${borderColor}` };
  return <span className={styles['swatch']} style={{ background: color, ...outline }} aria-hidden="true" />;
}

const ROWS = 200;

function DataTable({ table, caption, link }: { table: TableElement; caption: string; link: string }) {
  const { presentation } = useReport();
  const { reading } = presentation.value;
  const grid = useMemo(() => tableText({ ...table, rows: table.rows.slice(0, ROWS) }, reading), [table, reading]);
  return (
    <div className={styles['data']}>
      <ThreeLines table={table} grid={grid} caption={caption} link={link} />
      {table.rows.length > ROWS ? (
        <p className={styles['note']}>
          前 {ROWS} 行，共 {integer(table.rows.length)} 行。
        </p>
      ) : null}
    </div>
  );
}
