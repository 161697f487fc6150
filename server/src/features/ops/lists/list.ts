/** What a list states about itself: its columns and filters, and its rows for a query. */
import { missing } from '../../../lib/errors.ts';
import type { Operator } from '../access.ts';
import { choicesOf } from '../act.ts';
import { idOf } from '../context.ts';
import type { Cell, Column, Filter, ListQuery, OpsRow } from '../schema.ts';

export interface Listed {
  title: string;
  columns: Column[];
  filters?: Filter[];
  /** Acts that make something new. */
  makes?: string[];
  /** Said when nothing was asked for. */
  hint?: string;
  rows(query: ListQuery, operator: Operator): Promise<{ total: number; list: Row[] }>;
}

/** `acts` names what fits the state of the row; who may do it is judged afterwards. */
export type Row = Partial<OpsRow> & Pick<OpsRow, 'id' | 'cells'>;

export const column = (key: string, title: string, kind: Column['kind'] = 'text'): Column => ({ key, title, kind });

export const stateFilter = (labels: Record<string, string>, label = '状态', all = true): Filter => ({
  key: 'state',
  label,
  choices: choicesOf(labels),
  all,
});
export const textFilter = (key: string, label: string): Filter => ({ key, label, choices: null, all: true });

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** What stands in the address and is no number names nothing: an empty list, no error. */
export class NothingSuch extends Error {}
export function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const id = idOf(text);
  if (id === null) throw new NothingSuch();
  return id;
}

/** A filter that must be one of its choices. */
export function oneOf(labels: Record<string, string>, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (!Object.hasOwn(labels, value)) throw new NothingSuch();
  return value;
}

export const pageOf = <T>(all: readonly T[], { page, page_size: size }: ListQuery): { total: number; list: T[] } => {
  const from = (Math.max(1, page) - 1) * size;
  return { total: all.length, list: all.slice(from, from + size) };
};

export const text = (value: string | undefined): string | undefined => value || undefined;
export const cellOf = (value: Cell | undefined): Cell => value ?? null;
export const found = <T>(value: T | null): T => {
  if (value === null) throw missing();
  return value;
};
