/** A number of cases that is the same everywhere in a table of coefficients: said once below it, not in every cell. */
import type { Cell, TableColumn, TableElement } from '../generated/contract.ts';
import { integer, type Token, tokens } from './format.ts';

export const constantNote = (title: string, value: number): Token[] => [
  { text: '各格 ' },
  ...tokens(title),
  { text: ` = ${integer(value)}。` },
];

interface Alike {
  columns: Set<number>;
  told: Token[];
}

const NONE: Alike = { columns: new Set(), told: [] };

/** Of the columns shown: the counts behind tested coefficients, where columns of one title run across all levels. */
export function constantCount(table: TableElement, chosen: readonly number[]): Alike {
  const across = chosen.filter((i) => (table.columns[i]?.wide ?? null) !== null);
  const columnAt = (i: number): TableColumn | undefined => table.columns[i];
  if (!across.some((i) => columnAt(i)?.format === 'pvalue')) return NONE;
  const counts = across.filter((i) => columnAt(i)?.format === 'integer');
  const [title = '', ...others] = new Set(counts.map((i) => columnAt(i)?.title));
  const values = new Set<Cell | undefined>(table.rows.flatMap((row) => counts.map((i) => row[i])));
  const [value] = values;
  const isAlike = counts.length * table.rows.length > 1 && others.length === 0 && values.size === 1;
  if (!isAlike || typeof value !== 'number') return NONE;
  return { columns: new Set(counts), told: constantNote(title, value) };
}
