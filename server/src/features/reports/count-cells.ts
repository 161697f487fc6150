/** Which cells of a part's tables have to be hidden, and the tables without them. */
import type { Cell, TableColumn, TableElement } from '@hengxi/contracts/contract';

export const SMALL = 5;
export const SMALL_TEXT = '＜5';

/** Columns and facts that count cases, by the names methods give them; degrees of freedom and the like are not counts. */
const COUNT =
  /^(?:n|count|freq|frequency|total|all|valid|missing|lost|weighted|used|cases|observed)(?:_?\d+)?$|^n_|_n$|_count$/;
const CUMULATIVE = /^cum|_cum$|cumulative/;
/** With the spread beside them these give the size of a group. */
const ERROR = /(?:^|_)se$|^ci$/;
/** Beside a difference they give its standard error back. */
const ERRORS_SHADOW = /^(?:t|df)$/;
/** Made of the margins of a cross table: a few of them give every margin, and with it the counts. */
const MARGINAL = /(?:^|_)(?:expected|residual)$/;

export const isCountKey = (key: string): boolean => COUNT.test(key);
export const isSmall = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < SMALL;

/** What was taken out of tables, so that the rest of the report can lose it as well. */
export interface Hidden {
  counts: Set<number>;
  shares: Set<number>;
  /** Groups and categories whose count is hidden. */
  labels: Set<string>;
  /** Cells of cross tables whose count is hidden, by their two categories. */
  pairs: Set<string>;
  /** Expected counts taken out. */
  expected: Set<number>;
}

/** Where in a row the count stands: the cell itself, or one part of a combined cell such as n (%). */
interface Place {
  column: number;
  part: number | null;
  wide: string | null;
}

/** A table with its counts and the cells to hide, as "row,column". */
export interface Sheet {
  table: TableElement;
  places: Place[];
  gone: Set<string>;
}

interface Counted {
  at: string;
  value: number | null;
}

function placesOf(columns: TableColumn[]): Place[] {
  return columns.flatMap((column, index): Place[] => {
    const { wide } = column;
    if (column.format === 'n_percent') return [{ column: index, part: 0, wide }];
    const key = column.key.replace(/@.*$/, '');
    return column.format === 'integer' && isCountKey(key) ? [{ column: index, part: null, wide }] : [];
  });
}

function valueAt({ rows }: TableElement, row: number, place: Place): number | null {
  const cell = rows[row]?.[place.column];
  const value = place.part === null ? cell : Array.isArray(cell) ? cell[place.part] : null;
  return typeof value === 'number' ? value : null;
}

const spot = (row: number, column: number): string => `${row},${column}`;

/** The category or group a row is about: its last text. */
function labelOf(table: TableElement, row: number): string {
  const texts = table.columns.flatMap(({ format }, index) => (format === 'text' || format === 'level' ? [index] : []));
  const cells = texts
    .map((index) => table.rows[row]?.[index])
    .filter((cell) => typeof cell === 'string' || isLevel(cell));
  return JSON.stringify(cells.at(-1) ?? null);
}

/** The two categories a cell is about, in whatever order and direction the table has them; null: there are not two. */
function pairOf(table: TableElement, row: number, wide: string | null): string | null {
  const texts = (table.rows[row] ?? []).flatMap((cell, index) => {
    const format = table.columns[index]?.format;
    if (format !== 'text' && format !== 'level') return [];
    return typeof cell === 'string' ? [cell] : isLevel(cell) ? [cell.label] : [];
  });
  const two = [...texts, ...(wide === null ? [] : [wide])].slice(-2);
  return two.length === 2 ? JSON.stringify(two.toSorted()) : null;
}

const isLevel = (cell: Cell | undefined): cell is Extract<Cell, { label: unknown }> =>
  typeof cell === 'object' && cell !== null && 'label' in cell;

// --- which cells -----------------------------------------------------------------------------------------------------

/** The small counts, and as many others as it takes that none can be found from what is left, in any of the tables. */
export function cellsToHide(tables: TableElement[]): Map<TableElement, Sheet> {
  const sheets = tables.map((table): Sheet => ({ table, places: placesOf(table.columns), gone: new Set() }));
  for (const { table, places, gone } of sheets)
    for (const place of places)
      for (const r of table.rows.keys()) if (isSmall(valueAt(table, r, place))) gone.add(spot(r, place.column));
  for (let before = -1, now = size(sheets); before !== now; now = size(sheets)) {
    before = now;
    for (const sheet of sheets) closeSums(sheet);
    hideAlike(sheets);
  }
  return new Map(sheets.filter(({ gone }) => gone.size > 0).map((sheet) => [sheet.table, sheet]));
}

const size = (sheets: Sheet[]): number => sheets.reduce((sum, { gone }) => sum + gone.size, 0);

/** The same count of the same category is hidden in every table: in a chart's data as in the table beside it. */
function hideAlike(sheets: Sheet[]): void {
  const known = new Set<string>();
  const each = (visit: (sheet: Sheet, at: string, names: string[]) => void): void => {
    for (const sheet of sheets)
      for (const place of sheet.places)
        for (const r of sheet.table.rows.keys()) {
          const value = valueAt(sheet.table, r, place);
          if (value === null || value <= 0) continue;
          const pair = pairOf(sheet.table, r, place.wide);
          const name = `${labelOf(sheet.table, r)} ${place.wide ?? ''} ${value}`;
          visit(sheet, spot(r, place.column), pair === null ? [name] : [name, `${pair} ${value}`]);
        }
  };
  each(({ gone }, at, names) => {
    if (gone.has(at)) for (const name of names) known.add(name);
  });
  each(({ gone }, at, names) => void (names.some((name) => known.has(name)) && gone.add(at)));
}

function closeSums({ table, places, gone }: Sheet): void {
  if (gone.size === 0) return;
  const across = places.filter(({ wide }) => wide !== null);
  const groups = sumGroups(table);
  const cell = (r: number, place: Place): Counted => ({ at: spot(r, place.column), value: valueAt(table, r, place) });
  for (const place of places)
    for (const group of groups)
      complete(
        gone,
        group.map((r) => cell(r, place)),
      );
  for (const r of groups.flat())
    complete(
      gone,
      across.map((place) => cell(r, place)),
    );
}

/**
 * Rows whose counts add up to something the report states: those of one variable, up to its total; and, apart, those of
 * them that have a share in every column of percentages (the missing ones have none of the valid percent).
 */
function sumGroups(table: TableElement): number[][] {
  const merged = table.columns.flatMap(({ key }, index) => (table.merge.includes(key) ? [index] : []));
  const shares = table.columns.flatMap(({ format }, index) => (format === 'percent' ? [index] : []));
  const totals = new Set(table.totals);
  const groups = new Map<string, number[]>();
  let section = 0;
  for (const [r, row] of table.rows.entries()) {
    if (totals.has(r)) {
      section += 1;
      continue;
    }
    const name = JSON.stringify([section, ...merged.map((index) => row[index])]);
    groups.set(name, [...(groups.get(name) ?? []), r]);
  }
  const whole = [...groups.values()];
  const valid = whole.map((group) => group.filter((r) => shares.every((index) => table.rows[r]?.[index] !== null)));
  return [...whole, ...valid];
}

/**
 * What is hidden among several counts that add up to something known follows from it: the next smallest goes as well,
 * and all that equal it, so that the choice does not depend on the order of rows.
 */
function complete(gone: Set<string>, line: Counted[]): void {
  const counts = line.filter(({ value }) => value !== null && value > 0);
  if (!followsFromSum(counts.flatMap(({ at, value }) => (gone.has(at) ? [value ?? 0] : [])))) return;
  const others = counts.filter(({ at }) => !gone.has(at)).map(({ value }) => value ?? 0);
  const next = Math.min(...others);
  for (const { at, value } of counts) if (value === next) gone.add(at);
}

/** One alone is what is left of the sum; so are several that are all as small, or all as large, as they can be. */
function followsFromSum(values: number[]): boolean {
  if (values.length <= 1) return values.length === 1;
  const isLeast = values.every((value) => value === (isSmall(value) ? 1 : SMALL));
  return isLeast || values.every((value) => value === SMALL - 1);
}

// --- the table without them ------------------------------------------------------------------------------------------

export function clearTable({ table, places, gone }: Sheet, hidden: Hidden): TableElement {
  const marks = { ...table.marks };
  const rows = table.rows.map((row) => [...row]);
  for (const place of places) {
    for (const [r, row] of rows.entries()) {
      const value = valueAt(table, r, place);
      if (value === null || !gone.has(spot(r, place.column))) continue;
      hidden.counts.add(value);
      if (!table.totals.includes(r)) hidden.labels.add(labelOf(table, r));
      const pair = pairOf(table, r, place.wide);
      if (pair !== null) hidden.pairs.add(pair);
      if (isSmall(value)) marks[spot(r, place.column)] = SMALL_TEXT;
      row[place.column] = null;
      clearDerived(table, row, r, place, hidden);
    }
  }
  // Two neighbouring cumulative values differ by what lies between them.
  for (const [c, column] of table.columns.entries())
    if (CUMULATIVE.test(column.key)) for (const row of rows) row[c] = null;
  clearMarginal(table, rows, hidden);
  return { ...table, rows, marks };
}

function clearMarginal({ columns }: TableElement, rows: Cell[][], hidden: Hidden): void {
  const keys = columns.map(({ key }) => key.replace(/@.*$/, ''));
  if (!keys.some((key) => MARGINAL.test(key))) return;
  for (const row of rows)
    for (const [c, key] of keys.entries()) {
      if (!MARGINAL.test(key) && key !== 'p') continue;
      const value = row[c];
      if (key.endsWith('expected') && typeof value === 'number') hidden.expected.add(value);
      row[c] = null;
    }
}

/** What is made of a hidden count gives it back; of a cross table only what stands under the same heading. */
function clearDerived(table: TableElement, row: Cell[], r: number, place: Place, hidden: Hidden): void {
  const counted = table.rows[r]?.[place.column];
  if (Array.isArray(counted) && typeof counted[1] === 'number') hidden.shares.add(counted[1]);
  for (const [c, column] of table.columns.entries()) {
    if (c === place.column || column.wide !== place.wide) continue;
    const value = table.rows[r]?.[c];
    if (column.format === 'percent' && typeof value === 'number') hidden.shares.add(value);
    if (column.format === 'percent' || ERROR.test(column.key.replace(/@.*$/, ''))) row[c] = null;
  }
}

/** Other tables about the same groups: their errors that depend on the size alone, and their shares, tell it. */
export function clearAbout(table: TableElement, hidden: Hidden): TableElement {
  const errors = table.columns.some(({ key }) => ERROR.test(key));
  const isGone = (row: number, cell: Cell, { key, format }: TableColumn): boolean => {
    if (typeof cell === 'number' && format === 'num' && hidden.expected.has(cell)) return true;
    if (format === 'percent') return hidden.pairs.has(pairOf(table, row, null) ?? '');
    return errors && (ERROR.test(key) || ERRORS_SHADOW.test(key)) && isAbout(table, row, hidden);
  };
  const rows = table.rows.map((row, r) =>
    row.map((cell, c) => {
      const column = table.columns[c];
      return column && isGone(r, cell, column) ? null : cell;
    }),
  );
  return { ...table, rows };
}

/** A comparison is about both of its groups. */
const isAbout = (table: TableElement, row: number, { labels }: Hidden): boolean =>
  (table.rows[row] ?? []).some(
    (cell) => (typeof cell === 'string' || isLevel(cell)) && labels.has(JSON.stringify(cell)),
  );
