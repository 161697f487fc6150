/** The rows behind 样本说明: which were used, which fell out by the filter, which by missing values, and why. */
import type { Column } from '../files/schema.ts';
import { allOf, keepCondition } from '../files/service.ts';
import type { ReportDocument, SampleQuery } from './schema.ts';
import type { FilterUsed } from './tables.ts';

/** Columns whose missing values (or, of the weight, zeros) made rows fall out of this report. */
export const droppingColumns = (document: ReportDocument): string[] => document.sample.columns;

/** Everything the report looks at, for showing the rows. */
export function namedColumns(document: ReportDocument): string[] {
  const named = Object.values(document.roles).flatMap((columns) => columns.map(({ id }) => id));
  const extra = [document.weight?.column, document.split?.column].flatMap((id) => id ?? []);
  return [...new Set([...named, ...extra])];
}

const NO_ROW = '1 = 0';

/** A row without a positive weight counts as little as one without a value. */
function gapIn(document: ReportDocument, id: string): string {
  return id === document.weight?.column ? `not nvl({${id}} > 0, 1 = 0)` : `missing({${id}})`;
}

export function sampleCondition(document: ReportDocument, filter: FilterUsed | null, query: SampleQuery): string | null {
  const kept = filter ? keepCondition(filter.condition, filter.filter_type) : null;
  const dropping = droppingColumns(document);
  if (query.set === 'used') return allOf(kept, ...dropping.map((id) => `not (${gapIn(document, id)})`));
  // A row whose condition is missing was not kept: it belongs to the filtered ones, so the negation must not lose it.
  if (query.set === 'filtered') return kept === null ? NO_ROW : `not nvl((${kept}), ${NO_ROW})`;
  const columns = query.column === undefined ? dropping : dropping.filter((id) => id === query.column);
  return columns.length === 0 ? NO_ROW : allOf(kept, columns.map((id) => gapIn(document, id)).join(' or '));
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
