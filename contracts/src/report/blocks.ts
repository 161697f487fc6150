/**
 * A report as the plain run of blocks that every export writes: order of the screen, the reader's presentation applied,
 * numbers already texts. Word, PDF, HTML, Excel and the clipboard differ only in how they write a block.
 */
import type {
  ChartElement,
  CheckElement,
  Element,
  Fact,
  PanelElement,
  Part,
  TableElement,
  TextElement,
} from '../../generated/contract.ts';
import { bytes, date, duration, integer, percent, type Reading, starsNote, type Token, tokens } from '../format.ts';
import { columnId } from '../table-head.ts';
import { readingOf, tableText } from '../table-text.ts';
import { CHECK_WORDS } from './check-words.ts';
import { briefChecks, type DetailLevel, omittedNote, mainResults } from './detail-level.ts';
import { truncationNote } from './join-rows.ts';
import { keyOf, partTitle, refusalLines, sectionsOf } from './outline.ts';
import type { FigureEdits } from '../chart/plate.ts';
import type { Block, Chapter, Saying } from './block-types.ts';
import { editOver, figureOf, type NotedSection, SECTION_NOTES } from './presentation.ts';
import { linesOf } from './lines.ts';
import { decimalsOf } from './decimals.ts';
import { citedWorks, namedWorks } from './references.ts';
import { textOf } from './block-text.ts';
import { columnNames, conditionsOf } from './rule-text.ts';
import { analysedText, hasRows, missingText, sampleSteps, stepsText } from './sample.ts';
import { texOf } from './tex.ts';

export { captionOf, wordsOf } from './block-types.ts';
export type { Block, Chapter, FigureBlock, Saying, TableBlock } from './block-types.ts';

/** Ids of the elements to write, besides them: sample, method, note. null = all but the note, which is its owner's. */
export type Only = ReadonlySet<string> | null;

/** Tables and figures written so far in the document. What is not written is not counted: a word processor numbers anew. */
interface Counted {
  tables: number;
  figures: number;
}

type Facts = Readonly<Record<string, Fact>>;
const say = (said: string): Token[] => [{ text: said }];

class Writer {
  private readonly names: ReadonlyMap<string, string>;
  readonly blocks: Block[] = [];
  private group = '';
  /** Reading of the sentences: their numbers as in the tables. */
  private readonly prose: Reading;

  constructor(
    private readonly chapter: Chapter,
    private readonly only: Only,
    private readonly counted: Counted,
    private readonly extent: DetailLevel,
  ) {
    const { report, presentation } = chapter;
    this.names = columnNames(report);
    const { reading, tables } = presentation;
    this.prose = { ...reading, places: decimalsOf(report, reading, tables) };
  }

  write(): Block[] {
    const { report, title, note } = this.chapter;
    this.heading(1, title);
    this.blocks.push({ type: 'text', as: 'meta', words: say(this.meta()) });
    report.parts.forEach((part, p) => this.part(part, p));
    if (this.extent !== 'brief' && this.wants('method')) this.method();
    if (note.trim() !== '' && this.only?.has('note')) {
      this.heading(2, '备注');
      this.text('body', say(note));
    }
    return this.blocks;
  }

  private meta(): string {
    const { report, madeAt } = this.chapter;
    return [
      report.method.title,
      ...(madeAt === null ? [] : [date(madeAt, true)]),
      analysedText(report.sample),
      ...(report.stopped ? ['提前停止，保留当时的结果'] : []),
    ].join(' · ');
  }

  private readonly wants = (id: string): boolean => this.only === null || this.only.has(id);

  private heading(level: 1 | 2 | 3, title: string): void {
    this.blocks.push({ type: 'heading', level, text: title });
  }

  /** Each line of a text is a paragraph: several variables have a conclusion each. */
  private text(as: 'body' | 'lead' | 'note' | 'warning', words: Saying): void {
    for (const line of linesOf(words)) this.blocks.push({ type: 'text', as, words: line });
  }

  private say(template: string, facts: Facts): Token[] {
    return tokens(template, facts, this.prose);
  }

  /** A section is headed only when something stands in it. */
  private section(level: 2 | 3, title: string, write: () => void): void {
    const at = this.blocks.length;
    write();
    if (this.blocks.length > at) this.blocks.splice(at, 0, { type: 'heading', level, text: title });
  }

  private part(part: Part, p: number): void {
    const s = sectionsOf(part);
    const title = partTitle(part);
    const level = title === '' ? 2 : 3;
    this.group = title;
    const { hidden } = this.chapter.presentation;
    const shown = <T extends Element>(list: readonly T[]): T[] =>
      list.filter((e) => !hidden.includes(keyOf(p, e.id)) && this.wants(e.id));
    const all = (list: readonly Element[]): void =>
      shown(list).forEach((e) => this.element(e, p, s.notes.get(e.id) ?? [], s.tables));
    if (title !== '') this.heading(2, title);
    for (const why of refusalLines(part)) this.text('warning', say(`这一组没有结果：${why}`));
    for (const lead of shown(s.lead)) {
      if (lead.at !== null && s.lead.length > 1) this.text('body', [{ text: lead.at, b: true }]);
      this.element(lead, p, [], s.tables);
    }
    if (shown(s.lead).length > 0) this.sectionNote('lead', p);
    if (this.extent !== 'all') {
      const { elements, omitted } = mainResults(shown(s.main));
      all(elements);
      if (omittedNote(omitted) !== '') this.text('note', say(omittedNote(omitted)));
      all(s.detail.filter(({ type }) => type === 'warning'));
    } else all(s.main);
    this.section(level, '前提检验', () => {
      this.checks(shown(s.checks));
      if (this.extent === 'all') all(s.besides);
      if (shown(s.checks).length > 0) this.sectionNote('checks', p);
    });
    if (this.extent === 'all' && !hidden.includes(keyOf(p, 'texts')))
      this.section(level, '解读', () => {
        const texts = s.texts.filter((t) => this.wants(t.id));
        this.reading(texts);
        if (texts.length > 0) this.sectionNote('texts', p);
      });
    if (this.extent !== 'brief' && this.wants('sample'))
      this.section(level, '样本说明', () => {
        this.sample(part, title);
        this.sectionNote('sample', p);
      });
    if (this.extent === 'all') this.section(level, '明细', () => all(s.detail));
  }

  private reading(texts: readonly TextElement[]): void {
    const { voice } = this.chapter.presentation;
    // Where nobody speaks in the voice chosen, the first that speaks is heard, as on screen.
    const voices = (['student', 'paper', 'brief'] as const).filter((v) => texts.some((t) => t.voice === v));
    const heard = voices.includes(voice) ? voice : (voices[0] ?? voice);
    let before: string | null = null;
    for (const t of texts.filter((one) => one.voice === null || one.voice === heard)) {
      const named: Token[] = t.at === null || t.at === before ? [] : [{ text: `${t.at}　`, b: true }];
      this.text('body', [...named, ...this.say(t.text, t.facts)]);
      before = t.at;
    }
  }

  private checks(list: readonly CheckElement[]): void {
    const { full, passed } = this.extent === 'all' ? { full: list, passed: '' } : briefChecks(list);
    full.forEach((c) => this.check(c));
    if (passed !== '' && this.extent === 'main') this.text('body', say(passed));
  }

  private check(check: CheckElement): void {
    const at = check.at === null ? '' : ` ${check.at}`;
    this.text('body', [
      { text: `${check.title}${at}（${CHECK_WORDS[check.state]}）：`, b: true },
      ...this.say(check.text, check.facts),
    ]);
  }

  private sample(part: Part, title: string): void {
    const { report } = this.chapter;
    const sample = part.group === null ? report.sample : part.sample;
    if (!hasRows(sample)) return;
    const group = part.group === null || part.group.total ? '' : title;
    const steps = sampleSteps(sample, report.filter?.text ?? null, group);
    const missing = missingText(sample);
    const weighted = sample.weighted === null ? '' : `加权后的样本量为 ${integer(sample.weighted)}。`;
    this.text('body', say(`${stepsText(steps)}。${missing}${weighted}`));
  }

  private element(
    element: Element,
    p: number,
    notes: readonly TextElement[],
    tables: ReadonlyMap<string, TableElement>,
  ): void {
    switch (element.type) {
      case 'lead': {
        this.text('lead', this.say(element.text, element.facts));
        const list = element.figures.map((f) => ({
          title: this.say(f.title, element.facts),
          value: this.say(f.value, element.facts),
          note: f.note === null ? null : this.say(f.note, element.facts),
        }));
        if (list.length > 0) this.blocks.push({ type: 'figures', list });
        return;
      }
      case 'text':
        return this.text('body', this.say(element.text, element.facts));
      case 'warning': {
        const at = element.at === null ? '' : `${element.at}：`;
        return this.text('warning', [{ text: `注意：${at}` }, ...this.say(element.text, element.facts)]);
      }
      case 'check':
        return this.check(element);
      case 'table':
        return this.table(element, keyOf(p, element.id), notes);
      case 'chart':
      case 'panel':
        return this.figure(element, keyOf(p, element.id), notes, tables);
      case 'formula': {
        const title = element.at === null ? element.title : `${element.title}：${element.at}`;
        this.blocks.push({ type: 'formula', title, tex: texOf(element, this.prose) });
        // What the letters stand for.
        const said = notes.flatMap((n) => this.say(n.text, n.facts));
        return said.length > 0 ? this.text('note', said) : undefined;
      }
      case 'rules': {
        this.text('body', [{ text: element.title, b: true }]);
        const items = element.rules.map((rule): Token[] => {
          const when = conditionsOf(rule, this.names).join(' 且 ');
          return say(`如果 ${when}，则 ${rule.then}（${integer(rule.n)} 行，${percent(rule.share, 1)}）`);
        });
        this.blocks.push({ type: 'list', as: 'numbers', items });
        return;
      }
      case 'file':
        return this.text('note', say(`${element.title}：${element.file_name}（${bytes(element.bytes)}）`));
      case 'data': {
        // Rows taken out leave the columns as they are.
        const names = element.columns.map((c) => c.name).join('、');
        return this.text(
          'note',
          say(`${element.title}：${names === '' ? '' : `${names}，`}${integer(element.rows)} 行`),
        );
      }
      case 'try':
      case 'model':
        // Things to work with, of no use on paper.
        return;
      default: {
        const unknown: never = element;
        return unknown;
      }
    }
  }

  /** What the reader wrote below a block. */
  private own(key: string): Saying {
    const note = this.chapter.presentation.notes[key];
    return note === undefined ? [] : say(note.replaceAll(/\s*\n\s*/g, ' '));
  }

  private sectionNote(section: NotedSection, p: number): void {
    const words = this.own(keyOf(p, SECTION_NOTES[section]));
    if (words.length > 0) this.text('note', [{ text: '附注：' }, ...words]);
  }

  private titleOf(element: { title: string; at: string | null }): Saying {
    return [...tokens(element.title), ...(element.at === null ? [] : say(`：${element.at}`))];
  }

  /** Main tables and figures leave the report on their own: they say what they are of. */
  private subjectOf({ at, place }: { at: string | null; place: string }): string {
    return at === null && (place === 'main' || place === 'lead') ? this.chapter.report.title : '';
  }

  private table(table: TableElement, key: string, notes: readonly TextElement[]): void {
    if (table.hidden) return;
    const { tables, style } = this.chapter.presentation;
    const edit = tables[key];
    const reading = this.chapter.presentation.reading;
    const own = readingOf(this.prose, edit);
    // Buttons are for the screen.
    const buttons = table.columns.filter(({ format }) => format === 'action').map(columnId);
    const shown = { ...edit, style: edit?.style ?? style, hidden: [...(edit?.hidden ?? []), ...buttons] };
    const grid = tableText(table, reading, shown);
    const parts: Token[] = [
      ...notes.flatMap((n) => tokens(n.text, n.facts, own)),
      ...grid.told,
      ...(grid.hasStars ? [...starsNote(own), { text: '。' }] : []),
      ...(table.more === null || table.more.rows <= table.rows.length
        ? []
        : say(truncationNote(table.rows.length, table.more.rows))),
      ...this.own(key),
    ];
    this.blocks.push({
      type: 'table',
      key,
      part: this.group,
      n: (this.counted.tables += 1),
      title: this.titleOf(table),
      subject: this.subjectOf(table),
      grid,
      // Only records lie differently: a long table is not written out twice.
      flat: () => (table.layout === 'record' ? tableText(table, reading, shown, false) : grid),
      notes: parts,
      style: edit?.style ?? null,
    });
  }

  private figure(
    figure: ChartElement | PanelElement,
    key: string,
    notes: readonly TextElement[],
    tables: ReadonlyMap<string, TableElement>,
  ): void {
    const { presentation } = this.chapter;
    const own = figureOf(presentation, key);
    // The title of a panel is its own, not that of its parts.
    const { title: _title, ...shared } = own;
    const edits: FigureEdits =
      figure.type === 'chart'
        ? { [figure.id]: own }
        : Object.fromEntries(
            figure.charts.map(({ id }) => [id, editOver(shared, presentation.figures[`${key}/${id}`])]),
          );
    const thinned = figure.type === 'chart' ? figure.thinned : null;
    const parts: Token[] = [
      ...notes.flatMap((n) => tokens(n.text, n.facts, this.prose)),
      ...(thinned === null ? [] : say(`图中显示 ${integer(thinned.shown)} 个，统计用全部 ${integer(thinned.of)} 个。`)),
      ...this.own(key),
    ];
    this.blocks.push({
      type: 'figure',
      key,
      part: this.group,
      n: (this.counted.figures += 1),
      title: own.title === undefined ? this.titleOf(figure) : say(own.title),
      subject: own.title === undefined ? this.subjectOf(figure) : '',
      figure,
      tables,
      edits,
      size: own.size ?? null,
      notes: parts,
    });
  }

  private method(): void {
    const { report, presentation } = this.chapter;
    const libraries = Object.entries(report.libraries).map(([name, version]) => `${name} ${version}`);
    const facts = [
      `${report.method.title} 第 ${report.method.version} 版`,
      ...(report.seed === null ? [] : [`随机种子 ${report.seed}`]),
      `耗时 ${duration(report.elapsed)}`,
      ...libraries,
    ];
    // What the conventions say of every run is no sign that this one used it.
    const works = namedWorks(report.references, textOf(this.blocks));
    this.heading(2, '方法说明与引用');
    if (report.conventions.length > 0 && this.extent === 'all')
      this.blocks.push({ type: 'list', as: 'bullets', items: report.conventions.map((c) => tokens(c)) });
    this.text('note', say(facts.join(' · ')));
    if (works.length === 0) return;
    this.heading(2, '参考文献');
    const items = citedWorks(works, presentation.cite).map(({ text }) => tokens(text));
    this.blocks.push({ type: 'list', as: presentation.cite === 'gbt' ? 'references' : 'works', items });
  }
}

/** Reports one after the other; tables and figures are counted through. */
export function documentOf(chapters: readonly Chapter[], only: Only = null, extent: DetailLevel = 'all'): Block[] {
  const counted: Counted = { tables: 0, figures: 0 };
  const blocks = chapters.flatMap((chapter) => new Writer(chapter, only, counted, extent).write());
  return extent === 'brief' ? [...blocks, ...methodsOf(chapters)] : blocks;
}

/** Chapters that leave out their methods: all of them once, at the end. */
function methodsOf(chapters: readonly Chapter[]): Block[] {
  const names = chapters.map(({ report: { method } }) => `${method.title} 第 ${method.version} 版`);
  const libraries = chapters.flatMap(({ report }) =>
    Object.entries(report.libraries).map(([name, version]) => `${name} ${version}`),
  );
  const items = [...new Set(names)].map((name) => say(name));
  return [
    { type: 'heading', level: 1, text: '所用方法' },
    { type: 'list', as: 'bullets', items },
    { type: 'text', as: 'note', words: say([...new Set(libraries)].join(' · ')) },
  ];
}
