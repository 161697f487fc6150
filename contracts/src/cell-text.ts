/** One cell of a report's table as text: numbers with the decimals of their column, compound cells, stars. */
import type { Action, Cell, TableColumn, TableElement } from '../generated/contract.ts';
import {
  ABSENT,
  columnDecimals,
  date,
  fixed,
  grouped,
  integer,
  numeric,
  percent,
  pvalue,
  type Reading,
  scientific,
  stars,
  text,
  type Token,
} from './format.ts';

export interface BodyCell {
  text: string;
  /** The text with its symbols, where it comes from a declared title. */
  tokens?: Token[];
  /** A second line under the first: the interval under its estimate, the p under a correlation. */
  sub?: string;
  stars?: string;
  mark?: string;
  /** Full precision, for the hover. */
  exact?: string;
  /** The numbers the text is made of, for spreadsheets: a mean and its sd are two. */
  numbers?: CellNumber[];
  pieces?: { text: string; hit: boolean }[];
  /** Row numbers of the data behind the cell. */
  rows?: number[];
  /** A word the reader may add, drop or rename from here: what the button does, and with which word. */
  action?: { does: Action; word: string };
  strong?: boolean;
  rowSpan: number;
  /** In a turned table: the cases that share the cell. Those it covers are null. */
  colSpan?: number;
  head: boolean;
  /** Stands right as numbers do: a number, or in a turned table a word over numbers. */
  numeric: boolean;
}

/** Does it stand in the middle of several columns? */
export const isShared = (cell: BodyCell): boolean => (cell.colSpan ?? 1) > 1;

/** What the button of an action says. */
export const ACTIONS: Record<Action, string> = { add_word: '加入词典', add_stopword: '停用', rename: '合并改名' };

/** One number of a cell, full precision, with the text that shows it. */
export interface CellNumber {
  x: number | null;
  text: string;
  /** What it is inside a compound cell; empty where it is the whole cell. */
  what: string;
  kind: 'number' | 'count' | 'percent' | 'p';
}

/** What the numbers of a compound cell are, in their order. */
const PARTS: Record<string, readonly string[]> = {
  interval: ['下限', '上限'],
  mean_sd: ['均值', '标准差'],
  median_iqr: ['中位数', '下四分位数', '上四分位数'],
  n_percent: ['频数', '百分比'],
  estimate_se: ['估计值', '标准误'],
  estimate_ci: ['估计值', '下限', '上限'],
};

/** Formats whose cells stand right and align on the point. */
export const NUMBERS = new Set([
  'integer',
  'num',
  'pvalue',
  'percent',
  'interval',
  'mean_sd',
  'median_iqr',
  'n_percent',
  'estimate_se',
  'estimate_ci',
  'date',
  'rows',
]);

export interface Writer {
  decimals: number;
  column: TableColumn;
  reading: Reading;
}

/** Degrees of freedom count: 2, not 2.00. Those of Welch and of weighted fits carry a fraction, which stays. */
const isFreedom = (column: TableColumn): boolean => column.format === 'num' && /^\*df\*\d?$/u.test(column.title);

function parts(cell: Cell | undefined): unknown[] {
  return Array.isArray(cell) ? cell : [cell];
}

/** The numbers of a column that share decimals; probabilities and counts have their own rules. */
export function writer(table: TableElement, index: number, reading: Reading): Writer | null {
  const column = table.columns[index];
  if (column === undefined) return null;
  return {
    column,
    reading,
    decimals: reading.decimals ?? column.decimals ?? (isPercent(column) ? 1 : decimalsFor(table, column)),
  };
}

/** By table, then by key: what shares decimals is counted once, in a wide table of hundreds of items too. */
const SHARED = new WeakMap<TableElement, Map<string, number>>();

/**
 * Columns of one key under the items of a wide table say the same thing, so they show it alike; an interval and a
 * standard error are written like their estimate.
 */
function decimalsFor(table: TableElement, column: TableColumn): number {
  const known = SHARED.get(table) ?? new Map<string, number>();
  SHARED.set(table, known);
  const estimate = table.columns.find((c) => c.key === column.around && c.format === 'num');
  const key = estimate?.key ?? column.key;
  const places = known.get(key) ?? estimate?.decimals ?? decimalsOfKey(table, key);
  known.set(key, places);
  return places;
}

function decimalsOfKey(table: TableElement, key: string): number {
  const numbers = (of: (column: TableColumn) => boolean): (number | null)[] =>
    table.columns.flatMap((c, at) => (of(c) ? table.rows.flatMap((row) => sized(c, parts(row[at]))) : []));
  const own = columnDecimals(
    numbers((c) => c.key === key),
    numbers((c) => c.around === key && !isPercent(c)),
  );
  // The error decides where it needs more: 0.52 ± 0.04 says less of it than 0.519 ± 0.035.
  const errors = numbers((c) => c.around === key && c.format === 'num');
  return errors.some((x) => x !== null) ? Math.max(own, columnDecimals(errors)) : own;
}

function isPercent(column: TableColumn): boolean {
  return column.format === 'percent' || column.part_format === 'percent';
}

function sized(column: TableColumn, values: unknown[]): (number | null)[] {
  const kept = column.format === 'n_percent' ? [] : values.map(numeric);
  return isFreedom(column) ? kept.filter((x) => !Number.isInteger(x)) : kept;
}

function write(x: number | null, format: string, w: Writer): string {
  if (x === null) return ABSENT;
  if (format === 'integer') return integer(x);
  if (format === 'pvalue') return pvalue(x, w.reading.p);
  if (format === 'percent') return bare(percent(x, isPercent(w.column) ? w.decimals : 1), w.column.title);
  if (isFreedom(w.column) && Number.isInteger(x)) return grouped(fixed(x, 0));
  const shown = fixed(x, w.decimals);
  return x !== 0 && Number.isFinite(x) && !/[1-9]/.test(shown) ? scientific(x) : grouped(shown);
}

/** The sign stands in the head once, or in each cell. */
function bare(shown: string, title: string): string {
  return title.includes('%') ? shown.replace('%', '') : shown;
}

function exactOf(values: unknown[]): string | undefined {
  const numbers = values
    .map(numeric)
    .filter((x): x is number => x !== null && Number.isFinite(x) && !Number.isInteger(x));
  return numbers.length === 0
    ? undefined
    : numbers.map((x) => String(x).replace(/^-/, '−').replace(/e-/, 'e−')).join('，');
}

/** In medical tables the sign stands in the head. */
function share(x: number, w: Writer): string {
  const shown = percent(x, 1);
  return w.reading.medical === true ? shown.replace('%', '') : shown;
}

/** How the numbers of a compound cell stand together: 3.82 ± 1.69, 3.60 (2.50, 4.85), 139 (45.9%), 0.61 over [0.25, 0.98]. */
function compound(values: unknown[], w: Writer): { text: string; sub?: string } {
  const [a = null, b = null, c = null] = values.map(numeric);
  if (a === null && b === null) return { text: ABSENT };
  const n = (x: number | null): string => write(x, w.column.part_format ?? 'num', w);
  switch (w.column.format) {
    case 'interval':
      return { text: `[${n(a)}, ${n(b)}]` };
    case 'mean_sd':
      return { text: w.reading.medical === true ? `${n(a)}±${n(b)}` : `${n(a)} ± ${n(b)}` };
    case 'median_iqr':
      return { text: `${n(a)} (${n(b)}, ${n(c)})` };
    case 'n_percent':
      return { text: `${a === null ? ABSENT : integer(a)} (${b === null ? ABSENT : share(b, w)})` };
    case 'estimate_se':
      return { text: `${n(a)} (${n(b)})` };
    default:
      return { text: n(a), sub: `[${n(b)}, ${n(c)}]` };
  }
}

export function kindOf(format: string): CellNumber['kind'] {
  if (format === 'integer') return 'count';
  if (format === 'percent') return 'percent';
  return format === 'pvalue' ? 'p' : 'number';
}

/** The numbers of a compound cell, each written as it stands in the cell. */
function apart(values: unknown[], w: Writer): CellNumber[] {
  const format = w.column.format;
  return (PARTS[format] ?? []).map((what, k): CellNumber => {
    const x = numeric(values[k]);
    const own = format === 'n_percent' ? (k === 0 ? integer : (v: number) => percent(v, 1)) : null;
    const text = x === null ? ABSENT : own === null ? write(x, w.column.part_format ?? 'num', w) : own(x);
    const kind = own === null ? kindOf(w.column.part_format ?? 'num') : k === 0 ? 'count' : 'percent';
    return { x, text, what, kind };
  });
}

export function plainCell(cell: Cell | undefined, w: Writer): Partial<BodyCell> & { text: string } {
  const { column } = w;
  if (cell === null || cell === undefined) return { text: ABSENT };
  if (column.format === 'action' && column.action !== null && typeof cell === 'string')
    return { text: ACTIONS[column.action], action: { does: column.action, word: cell } };
  if (column.format === 'date') return { text: date(cell) };
  if (typeof cell === 'object' && !Array.isArray(cell)) return { text: cell.label };
  // One row is named like the rows of a list: by its number as it stands beside the data.
  if (column.format === 'rows' && typeof cell === 'number') return { ...alone(cell, String(cell)), rows: [cell] };
  if (column.format === 'rows' && Array.isArray(cell)) {
    const rows = cell.filter((r): r is number => typeof r === 'number');
    const [first = 0] = rows;
    return {
      ...(rows.length === 1 ? alone(first, String(first)) : {}),
      text:
        rows.length > 6 ? `${rows.slice(0, 6).join('、')} 等 ${integer(rows.length)} 行` : rows.join('、') || ABSENT,
      rows,
    };
  }
  if (column.format === 'marked' && Array.isArray(cell)) {
    const pieces = cell.map((piece: unknown) =>
      Array.isArray(piece) ? { text: text(piece[0]), hit: piece[1] !== null } : { text: text(piece), hit: false },
    );
    return { text: pieces.map((p) => p.text).join(''), pieces };
  }
  if (Array.isArray(cell))
    return column.parts === null || column.parts === undefined
      ? { text: text(cell) }
      : { ...compound(cell, w), ...exactly(cell), numbers: apart(cell, w) };
  const x = numeric(cell);
  // A code or a value among texts is still a number to a spreadsheet.
  if (typeof cell === 'number' && !NUMBERS.has(column.format)) return alone(cell, text(cell));
  if (x === null || !NUMBERS.has(column.format)) return { text: text(cell) };
  const shown = write(x, column.format, w);
  return { text: shown, ...exactly([cell]), numbers: [{ x, text: shown, what: '', kind: kindOf(column.format) }] };
}

/** One number as it is shown. */
function alone(x: number, shown: string): { text: string; numbers: CellNumber[] } {
  return { text: shown, numbers: [{ x, text: shown, what: '', kind: 'number' }] };
}

export function exactly(values: unknown[]): { exact?: string } {
  const exact = exactOf(values);
  return exact === undefined ? {} : { exact };
}

/** The p that gives a cell its stars: of the column named, or its own where no other column claims it. */
export function starsOf(table: TableElement, row: readonly Cell[], column: TableColumn, reading: Reading): string {
  const claimed = table.columns.some((c) => c.stars === column.key);
  const key = column.stars ?? (column.format === 'pvalue' && !claimed ? column.key : null);
  if (key === null) return '';
  const same = table.columns.findIndex((c) => c.key === key && c.wide === column.wide);
  const at = same >= 0 ? same : table.columns.findIndex((c) => c.key === key);
  return stars(numeric(row[at]), reading.stars);
}
