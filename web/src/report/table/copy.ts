/** A table for other programs: styled HTML for Word and WPS, tabs for spreadsheets, LaTeX, Markdown, csv. The texts are those on screen. */
import type { Token } from '@hengxi/contracts/format';
import type { BodyCell } from '@hengxi/contracts/cell-text';
import { columnHeads, type TableText } from '@hengxi/contracts/table-text';

export interface TableCopy {
  caption: string;
  notes: string[];
  grid: TableText;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

function htmlTokens(list: readonly Token[]): string {
  return list
    .map((t) => (t.st ? `<i>${escapeHtml(t.text)}</i>` : t.b ? `<b>${escapeHtml(t.text)}</b>` : escapeHtml(t.text)))
    .join('');
}

/** Cells of one row by column; a cell covered by a merged one above is null. */
function cellText(cell: BodyCell): string {
  return [cell.text + (cell.stars ?? '') + (cell.mark ?? ''), cell.sub]
    .filter((t) => t !== undefined && t !== '')
    .join(' ');
}

const RULE = { thick: '1.5pt solid #000', thin: '0.75pt solid #000' };
const FONT = "font-family:'Times New Roman','SimSun',serif;font-size:9pt;line-height:1.25";

/** Word and WPS keep inline styles of pasted tables and nothing else. */
export function toHtml({ caption, notes, grid }: TableCopy): string {
  const last = grid.body.length - 1;
  const cell = (tag: string, attributes: string, style: string, inner: string): string =>
    `<${tag}${attributes} style="${FONT};padding:2pt 5pt;border:none;${style}">${inner}</${tag}>`;
  const head = grid.head.map((row, r) => {
    const cells = row.map((h) => {
      const bottom = r + h.rowSpan === grid.head.length || h.spanner ? `border-bottom:${RULE.thin};` : '';
      const top = r === 0 ? `border-top:${RULE.thick};` : '';
      const span = `${h.colSpan > 1 ? ` colspan="${h.colSpan}"` : ''}${h.rowSpan > 1 ? ` rowspan="${h.rowSpan}"` : ''}`;
      return cell(
        'td',
        span,
        `${top}${bottom}text-align:${h.at === 0 || !h.numeric ? 'left' : h.spanner ? 'center' : 'right'};`,
        `<b>${htmlTokens(h.tokens)}</b>`,
      );
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const body = grid.body.map((row, r) => {
    const cells = row.cells.map((c, i) => {
      if (c === null) return '';
      const top =
        r === 0 && grid.head.length === 0
          ? `border-top:${RULE.thick};`
          : row.total && grid.body[r - 1]?.total !== true
            ? `border-top:${RULE.thin};`
            : '';
      const bottom = r + c.rowSpan - 1 === last ? `border-bottom:${RULE.thick};` : '';
      const indent = i === 0 && row.depth > 0 ? `padding-left:${5 + row.depth * 10}pt;` : '';
      const inner =
        (c.tokens === undefined ? escapeHtml(c.text) : htmlTokens(c.tokens)) +
        (c.stars ?? '') +
        (c.mark === undefined ? '' : `<sup>${escapeHtml(c.mark)}</sup>`) +
        (c.sub === undefined ? '' : `<br>${escapeHtml(c.sub)}`);
      return cell(
        'td',
        c.rowSpan > 1 ? ` rowspan="${c.rowSpan}"` : '',
        `${top}${bottom}${indent}text-align:${c.numeric ? 'right' : 'left'};vertical-align:middle;`,
        inner,
      );
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const title = `<p style="text-align:center;font-family:'SimHei','Arial',sans-serif;font-size:9pt;font-weight:bold;margin:0 0 4pt">${escapeHtml(caption)}</p>`;
  const below = notes.map((n) => `<p style="${FONT};margin:4pt 0 0">${escapeHtml(n)}</p>`).join('');
  return `${title}<table style="border-collapse:collapse;width:100%">${head.join('')}${body.join('')}</table>${below}`;
}

/** Rows of texts with one head line, every merged cell written again: what spreadsheets and scripts want. */
export function toRows({ grid }: TableCopy): string[][] {
  const above: string[] = [];
  const body = grid.body.map((row) =>
    row.cells.map((c, i) => {
      const text = c === null ? (above[i] ?? '') : cellText(c);
      above[i] = text;
      return text;
    }),
  );
  return grid.head.length === 0 ? body : [columnHeads(grid).map((h) => h.text), ...body];
}

export function toTsv(copy: TableCopy): string {
  return toRows(copy)
    .map((row) => row.map((t) => t.replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\r\n');
}

/** Numbers with true minus would be text in a spreadsheet: csv takes the ASCII sign. A byte order mark lets it read the 汉字. */
export function toCsv(copy: TableCopy): string {
  const quoted = (t: string): string => (/[",\r\n]/.test(t) ? `"${t.replaceAll('"', '""')}"` : t);
  return `\uFEFF${toRows(copy)
    .map((row) => row.map((t) => quoted(/^−[\d.]/.test(t) ? t.replace('−', '-') : t)).join(','))
    .join('\r\n')}\r\n`;
}

const TEX: Record<string, string> = {
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '\\': '\\textbackslash{}',
  '−': '$-$',
  '±': '$\\pm$',
  '×': '$\\times$',
  '<': '$<$',
  '>': '$>$',
  '∞': '$\\infty$',
};

export function tex(text: string): string {
  return text.replace(/[&%$#_{}~^\\−±×<>∞]/g, (c) => TEX[c] ?? c);
}

export function toLatex({ caption, notes, grid }: TableCopy): string {
  const columns = Array.from({ length: grid.columns }, (_, c) =>
    grid.body.some((row) => row.cells[c]?.numeric) ? 'r' : 'l',
  ).join('');
  const head = grid.head.flatMap((row) => {
    const cells: string[] = [];
    const rules: string[] = [];
    for (let c = 0; c < grid.columns;) {
      const h = row.find((cell) => cell.at === c);
      const words = h?.tokens.map((t) => (t.st ? `\\textit{${tex(t.text)}}` : tex(t.text))).join('') ?? '';
      cells.push(h !== undefined && h.colSpan > 1 ? `\\multicolumn{${h.colSpan}}{c}{${words}}` : words);
      if (h?.spanner) rules.push(`\\cmidrule(lr){${c + 1}-${c + h.colSpan}}`);
      c += h?.colSpan ?? 1;
    }
    return [`${cells.join(' & ')} \\\\`, ...(rules.length > 0 ? [rules.join(' ')] : [])];
  });
  const body = grid.body.map(
    (row, r) =>
      `${row.total && grid.body[r - 1]?.total !== true ? '\\midrule\n' : ''}${row.cells.map((c, i) => (c === null ? '' : `${i === 0 && row.depth > 0 ? '\\quad '.repeat(row.depth) : ''}${tex(cellText(c))}`)).join(' & ')} \\\\`,
  );
  return [
    '\\begin{table}[htbp]',
    '\\centering',
    `\\caption{${tex(caption.replace(/^表\s*\d+\s*/, ''))}}`,
    `\\begin{tabular}{${columns}}`,
    '\\toprule',
    ...head,
    ...(head.length > 0 ? ['\\midrule'] : []),
    ...body,
    '\\bottomrule',
    '\\end{tabular}',
    ...notes.map((n) => `\\par\\footnotesize ${tex(n)}`),
    '\\end{table}',
  ].join('\n');
}

export function toMarkdown(copy: TableCopy): string {
  const rows = toRows(copy).map((row) => row.map((t) => t.replaceAll('|', '\\|').replaceAll('*', '\\*')));
  const [head = [], ...body] =
    copy.grid.head.length === 0 ? [Array.from({ length: copy.grid.columns }, () => ''), ...rows] : rows;
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  const rule = head.map((_, c) => (copy.grid.body.some((row) => row.cells[c]?.numeric) ? '---:' : ':---'));
  return [
    `**${copy.caption}**`,
    '',
    line(head),
    line(rule),
    ...body.map(line),
    ...copy.notes.flatMap((n) => ['', n.replaceAll('*', '\\*')]),
  ].join('\n');
}

/** APA: same texts, title in two lines (number, then italic title), as a styled table. */
export function toApa(copy: TableCopy): string {
  const [, number = '', title = copy.caption] = /^(表\s*\d+)\s*(.*)$/s.exec(copy.caption) ?? [];
  const html = toHtml({ ...copy, caption: '' }).replace(/^<p[^>]*><\/p>/, '');
  const line = (text: string, style: string): string =>
    `<p style="font-family:'Times New Roman','SimSun',serif;font-size:12pt;margin:0;${style}">${escapeHtml(text)}</p>`;
  return `${line(number.replace('表', 'Table'), 'font-weight:bold')}${line(title, 'font-style:italic;margin-bottom:6pt')}${html}`;
}
