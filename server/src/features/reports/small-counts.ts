/**
 * 隐藏小于 5 的频数, done before the report leaves the server. A hidden count must not come back by subtraction: in
 * every column (and every row of a cross table) at least two counts are hidden or none, the percentages beside them go
 * too, cumulative columns go altogether, and sentences that state the same numbers lose them.
 */
import type { Cell, Element, Fact, Part, TableColumn, TableElement } from '@hengxi/contracts/contract';
import type { ReportDocument } from './schema.ts';

export const SMALL = 5;
export const SMALL_TEXT = '＜5';
const HIDDEN_TEXT = '—';

/** Columns and facts that count cases, by the names methods give them; degrees of freedom and the like are not counts. */
const COUNT = /^(?:n|count|freq|frequency|total|valid|missing|lost|weighted|used|cases|observed|size)$|^n_|_n$|_count$/;
const CUMULATIVE = /^cum|_cum$|cumulative/;

const isCountKey = (key: string): boolean => COUNT.test(key);
const isSmall = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < SMALL;

/** Numbers that were taken out of tables, so that sentences can lose them as well. */
interface Hidden {
  counts: Set<number>;
  shares: Set<number>;
}

export function hideSmallCounts(document: ReportDocument): ReportDocument {
  const { sample } = document;
  return {
    ...document,
    sample: { ...sample, why: sample.why.filter(({ rows }) => rows >= SMALL) },
    parts: document.parts.map(hideInPart),
  };
}

function hideInPart(part: Part): Part {
  const hidden: Hidden = { counts: new Set(), shares: new Set() };
  const tables = part.elements.map((element) => (element.type === 'table' ? hideInTable(element, hidden) : element));
  const cases = singleCases(tables);
  const elements = tables
    .filter((element) => !(element.type === 'table' && cases.has(element.id)))
    .map((element) => hideInElement(element, hidden));
  return { ...part, sample: { ...part.sample, why: part.sample.why.filter(({ rows }) => rows >= SMALL) }, elements };
}

// --- tables ----------------------------------------------------------------------------------------------------------

/** Where in a row the count stands: the cell itself, or one part of a combined cell such as n (%). */
interface CountPlace {
  column: number;
  part: number | null;
  wide: string | null;
}

function countPlaces(columns: TableColumn[]): CountPlace[] {
  return columns.flatMap((column, index): CountPlace[] => {
    const wide = column.wide;
    if (column.format === 'n_percent') return [{ column: index, part: 0, wide }];
    const key = column.key.replace(/@.*$/, '');
    return column.format === 'integer' && isCountKey(key) ? [{ column: index, part: null, wide }] : [];
  });
}

function valueAt(rows: Cell[][], row: number, place: CountPlace): number | null {
  const cell = rows[row]?.[place.column];
  const value = place.part === null ? cell : Array.isArray(cell) ? cell[place.part] : null;
  return typeof value === 'number' ? value : null;
}

const spot = (row: number, column: number): string => `${row},${column}`;

function hideInTable(table: TableElement, hidden: Hidden): TableElement {
  const places = countPlaces(table.columns);
  const gone = spotsToHide(table, places);
  if (gone.size === 0) return table;
  const marks = { ...table.marks };
  const rows = table.rows.map((row) => [...row]);
  for (const place of places) {
    for (const [r, row] of rows.entries()) {
      const value = valueAt(table.rows, r, place);
      if (value === null || !gone.has(spot(r, place.column))) continue;
      hidden.counts.add(value);
      if (isSmall(value)) marks[spot(r, place.column)] = SMALL_TEXT;
      row[place.column] = null;
      hideShares(table, row, r, place, hidden);
    }
  }
  // Two neighbouring cumulative values differ by what lies between them.
  for (const [c, column] of table.columns.entries())
    if (CUMULATIVE.test(column.key)) for (const row of rows) row[c] = null;
  return { ...table, rows, marks };
}

/** Percentages of a hidden count give it back; of a cross table only those under the same heading. */
function hideShares(table: TableElement, row: Cell[], r: number, place: CountPlace, hidden: Hidden): void {
  const counted = table.rows[r]?.[place.column];
  if (Array.isArray(counted) && typeof counted[1] === 'number') hidden.shares.add(counted[1]);
  for (const [c, column] of table.columns.entries()) {
    if (c === place.column || column.wide !== place.wide) continue;
    if (column.format !== 'percent') continue;
    const value = row[c];
    if (typeof value === 'number') hidden.shares.add(value);
    row[c] = null;
  }
}

/** The small counts, and as many others as it takes that none can be found by subtraction. */
function spotsToHide(table: TableElement, places: CountPlace[]): Set<string> {
  const { rows } = table;
  const gone = new Set<string>();
  for (const place of places)
    for (const r of rows.keys()) if (isSmall(valueAt(rows, r, place))) gone.add(spot(r, place.column));
  if (gone.size === 0) return gone;
  const across = places.filter(({ wide }) => wide !== null);
  const groups = sumGroups(table);
  const cell = (r: number, place: CountPlace): Counted => ({ at: spot(r, place.column), value: valueAt(rows, r, place) });
  // Hiding one more in a column may leave a row with a single hidden count, and the other way round.
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const place of places) for (const group of groups) complete(gone, group.map((r) => cell(r, place)));
    for (const r of groups.flat()) complete(gone, across.map((place) => cell(r, place)));
  }
  return gone;
}

interface Counted {
  at: string;
  value: number | null;
}

/** Rows whose counts add up to a total of their own: those of one variable, up to its total. */
function sumGroups(table: TableElement): number[][] {
  const merged = table.columns.flatMap(({ key }, index) => (table.merge.includes(key) ? [index] : []));
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
  return [...groups.values()];
}

/**
 * Exactly one hidden among several counts that add up to something known: the next smallest goes as well, and all that
 * equal it, so that the same counts in another table, in another order, hide the same rows.
 */
function complete(gone: Set<string>, line: Counted[]): void {
  const counts = line.filter(({ value }) => value !== null && value > 0);
  if (counts.filter(({ at }) => gone.has(at)).length !== 1) return;
  const others = counts.filter(({ at }) => !gone.has(at)).map(({ value }) => value ?? 0);
  const next = Math.min(...others);
  for (const { at, value } of counts) if (value === next) gone.add(at);
}

// --- everything else -------------------------------------------------------------------------------------------------

/** Tables of single cases behind a chart: counting the dots of a group would give its size. */
function singleCases(elements: Element[]): Set<string> {
  const found = new Set<string>();
  for (const chart of elements.flatMap((element) => (element.type === 'panel' ? element.charts : [element])))
    if (chart.type === 'chart' && chart.kind === 'interval' && chart.raw) found.add(chart.raw.of);
  return found;
}

function hideInElement(element: Element, hidden: Hidden): Element {
  switch (element.type) {
    case 'lead': {
      const { facts, rewrite } = bare(element.facts, [element.text, ...element.figures.flatMap(({ value, note }) => [value, note ?? ''])], hidden);
      const figures = element.figures.map((one) => ({ ...one, value: rewrite(one.value), note: one.note === null ? null : rewrite(one.note) }));
      return { ...element, facts, text: rewrite(element.text), figures };
    }
    case 'text':
    case 'warning': {
      const { facts, rewrite } = bare(element.facts, [element.text], hidden);
      return { ...element, facts, text: rewrite(element.text) };
    }
    case 'check': {
      const { more } = element;
      const { facts, rewrite } = bare(element.facts, [element.text, ...(more ? Object.values(more) : [])], hidden);
      const told = more && { what: rewrite(more.what), data: rewrite(more.data), impact: rewrite(more.impact), todo: rewrite(more.todo) };
      return { ...element, facts, text: rewrite(element.text), more: told };
    }
    case 'rules':
      return { ...element, rules: element.rules.map((rule) => (rule.n < SMALL ? { ...rule, n: 0, share: 0 } : rule)) };
    case 'chart':
      return element.kind === 'interval' ? { ...element, raw: null } : element;
    case 'panel':
      return { ...element, charts: element.charts.map((chart) => (chart.kind === 'interval' ? { ...chart, raw: null } : chart)) };
    default:
      return element;
  }
}

const PLACEHOLDER = /\{(\w+)(?::([+\w]+))?\}/g;

/** The facts of an element without hidden numbers, and its templates with words in their place. */
function bare(facts: Record<string, Fact>, templates: string[], hidden: Hidden): { facts: Record<string, Fact>; rewrite: (text: string) => string } {
  const words = new Map<string, string>();
  for (const template of templates) {
    for (const [, name = '', format = ''] of template.matchAll(PLACEHOLDER)) {
      const word = wordFor(name, format, facts[name] ?? null, hidden);
      if (word) words.set(name, word);
    }
  }
  if (words.size === 0) return { facts, rewrite: (text) => text };
  return {
    facts: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, words.get(name) ?? value])),
    rewrite: (text) => text.replace(PLACEHOLDER, (whole, name: string) => (words.has(name) ? `{${name}:text}` : whole)),
  };
}

function wordFor(name: string, format: string, value: Fact, hidden: Hidden): string | null {
  if (typeof value !== 'number') return null;
  if (format.startsWith('percent')) return hidden.shares.has(value) ? HIDDEN_TEXT : null;
  const isCount = isCountKey(name) || (format === 'integer' && hidden.counts.has(value));
  if (!isCount) return null;
  if (isSmall(value)) return SMALL_TEXT;
  return hidden.counts.has(value) ? HIDDEN_TEXT : null;
}
