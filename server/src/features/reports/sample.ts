/** The rows behind 样本说明: which were used, which fell out by the filter, which by missing values, and why. */
import { isCode } from '@hengxi/contracts/missing-codes';
import type { Column } from '../files/schema.ts';
import type { SampleAsked } from '../files/service.ts';
import type { ReportDocument, SampleQuery } from './schema.ts';
import type { FilterUsed } from './tables.ts';

/** Everything the report looks at, for showing the rows. */
export function namedColumns(document: ReportDocument): string[] {
  const named = Object.values(document.roles).flatMap((columns) => columns.map(({ id }) => id));
  const extra = [document.weight?.column, document.split?.column].flatMap((id) => id ?? []);
  return [...new Set([...named, ...extra])];
}

/** The question to the engine, which judges rows exactly as the run did. */
export function sampleQuestion(
  document: ReportDocument,
  filter: FilterUsed | null,
  query: Pick<SampleQuery, 'column'> & Pick<SampleAsked, 'set'>,
): SampleAsked {
  return {
    set: query.set,
    filter,
    columns: document.sample.columns,
    chosen: document.sample.chosen,
    either: document.sample.either,
    weight: document.weight?.column ?? null,
    only: query.column ?? null,
  };
}

/** Why a row is out, in words; `shown` are the columns of the row, in order. */
export function reasonsOf(row: unknown[], shown: Column[], asked: SampleAsked): string[] {
  if (asked.set === 'used') return [];
  if (asked.set === 'filtered') return filterReasons(row, shown, asked);
  const named = new Set([...asked.columns, ...(asked.either ?? [])]);
  return shown.flatMap((column, index) => {
    const cell = row[index];
    const name = `“${column.label ?? column.name}”`;
    if (!named.has(column.id)) return [];
    // Cells are shown as they are stored: codes declared missing count as missing.
    if (cell === null || cell === undefined || isCode(cell, column)) return [`${name}缺失`];
    return column.id === asked.weight && !(Number(cell) > 0) ? [`权重${name}为 0`] : [];
  });
}

/** A row of a level that is not compared may fail the filter too: which of both is told where it can be seen. */
function filterReasons(row: unknown[], shown: Column[], { filter, chosen }: SampleAsked): string[] {
  const at = shown.findIndex(({ id }) => id === chosen?.column);
  const isOther = chosen !== null && at >= 0 && row[at] !== null && !chosen.values.some((value) => value === row[at]);
  if (!isOther) return ['不满足筛选条件'];
  return [
    `“${chosen.name}”不是${chosen.labels.map((label) => `“${label}”`).join('')}`,
    ...(filter ? ['或不满足筛选条件'] : []),
  ];
}
