/** With how many decimals the tables of a report show their numbers, so that its sentences say them alike. */
import type { Report, TableElement } from '../../generated/contract.ts';
import { writer } from '../cell-text.ts';
import { numeric, type Places, type Reading } from '../format.ts';
import { layerDecimals } from '../table-matrix.ts';
import { readingOf, type TableEdit } from '../table-text.ts';
import { keyOf, sectionsOf } from './outline.ts';

/** Formats whose numbers follow the decimals of their column; shares, probabilities and counts have rules of their own. */
const SHARING = new Set(['num', 'interval', 'mean_sd', 'median_iqr', 'estimate_se', 'estimate_ci']);

/** By size: a sentence says that one mean lies 0.61 below the other. The first table a number stands in counts. */
export function decimalsOf(report: Report, reading: Reading, edits: Readonly<Record<string, TableEdit>> = {}): Places {
  const places = new Map<number, number>();
  report.parts.forEach((part, p) => {
    const { main, besides, detail } = sectionsOf(part);
    for (const element of [...main, ...besides, ...detail])
      if (element.type === 'table') note(element, readingOf(reading, edits[keyOf(p, element.id)]), places);
  });
  return places;
}

function note(table: TableElement, reading: Reading, places: Map<number, number>): void {
  table.columns.forEach((column, at) => {
    if (!SHARING.has(column.format) || column.part_format === 'percent') return;
    const decimals = writer(table, at, reading)?.decimals;
    for (const row of table.rows) keep(row[at], decimals, places);
  });
  for (const layer of table.matrix?.layers ?? [])
    if (layer.format === 'num')
      for (const row of layer.values) keep(row, layerDecimals(layer, reading) ?? undefined, places);
}

/** Whole numbers meet by chance: a limit of 3 is not the 3 of a table. */
function keep(cell: unknown, decimals: number | undefined, places: Map<number, number>): void {
  if (decimals === undefined) return;
  for (const value of Array.isArray(cell) ? cell : [cell]) {
    const x = Math.abs(numeric(value) ?? 0);
    if (Number.isFinite(x) && !Number.isInteger(x) && !places.has(x)) places.set(x, decimals);
  }
}
