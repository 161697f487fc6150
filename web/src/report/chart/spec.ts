/** What a figure is made of, for other programs: the chart as the report has it, what its reader changed, and its numbers in full. */
import type { FigureEdit } from '@hengxi/contracts/chart/figure-edit';
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';

/** Tables a chart names anywhere: its own, those of companions and of what lies over it. */
function tablesOf(chart: ChartElement, tables: ReadonlyMap<string, TableElement>): TableElement[] {
  const named = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string' && tables.has(value)) named.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(chart);
  return [...tables.values()].filter((t) => named.has(t.id));
}

export function specOf(chart: ChartElement, tables: ReadonlyMap<string, TableElement>, edit: FigureEdit): string {
  const data = tablesOf(chart, tables).map(({ id, title, columns, rows }) => ({
    id,
    title,
    columns: columns.map(({ key, title: name, format, parts, unit }) => ({ key, title: name, format, parts, unit })),
    rows,
  }));
  return JSON.stringify({ format: 'hengxi-figure', version: 1, chart, edit, data }, null, 2);
}
