/**
 * Blocks of a report as HTML: with inline styles for the clipboard, and with a style sheet as a file that needs nothing else.
 * All text is escaped; pictures and formulas come in as markup of our own making.
 */
import type { Token } from '../format.ts';
import { type Block, captionOf, type FigureBlock, type Saying, type TableBlock, wordsOf } from './blocks.ts';
import { type Dress, escapeHtml, htmlTokens, toHtml } from './copy.ts';
import type { TableStyle } from './table-style.ts';
import { alignedTex } from './tex-lines.ts';
import { naturalWidths, partsOf } from './wide-table.ts';

/** A figure as markup (svg or img; several where it goes on over pages) and what its marks mean. */
export interface Picture {
  parts: string[];
  reading: string;
}

export interface HtmlParts {
  blocks: readonly Block[];
  style: TableStyle;
  pictures: ReadonlyMap<FigureBlock, Picture>;
  /** TeX as markup. */
  math: (tex: string) => string;
  /** How cells state their style; left out: in place. */
  dress?: Dress;
  /** For the printer: what breaks over pages says so. */
  paper?: boolean;
}

/** What a block copies as. */
export function tableCopy(block: TableBlock): {
  number: string;
  title: Saying;
  notes: Saying;
  grid: TableBlock['grid'];
} {
  const { n, notes, grid } = block;
  return { number: `表 ${n}`, title: captionOf(block), notes, grid };
}

export function reportBody({ blocks, ...parts }: HtmlParts): string {
  return blocks.map((block) => blockHtml(block, parts)).join('\n');
}

/** A symbol, its relation and its value: p = .061, t(55.3) = −1.92, 95% CI; never torn by the end of a line. */
const WHOLE =
  /(?:<i>[^<>]{1,12}<\/i>|[A-Za-zα-ωη²|]+)(?:\((?:[^()<>]|<i>[^<>]*<\/i>)*\))? (?:=|&lt;|&gt;|≈|≤|≥) [−-]?[\d.,]*\d%?|\d+(?:\.\d+)?% CI/g;

function sentence(words: Saying): string {
  return htmlTokens(words).replace(WHOLE, '<span class="whole">$&</span>');
}

function blockHtml(block: Block, { style, pictures, math, dress, paper }: Omit<HtmlParts, 'blocks'>): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`;
    case 'text':
      return `<p${block.as === 'body' ? '' : ` class="${block.as}"`}>${sentence(block.words)}</p>`;
    case 'figures': {
      const cells = block.list.map(
        ({ title, value, note }) =>
          `<td><small>${htmlTokens(title)}</small><br><b>${sentence(value)}</b>${note === null ? '' : `<br><small>${sentence(note)}</small>`}</td>`,
      );
      return `<table class="figures"><tr>${cells.join('')}</tr></table>`;
    }
    case 'list': {
      if (block.as === 'works')
        return block.items.map((item) => `<p class="work" style="${HANGING}">${htmlTokens(item)}</p>`).join('');
      const tag = block.as === 'bullets' ? 'ul' : 'ol';
      const as = block.as === 'references' ? ' class="references"' : '';
      return `<${tag}${as}>${block.items.map((item) => `<li>${htmlTokens(item)}</li>`).join('')}</${tag}>`;
    }
    case 'formula':
      return `<div class="formula"><p><b>${escapeHtml(block.title)}</b></p>${block.tex.map((tex) => math(alignedTex(tex))).join('')}</div>`;
    case 'table':
      return paper === true
        ? paperTable(block, (copy) => toHtml(copy, block.style ?? style, dress))
        : `<div class="table">${toHtml(tableCopy(block), block.style ?? style, dress)}</div>`;
    case 'figure': {
      const picture = pictures.get(block);
      const title: Token[] = [{ text: `图 ${block.n}　` }, ...captionOf(block)];
      const below = [...(picture === undefined ? [] : [{ text: picture.reading }]), ...block.notes];
      const parts = picture?.parts ?? ['<p class="note">没有可以画的数据。</p>'];
      return [
        ...parts.slice(0, -1).map((part) => `<div class="figure">${part}</div>`),
        `<div class="figure">${parts.at(-1) ?? ''}`,
        `<p class="caption">${htmlTokens(title)}</p>`,
        wordsOf(below) === '' ? '' : `<p class="note">${sentence(below)}</p>`,
        '</div>',
      ].join('');
    }
    default: {
      const unknown: never = block;
      return unknown;
    }
  }
}

/** Rows that are kept on one page. */
const SHORT = 15;

/**
 * A short table is never torn. A longer one carries 续表 n in its head, which repeats with the head on the next pages; on
 * the first it reaches above the box around the table, which cuts it off: a printer leaves out what is cut off whole.
 */
function tearable(block: TableBlock, table: string, isTight: boolean): string {
  const { n, title, grid } = block;
  const tight = isTight ? ' tight' : '';
  if (grid.body.length <= SHORT) return `<div class="table short${tight}">${table}</div>`;
  const words = `续表 ${n}　${htmlTokens(title)}`;
  const row = `<tr class="continued" aria-hidden="true"><td colspan="${grid.columns}">${words}</td></tr>`;
  if (!table.includes('<thead>')) return `<div class="table long${tight}">${table}</div>`;
  const boxed = table
    .replace('<table', () => '<div class="torn"><table')
    .replace('</table>', () => '</table></div>')
    .replace('<thead>', () => `<thead>${row}`);
  return `<div class="table long${tight}">${boxed}</div>`;
}

/** Between the margins of A4, in points; letters and the room beside them, usual and small. */
const ROOM_PT = 450;
const LETTERS = { usual: { size: 9, beside: 10 }, small: { size: 7.5, beside: 6 } };

/** Letters shrink before a table is cut into parts that stand below each other; nothing runs off the page. */
function paperTable(block: TableBlock, write: (copy: ReturnType<typeof tableCopy>) => string): string {
  const widths = ({ size, beside }: { size: number; beside: number }): number[] =>
    naturalWidths(block.grid, 8).map((em) => em * size + beside);
  const fits = (list: readonly number[]): boolean => list.reduce((a, b) => a + b, 0) <= ROOM_PT;
  const isTight = !fits(widths(LETTERS.usual));
  const parts = isTight ? partsOf(block.grid, widths(LETTERS.small), ROOM_PT) : [block.grid];
  return parts
    .map((grid, i) => {
      const part = {
        ...block,
        grid,
        subject: i === 0 ? block.subject : '',
        notes: i === parts.length - 1 ? block.notes : [],
      };
      const copy = tableCopy(part);
      return tearable(part, write(i === 0 ? copy : { ...copy, number: `续${copy.number}` }), isTight);
    })
    .join('');
}

/** In place, for the clipboard takes no style sheet along. */
const HANGING = 'padding-left:2em;margin-left:0;text-indent:-2em';

const SANS = '-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC",sans-serif';
const SERIF = '"Times New Roman","Liberation Serif","Songti SC","SimSun","Noto Serif SC","Noto Serif CJK SC",serif';

/** The page as read on a screen: the house style. */
const SCREEN = `body{max-width:820px;margin:40px auto;padding:0 20px;font:15px/27px ${SANS}}
h1{font:700 26px/38px "Songti SC","Noto Serif SC","Noto Serif CJK SC",serif;margin:48px 0 8px}h2{font-size:16px;margin:32px 0 6px}h3{font-size:14px;margin:20px 0 4px}
.lead{font:600 20px/34px "Songti SC","Noto Serif SC","Noto Serif CJK SC",serif;margin:16px 0}li{font-size:13px;line-height:22px}`;

/** The page as printed: sizes of a Chinese thesis (正文小四, 标题黑体), 2.5 cm margins, page numbers below. */
const PAPER = `@page{size:A4;margin:25mm 25mm 22mm;@bottom-center{content:"第 " counter(page) " 页，共 " counter(pages) " 页";font:9pt ${SERIF};color:#444}}
body{margin:0;font:12pt/1.6 ${SERIF}}h1,h2,h3{font-family:"SimHei","Heiti SC","Noto Sans SC","Noto Sans CJK SC",sans-serif;line-height:1.4;break-after:avoid}
h1{font-size:16pt;margin:0 0 6pt}h1:not(:first-of-type){break-before:page}h2{font-size:14pt;margin:16pt 0 4pt}h3{font-size:12pt;margin:10pt 0 3pt}
.lead{font-weight:600;margin:8pt 0}li{font-size:10.5pt;line-height:1.5}.figure{break-inside:avoid}.figure svg,.figure img{max-height:215mm}tr{break-inside:avoid}.cover{height:230mm;break-after:page;text-align:center;font-size:14pt;padding-top:40mm}.cover p{margin:0 0 22mm}.cover .cover-title{font:700 22pt/1.5 "SimHei","Noto Sans SC","Noto Sans CJK SC",sans-serif}
.formula{break-inside:avoid}mtext{font-family:${SERIF}}thead{display:table-header-group}.short{break-inside:avoid}.tight td{font-size:7.5pt!important;padding:2pt 3pt!important}.long.tight .continued td{padding:0!important}
.torn{display:flow-root;overflow:clip}.torn table{margin-top:-18pt}.long p:has(+.torn){margin:0!important;line-height:18pt;break-after:avoid}
.continued td{height:18pt;padding:0;border:0;text-align:center;font:700 9pt/18pt "Times New Roman","SimHei","Noto Sans SC","Noto Sans CJK SC",sans-serif}`;

const COMMON = `:root{color-scheme:light}body{color:#1D232B;background:#fff}p{margin:6px 0}.meta,.note,small{color:#4C545E;font-size:9pt;line-height:1.6}
.warning{font-size:.93em;color:#5c4408}.caption{font-weight:700;font-size:9pt;margin:6px 0 2px;text-align:center}
.figures{width:100%;border-collapse:collapse;border-top:1px solid #E4E1D9;border-bottom:1px solid #E4E1D9;margin:14px 0}.figures td{padding:8px 10px;vertical-align:top}.figures b{font-size:1.2em;white-space:nowrap}
.table{margin:18px 0;overflow-x:auto}.figure{margin:22px 0;text-align:center}.figure .note{text-align:left}.figure svg,.figure img{max-width:100%;height:auto}
.whole{white-space:nowrap}.references{list-style:none;counter-reset:cited;padding:0}.references li{counter-increment:cited;padding-left:2.6em;text-indent:-2.6em}.references li::before{content:"[" counter(cited) "]";display:inline-block;width:2.6em;text-indent:0}
.work{font-size:10.5pt;line-height:1.6;overflow-wrap:anywhere}.formula{margin:12px 0;overflow-x:auto}i{font-family:"Times New Roman",serif}ol,ul{padding-left:24px}.table p:first-child{break-after:avoid}@media print{.table,.formula{overflow:visible}}`;

/** Any text as a string of CSS: what is not a letter or a digit is written by its number. */
function headOf(text: string): string {
  if (text === '') return '';
  const quoted = text.replace(/[^\p{L}\p{N} ]/gu, (c) => `\\${(c.codePointAt(0) ?? 32).toString(16)} `);
  return `@page{@top-center{content:"${quoted}";font:9pt ${SERIF};color:#444}}`;
}

/** The first page of a printed report. */
export function coverHtml({
  school,
  title,
  author,
  date,
}: Record<'school' | 'title' | 'author' | 'date', string>): string {
  const [a, b, c, d] = [school, title, author, date].map(escapeHtml);
  return `<section class="cover"><p>${a}</p><p class="cover-title">${b}</p><p>${c}</p><p>${d}</p></section>`;
}

export interface PageParts extends HtmlParts {
  title: string;
  /** For the printer, or for a browser window. */
  paper: boolean;
  /** At the head of every printed page. */
  header?: string;
  /** What stands before the reports: a cover; markup of our own. */
  before?: string;
}

/** Cells of one look share a class: a table of many thousand rows stays a file that opens. */
class Wardrobe {
  private readonly classes = new Map<string, string>();

  readonly dress: Dress = (style) => {
    const own = style.replace(/mso-number-format:'[^']*';/, '');
    const known = this.classes.get(own) ?? `c${this.classes.size}`;
    this.classes.set(own, known);
    return ` class="${known}"`;
  };

  get rules(): string {
    return [...this.classes].map(([style, name]) => `.${name}{${style}}`).join('\n');
  }
}

/** A file of its own: no scripts, no addresses, readable in any browser and by any word processor. */
export function reportFile(parts: PageParts): string {
  const style = parts.paper ? PAPER + headOf(parts.header ?? '') : SCREEN;
  const wardrobe = new Wardrobe();
  const body = reportBody({ ...parts, dress: wardrobe.dress });
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><title>${escapeHtml(parts.title)} - 衡析</title><style>${COMMON}
${style}
${wardrobe.rules}</style></head><body>
${parts.before ?? ''}${body}
</body></html>
`;
}
