/** A table for other programs: styled HTML for Word and WPS, tabs for spreadsheets, Markdown, csv; LaTeX in copy-tex. The texts are those on screen. */
import { type BodyCell, type CellNumber, isShared } from '../cell-text.ts';
import { csvField, guarded } from '../csv.ts';
import type { Token } from '../format.ts';
import type { HeadCell } from '../table-head.ts';
import { columnHeads, spokenAt, type TableText } from '../table-text.ts';
import { LOOKS, type TableLook, type TableStyle } from './table-style.ts';
import { numberFormat } from './number-format.ts';

export interface TableCopy {
  /** 表 1 */
  number: string;
  title: readonly Token[];
  /** What stands below, without its 注：; empty = nothing. */
  notes: readonly Token[];
  grid: TableText;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

export function htmlTokens(list: readonly Token[]): string {
  return list
    .map((t) => {
      const text = escapeHtml(t.text);
      const inner = t.st ? `<i>${text}</i>` : text;
      return t.b ? `<b>${inner}</b>` : inner;
    })
    .join('');
}

const plainText = (list: readonly Token[]): string => list.map((t) => t.text).join('');

/** The number, a wide space, the title. */
export function captionOf({ number, title }: Pick<TableCopy, 'number' | 'title'>): string {
  return [number, plainText(title)].filter(Boolean).join('　');
}

function noteOf({ notes }: TableCopy): string {
  return notes.length === 0 ? '' : `注：${plainText(notes)}`;
}

/** Cells of one row by column; a cell covered by a merged one above is null. */
export function cellText(cell: BodyCell): string {
  return [cell.text + (cell.stars ?? '') + (cell.mark ?? ''), cell.sub]
    .filter((t) => t !== undefined && t !== '')
    .join(' ');
}

const FONT = "font-family:'Times New Roman','SimSun','Noto Serif SC',serif;font-size:9pt;line-height:1.25";
const rule = (points: number): string => `${points}pt solid #000`;

/** How a cell states its style: in place, as the clipboard needs it, or by a class of the page. */
export type Dress = (style: string) => string;
const IN_PLACE: Dress = (style) => ` style="${style}"`;

/** Word and WPS keep inline styles of pasted tables and nothing else; Excel takes the number in x:num before the text. */
export function toHtml(copy: TableCopy, style: TableStyle = 'three', dress = IN_PLACE): string {
  const look = LOOKS[style];
  const { grid } = copy;
  const head = grid.head.map((row, r) => headRow(row, r, grid, look, dress)).join('');
  const rows = `${head === '' ? '' : `<thead>${head}</thead>`}<tbody>${bodyRows(grid, look, dress).join('')}</tbody>`;
  const below =
    copy.notes.length === 0
      ? ''
      : `<p style="${FONT};margin:4pt 0 0">${style === 'apa' ? '<i>注：</i>' : '注：'}${htmlTokens(copy.notes)}</p>`;
  return `${captionHtml(copy, look)}<table style="border-collapse:collapse;width:100%">${rows}</table>${below}`;
}

function captionHtml({ number, title }: TableCopy, look: TableLook): string {
  if (number === '' && title.length === 0) return '';
  const words = htmlTokens(title);
  if (look.caption === 'two lines') {
    const line = (inner: string, style: string): string =>
      `<p style="font-family:'Times New Roman','SimSun','Noto Serif SC',serif;font-size:10.5pt;margin:0;${style}">${inner}</p>`;
    return `${line(escapeHtml(number), 'font-weight:bold')}${line(words, 'font-style:italic;margin-bottom:4pt')}`;
  }
  const align = look.caption === 'left' ? 'left' : 'center';
  return `<p style="text-align:${align};font-family:'Times New Roman','SimHei','Noto Sans SC',sans-serif;font-size:9pt;font-weight:bold;margin:0 0 4pt">${escapeHtml(number)}　${words}</p>`;
}

function cellHtml(attributes: string, style: string, inner: string, dress: Dress): string {
  return `<td${attributes}${dress(`${FONT};padding:2pt 5pt;border:none;${style}`)}>${inner}</td>`;
}

function headRow(row: readonly HeadCell[], r: number, grid: TableText, look: TableLook, dress: Dress): string {
  const { rules } = look;
  const cells = row.map((h) => {
    const isLast = r + h.rowSpan === grid.head.length;
    const bottom = isLast ? rules.head : h.spanner ? rules.part : 0;
    const lines = `${r === 0 ? `border-top:${rule(rules.outer)};` : ''}${bottom > 0 ? `border-bottom:${rule(bottom)};` : ''}`;
    const span = `${h.colSpan > 1 ? ` colspan="${h.colSpan}"` : ''}${h.rowSpan > 1 ? ` rowspan="${h.rowSpan}"` : ''}`;
    const side =
      h.at === 0 || !h.numeric ? 'left' : h.spanner || h.colSpan > 1 || look.centredHead ? 'center' : 'right';
    const words = htmlTokens(h.tokens);
    const { number, format } = MISREAD.test(h.text) ? AS_TEXT : { number: '', format: '' };
    const style = `${lines}${format}text-align:${side};`;
    return cellHtml(span + number, style, look.boldHead ? `<b>${words}</b>` : words, dress);
  });
  return `<tr>${cells.join('')}</tr>`;
}

function bodyRows(grid: TableText, look: TableLook, dress: Dress): string[] {
  const { rules } = look;
  const last = grid.body.length - 1;
  return grid.body.map((row, r) => {
    const cells = row.cells.map((c, i) => {
      if (c === null) return '';
      const above =
        r === 0 && grid.head.length === 0
          ? rules.outer
          : row.total && grid.body[r - 1]?.total !== true
            ? rules.part
            : 0;
      const below = r + c.rowSpan - 1 === last ? rules.outer : 0;
      const lines = [
        above > 0 ? `border-top:${rule(above)};` : '',
        below > 0 ? `border-bottom:${rule(below)};` : look.lines ? 'border-bottom:0.5pt solid #ddd;' : '',
        i === 0 && row.depth > 0 ? `padding-left:${5 + row.depth * 10}pt;` : '',
      ].join('');
      const inner =
        (c.tokens === undefined ? escapeHtml(c.text) : htmlTokens(c.tokens)) +
        (c.stars ?? '') +
        (c.mark === undefined ? '' : `<sup>${escapeHtml(c.mark)}</sup>`) +
        (c.sub === undefined ? '' : `<br>${escapeHtml(c.sub)}`);
      const { number, format } = spreadsheet(c);
      return cellHtml(
        `${c.rowSpan > 1 ? ` rowspan="${c.rowSpan}"` : ''}${isShared(c) ? ` colspan="${c.colSpan}"` : ''}${number}`,
        `${lines}${format}text-align:${isShared(c) ? 'center' : c.numeric ? 'right;white-space:nowrap' : 'left'};vertical-align:middle;`,
        inner,
        dress,
      );
    });
    return `<tr>${cells.join('')}</tr>`;
  });
}

/** Names that a spreadsheet would compute, or take for a number or a date: =1+1, 007, 3-4. */
const MISREAD = /^\s*[=+\-@＝＋－＠−\d.]/;
const AS_TEXT = { number: ' sdnum="1033;0;@"', format: "mso-number-format:'\\@';" };

/** A cell of one number stays a number in a spreadsheet: signs, stars and missing zeros would make it text. */
function spreadsheet(cell: BodyCell): { number: string; format: string } {
  if (!cell.numeric && MISREAD.test(cell.text)) return AS_TEXT;
  const [only, ...others] = cell.numbers ?? [];
  const format = only === undefined || others.length > 0 ? null : numberFormat(only, cell.stars ?? '');
  if (only === undefined || format === null) return { number: '', format: '' };
  return {
    number: ` x:num="${only.x}"${libreNumber(only.x, format)}`,
    format: `mso-number-format:'${escapeHtml(format.replaceAll('"', '\\"')).replaceAll('&#39;', '')}';`,
  };
}

/** The same for LibreOffice, which reads plain formats only: a number with stars and p < .001 stay texts there. */
function libreNumber(x: CellNumber['x'], format: string): string {
  const [positive = ''] = format.split(';');
  return /[["]/.test(positive) ? '' : ` sdval="${x}" sdnum="1033;0;${escapeHtml(positive)}"`;
}

/** Rows of texts with one head line, every merged cell written again: what spreadsheets and scripts want. */
export function toRows({ grid }: TableCopy, named = (name: string): string => name): string[][] {
  const body = grid.body.map((row, r) =>
    row.cells.map((_, i) => {
      const cell = spokenAt(grid, r, i);
      if (cell === null) return '';
      return cell.numeric ? cellText(cell) : named(cellText(cell));
    }),
  );
  return grid.head.length === 0 ? body : [columnHeads(grid).map((h) => named(h.text)), ...body];
}

/** A true minus would make a number text in a spreadsheet. */
const plainMinus = (text: string): string => (/^−[\d.]/.test(text) ? text.replaceAll('−', '-') : text);

export function toTsv(copy: TableCopy): string {
  return toRows(copy)
    .map((row) => row.map((t) => plainMinus(t.replace(/[\t\r\n]+/g, ' '))).join('\t'))
    .join('\r\n');
}

/** For a box of plain text: caption, rows, and what stands below. */
export function toText(copy: TableCopy): string {
  return [captionOf(copy), toTsv(copy), noteOf(copy)].filter((t) => t !== '').join('\r\n');
}

/** A byte order mark lets a spreadsheet read the 汉字. A file is opened by others: names that would compute are kept from it. */
export function toCsv(copy: TableCopy): string {
  return `\uFEFF${toRows(copy, guarded)
    .map((row) => row.map((t) => csvField(plainMinus(t))).join(','))
    .join('\r\n')}\r\n`;
}

/** What Markdown would read as markup of its own: emphasis, code, HTML, entities, cells, mathematics, links. */
function markdown(text: string): string {
  return text
    .replace(/[\\`*_<|~$]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\[(?=[^\]]*\][([:])/g, '\\[')
    .replace(/\s*[\r\n]+\s*/g, ' ');
}

export function toMarkdown(copy: TableCopy): string {
  const rows = toRows(copy).map((row) => row.map(markdown));
  const [head = [], ...body] =
    copy.grid.head.length === 0 ? [Array.from({ length: copy.grid.columns }, () => ''), ...rows] : rows;
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  const rule = head.map((_, c) => (copy.grid.body.some((row) => row.cells[c]?.numeric) ? '---:' : ':---'));
  return [
    `**${markdown(captionOf(copy))}**`,
    '',
    line(head),
    line(rule),
    ...body.map(line),
    ...(copy.notes.length === 0 ? [] : ['', markdown(noteOf(copy))]),
  ].join('\n');
}
