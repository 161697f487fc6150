/** A chart of the report: picture (small multiples by facet), title below, what the marks mean, and its numbers as a table. */
import { DownloadOutlined, TableOutlined } from '@ant-design/icons';
import type { ChartElement, TableElement, TextElement } from '@hengxi/contracts/contract';
import { integer, tokens } from '@hengxi/contracts/format';
import { tableText } from '@hengxi/contracts/table-text';
import { Dropdown } from 'antd';
import { useCallback, useMemo, useState } from 'react';

import { useAppearance } from '../../lib/appearance.ts';
import { saveFile } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { ThreeLines } from '../table/three-lines.tsx';
import tools from '../tools.module.css';
import { Sentence, Words } from '../words.tsx';
import { Canvas } from './canvas.tsx';
import styles from './chart-block.module.css';
import type { Drawing } from './drawing.ts';
import { chartPng, chartSvg, EXPORT_WIDTH } from './export.ts';
import { KINDS } from './kinds.ts';
import { type ChartSource, chartSource, type Facet, facetsOf } from './source.ts';
import { summaryOf } from './summary.ts';
import { type ChartTheme, DARK, fill, GREY, LIGHT } from './theme.ts';

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
  const { point } = useReport();
  const source = useMemo(() => chartSource(chart, tables, facet), [chart, tables, facet]);
  const draw = useCallback(
    (width: number) => (source === null ? EMPTY : drawn(source, width, theme, small)),
    [source, theme, small],
  );
  if (source === null || source.size === 0) return <p className={styles['empty']}>{caption}：没有可以画的数据。</p>;
  const link = chart.kind === 'network' ? chart.nodes : chart.of;
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
        onPoint={(row) => point(row === null ? null : { table: link, row })}
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

function drawn(source: ChartSource, width: number, theme: ChartTheme, small: boolean): Drawing {
  return KINDS[source.chart.kind](source, { width, theme, compact: small || width < 480 });
}

function marksOf(source: ChartSource): number {
  return Math.max(source.size, source.other('raw')?.size ?? 0);
}

function Legend({ entries, theme }: { entries: NonNullable<Drawing['legend']>; theme: ChartTheme }) {
  return (
    <ul className={styles['legend']}>
      {entries.map((entry) => {
        const paint = fill(theme, entry.index);
        return (
          <li key={entry.text}>
            <span
              className={entry.line ? styles['stroke'] : styles['swatch']}
              style={{
                background: paint.color,
                ...(paint.borderColor === undefined ? {} : { outline: `1px solid ${paint.borderColor}` }),
              }}
              aria-hidden="true"
            />
            {entry.text}
          </li>
        );
      })}
    </ul>
  );
}

interface ToolsProps {
  caption: string;
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  facets: readonly Facet[];
  grey: boolean;
  asTable: boolean;
  onTable: (() => void) | undefined;
}

function ChartTools({ caption, chart, tables, facets, grey, asTable, onTable }: ToolsProps) {
  const { presentation, readonly } = useReport();
  const save = async (key: string): Promise<void> => {
    const theme = grey ? GREY : LIGHT;
    for (const facet of facets) {
      const source = chartSource(chart, tables, facet);
      if (source === null) continue;
      const name = facet.label === '' ? caption : `${caption} ${facet.label}`;
      const drawing = drawn(source, EXPORT_WIDTH, theme, false);
      const blob =
        key === 'png'
          ? await chartPng(drawing, theme)
          : new Blob([await chartSvg(drawing, theme)], { type: 'image/svg+xml' });
      if (blob !== null) saveFile(`${name}.${key}`, blob.type, blob);
    }
  };
  const items = [
    { key: 'png', label: '下载 PNG（2 倍）' },
    { key: 'svg', label: '下载 SVG（矢量）' },
    ...(readonly
      ? []
      : [{ type: 'divider' as const }, { key: 'grey', label: grey ? '恢复彩色' : '灰度印刷（全部图）' }]),
  ];
  return (
    <div className={tools['tools']} role="toolbar" aria-label={`${caption}的工具`}>
      {onTable === undefined ? null : (
        <button type="button" className={tools['tool']} onClick={onTable} aria-pressed={asTable}>
          <TableOutlined aria-hidden /> {asTable ? '看图' : '数据表'}
        </button>
      )}
      <Dropdown
        menu={{
          items,
          onClick: ({ key }) =>
            key === 'grey' ? presentation.change({ ...presentation.value, grey: !grey }) : void save(key),
        }}
        trigger={['click']}
        placement="bottomRight"
      >
        <button type="button" className={tools['tool']} aria-label="下载图">
          <DownloadOutlined aria-hidden />
        </button>
      </Dropdown>
    </div>
  );
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
