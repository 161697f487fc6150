/** The rows behind 样本说明: which were used, which fell out by the filter, which by missing values, and why. */
import type { Column } from '../files/schema.ts';
import { allOf, keepCondition } from '../files/service.ts';
import type { ReportDocument, SampleQuery } from './schema.ts';
import type { FilterUsed } from './tables.ts';

/** Columns whose missing values made rows fall out of this report. */
export function droppingColumns(document: ReportDocument): string[] {
  if (document.fill_missing) return [];
  const named = Object.values(document.roles).flatMap((columns) => columns.map(({ id }) => id));
  return [...new Set([...(document.sample.columns ?? named), ...(document.weight ? [document.weight.column] : [])])];
}

/** Everything the report looks at, for showing the rows. */
export function namedColumns(document: ReportDocument): string[] {
  const named = Object.values(document.roles).flatMap((columns) => columns.map(({ id }) => id));
  const extra = [document.weight?.column, document.split?.column].flatMap((id) => id ?? []);
  return [...new Set([...named, ...extra])];
}

export function sampleCondition(document: ReportDocument, filter: FilterUsed | null, query: SampleQuery): string | null {
  const kept = filter ? keepCondition(filter.condition, filter.filter_type) : null;
  const dropping = droppingColumns(document);
  switch (query.set) {
    case 'filtered':
      // A row whose condition is missing was not kept: it belongs here, so the negation must not lose it.
      return kept === null ? '1 = 0' : `not nvl((${kept}), 1 = 0)`;
    case 'missing': {
      const columns = query.column === undefined ? dropping : dropping.filter((id) => id === query.column);
      if (columns.length === 0) return '1 = 0';
      return allOf(kept, columns.map((id) => `missing({${id}})`).join(' or '));
    }
    case 'used':
      return allOf(kept, ...dropping.map((id) => `not missing({${id}})`));
  }
}

/** Why a row is out, in words; `shown` are the columns of the row, in order. */
export function reasonsOf(row: unknown[], shown: Column[], dropping: string[], set: SampleQuery['set']): string[] {
  if (set === 'used') return [];
  if (set === 'filtered') return ['不满足筛选条件'];
  return shown.flatMap((column, index) =>
    dropping.includes(column.id) && isMissing(row[index], column) ? [`“${column.label ?? column.name}”缺失`] : [],
  );
}

/** Cells are shown as they are stored: codes declared missing count as missing. */
function isMissing(cell: unknown, column: Column): boolean {
  if (cell === null || cell === undefined) return true;
  const { values, ranges } = column.missing;
  if (values.some((value) => value === cell)) return true;
  return typeof cell === 'number' && ranges.some(({ low, high }) => cell >= (low ?? -Infinity) && cell <= (high ?? Infinity));
}
