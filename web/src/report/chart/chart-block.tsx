/** A chart of the report: picture (small multiples by facet), title below, what the marks mean, and its numbers as a table. */
import type { ChartElement, TableElement, TextElement } from '@hengxi/contracts/contract';
import { integer, tokens } from '@hengxi/contracts/format';
import { tableText } from '@hengxi/contracts/table-text';
import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useCallback, useMemo, useRef, useState } from 'react';

import { useAppearance } from '../../lib/appearance.ts';
import { useReport } from '../context.ts';
import { ThreeLines } from '../table/three-lines.tsx';
import { BlockNote } from '../note/block-note.tsx';
import { Sentence, Words } from '../words.tsx';
import { usePointedRow } from '../pointer.ts';
import { usePrinting } from '../use-printing.ts';
import { Canvas } from './canvas.tsx';
import styles from './chart-block.module.css';
import { ChartTools } from './chart-tools.tsx';
import { pickable, type PlacedMark } from '@hengxi/contracts/chart/cases';
import type { Drawing } from '@hengxi/contracts/chart/drawing';
import { drawChart, editedSource, widthOf } from '@hengxi/contracts/chart/draw';
import type { Annotation, FigureEdit } from '@hengxi/contracts/chart/figure-edit';
import { PX_PER_MM } from '@hengxi/contracts/chart/plate';
import { editOver, figureOf, type Presentation, withFigure } from '@hengxi/contracts/report/presentation';
import { type ChartSource, columnPlace, type Facet, facetsOf } from '@hengxi/contracts/chart/source';
import { summaryOf } from '@hengxi/contracts/chart/summary';
import { type ChartTheme, DARK, fill, LIGHT, seriesColour, themed } from '@hengxi/contracts/chart/theme';

import { Annotations } from './annotations.tsx';
import type { FigureEditorProps } from './figure-editor.tsx';
import { HatchMark } from './hatch-mark.tsx';
import { PointCard } from './point-card.tsx';
import { PointStepper } from './point-stepper.tsx';
import { WordCard } from './word-card.tsx';

const FigureEditor = lazy(async () => ({ default: (await import('./figure-editor.tsx')).FigureEditor }));

/** Small pictures shown at first of a chart that has one for each of many variables; paper and exports have all. */
const FACETS = 12;

export interface ChartBlockProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  name: string;
  notes: readonly TextElement[];
  /** Inside a panel: no number of its own, smaller. */
  inPanel?: boolean;
  panel?: FigureEditorProps['panel'];
}

export function ChartBlock({ chart, tables, name, notes, inPanel = false, panel }: ChartBlockProps) {
  const { numbers, presentation, readonly } = useReport();
  const edit = useMemo(() => editOf(presentation.value, name, inPanel), [presentation.value, name, inPanel]);
  const theme = useTheme(edit);
  const [editing, setEditing] = useState(false);
  const [asTable, setAsTable] = useState(false);
  const [unfolded, setUnfolded] = useState(FACETS);
  const most = usePrinting() ? Infinity : unfolded;
  const facets = useMemo(() => facetsOf(chart, tables), [chart, tables]);
  const number = numbers.get(name);
  const title = [
    ...(number === undefined ? [] : [{ text: `${number}　` }]),
    ...(edit.title === undefined
      ? [...tokens(chart.title), ...(chart.at === null ? [] : [{ text: `：${chart.at}` }])]
      : [{ text: edit.title }]),
  ];
  const caption = title.map((t) => t.text).join('');
  const keepTexts = (texts: Annotation[]): void =>
    presentation.change(withFigure(presentation.value, name, { texts: texts.length === 0 ? undefined : texts }));
  const table = tables.get(chart.kind === 'network' ? chart.nodes : chart.of);
  const reading = useMemo(() => readingOf(chart, tables, facets[0], theme, edit), [chart, tables, facets, theme, edit]);
  const leads = useMemo(() => leadsToRows(chart, tables), [chart, tables]);
  return (
    <figure className={inPanel ? styles['small'] : styles['block']} data-block={name}>
      <div className={styles['head']}>
        <ChartTools
          name={inPanel ? null : name}
          caption={caption}
          chart={chart}
          tables={tables}
          edit={edit}
          onEdit={readonly ? undefined : () => setEditing(true)}
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
        <div
          className={[
            facets.length > 1 ? styles['facets'] : '',
            readonly || editing ? '' : styles['editable'],
            theme.name === 'grey' ? styles['printed'] : '',
          ].join(' ')}
          style={edit.size === undefined ? undefined : { maxWidth: widthOf(edit, 0) * PX_PER_MM, marginInline: 'auto' }}
          {...(readonly || editing ? {} : opening(`编辑${caption}`, () => setEditing(true), leads))}
        >
          {facets.slice(0, most).map((facet) => (
            <OneChart
              key={facet.label}
              chart={chart}
              tables={tables}
              facet={facet}
              theme={theme}
              edit={edit}
              small={inPanel}
              caption={caption}
              onTexts={editing ? keepTexts : undefined}
            />
          ))}
        </div>
      )}
      {asTable || facets.length <= most ? null : (
        <p className={styles['note']}>
          <button type="button" className="hx-link" onClick={() => setUnfolded(unfolded + FACETS)}>
            再显示 {Math.min(FACETS, facets.length - most)} 幅（还有 {facets.length - most} 幅）
          </button>
        </p>
      )}
      <figcaption className={styles['caption']}>
        <Words list={title} />
      </figcaption>
      <Below chart={chart} notes={notes} reading={reading} leads={leads && !asTable} />
      {inPanel ? null : <BlockNote name={name} />}
      {editing ? (
        <Suspense fallback={null}>
          <FigureEditor
            chart={chart}
            tables={tables}
            name={name}
            edit={edit}
            caption={caption}
            panel={panel}
            onClose={() => setEditing(false)}
          />
        </Suspense>
      ) : null}
    </figure>
  );
}

/** A chart of a panel follows its panel where it says nothing itself. */
function editOf(presentation: Presentation, name: string, inPanel: boolean): FigureEdit {
  if (!inPanel) return figureOf(presentation, name);
  const { title: _title, ...panel } = figureOf(presentation, name.slice(0, name.lastIndexOf('/')));
  return editOver(panel, presentation.figures[name]);
}

/** Not the card of a word or a point below the picture, nor a dialog opened from it. */
const isPicture = ({ target, currentTarget }: KeyboardEvent | MouseEvent): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('[data-word-card], [data-card]') === null;

/**
 * The picture itself opens its editor, by mouse and by keys; by mouse alone where its points can be stepped through:
 * a button holds nothing that takes the focus, and the tools have the editor too.
 */
function opening(label: string, open: () => void, leads: boolean) {
  const onClick = (event: MouseEvent): void => {
    if (isPicture(event)) open();
  };
  if (leads) return { onClick };
  return {
    role: 'button' as const,
    tabIndex: 0,
    'aria-label': label,
    onClick,
    onKeyDown: (event: KeyboardEvent) => {
      if (!isPicture(event)) return;
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      open();
    },
  };
}

function useTheme(edit: FigureEdit): ChartTheme {
  const shown = useAppearance((s) => s.shown);
  const { palette, pt, letters } = edit;
  return useMemo(
    () =>
      themed(shown === 'dark' ? DARK : LIGHT, {
        ...(palette === undefined ? {} : { palette }),
        ...(pt === undefined ? {} : { pt }),
        ...(letters === undefined ? {} : { letters }),
      }),
    [shown, palette, pt, letters],
  );
}

/** What the marks are, then what the method says about them, then how many are drawn. */
interface BelowProps {
  chart: ChartElement;
  notes: readonly TextElement[];
  reading: string;
  leads: boolean;
}

function Below({ chart, notes, reading, leads }: BelowProps) {
  const { cases, onFreeze } = useReport();
  if (notes.length === 0 && chart.thinned === null && reading === '' && !leads) return null;
  return (
    <p className={styles['note']}>
      {reading === '' ? null : <span>{reading}</span>}
      {leads && cases !== undefined ? <span className={styles['screen']}>点一个点，看它的数据行。</span> : null}
      {chart.kind === 'control' && onFreeze !== undefined ? (
        <button type="button" className={`hx-link ${styles['screen']}`} onClick={onFreeze}>
          冻结控制限
        </button>
      ) : null}
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
  edit: FigureEdit;
  small: boolean;
  caption: string;
  /** While the editor is open. */
  onTexts: ((next: Annotation[]) => void) | undefined;
}

function OneChart({ chart, tables, facet, theme, edit, small, caption, onTexts }: OneProps) {
  const { pointer } = useReport();
  const [word, setWord] = useState<number | null>(null);
  const [picked, setPicked] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const [isStepping, setStepping] = useState(false);
  const stepper = useRef<HTMLDivElement>(null);
  const table = chart.kind === 'words' ? tables.get(chart.of) : undefined;
  const source = useMemo(() => editedSource(chart, tables, facet, edit), [chart, tables, facet, edit]);
  const draw = useCallback(
    (width: number) => (source === null ? EMPTY : drawChart(source, width, theme, small, edit)),
    [source, theme, small, edit],
  );
  const link = chart.kind === 'network' ? chart.nodes : chart.of;
  const pointed = usePointedRow(pointer);
  const about = useMemo(() => [...facet.values, ...(chart.at === null ? [] : [chart.at])], [facet, chart.at]);
  if (source === null || source.size === 0) return <p className={styles['empty']}>{caption}：没有可以画的数据。</p>;
  const now = draw(640);
  const isWords = chart.kind === 'words';
  const isPicking = onTexts === undefined;
  const points = isWords || !isPicking ? NO_POINTS : pickable(now, chart.kind);
  const opened = picked === null ? undefined : points[picked];
  const stood = opened ?? (isStepping ? points[at] : undefined) ?? null;
  const move = (next: number | null): void => {
    setStepping(next !== null);
    if (next === null) return;
    setAt(next);
    setPicked(null);
  };
  const pick = (place: number): void => {
    setPicked(place);
    setAt(place);
  };
  const close = (): void => {
    setPicked(null);
    stepper.current?.querySelector<HTMLElement>('[data-points]')?.focus();
  };
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
        onPick={isWords && isPicking ? setWord : undefined}
        targets={points}
        onTarget={pick}
        stood={stood}
        card={opened === undefined ? null : <PointCard key={picked} mark={opened} onClose={close} />}
        onLeave={opened === undefined ? undefined : () => setPicked(null)}
      >
        <Annotations texts={edit.texts ?? NO_TEXTS} facet={facet.label} theme={theme} onChange={onTexts} />
      </Canvas>
      {points.length === 0 ? null : (
        <div ref={stepper} className={styles['stepper']}>
          <PointStepper
            points={points}
            at={Math.min(at, points.length - 1)}
            caption={caption}
            onMove={move}
            onOpen={() => setPicked(at)}
          />
        </div>
      )}
      {!isWords || table === undefined || word === null ? null : (
        <WordCard chart={chart} table={table} row={word} onClose={() => setWord(null)} />
      )}
    </div>
  );
}

/** Has it points to be stepped through? */
function leadsToRows(chart: ChartElement, tables: ReadonlyMap<string, TableElement>): boolean {
  if (chart.kind === 'control') return true;
  const names = chart.kind === 'point' ? chart.row : chart.kind === 'box' ? chart.rows : null;
  const table = chart.kind === 'network' ? undefined : tables.get(chart.of);
  return typeof names === 'string' && table !== undefined && columnPlace(table, names) !== null;
}

function readingOf(
  chart: ChartElement,
  tables: ReadonlyMap<string, TableElement>,
  facet: Facet | undefined,
  theme: ChartTheme,
  edit: FigureEdit,
): string {
  const source = editedSource(chart, tables, facet, edit);
  return source === null || source.size === 0 ? '' : (drawChart(source, 640, theme, false, edit).reading ?? '');
}

const NO_TEXTS: readonly Annotation[] = [];
const NO_POINTS: readonly PlacedMark[] = [];

const EMPTY: Drawing = { option: {}, height: 80 };

function marksOf(source: ChartSource): number {
  return Math.max(source.size, source.other('raw')?.size ?? 0);
}

function Legend({ entries, theme }: { entries: NonNullable<Drawing['legend']>; theme: ChartTheme }) {
  return (
    <ul className={styles['legend']} style={{ fontSize: theme.size, fontFamily: theme.family }}>
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
  const { color, borderColor, decal } = fill(theme, entry.index);
  if (entry.line || entry.dot) {
    const style = { background: seriesColour(theme, entry.index) };
    return <span className={styles[entry.line ? 'stroke' : 'dot']} style={style} aria-hidden="true" />;
  }
  const outline = borderColor === undefined ? {} : { outline: `1px solid ${borderColor}` };
  return (
    <span className={styles['swatch']} style={{ background: color, ...outline }} aria-hidden="true">
      <HatchMark decal={decal} width={10} height={10} />
    </span>
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
