/** Conditions of the declaration: which fields are shown, and which single choice is greyed. The engine's `holds`, word for word. */
import type { When, WhenTest } from '@hengxi/contracts/contract';

import type { Column } from './column.ts';
import { levelCount } from './column.ts';
import { misfitOf } from './boxes/fit.ts';
import { idsOf, isSetItem, listOf } from './form.ts';

export interface Reading {
  valueOf: (field: string) => unknown;
  columns: ReadonlyMap<string, Column>;
}

function holdsTest(test: WhenTest, reading: Reading): boolean {
  const value = reading.valueOf(test.field);
  const columns = (): Column[] =>
    idsOf(value)
      .map((id) => reading.columns.get(id))
      .filter((column) => column !== undefined);
  switch (test.test) {
    case 'filled':
      return (
        value !== null &&
        value !== undefined &&
        value !== false &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0)
      );
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
    case 'holds':
      return listOf(value).some((item) => isSetItem(item) === (test.kind === 'set'));
    case 'measure':
      return columns().some((column) => misfitOf(column, { measure: test.measure }) === null);
  }
}

export function holds(when: When | null | undefined, reading: Reading): boolean {
  if (when === null || when === undefined) return true;
  return when.some((branch) => branch.every((test) => holdsTest(test, reading)));
}
