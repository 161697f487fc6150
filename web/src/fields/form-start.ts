/** The form of a method before anybody has touched it, and how far it has been changed since. */
import type { Declaration } from '@hengxi/contracts/contract';

import type { Box } from './boxes/box.ts';
import type { Column } from './column.ts';
import type { Form } from './form.ts';
import { isRecord } from './form.ts';
import { roleBox } from './role/role-field.tsx';
import { isShown } from './visible.ts';
import { weightBox } from './weight/weight-field.tsx';

/** The boxes of the method's own fields, as far as they are shown. */
export function ownBoxes(
  declaration: Declaration,
  form: Form,
  resolved: Form,
  known: ReadonlyMap<string, Column>,
): Box[] {
  return declaration.fields.flatMap((field) => {
    if (!isShown(field, declaration.fields, form, resolved, known)) return [];
    if (field.type === 'role') return [roleBox(field)];
    return field.type === 'weight' ? [weightBox(field)] : [];
  });
}

/** The form of a method nobody has touched: empty boxes, defaults left to the declaration. */
export function emptyForm(declaration: Declaration): Form {
  return Object.fromEntries(
    declaration.fields.filter((field) => field.type === 'role').map((field) => [field.key, field.many ? [] : null]),
  );
}

/** How many options differ from their defaults: what the folded head says. */
export function changedCount(fields: readonly Declaration['fields'][number][], form: Form): number {
  return fields.filter((field) => {
    const value = form[field.key];
    if (value === undefined || field.type === 'role' || field.type === 'weight') return false;
    if (value === null) return 'default' in field && field.default !== null;
    if ('default' in field) return JSON.stringify(value) !== JSON.stringify(field.default);
    if (field.type === 'terms') return isRecord(value) && value['preset'] !== 'main';
    return Array.isArray(value) ? value.length > 0 : true;
  }).length;
}
