/** A multiple-answer question in the lists and boxes of an analysis: one thing, although it has a column for each option. */
import type { AnswerSet } from '@hengxi/server/files/schema';

import type { Column } from './column.ts';
import type { SetItem } from './form.ts';
import { isSetItem } from './form.ts';

/** A set where a column stands: lists and boxes know it by its id, and what goes into a form is in `set`. */
function asColumn({ id, name, label, columns, counted }: AnswerSet, members: readonly Column[]): Column {
  const title = label === null || label === '' ? name : label;
  return {
    id,
    name,
    label,
    measure: '定类',
    ordered: false,
    flags: ['多选题集'],
    storage: 'int',
    decimals: 0,
    unit: null,
    why: `${members.length} 个选项，一项一列`,
    levels: null,
    missing: { values: [], ranges: [] },
    profile: { n: 0, missing: 0, distinct: 0 },
    set: { set: id, name: title, columns: [...columns], counted },
  };
}

/** What goes into a form for this entry of a list; null for an ordinary variable. */
export function setOf(column: Column): SetItem | null {
  return isSetItem(column['set']) ? column['set'] : null;
}

export function setColumns(sets: readonly AnswerSet[], columns: readonly Column[]): Column[] {
  return sets.map((set) =>
    asColumn(
      set,
      columns.filter(({ id }) => set.columns.includes(id)),
    ),
  );
}
