/** Conditions of the declaration: which fields are shown, and which single choice is greyed. The engine's `holds`, word for word. */
import type { Column } from './column.ts';
import { levelCount } from './column.ts';
import { misfitOf } from './boxes/fit.ts';
import { idsOf } from './form.ts';

export type Test =
  | { field: string; test: 'is'; values: readonly (string | number | boolean | null)[] }
  | { field: string; test: 'filled' }
  | { field: string; test: 'levels'; low: number | null; high: number | null }
  | { field: string; test: 'measure'; measure: string };

/** Or of ands; null holds always. */
export type When = readonly (readonly Test[])[] | null;

export interface Reading {
  valueOf: (field: string) => unknown;
  columns: ReadonlyMap<string, Column>;
}

function holdsTest(test: Test, reading: Reading): boolean {
  const value = reading.valueOf(test.field);
  const columns = (): Column[] => idsOf(value).map((id) => reading.columns.get(id)).filter((column) => column !== undefined);
  switch (test.test) {
    case 'filled':
      return value !== null && value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
    case 'is': {
      const held: readonly unknown[] = Array.isArray(value) ? value : [value ?? null];
      return held.some((one) => test.values.some((wanted) => one === wanted));
    }
    case 'levels': {
      const [first] = columns();
      if (first === undefined) return false;
      const count = levelCount(first);
      return (test.low === null || count >= test.low) && (test.high === null || count <= test.high);
    }
    case 'measure':
      return columns().some((column) => misfitOf(column, { measure: test.measure }) === null);
  }
}

export function holds(when: When | undefined, reading: Reading): boolean {
  if (when === null || when === undefined) return true;
  return when.some((branch) => branch.every((test) => holdsTest(test, reading)));
}
