/** Reads a chart of the report: which column of which table stands behind each of its words. No numbers are made here. */
import type { Cell, ChartElement, Overlay, TableColumn, TableElement } from '../../generated/contract.ts';
import { columnDecimals, date, fixed, integer, num, numeric, percent, plain, pvalue, text } from '../format.ts';
import { offerOf } from './figure-edit.ts';

export interface Source {
  title: string;
  size: number;
  has: (role: string) => boolean;
  value: (role: string, i: number) => Cell | undefined;
  num: (role: string, i: number) => number | null;
  text: (role: string, i: number) => string;
  /** Title of the axis or column behind a role. */
  heading: (role: string) => string;
  /** The value as a table would show it. */
  shown: (role: string, i: number) => string;
  numbers: (role: string) => (number | null)[];
  /** Distinct texts in order of appearance. */
  levels: (role: string) => string[];
  /** Row of the table, for linking marks and rows. */
  row: (i: number) => number;
}

export interface ChartSource extends Source {
  chart: ChartElement;
  over: readonly { overlay: Overlay; of: Source | null }[];
  other: (name: 'raw' | 'contrast' | 'nodes' | 'edges' | 'mask') => Source | null;
  /** Limits of some roles shared by all facets when their ranges are alike; null = each its own. */
  shared: (...roles: string[]) => [number, number] | null;
}

interface Place {
  at: number;
  part: number | null;
  column: TableColumn;
}

/** A key names a column, or one number inside the cells of a compound column. */
export function columnPlace(table: TableElement, key: string): Place | null {
  for (const [at, column] of table.columns.entries()) {
    if (column.key === key && column.parts === null) return { at, part: null, column };
    const part = column.parts?.indexOf(key) ?? -1;
    if (part >= 0) return { at, part, column };
  }
  return null;
}

type Roles = Readonly<Record<string, string | null>>;

export function tableSource(
  table: TableElement,
  roles: Roles,
  titles: Readonly<Record<string, string>> = {},
  rows?: readonly number[],
): Source {
  const used = rows ?? table.rows.map((_, i) => i);
  const places = new Map<string, Place>();
  for (const [role, key] of Object.entries(roles)) {
    const place = key === null ? null : columnPlace(table, key);
    if (place !== null) places.set(role, place);
  }
  const decimals = new Map<string, number>();
  const value = (role: string, i: number): Cell | undefined => {
    const place = places.get(role);
    const cell = place === undefined ? undefined : table.rows[used[i] ?? -1]?.[place.at];
    if (place === undefined || place.part === null) return cell;
    return Array.isArray(cell) ? cell[place.part] : undefined;
  };
  const numbers = (role: string): (number | null)[] => used.map((_, i) => numeric(value(role, i)));
  const cellText = (role: string, i: number): string => {
    const cell = value(role, i);
    if (cell !== null && typeof cell === 'object' && !Array.isArray(cell)) return cell.label;
    return places.get(role)?.column.format === 'date' ? date(cell) : text(cell);
  };
  const placesOf = (role: string): number => {
    const known = decimals.get(role) ?? places.get(role)?.column.decimals ?? columnDecimals(numbers(role));
    decimals.set(role, known);
    return known;
  };
  return {
    title: table.title,
    size: used.length,
    has: (role) => places.has(role),
    value,
    num: (role, i) => numeric(value(role, i)),
    text: cellText,
    heading: (role) => titles[role] ?? headingOf(places.get(role)?.column),
    shown: (role, i) => {
      const x = numeric(value(role, i));
      const column = places.get(role)?.column;
      return x === null || column === undefined ? cellText(role, i) : written(x, column, placesOf(role));
    },
    numbers,
    levels: (role) => [...new Set(used.map((_, i) => cellText(role, i)))],
    row: (i) => used[i] ?? i,
  };
}

function headingOf(column: TableColumn | undefined): string {
  if (column === undefined) return '';
  const title = plain(column.title);
  return column.unit === null || column.unit === '' || title.includes(column.unit)
    ? title
    : `${title}（${column.unit}）`;
}

function written(x: number, column: TableColumn, decimals: number): string {
  const format = column.part_format ?? column.format;
  if (format === 'integer') return integer(x);
  if (format === 'percent') return percent(x, 1);
  if (format === 'pvalue') return pvalue(x);
  return Math.abs(x) < 10 ** -decimals && x !== 0 ? num(x) : fixed(x, decimals);
}

/** All words of a chart that hold a text: most are column keys, the others (kind, arrange) find no column. */
function rolesOf(chart: object): Record<string, string> {
  const roles: Record<string, string> = {};
  for (const [word, key] of Object.entries(chart)) if (typeof key === 'string') roles[word] = key;
  return roles;
}

/** One small chart of a facetted one: which rows belong to it. */
export interface Facet {
  label: string;
  keys: string[];
  values: string[];
}

function mainTable(chart: ChartElement): string {
  return chart.kind === 'network' ? chart.nodes : chart.of;
}

/** What is made of a table once, however many drawings ask for it: tables of a report never change. */
class Kept<T> {
  private readonly made = new WeakMap<TableElement, Map<string, T>>();

  of(table: TableElement, key: unknown, make: () => T): T {
    const own = this.made.get(table) ?? new Map<string, T>();
    this.made.set(table, own);
    const name = JSON.stringify(key);
    const known = own.get(name);
    if (known !== undefined) return known;
    const made = make();
    own.set(name, made);
    return made;
  }
}

const keptRows = new Kept<ReadonlyMap<string, { values: string[]; rows: number[] }>>();
const keptLimits = new Kept<[number, number] | null>();

const nameOf = (values: readonly unknown[]): string => JSON.stringify(values);

/** The rows of a table by what stands in some of its columns, in order of appearance. */
function rowsBy(
  table: TableElement,
  keys: readonly string[],
): ReadonlyMap<string, { values: string[]; rows: number[] }> {
  return keptRows.of(table, keys, () => {
    const source = tableSource(table, Object.fromEntries(keys.map((key) => [key, key])));
    const groups = new Map<string, { values: string[]; rows: number[] }>();
    for (let i = 0; i < source.size; i += 1) {
      const values = keys.map((key) => source.text(key, i));
      const own = groups.get(nameOf(values));
      if (own === undefined) groups.set(nameOf(values), { values, rows: [i] });
      else own.rows.push(i);
    }
    return groups;
  });
}

export function facetsOf(chart: ChartElement, tables: ReadonlyMap<string, TableElement>): Facet[] {
  const table = tables.get(mainTable(chart));
  if (chart.facet.length === 0 || table === undefined) return [{ label: '', keys: [], values: [] }];
  const keys = chart.facet;
  return [...rowsBy(table, keys).values()].map(({ values }) => ({ label: values.join(' · '), keys, values }));
}

function rowsIn(table: TableElement, facet: Facet): readonly number[] | undefined {
  const known = facet.keys
    .map((key, k) => ({ key, value: facet.values[k] }))
    .filter(({ key }) => columnPlace(table, key) !== null);
  if (known.length === 0) return undefined;
  const rows = rowsBy(
    table,
    known.map(({ key }) => key),
  );
  return rows.get(nameOf(known.map(({ value }) => value)))?.rows ?? [];
}

const NONE: Facet = { label: '', keys: [], values: [] };

/** null when the table behind a chart is not in the report. `order`: of the groups, where the reader changed it. */
export function chartSource(
  chart: ChartElement,
  tables: ReadonlyMap<string, TableElement>,
  facet: Facet = NONE,
  order: readonly string[] = [],
): ChartSource | null {
  const table = tables.get(mainTable(chart));
  if (table === undefined) return null;
  // Titles name the axes of the chart's own table; companions keep the titles of their columns.
  const read = (id: string, roles: Roles): Source | null => {
    const found = tables.get(id);
    return found === undefined ? null : tableSource(found, roles, {}, rowsIn(found, facet));
  };
  const rows = arranged(table, chart, rowsIn(table, facet), order);
  // Means say of how many cases they are, where their table does.
  const roles = chart.kind === 'interval' ? { ...rolesOf(chart), count: 'n' } : rolesOf(chart);
  const main = tableSource(table, roles, chart.titles, rows);
  const facets = facet.keys.length === 0 ? [] : facetsOf(chart, tables);
  return {
    ...main,
    title: chart.title,
    chart,
    over: chart.over.map((overlay) => ({ overlay, of: 'of' in overlay ? read(overlay.of, rolesOf(overlay)) : null })),
    other: (name) => {
      if (chart.kind === 'network' && (name === 'nodes' || name === 'edges')) return read(chart[name], rolesOf(chart));
      if (chart.kind === 'words' && name === 'mask')
        return chart.mask === null ? null : read(chart.mask, { line: 'line' });
      if (chart.kind !== 'interval' || (name !== 'raw' && name !== 'contrast')) return null;
      const other = chart[name];
      return other === null ? null : read(other.of, rolesOf(other));
    },
    shared: (...wanted) => {
      if (facets.length < 2) return null;
      const own = rolesOf(chart);
      return keptLimits.of(table, [chart.facet, wanted.map((role) => own[role])], () =>
        alike(facets.map((f) => limitsOf(tableSource(table, own, {}, rowsIn(table, f)), wanted))),
      );
    },
  };
}

/** Rows by the order of their group; rows of one group stay as they came. */
function arranged(
  table: TableElement,
  chart: ChartElement,
  rows: readonly number[] | undefined,
  order: readonly string[],
): readonly number[] | undefined {
  const key = rolesOf(chart)[offerOf(chart).order ?? ''];
  if (order.length === 0 || key === undefined) return rows;
  const source = tableSource(table, { x: key });
  const rank = (i: number): number => {
    const at = order.indexOf(source.text('x', i));
    return at < 0 ? order.length : at;
  };
  return (rows ?? table.rows.map((_, i) => i)).toSorted((a, b) => rank(a) - rank(b) || a - b);
}

function limitsOf(source: Source, roles: readonly string[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const role of roles) {
    for (const v of source.numbers(role)) {
      if (v === null || !Number.isFinite(v)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  }
  return [low, high];
}

/** Facets share their axis when no range is more than three times another and all overlap; else each speaks for itself. */
function alike(limits: readonly [number, number][]): [number, number] | null {
  const known = limits.filter(([a, b]) => a <= b);
  const widths = known.map(([a, b]) => b - a);
  const low = Math.min(...known.map(([a]) => a));
  const high = Math.max(...known.map(([, b]) => b));
  const overlap = Math.max(...known.map(([a]) => a)) <= Math.min(...known.map(([, b]) => b));
  return overlap && Math.max(...widths) <= 3 * Math.min(...widths) ? [low, high] : null;
}
