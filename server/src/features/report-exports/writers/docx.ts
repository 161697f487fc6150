/** A report as a Word document a thesis can take in: styles, numbered captions, native tables and formulas, Chinese fonts. */
import type { Block, FigureBlock, Saying, TableBlock } from '@hengxi/contracts/report/blocks';
import { captionOf, wordsOf } from '@hengxi/contracts/report/blocks';
import { LOOKS } from '@hengxi/contracts/report/table-style';
import { texLines } from '@hengxi/contracts/report/tex-lines';
import { PX_PER_MM } from '@hengxi/contracts/chart/plate';
import type { TableLook } from '@hengxi/contracts/report/table-style';
import {
  AlignmentType,
  Bookmark,
  Document,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Math as WordMath,
  Packer,
  PageBreak,
  PageNumber,
  Paragraph,
  SimpleField,
  TableOfContents,
  TextRun,
} from 'docx';
import type { FileChild, IParagraphOptions, ISectionOptions, ParagraphChild } from 'docx';
import { latexToMath } from 'docx/math';
import { LONG, LongTables } from './docx-long.ts';
import { continued, planParts, wordTable } from './docx-table.ts';
import { stylesOf, TWO_LETTERS } from './docx-styles.ts';
import { clean, PRINT, runsOf, SCREEN, sentenceRuns } from './docx-words.ts';
import { asPng, NO_PICTURE, PAGE_MM, type Pictured, pictured } from './figures.ts';
import type { Job, Tell } from './job.ts';

/** As wide as the text of the page, in millimetres. */
const FIGURE_MM = 150;
/** Room between the margins. */
const TEXT_MM = 160;

const HEADINGS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;

class Composer {
  readonly children: FileChild[] = [];
  readonly long = new LongTables();
  private readonly look: TableLook;
  private lists = 0;
  /** Whether the chapter being written has pointed at its first table and figure. */
  private hasPointed = false;

  constructor(
    private readonly job: Job,
    private readonly blocks: readonly Block[],
  ) {
    this.look = LOOKS[job.options.style];
  }

  get listCount(): number {
    return this.lists;
  }

  private put(...children: FileChild[]): void {
    this.children.push(...children);
  }

  async write(tell: Tell): Promise<void> {
    for (const [i, block] of this.blocks.entries()) {
      if (block.type === 'heading' && block.level === 1) this.hasPointed = false;
      await this.block(block, i, (text) => tell(i, this.blocks.length, text));
      tell(i + 1, this.blocks.length, block.type === 'figure' ? `图 ${block.n}` : '写入正文');
    }
  }

  /** `say`: where a block that takes its time has come to. */
  private async block(block: Block, i: number, say: (text: string) => void): Promise<void> {
    switch (block.type) {
      case 'heading':
        return this.put(
          new Paragraph({
            heading: HEADINGS[block.level],
            children: runsOf([{ text: block.text }]),
            pageBreakBefore: block.level === 1 && i > 0,
          }),
        );
      case 'text':
        return this.text(block.as, block.words, i);
      case 'figures':
        return this.put(...block.list.map((f) => this.keyFigure(f)));
      case 'list':
        this.lists += 1;
        return this.put(
          ...block.items.map(
            (words) =>
              new Paragraph({
                style: 'ListText',
                ...(block.as === 'works'
                  ? { indent: { left: TWO_LETTERS, hanging: TWO_LETTERS } }
                  : { numbering: { reference: this.numbersOf(block.as), level: 0 } }),
                children: runsOf(words),
              }),
          ),
        );
      case 'formula':
        return this.put(
          new Paragraph({ style: 'Plain', keepNext: true, children: runsOf([{ text: block.title, b: true }]) }),
          ...block.tex.flatMap((tex) => this.formula(tex)),
        );
      case 'table':
        return this.table(block);
      case 'figure':
        return this.figure(block, say);
      default: {
        const unknown: never = block;
        return unknown;
      }
    }
  }

  private text(as: Extract<Block, { type: 'text' }>['as'], words: Saying, i: number): void {
    const style = { body: 'BodyText', lead: 'Conclusion', meta: 'Small', note: 'Small', warning: 'Plain' }[as];
    const pointers = as === 'lead' ? this.references(i) : [];
    // The pointer belongs into the sentence, before its full stop.
    const stop = pointers.length > 0 && wordsOf(words).endsWith('。');
    const said = stop ? words.map((t, k) => (k === words.length - 1 ? { ...t, text: t.text.slice(0, -1) } : t)) : words;
    const children = [...sentenceRuns(said), ...pointers, ...(stop ? [new TextRun('。')] : [])];
    this.put(new Paragraph({ style, children }));
  }

  private numbersOf(as: 'bullets' | 'numbers' | 'references'): string {
    return as === 'bullets' ? 'bullets' : `${as}-${this.lists}`;
  }

  /** （见表 1，图 1）, once a chapter, as cross-references that follow the numbers. */
  private references(i: number): ParagraphChild[] {
    if (this.hasPointed) return [];
    const rest = this.blocks.slice(i);
    const end = rest.findIndex((b) => b.type === 'heading' && b.level === 1);
    const chapter = end < 0 ? rest : rest.slice(0, end);
    const table = chapter.find((b) => b.type === 'table');
    const figure = chapter.find((b) => b.type === 'figure');
    const captions: ['表' | '图', number][] = [];
    if (table?.type === 'table') captions.push(['表', table.n]);
    if (figure?.type === 'figure') captions.push(['图', figure.n]);
    this.hasPointed = true;
    if (captions.length === 0) return [];
    return [
      new TextRun('（见'),
      ...captions.flatMap(([word, n], k): ParagraphChild[] => [
        ...(k > 0 ? [new TextRun('、')] : []),
        new SimpleField(` REF ${anchorOf(word, n)} \\h `, `${word} ${n}`),
      ]),
      new TextRun('）'),
    ];
  }

  private keyFigure({ title, value, note }: { title: Saying; value: Saying; note: Saying | null }): Paragraph {
    const strong = value.map((t) => ({ ...t, b: true as const }));
    const after = note === null ? [] : [{ text: '，' }, ...note];
    return new Paragraph({ style: 'Plain', children: sentenceRuns([...title, { text: '：' }, ...strong, ...after]) });
  }

  /** One that is wider than the page in lines, the further ones moved in. */
  private formula(tex: string): Paragraph[] {
    const lines = texLines(tex);
    const [only] = lines;
    if (lines.length === 1 && only !== undefined) return [this.formulaLine(only, { alignment: AlignmentType.CENTER })];
    return lines.map((line, i) =>
      this.formulaLine(line, {
        style: 'Formula',
        keepNext: i < lines.length - 1,
        ...(i === 0 ? {} : { indent: { left: 2 * TWO_LETTERS } }),
      }),
    );
  }

  private formulaLine(tex: string, lie: IParagraphOptions): Paragraph {
    try {
      return new Paragraph({
        style: 'Plain',
        ...lie,
        children: [new WordMath({ children: [...latexToMath(tex)] })],
      });
    } catch {
      // A sign the translation does not know: the formula stays readable as it is written.
      return new Paragraph({ style: 'Plain', ...lie, children: runsOf([{ text: tex }]) });
    }
  }

  private caption(word: '表' | '图', n: number, title: Saying, keepNext: boolean, look = this.look): Paragraph[] {
    const number = new Bookmark({
      id: anchorOf(word, n),
      children: [new TextRun(`${word} `), new SimpleField(` SEQ ${word} \\* ARABIC `, String(n))],
    });
    const style = look.caption === 'centred' ? 'Caption' : 'CaptionLeft';
    if (look.caption === 'two lines')
      return [
        new Paragraph({ style, keepNext: true, children: [number] }),
        new Paragraph({ style: 'CaptionTitle', keepNext, children: sentenceRuns(title) }),
      ];
    return [new Paragraph({ style, keepNext, children: [number, new TextRun('　'), ...sentenceRuns(title)] })];
  }

  private note(words: Saying, tableStyle = this.job.options.style): Paragraph[] {
    if (wordsOf(words) === '') return [new Paragraph({ style: 'TableNote', children: [] })];
    const italics = tableStyle === 'apa';
    const head = new TextRun({ text: '注：', italics });
    return [new Paragraph({ style: 'TableNote', children: [head, ...sentenceRuns(words)] })];
  }

  private async table(block: TableBlock): Promise<void> {
    const style = block.style ?? this.job.options.style;
    const look = LOOKS[style];
    const isLong = block.grid.body.length > LONG;
    const parts = planParts(block.grid);
    const hasNote = wordsOf(block.notes) !== '';
    for (const [i, { grid, plan }] of parts.entries()) {
      const held = hasNote && i === parts.length - 1;
      this.put(
        ...(i === 0
          ? this.caption('表', block.n, captionOf(block), true, look)
          : [continued(block.n, block.title, look)]),
        isLong ? await this.long.put(grid, look, plan) : wordTable(grid, look, plan, held),
      );
    }
    this.put(...this.note(block.notes, style));
  }

  private async figure(block: FigureBlock, say: (text: string) => void): Promise<void> {
    const room = { mm: FIGURE_MM, most: PAGE_MM };
    let pages = 0;
    const drawnPictures = await pictured(block, room, (drawn) => {
      pages += 1;
      if (pages > 1) say(`图 ${block.n}，第 ${pages} 页`);
      return asPng(drawn, this.job.options.dpi);
    });
    const above = this.look.caption === 'two lines';
    const caption = (keepNext: boolean): Paragraph[] =>
      this.caption('图', block.n, captionOf(block), above || keepNext);
    if (typeof drawnPictures === 'string') {
      return this.put(
        new Paragraph({ style: 'Small', children: [new TextRun(NO_PICTURE[drawnPictures])] }),
        ...caption(false),
      );
    }
    const pictures = drawnPictures.map((one, k) => picture(block, one, !above && k === drawnPictures.length - 1));
    const reading = drawnPictures[0]?.drawn.plate.reading ?? '';
    const words = [...(reading === '' ? [] : [{ text: reading }]), ...block.notes];
    const hasNote = wordsOf(words) !== '';
    this.put(...(above ? [...caption(false), ...pictures] : [...pictures, ...caption(hasNote)]), ...this.note(words));
  }
}

function picture({ n }: FigureBlock, { drawn, made }: Pictured<Uint8Array>, keepNext: boolean): Paragraph {
  const { plate, title } = drawn;
  // Wider or higher than the page: as a whole smaller.
  const scale = Math.min(1, (TEXT_MM * PX_PER_MM) / plate.width, (PAGE_MM * PX_PER_MM) / plate.height);
  return new Paragraph({
    style: 'Figure',
    keepNext,
    children: [
      new ImageRun({
        type: 'png',
        data: made,
        transformation: { width: Math.round(plate.width * scale), height: Math.round(plate.height * scale) },
        altText: { name: `图 ${n}`, title: clean(title), description: clean(plate.summary) },
      }),
    ],
  });
}

/** A name a cross-reference finds its caption by. */
const anchorOf = (word: '表' | '图', n: number): string => `${word === '表' ? 'table' : 'figure'}_${n}`;

function coverOf(job: Job): FileChild[] {
  const { cover } = job.options;
  if (cover === null) return [];
  const line = (text: string, style: string, before = 200): Paragraph =>
    new Paragraph({ style, alignment: AlignmentType.CENTER, spacing: { before }, children: runsOf([{ text }]) });
  return [
    line(cover.school, 'Cover', 1800),
    line(job.title, 'Title', 2400),
    line(cover.author, 'Cover', 4200),
    line(job.date, 'Cover'),
    new Paragraph({ children: [new PageBreak()] }),
  ];
}

function contentsOf(job: Job): FileChild[] {
  if (!job.options.contents) return [];
  return [
    new Paragraph({ style: 'Title', children: [new TextRun({ text: '目　录', size: 32 })] }),
    new TableOfContents('目录', { hyperlink: true, headingStyleRange: '1-3' }),
    new Paragraph({ children: [new PageBreak()] }),
  ];
}

function sectionOf(children: FileChild[], job: Job): ISectionOptions {
  const margin = { top: 1418, bottom: 1418, left: 1418, right: 1418, header: 851, footer: 851 };
  const size = { width: 11906, height: 16838 };
  const small = { size: 18 };
  const footer = new Footer({
    children: [
      new Paragraph({
        style: 'Base',
        alignment: AlignmentType.CENTER,
        children: [new TextRun({ ...small, children: [PageNumber.CURRENT] })],
      }),
    ],
  });
  const header = new Header({
    children: [
      new Paragraph({
        style: 'Base',
        alignment: AlignmentType.CENTER,
        children: [new TextRun({ ...small, text: clean(job.options.header) })],
      }),
    ],
  });
  return {
    // A cover has neither header nor number.
    properties: { page: { size, margin }, titlePage: job.options.cover !== null },
    footers: { default: footer },
    ...(job.options.header === '' ? {} : { headers: { default: header } }),
    children,
  };
}

export async function writeDocx(job: Job, blocks: readonly Block[], tell: Tell): Promise<Uint8Array> {
  const composer = new Composer(job, blocks);
  await composer.write(tell);
  const children = [...coverOf(job), ...contentsOf(job), ...composer.children];
  const ordered = Array.from({ length: composer.listCount }, (_, i) => [
    { reference: `numbers-${i + 1}`, levels: [level('%1.', LevelFormat.DECIMAL)] },
    { reference: `references-${i + 1}`, levels: [level('[%1]', LevelFormat.DECIMAL)] },
  ]).flat();
  const document = new Document({
    title: clean(job.title),
    creator: '衡析',
    description: '由衡析统计分析平台生成',
    styles: stylesOf(job.options.style === 'screen' ? SCREEN : PRINT),
    numbering: { config: [{ reference: 'bullets', levels: [level('•', LevelFormat.BULLET)] }, ...ordered] },
    sections: [sectionOf(children, job)],
    // Only the word processor knows the pages of the contents; it asks before it fills them in.
    ...(job.options.contents ? { features: { updateFields: true } } : {}),
  });
  return composer.long.into(new Uint8Array(await Packer.toBuffer(document)));
}

function level(text: string, format: (typeof LevelFormat)[keyof typeof LevelFormat]) {
  return {
    level: 0,
    format,
    text,
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: 480, hanging: 480 } } },
  };
}
