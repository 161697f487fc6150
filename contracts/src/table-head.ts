/** The head of a report's table: titles, units, spanners; and the names a reader gave to columns. */
import type { TableColumn } from '../generated/contract.ts';
import { NUMBERS } from './cell-text.ts';
import { plain, type Token, tokens } from './format.ts';

export interface HeadCell {
  tokens: Token[];
  text: string;
  colSpan: number;
  rowSpan: number;
  /** First column under it. */
  at: number;
  spanner: boolean;
  hint: string | null;
  numeric: boolean;
}

/** What names a column in a reader's edits: its key, and in a wide table the item it was made for. */
export function columnId(column: TableColumn): string {
  return column.wide === null || column.wide === undefined ? column.key : `${column.wide}\u0000${column.key}`;
}

/**
 * The item of a wide table stands over its columns; the engine names it in `span` as a rule.
 * A column without a title of its own is called by its item.
 */
function spansOf(column: TableColumn): Token[][] {
  const { wide, span } = column;
  const all = wide === null || span.includes(wide) || column.title === '' ? span : [wide, ...span];
  return all.map((text): Token[] => [{ text }]);
}

export function said(list: readonly Token[] | undefined): string {
  return (list ?? []).map((t) => t.text).join('');
}

export function headOf(
  columns: readonly TableColumn[],
  names: Readonly<Record<string, string>>,
  medical = false,
): HeadCell[][] {
  const spans = columns.map(spansOf);
  const depth = Math.max(0, ...spans.map((s) => s.length));
  const path = (c: number, level: number): string | null => {
    const own = spans[c];
    return own === undefined || own.length <= level
      ? null
      : own
          .slice(0, level + 1)
          .map(said)
          .join('\u0000');
  };
  return Array.from({ length: depth + 1 }, (_, level) => {
    const row: HeadCell[] = [];
    columns.forEach((column, at) => {
      const here = path(at, level);
      if (here !== null) {
        if (at > 0 && path(at - 1, level) === here) return;
        let colSpan = 1;
        while (at + colSpan < columns.length && path(at + colSpan, level) === here) colSpan += 1;
        const own = spans[at]?.[level] ?? [];
        row.push({ tokens: own, text: said(own), colSpan, rowSpan: 1, at, spanner: true, hint: null, numeric: true });
      } else if ((spans[at]?.length ?? 0) === level) {
        const title = titleOf(column, names, medical);
        row.push({
          tokens: title,
          text: said(title),
          colSpan: 1,
          rowSpan: depth + 1 - level,
          at,
          spanner: false,
          hint: column.hint ?? null,
          numeric: NUMBERS.has(column.format),
        });
      }
    });
    return row;
  });
}

function titleOf(column: TableColumn, names: Readonly<Record<string, string>>, medical: boolean): Token[] {
  const renamed = names[columnId(column)];
  if (renamed !== undefined) return [{ text: renamed }];
  const inMedicine = medical ? medicalTitle(column) : null;
  if (inMedicine !== null) return inMedicine;
  return column.title === '' && column.wide !== null ? [{ text: column.wide }] : withUnit(column);
}

/** Where medical journals write the head of a column in another way. */
function medicalTitle(column: TableColumn): Token[] | null {
  const title = plain(column.title);
  if (column.format === 'mean_sd' && /^M\s*±\s*SD$/.test(title))
    return [{ text: 'x̄', st: true }, { text: '±' }, { text: 's', st: true }];
  if (column.format === 'n_percent' && !title.includes('%'))
    return [...tokens(column.title), { text: '，' }, { text: 'n', st: true }, { text: '（%）' }];
  return column.format === 'pvalue' && title === 'p' ? [{ text: 'P', st: true }] : null;
}

function withUnit(column: TableColumn): Token[] {
  const title = tokens(column.title);
  return column.unit === null ||
    column.unit === undefined ||
    column.unit === '' ||
    plain(column.title).includes(column.unit)
    ? title
    : [...title, { text: `（${column.unit}）` }];
}
