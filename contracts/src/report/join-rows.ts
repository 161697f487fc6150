/** Rows of a long table that are kept beside the report come in pages; here they are joined to the table again. */
import type { TableElement } from '../../generated/contract.ts';
import { integer } from '../format.ts';

/** Cells, indents, places of totals and of marks; places are counted from the first row of the page. */
export type RowsPage = Pick<TableElement, 'rows' | 'depth' | 'totals' | 'marks'>;

/** The table with further pages at its end. Its `more` still tells how many rows there are in all. */
export function joinRows(table: TableElement, ...pages: readonly RowsPage[]): TableElement {
  const rows = [...table.rows];
  const depth = padded(table.depth, rows.length);
  const totals = [...table.totals];
  const marks = { ...table.marks };
  for (const page of pages) {
    const first = rows.length;
    for (const row of page.rows) rows.push(row);
    for (const one of padded(page.depth, page.rows.length)) depth.push(one);
    for (const row of page.totals) totals.push(row + first);
    for (const [place, mark] of Object.entries(page.marks)) {
      const [row = '0', column = '0'] = place.split(',');
      marks[`${Number(row) + first},${column}`] = mark;
    }
  }
  return { ...table, rows, depth, totals, marks };
}

/** A table without indents may leave them out. */
function padded(depth: readonly number[], rows: number): number[] {
  return Array.from({ length: rows }, (_, i) => depth[i] ?? 0);
}

/** Rows of one table that an exported workbook takes. */
export const EXCEL_ROWS = 100_000;

/** Below a table that does not stand here whole. */
export function truncationNote(shown: number, all: number): string {
  const rest = all <= EXCEL_ROWS ? '，全部行可导出到 Excel' : '';
  return `此处为前 ${integer(shown)} 行，共 ${integer(all)} 行${rest}。`;
}
