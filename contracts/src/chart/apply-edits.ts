/** A chart as its reader wants it: axis titles, reference lines, other error bars, brackets from the test. The report's own tables stay. */
import type { Cell, ChartElement, Overlay, TableElement } from '../../generated/contract.ts';
import { numeric, text } from '../format.ts';
import { plainColumn } from '../report/plain-column.ts';
import { type FigureEdit, offerOf, type Spread } from './figure-edit.ts';
import { columnPlace, tableSource } from './source.ts';

type Tables = ReadonlyMap<string, TableElement>;

export interface EditedChart {
  chart: ChartElement;
  tables: Tables;
}

export function applyEdits(chart: ChartElement, tables: Tables, edit: FigureEdit): EditedChart {
  const offer = offerOf(chart);
  const titles = { ...chart.titles };
  for (const axis of ['x', 'y'] as const) {
    const role = offer.axes[axis];
    const own = edit.axes?.[axis];
    if (role !== undefined && own !== undefined) titles[role] = own;
  }
  const lines = (edit.lines ?? []).filter(({ axis }) => offer.lines.includes(axis));
  const over: Overlay[] = [
    ...chart.over,
    ...lines.map(({ axis, at, label }): Overlay => ({
      type: 'reference',
      x: axis === 'x' ? at : null,
      y: axis === 'y' ? at : null,
      label: label === '' ? null : label,
    })),
  ];
  const made: EditedChart = { chart: { ...chart, titles, over }, tables };
  return bracketed(spreadBy(withoutPoints(made, edit), edit.spread), edit);
}

function withoutPoints({ chart, tables }: EditedChart, edit: FigureEdit): EditedChart {
  if (edit.points !== false) return { chart, tables };
  if (chart.kind === 'interval') return { chart: { ...chart, raw: null }, tables };
  return chart.kind === 'box' ? { chart: { ...chart, outliers: null }, tables } : { chart, tables };
}

// --- error bars ------------------------------------------------------------------------------------------------------

/** Error bars the chart's own table has the numbers for. */
export function spreadsOf(chart: ChartElement, tables: Tables): Spread[] {
  const table = tables.get(chart.kind === 'network' ? chart.nodes : chart.of);
  if (chart.kind !== 'interval' || chart.contrast?.of === chart.of || table === undefined) return [];
  // Only where the marks are means: the standard deviation of a coefficient would be something else.
  const isMean = chart.y === 'mean';
  const known = (['sd', 'se'] as const).filter((key) => isMean && columnPlace(table, key) !== null);
  return known.length === 0 ? [] : ['ci', ...known];
}

/** Bars of one standard deviation or error to both sides of the mark, from the columns of the same table. */
function spreadBy({ chart, tables }: EditedChart, spread: Spread | undefined): EditedChart {
  if (
    chart.kind !== 'interval' ||
    spread === undefined ||
    spread === 'ci' ||
    !spreadsOf(chart, tables).includes(spread)
  )
    return { chart, tables };
  const table = tables.get(chart.of);
  const [column] = table?.columns ?? [];
  if (table === undefined || column === undefined) return { chart, tables };
  const source = tableSource(table, { y: chart.y, size: spread });
  const end = (i: number, sign: number): Cell => {
    const [y, size] = [source.num('y', i), source.num('size', i)];
    return y === null || size === null ? null : y + sign * size;
  };
  const plain = { ...column, format: 'num' as const, parts: null, part_format: null, stars: null, title: '' };
  const of = `${chart.of}#${spread}`;
  const wider: TableElement = {
    ...table,
    id: of,
    columns: [...table.columns, { ...plain, key: '#low' }, { ...plain, key: '#high' }],
    rows: table.rows.map((row, i) => [...row, end(i, -1), end(i, 1)]),
  };
  return { chart: { ...chart, of, low: '#low', high: '#high' }, tables: new Map([...tables, [of, wider]]) };
}

// --- brackets --------------------------------------------------------------------------------------------------------

interface Pair {
  left: string;
  right: string;
  p: number;
}

/** Groups of the chart in the order of its table. */
export function groupsOf(chart: ChartElement, tables: Tables): string[] {
  const { order } = offerOf(chart);
  const table = tables.get(chart.kind === 'network' ? chart.nodes : chart.of);
  const key = order === null ? undefined : Object.entries(chart).find(([name]) => name === order)?.[1];
  if (table === undefined || typeof key !== 'string') return [];
  return tableSource(table, { x: key }).levels('x');
}

/** Comparisons of two groups with their p, from the report's own tables: of each pair of groups, or of the only two. */
export function pairsOf(chart: ChartElement, tables: Tables): Pair[] {
  const groups = groupsOf(chart, tables);
  if (!offerOf(chart).brackets || groups.length < 2 || chart.facet.length > 0) return [];
  const near = [...tables.values()].filter((t) => t.at === chart.at && !t.hidden && t.layout === 'long');
  for (const table of near) {
    const pairs = listed(table, groups);
    if (pairs.length > 0) return pairs;
  }
  const [left, right] = groups;
  if (groups.length !== 2 || left === undefined || right === undefined) return [];
  for (const table of near) {
    const p = between(table, left, right, chart.at);
    if (p !== null) return [{ left, right, p }];
  }
  return [];
}

const wordsIn = (row: readonly Cell[]): string[] =>
  row.flatMap((cell) =>
    typeof cell === 'string'
      ? [cell]
      : cell !== null && typeof cell === 'object' && !Array.isArray(cell)
        ? [text(cell.label)]
        : [],
  );

/** A table with two columns of groups and a column of p: post-hoc comparisons. */
function listed(table: TableElement, groups: readonly string[]): Pair[] {
  const at = table.columns.findIndex((c) => c.format === 'pvalue');
  if (at < 0) return [];
  const pairs = table.rows.map((row): Pair | null => {
    const named = wordsIn(row).filter((w) => groups.includes(w));
    const [left, right] = named;
    const p = numeric(row[at]);
    return named.length === 2 && left !== undefined && right !== undefined && left !== right && p !== null
      ? { left, right, p }
      : null;
  });
  const whole = pairs.filter((p): p is Pair => p !== null);
  if (whole.length !== table.rows.length) return [];
  // A comparison may be listed from both sides.
  return whole.filter((pair, i) => !whole.slice(0, i).some((o) => o.left === pair.right && o.right === pair.left));
}

/** Two groups one below the other that share one p: the main table of a test of two groups. */
function between(table: TableElement, left: string, right: string, at: string | null): number | null {
  const column = table.columns.findIndex((c) => c.format === 'pvalue');
  if (column < 0 || !table.merge.includes(table.columns[column]?.key ?? '')) return null;
  const about = table.rows.filter((row) => at === null || table.at === at || wordsIn(row).includes(at));
  const rows = about.filter((row) => wordsIn(row).some((w) => w === left || w === right));
  if (rows.length !== 2) return null;
  const [a, b] = rows.map((row) => numeric(row[column]));
  return a !== null && a !== undefined && a === b ? a : null;
}

const SIGNIFICANT = 0.05;
/** Every pair of ten groups. */
const MOST_BRACKETS = 45;

/** Those of the test, the closest groups lowest. */
function bracketed({ chart, tables }: EditedChart, edit: FigureEdit): EditedChart {
  if (edit.brackets === undefined) return { chart, tables };
  const over = chart.over.filter((o) => o.type !== 'bracket');
  if (edit.brackets === 'none') return { chart: { ...chart, over }, tables };
  const groups = edit.order === undefined ? groupsOf(chart, tables) : inOrder(groupsOf(chart, tables), edit.order);
  const reach = ({ left, right }: Pair): number => Math.abs(groups.indexOf(left) - groups.indexOf(right));
  const pairs = pairsOf(chart, tables)
    .filter(({ p }) => edit.brackets === 'all' || p < SIGNIFICANT)
    .sort((a, b) => reach(a) - reach(b))
    .slice(0, MOST_BRACKETS);
  if (pairs.length === 0) return { chart: { ...chart, over }, tables };
  const of = `${chart.id}#pairs`;
  const table = pairsTable(of, pairs);
  return {
    chart: { ...chart, over: [...over, { type: 'bracket', of, left: 'left', right: 'right', text: 'p' }] },
    tables: new Map([...tables, [of, table]]),
  };
}

function pairsTable(id: string, pairs: readonly Pair[]): TableElement {
  return {
    type: 'table',
    id,
    name: id,
    place: 'detail',
    title: '',
    at: null,
    layout: 'long',
    turned: false,
    merge: [],
    hidden: true,
    columns: [plainColumn('left', 'text'), plainColumn('right', 'text'), plainColumn('p', 'pvalue')],
    rows: pairs.map(({ left, right, p }) => [left, right, p]),
    depth: [],
    totals: [],
    marks: {},
    matrix: null,
    more: null,
    claim: null,
  };
}

/** Those named first in the order given, the others after them as they came. */
export function inOrder(list: readonly string[], order: readonly string[]): string[] {
  const rank = (t: string): number => (order.includes(t) ? order.indexOf(t) : order.length);
  return [...list].sort((a, b) => rank(a) - rank(b) || list.indexOf(a) - list.indexOf(b));
}
