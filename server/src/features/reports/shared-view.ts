/**
 * What a visitor gets of a report: the blocks the owner chose and nothing beside them. Removal happens here, on the
 * server; the page a visitor opens never receives what it does not show.
 */
import type { ChartElement, Element, Part, TableElement } from '@hengxi/contracts/contract';
import type { ReportDocument } from './schema.ts';
import { hideSmallCounts } from './small-counts.ts';

export interface VisitorView {
  /** Ids of the elements shown; null = all. */
  blocks: string[] | null;
  hideSmall: boolean;
}

/** Elements that lead back into the owner's account: data, models, files, and trying a model. */
const OWNERS_ONLY = new Set<Element['type']>(['data', 'model', 'file', 'try']);

export function forVisitor(document: ReportDocument, view: VisitorView): ReportDocument {
  const chosen = view.blocks === null ? null : new Set(view.blocks);
  const shown = { ...document, form: {}, parts: document.parts.map((part) => visiblePart(part, chosen)) };
  return view.hideSmall ? hideSmallCounts(shown) : shown;
}

function visiblePart(part: Part, chosen: Set<string> | null): Part {
  const allowed = part.elements.filter((element) => !OWNERS_ONLY.has(element.type));
  const isShown = (element: Element): boolean =>
    chosen === null ||
    chosen.has(element.id) ||
    (element.type === 'text' && element.about !== null && chosen.has(element.about));
  const shown = allowed.filter(isShown);
  const needed = neededTables(shown);
  const elements = allowed.flatMap((element): Element[] => {
    if (shown.includes(element)) return [withoutRows(element)];
    const strings = element.type === 'table' ? needed.get(element.id) : undefined;
    return element.type === 'table' && strings ? [onlyColumns(element, strings)] : [];
  });
  return { ...part, elements, refusal: part.refusal && { fields: part.refusal.fields.map(bareFault) } };
}

type FaultOf = NonNullable<Part['refusal']>['fields'][number];

const bareFault = (fault: FaultOf): FaultOf => ({ ...fault, facts: {}, row: null, remedies: [] });

/** Row numbers, kept files and remedies are for the owner. */
function withoutRows(element: Element): Element {
  switch (element.type) {
    case 'warning':
      return { ...element, rows: [] };
    case 'table':
      return { ...withoutCaseColumn(element), more: element.more && { ...element.more, file: null } };
    case 'check':
      return { ...element, remedies: [] };
    case 'chart':
      return withoutCaseNumbers(element);
    case 'panel':
      return { ...element, charts: element.charts.map(withoutCaseNumbers) };
    default:
      return element;
  }
}

/** The data of a chart names the rows of the file behind each mark. */
function withoutCaseColumn(table: TableElement): TableElement {
  const places = table.hidden
    ? table.columns.flatMap(({ key, format }, at) => (key === 'row' || key === 'rows' || format === 'rows' ? [at] : []))
    : [];
  if (places.length === 0) return table;
  return { ...table, rows: table.rows.map((row) => places.reduce((cells, at) => cells.with(at, null), row)) };
}

function withoutCaseNumbers(chart: ChartElement): ChartElement {
  if (chart.kind === 'point') return { ...chart, row: null };
  return chart.kind === 'control' || chart.kind === 'box' ? { ...chart, rows: null } : chart;
}

/** Tables that shown charts draw from, with every text of those charts: among them are the keys of the columns drawn. */
function neededTables(shown: Element[]): Map<string, Set<string>> {
  const needed = new Map<string, Set<string>>();
  for (const element of shown) {
    const charts = element.type === 'chart' ? [element] : element.type === 'panel' ? element.charts : [];
    for (const chart of charts) {
      const texts = new Set(textsIn(withoutCaseNumbers(chart)));
      for (const text of texts) needed.set(text, new Set([...(needed.get(text) ?? []), ...texts]));
    }
  }
  return needed;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The data of a chart whose table is not shown: only what is drawn, and hidden. */
function onlyColumns(table: TableElement, keys: Set<string>): TableElement {
  if (table.matrix) return { ...table, hidden: true, more: null };
  const columns = table.columns.flatMap((column, index) =>
    keys.has(column.key) || (column.parts ?? []).some((part) => keys.has(part)) ? [index] : [],
  );
  return {
    ...table,
    hidden: true,
    more: null,
    marks: {},
    columns: columns.flatMap((index) => table.columns[index] ?? []),
    rows: table.rows.map((row) => columns.map((index) => row[index] ?? null)),
  };
}
