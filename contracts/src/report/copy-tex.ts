/** A table for LaTeX: booktabs with its caption. What runs over a page is a longtable, what is wider than one shrinks or is cut. */
import { type BodyCell, isShared } from '../cell-text.ts';
import type { Token } from '../format.ts';
import { spokenAt, type TableText } from '../table-text.ts';
import { cellText, type TableCopy } from './copy.ts';
import { tex, texRow } from './tex-text.ts';
import { naturalWidths, partsOf } from './wide-table.ts';

/** Longer names than this are broken into lines; in em. */
const NAMES = 14;
/** As wide as a line of the class article, and points between two columns. */
const PAGE = 345;
const GAP = 12;
/** Smaller than this a table cannot be read: it is cut into parts instead. */
const SMALLEST = 0.52;
/** Rows that stand on one page. */
const PAGE_ROWS = 40;
/** Letters of a longtable, which cannot be shrunk: their points and the points between its columns. */
const LETTERS = [
  { size: '\\small', points: 9, gap: 12 },
  { size: '\\footnotesize', points: 8, gap: 6 },
  { size: '\\scriptsize', points: 7, gap: 6 },
] as const;

interface Part {
  grid: TableText;
  /** The caption, whose number is that of the first part. */
  caption: string;
  note: string[];
}

export function toLatex(copy: TableCopy): string {
  const isLong = copy.grid.body.length > PAGE_ROWS;
  const smallest = LETTERS[2];
  const widths = isLong
    ? widthsAt(copy.grid, smallest.points, smallest.gap)
    : widthsAt(copy.grid, 10, GAP).map((w) => w * SMALLEST);
  const grids = sum(widths) > PAGE ? partsOf(copy.grid, widths, PAGE) : [copy.grid];
  const parts = grids.map((grid, i): Part => {
    const title = texTokens(copy.title);
    const isLast = i === grids.length - 1;
    return {
      grid,
      caption: i === 0 ? title : `${title}（续）`,
      note: isLast && copy.notes.length > 0 ? [`注：${texTokens(copy.notes)}`] : [],
    };
  });
  const written = parts.map((part) => (isLong ? longTable(part) : floating(part)));
  const packages = ['ctex', 'booktabs', ...(isLong ? ['longtable'] : written.some(isShrunk) ? ['graphicx'] : [])];
  return [
    `% 导言区：\\usepackage{${packages.join(',')}}，用 XeLaTeX 编译`,
    // Only the first part is counted.
    written.join('\n\n\\addtocounter{table}{-1}\n'),
  ].join('\n');
}

const isShrunk = (written: string): boolean => written.includes('\\resizebox');

function floating({ grid, caption, note }: Part): string {
  // The estimate need not be exact: LaTeX itself looks whether the table is wider than the line.
  const shrinks = sum(widthsAt(grid, 10, GAP)) > PAGE * 0.8;
  return [
    '\\begin{table}[htbp]',
    '\\centering',
    `\\caption{${caption}}`,
    ...(shrinks ? ['\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%'] : []),
    `\\begin{tabular}{${columnsOf(grid)}}`,
    '\\toprule',
    ...headOf(grid),
    ...bodyOf(grid),
    '\\bottomrule',
    `\\end{tabular}${shrinks ? '}' : ''}`,
    ...note.map((words) => `\\par\\smallskip\\raggedright\\footnotesize ${words}`),
    '\\end{table}',
  ].join('\n');
}

function longTable({ grid, caption, note }: Part): string {
  const letters = LETTERS.find((l) => sum(widthsAt(grid, l.points, l.gap)) <= PAGE) ?? LETTERS[2];
  const again = grid.head.length === 0 ? [] : ['\\endfirsthead', '\\toprule', ...headOf(grid), '\\endhead'];
  return [
    `\\begingroup${letters.size}\\setlength{\\tabcolsep}{${letters.gap / 2}pt}`,
    `\\begin{longtable}{${columnsOf(grid)}}`,
    `\\caption{${caption}}\\\\`,
    '\\toprule',
    ...headOf(grid),
    ...again,
    '\\bottomrule',
    '\\endfoot',
    ...bodyOf(grid),
    '\\end{longtable}',
    ...note.map((words) => `\\noindent\\footnotesize ${words}\\par`),
    '\\endgroup',
  ].join('\n');
}

const sum = (widths: readonly number[]): number => widths.reduce((a, b) => a + b, 0);

function widthsAt(grid: TableText, points: number, gap: number): number[] {
  return naturalWidths(grid, NAMES).map((em) => em * points + gap);
}

function columnsOf(grid: TableText): string {
  return naturalWidths(grid, Infinity)
    .map((em, c) => {
      if (grid.body.some((row) => row.cells[c]?.numeric)) return 'r';
      return em > NAMES ? `p{${NAMES}em}` : 'l';
    })
    .join('');
}

function texTokens(list: readonly Token[]): string {
  return list.map((t) => (t.st ? `\\textit{${tex(t.text)}}` : tex(t.text))).join('');
}

function headOf(grid: TableText): string[] {
  const rows = grid.head.flatMap((row) => {
    const cells: string[] = [];
    const rules: string[] = [];
    for (let c = 0; c < grid.columns;) {
      const h = row.find((cell) => cell.at === c);
      const words = h === undefined ? '' : texTokens(h.tokens);
      cells.push(h !== undefined && h.colSpan > 1 ? `\\multicolumn{${h.colSpan}}{c}{${words}}` : words);
      if (h?.spanner) rules.push(`\\cmidrule(lr){${c + 1}-${c + h.colSpan}}`);
      c += h?.colSpan ?? 1;
    }
    return [texRow(cells), ...(rules.length > 0 ? [rules.join(' ')] : [])];
  });
  return rows.length === 0 ? [] : [...rows, '\\midrule'];
}

/** What stands below the value in its cell is a line of its own. */
function texCell(cell: BodyCell): string {
  const { sub, ...main } = cell;
  if (sub === undefined || sub === '') return tex(cellText(main));
  const side = cell.numeric ? 'r' : 'l';
  return `\\begin{tabular}{@{}${side}@{}}${tex(cellText(main))}\\\\${tex(sub)}\\end{tabular}`;
}

function bodyOf(grid: TableText): string[] {
  return grid.body.map((row, r) => {
    const cells = row.cells.flatMap((c, i): string[] => {
      const indent = i === 0 ? '\\quad '.repeat(row.depth) : '';
      if (c === null) return spokenAt({ ...grid, body: [row] }, 0, i) === null ? [''] : [];
      const words = `${indent}${texCell(c)}`;
      return [isShared(c) ? `\\multicolumn{${c.colSpan}}{c}{${words}}` : words];
    });
    return `${row.total && grid.body[r - 1]?.total !== true ? '\\midrule\n' : ''}${texRow(cells)}`;
  });
}
