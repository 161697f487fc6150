/** Rows of a long table that are kept beside the report come in pages; here they are joined to the table again. */
import type { TableElement } from '../../generated/contract.ts';

/** Cells, indents, places of totals and of marks; places are counted from the first row of the page. */
export type RowsPage = Pick<TableElement, 'rows' | 'depth' | 'totals' | 'marks'>;

/** The table with a further page at its end. Its `more` still tells how many rows there are in all. */
export function joinRows(table: TableElement, page: RowsPage): TableElement {
  const first = table.rows.length;
  const marks = Object.entries(page.marks).map(([place, mark]) => {
    const [row = '0', column = '0'] = place.split(',');
    return [`${Number(row) + first},${column}`, mark] as const;
  });
  return {
    ...table,
    rows: [...table.rows, ...page.rows],
    depth: [...padded(table.depth, first), ...padded(page.depth, page.rows.length)],
    totals: [...table.totals, ...page.totals.map((row) => row + first)],
    marks: { ...table.marks, ...Object.fromEntries(marks) },
  };
}

/** A table without indents may leave them out. */
function padded(depth: readonly number[], rows: number): number[] {
  return Array.from({ length: rows }, (_, i) => depth[i] ?? 0);
}
