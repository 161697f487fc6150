/** A report as a sheet of paper, in the one order every method has: conclusion, table, figure, checks, reading, sample, details, method. */
import type { Part, Remedy, Report } from '@hengxi/contracts/contract';
import { date } from '@hengxi/contracts/format';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import { isTyping, matchesKeys, useShortcut, useShortcutsOn } from '../lib/shortcuts.ts';
import { useFocusStays } from '../ui/focus-back.ts';
import { ReportSkeleton } from '../ui/skeleton.tsx';
import { CheckCounts, Checks } from './check/checks.tsx';
import { ReportContext, type ReportActions, type RowsQuery, useReport } from './context.ts';
import { ElementBlock } from './element-block.tsx';
import { HiddenBlocks } from './hidden-blocks.tsx';
import { Lead } from './lead/lead.tsx';
import { MethodNotes, type Verified } from './method/method-notes.tsx';
import {
  anchor,
  keyOf,
  numbersOf,
  partTitle,
  refusalLines,
  type Sections,
  sectionsOf,
} from '@hengxi/contracts/report/outline';
import { numberSources } from './number-sources.ts';
import { createPointer } from './pointer.ts';
import { type Presentation, SECTION_NOTES } from '@hengxi/contracts/report/presentation';
import { BlockNote } from './note/block-note.tsx';
import { columnNames } from '@hengxi/contracts/report/rule-text';
import { analysedText } from '@hengxi/contracts/report/sample';
import { decimalsOf } from '@hengxi/contracts/report/decimals';
import { usePresentation } from './use-presentation.ts';
import styles from './report-view.module.css';
import { SampleFlow } from './sample/sample-flow.tsx';
import { usePrinting } from './use-printing.ts';
import { Interpretation } from './text/interpretation.tsx';

export interface ReportViewProps {
  /** null: the first result is still to come. */
  report: Report | null;
  presentation?: Presentation | undefined;
  onPresentationChange?: ((next: Presentation) => void) | undefined;
  /** No edits: an older revision, a share. */
  readonly?: boolean;
  /** In a pane beside other things: less room around, no sheet. */
  compact?: boolean;
  /** A chapter of a longer document: conclusion, tables and figures, and checks that need a look. */
  chapter?: boolean;
  /** A newer result is on its way: the old one stays, dimmed. */
  updating?: boolean;
  madeAt?: string | null | undefined;
  /** Heading given by the user; else the report's own. */
  title?: string | undefined;
  verified?: Verified | undefined;
  hideSmall?: boolean;
  /** Which report of the person this is; absent where nothing is kept. */
  keptAs?: string | null;
  /** Before the ids of sections, where a page shows two reports. */
  scope?: string;
  onRemedy?: ((remedy: Remedy) => void) | undefined;
  onRows?: ((asked: RowsQuery) => void) | undefined;
  cases?: ReportActions['cases'];
  onFreeze?: ReportActions['onFreeze'];
  onFile?: ((fileId: string, name: string) => void) | undefined;
  onAnalyse?: ReportActions['onAnalyse'];
  onMakeData?: ((element: string) => void) | undefined;
  onMoreRows?: ReportActions['onMoreRows'];
  models?: ReportActions['models'];
  onPin?: ReportActions['onPin'];
  onExport?: ReportActions['onExport'];
  /** What remedies have added, below the checks. */
  besides?: ReactNode;
}

export function ReportView(props: ReportViewProps) {
  const { report, compact = false } = props;
  return (
    <div className={styles['container']}>
      {report === null ? (
        <div className={compact ? styles['pane'] : styles['sheet']}>
          <ReportSkeleton />
        </div>
      ) : (
        <Sheet {...props} report={report} />
      )}
    </div>
  );
}

function Sheet(props: ReportViewProps & { report: Report }) {
  const { report, compact = false, chapter = false, updating = false, verified } = props;
  const hand = useHand(props);
  const names = useMemo(() => columnNames(report), [report]);
  const sheet = useRef<HTMLElement>(null);
  useFocusStays(sheet);
  useUndoKeys(hand);
  useShortcut('Ctrl+Shift+C', () => copyPointed(sheet.current));
  return (
    <ReportContext value={hand}>
      <article
        ref={sheet}
        className={`${compact ? styles['pane'] : styles['sheet']} ${updating ? styles['updating'] : ''}`}
        aria-busy={updating}
      >
        <Masthead report={report} title={props.title} madeAt={props.madeAt} chapter={chapter} />
        <HiddenBlocks />
        {report.parts.map((part, p) => (
          <PartView
            key={part.group === null ? 'all' : `${part.group.label}/${String(part.group.total)}`}
            report={report}
            part={part}
            index={p}
            names={names}
            hidden={hand.presentation.value.hidden}
            besides={p === 0 ? props.besides : undefined}
            chapter={chapter}
          />
        ))}
        {chapter ? null : (
          <section className={styles['section']} id={hand.scope + anchor(0, 'method')}>
            <h2>方法说明与引用</h2>
            <MethodNotes report={report} verified={verified} />
          </section>
        )}
      </article>
    </ReportContext>
  );
}

function useHand(props: ReportViewProps & { report: Report }): ReportActions {
  const { report, readonly = false, compact = false, hideSmall = false, scope = '', keptAs = null } = props;
  const presentation = usePresentation(props.presentation, props.onPresentationChange);
  const [pointer] = useState(createPointer);
  const numbers = useMemo(() => numbersOf(report), [report]);
  const { onRemedy, onRows, cases, onFreeze, onFile, onAnalyse, onMakeData, onMoreRows, models, onExport, onPin } =
    props;
  const origins = useMemo(() => numberSources(report, numbers), [report, numbers]);
  const { reading: chosen, tables } = presentation.value;
  const reading = useMemo(() => ({ ...chosen, places: decimalsOf(report, chosen, tables) }), [report, chosen, tables]);
  return useMemo(
    () => ({
      document: report,
      onPin,
      origins,
      reading,
      presentation,
      keptAs,
      readonly,
      compact,
      numbers,
      pointer,
      scope,
      hideSmall,
      onRemedy,
      onRows,
      cases,
      onFreeze,
      onFile,
      onAnalyse,
      onMakeData,
      onMoreRows,
      models,
      onExport,
    }),
    [
      report,
      onPin,
      origins,
      reading,
      presentation,
      keptAs,
      readonly,
      compact,
      numbers,
      pointer,
      scope,
      hideSmall,
      onRemedy,
      onRows,
      cases,
      onFreeze,
      onFile,
      onAnalyse,
      onMakeData,
      onMoreRows,
      models,
      onExport,
    ],
  );
}

/** 复制为三线表 by keys: the table under the pointer or the focus, else the main one. */
function copyPointed(sheet: HTMLElement | null): void {
  const tools = [...(sheet?.querySelectorAll<HTMLElement>('[data-copy]') ?? [])];
  const here = tools.find((tool) => {
    const block = tool.closest('figure');
    return block !== null && (block.matches(':hover') || block.contains(document.activeElement));
  });
  (here ?? tools[0])?.click();
}

/** Undo and redo of a report one may edit, wherever the focus stands on its page; never in a box where one types or beside an open dialog. */
function useUndoKeys({ presentation, readonly }: ReportActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isRedo = matchesKeys(event, 'Ctrl+Shift+Z') || matchesKeys(event, 'Ctrl+Y');
    if (!isRedo && !matchesKeys(event, 'Ctrl+Z')) return;
    if (event.isComposing || event.defaultPrevented || isTyping(event.target) || hasOpenDialog()) return;
    event.preventDefault();
    if (isRedo) presentation.redo();
    else presentation.undo();
  });
  const isOn = useShortcutsOn((kept) => kept.on) && !readonly;
  useEffect(() => {
    if (!isOn) return;
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}

/** What is done in a dialog is taken back there, if at all. */
function hasOpenDialog(): boolean {
  return document.querySelector('[role=dialog][aria-modal=true]:not([hidden])') !== null;
}

function Masthead({
  report,
  title,
  madeAt,
  chapter,
}: {
  report: Report;
  title: string | undefined;
  madeAt: string | null | undefined;
  chapter: boolean;
}) {
  const Title = chapter ? 'h3' : 'h1';
  return (
    <header className={styles['masthead']}>
      <p className={styles['meta']}>
        <span>{report.method.title}</span>
        {madeAt === null || madeAt === undefined ? null : <span>{date(madeAt, true)}</span>}
        <span>{analysedText(report.sample)}</span>
        {report.stopped ? <span>提前停止，保留当时的结果</span> : null}
      </p>
      <Title className={styles['title']}>{title ?? report.title}</Title>
    </header>
  );
}

interface PartProps {
  report: Report;
  part: Part;
  index: number;
  names: ReadonlyMap<string, string>;
  hidden: readonly string[];
  besides: ReactNode;
  chapter: boolean;
}

function PartView({ report, part, index, names, hidden, besides, chapter }: PartProps) {
  const { scope } = useReport();
  const sections = useMemo(() => sectionsOf(part), [part]);
  const shown = { part: index, sections, names, hidden };
  const title = partTitle(part);
  return (
    <div className={title === '' ? undefined : styles['part']}>
      {title === '' ? null : (
        <h2 className={styles['partTitle']} id={scope + anchor(index, 'part')}>
          {title}
        </h2>
      )}
      {part.refusal === null ? null : (
        <ul className={styles['refusal']} role="note">
          {refusalLines(part).map((why) => (
            <li key={why}>这一组没有结果：{why}</li>
          ))}
        </ul>
      )}
      {sections.lead.length > 0 ? (
        <section id={scope + anchor(index, 'lead')} aria-label="结论">
          {sections.lead.map((element) => (
            <div key={element.id}>
              {element.at === null || sections.lead.length < 2 ? null : <h3 className={styles['at']}>{element.at}</h3>}
              <Lead element={element} />
            </div>
          ))}
          <BlockNote name={keyOf(index, SECTION_NOTES.lead)} offer />
        </section>
      ) : null}
      <Main {...shown} />
      {chapter && sections.checks.every(({ state }) => state === 'pass') ? null : <CheckSection {...shown} />}
      {besides}
      {!chapter && sections.texts.length > 0 && !hidden.includes(keyOf(index, 'texts')) ? (
        <Interpretation texts={sections.texts} id={scope + anchor(index, 'texts')}>
          <BlockNote name={keyOf(index, SECTION_NOTES.texts)} offer />
        </Interpretation>
      ) : null}
      {chapter ? null : <Sample report={report} part={part} index={index} title={title} />}
      {chapter ? null : <Detail {...shown} />}
    </div>
  );
}

type SampleProps = Pick<PartProps, 'report' | 'part' | 'index'> & { title: string };

function Sample({ report, part, index, title }: SampleProps) {
  const { scope } = useReport();
  return (
    <section className={styles['section']} id={scope + anchor(index, 'sample')}>
      <h2>样本说明</h2>
      <SampleFlow
        sample={part.group === null ? report.sample : part.sample}
        filter={report.filter?.text ?? null}
        group={part.group === null || part.group.total ? '' : title}
      />
      <BlockNote name={keyOf(index, SECTION_NOTES.sample)} offer />
    </section>
  );
}

interface Shown {
  part: number;
  sections: Sections;
  names: ReadonlyMap<string, string>;
  hidden: readonly string[];
}

function visible<T extends { id: string }>(list: readonly T[], { part, hidden }: Shown): T[] {
  return list.filter((element) => !hidden.includes(keyOf(part, element.id)));
}

/** The first table and the first figure carry the anchors of the outline. */
function Main(shown: Shown) {
  const { scope } = useReport();
  const list = visible(shown.sections.main, shown);
  const table = list.find((e) => e.type === 'table');
  const figure = list.find((e) => e.type === 'chart' || e.type === 'panel');
  return list.map((element) => (
    <div
      key={element.id}
      id={
        element === table
          ? scope + anchor(shown.part, 'table')
          : element === figure
            ? scope + anchor(shown.part, 'chart')
            : undefined
      }
    >
      <ElementBlock element={element} part={shown.part} sections={shown.sections} names={shown.names} />
    </div>
  ));
}

function CheckSection(shown: Shown) {
  const { scope } = useReport();
  const checks = visible(shown.sections.checks, shown);
  const besides = visible(shown.sections.besides, shown);
  if (checks.length + besides.length === 0) return null;
  return (
    <section className={styles['section']} id={scope + anchor(shown.part, 'checks')}>
      <h2>
        前提检验 <CheckCounts list={checks} />
      </h2>
      <Checks list={checks} />
      {besides.map((element) => (
        <ElementBlock
          key={element.id}
          element={element}
          part={shown.part}
          sections={shown.sections}
          names={shown.names}
        />
      ))}
      <BlockNote name={keyOf(shown.part, SECTION_NOTES.checks)} offer />
    </section>
  );
}

const COUNTED: Partial<Record<string, string>> = {
  table: '表',
  chart: '图',
  panel: '图',
  formula: '公式',
  file: '文件',
  data: '数据',
  model: '模型',
  rules: '规则',
};

/** Folded with a count: nothing is hidden, only put away. A short list stands open. */
function Detail(shown: Shown) {
  const { scope } = useReport();
  const list = visible(shown.sections.detail, shown);
  const [unfolded, setOpen] = useState(list.length <= 3);
  const open = usePrinting() || unfolded;
  if (list.length === 0) return null;
  const counts = new Map<string, number>();
  for (const element of list) {
    const word = COUNTED[element.type];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const summary = [...counts].map(([word, n]) => `${n} 个${word}`).join('，');
  return (
    <section className={styles['section']} id={scope + anchor(shown.part, 'detail')}>
      <h2 className={styles['folding']}>
        <button type="button" className="hx-plain" aria-expanded={open} onClick={() => setOpen(!open)}>
          明细 <span className={styles['count']}>{summary}</span>{' '}
          <span className={styles['turn']}>{open ? '收起' : '展开'}</span>
        </button>
      </h2>
      <div className={open ? undefined : styles['folded']}>
        {open
          ? list.map((element) => (
              <ElementBlock
                key={element.id}
                element={element}
                part={shown.part}
                sections={shown.sections}
                names={shown.names}
              />
            ))
          : null}
      </div>
    </section>
  );
}
