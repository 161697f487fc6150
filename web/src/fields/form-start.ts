/** The form of a method before anybody has touched it, and how far it has been changed since. */
import type { Declaration, Field } from '@hengxi/contracts/contract';

import { blockBoxes, prunedBlocks } from './blocks/read-blocks.ts';
import type { Box } from './boxes/box.ts';
import type { Column } from './column.ts';
import type { Form } from './form.ts';
import { idsOf, isRecord } from './form.ts';
import { matchedBoxes, prunedMatched } from './matched/read-matched.ts';
import { withNewRow } from './records/read-records.ts';
import { roleBox } from './role/role-field.tsx';
import { timelineBox } from './timeline/timeline-field.tsx';
import { isShown } from './visible.ts';
import { weightBox } from './weight/weight-field.tsx';
import { prunedWithin, withinBoxes } from './within/read-within.ts';

/** What a field is on the card: its boxes for variables. */
export function boxesOfField(field: Field, value: unknown): Box[] {
  switch (field.type) {
    case 'role':
      return field.table === null ? [roleBox(field)] : [];
    case 'weight':
      return [weightBox(field)];
    case 'timeline':
      return [timelineBox(field)];
    case 'blocks':
      return blockBoxes(field, value);
    case 'matched':
      return matchedBoxes(field, value);
    case 'within':
      return withinBoxes(field, value);
    default:
      return [];
  }
}

/** The value of a field that holds variables, without those that are gone; undefined for a field that holds none. */
export function withoutMissingColumns(field: Field, value: unknown, has: (id: string) => boolean): unknown {
  switch (field.type) {
    case 'timeline':
      return idsOf(value).every(has) ? value : null;
    case 'blocks':
      return value === undefined ? value : prunedBlocks(value, has);
    case 'matched':
      return value === undefined ? value : prunedMatched(field, value, has);
    case 'within':
      return prunedWithin(field, value, has);
    default:
      return undefined;
  }
}

/** The boxes of the method's own fields, as far as they are shown. */
export function ownBoxes(
  declaration: Declaration,
  form: Form,
  resolved: Form,
  known: ReadonlyMap<string, Column>,
): Box[] {
  return declaration.fields.flatMap((field) => {
    if (!isShown(field, declaration.fields, form, resolved, known)) return [];
    return boxesOfField(field, form[field.key]);
  });
}

/** The form of a method nobody has touched: empty boxes, one row where rows are needed, defaults left to the declaration. */
export function emptyForm(declaration: Declaration): Form {
  return Object.fromEntries(
    declaration.fields.flatMap((field): [string, unknown][] => {
      if (field.type === 'role') return [[field.key, field.many ? [] : null]];
      if (field.type === 'records' && field.min > 0) return [[field.key, withNewRow(field, [])]];
      return [];
    }),
  );
}

const VARIABLES: ReadonlySet<Field['type']> = new Set([
  'role',
  'weight',
  'timeline',
  'blocks',
  'matched',
  'within',
  'records',
]);

/** How many options differ from their defaults: what the folded head says. */
export function changedCount(fields: readonly Declaration['fields'][number][], form: Form): number {
  return fields.filter((field) => {
    const value = form[field.key];
    if (value === undefined || VARIABLES.has(field.type)) return false;
    if (value === null) return 'default' in field && field.default !== null;
    if ('default' in field) return JSON.stringify(value) !== JSON.stringify(field.default);
    if (field.type === 'terms') return isRecord(value) && value['preset'] !== 'main';
    return Array.isArray(value) ? value.length > 0 : true;
  }).length;
}
