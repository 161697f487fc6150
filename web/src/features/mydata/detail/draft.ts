/** Changes of the property table that are not saved yet, column by column; one save is one step. */
import type { Column, ColumnEdit } from '@hengxi/server/files/schema';

export type Draft = ReadonlyMap<string, Omit<ColumnEdit, 'id'>>;

/** A change that puts everything back is no change. */
export function changed(draft: Draft, column: Column, change: Omit<ColumnEdit, 'id'>): Draft {
  const merged = { ...draft.get(column.id), ...change };
  const left = Object.entries(merged).filter(([key, value]) => !same(value, present(column, key)));
  const next = new Map(draft);
  if (left.length === 0) next.delete(column.id);
  else next.set(column.id, Object.fromEntries(left));
  return next;
}

function present(column: Column, key: string): unknown {
  if (key === 'levels') return (column.levels ?? []).map(({ value, label }) => ({ value, label }));
  return column[key];
}

/** Empty text and no text are the same label; lists are compared by what they hold. */
function same(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => JSON.stringify(value === '' || value === undefined ? null : value);
  return plain(a) === plain(b);
}

export function toEdits(draft: Draft): ColumnEdit[] {
  return Array.from(draft, ([id, change]) => ({ id, ...change }));
}

/** The column as it would be after saving. */
export function withDraft(column: Column, draft: Draft): Column {
  const change = draft.get(column.id);
  if (!change) return column;
  const { levels, ...rest } = change;
  const relabelled = levels
    ? levels.map((level) => ({
        value: level.value,
        label: level.label ?? String(level.value),
        count: column.levels?.find((old) => old.value === level.value)?.count ?? 0,
      }))
    : column.levels;
  return { ...column, ...rest, levels: relabelled };
}
