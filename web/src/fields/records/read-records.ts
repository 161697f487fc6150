/** Rows the user makes, as the wire has them. */
import type { RecordsField } from '@hengxi/contracts/contract';

import { recordsOf, textOf } from '../form.ts';

export type RecordRow = Record<string, unknown> & { id: string };

export function readRecords(value: unknown): RecordRow[] {
  return recordsOf(value).map((row) => ({ ...row, id: textOf(row['id']) }));
}

const numberIn = (id: string): number => Number(/\d+$/u.exec(id)?.[0] ?? 0);

/** Key of the cell with the row's name; null where rows have none. */
export function nameKey(field: RecordsField): string | null {
  return field.cells.find((cell) => cell.type === 'words' && cell.kind === 'name')?.key ?? null;
}

export function withNewRow(field: RecordsField, value: unknown): RecordRow[] {
  const rows = readRecords(value);
  const id = `r${Math.max(0, ...rows.map((row) => numberIn(row.id))) + 1}`;
  const key = nameKey(field);
  // Named numbers may begin with values that an emptied box does not fall back to: bounds from 0 upwards.
  const begins = Object.fromEntries(
    field.cells.flatMap((cell) =>
      cell.type === 'numbers' && cell.names !== null && cell.start !== null
        ? [[cell.key, Object.fromEntries(cell.names.map((name, at) => [name, cell.start?.[at] ?? null]))]]
        : [],
    ),
  );
  if (key === null) return [...rows, { id, ...begins }];
  const taken = new Set(rows.map((row) => row[key]));
  let number = rows.length + 1;
  while (taken.has(field.names.replace('{i}', String(number)))) number += 1;
  // A single X is called X, not X1.
  const bare = field.names.replace('{i}', '');
  const name = rows.length === 0 && bare.length === 1 ? bare : field.names.replace('{i}', String(number));
  return [...rows, { id, [key]: name, ...begins }];
}

/** Rows pasted from a spreadsheet or typed with commas: the first column is the name, further ones the cells in order. */
export function pasted(field: RecordsField, value: unknown, text: string): RecordRow[] | null {
  const lines = text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length < 2 && !text.includes('\t')) return null;
  let rows = readRecords(value);
  for (const line of lines.slice(0, field.max - rows.length)) {
    const parts = line.split('\t').map((part) => part.trim());
    rows = withNewRow(field, rows);
    const row = rows.at(-1);
    if (row === undefined) continue;
    field.cells.forEach((cell, at) => {
      const part = parts[at];
      if (part === undefined || part === '') return;
      if (cell.type === 'words') row[cell.key] = part;
      else if ((cell.type === 'number' || cell.type === 'integer') && Number.isFinite(Number(part)))
        row[cell.key] = Number(part);
    });
  }
  return rows;
}
