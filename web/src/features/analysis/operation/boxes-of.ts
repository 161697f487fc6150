/** The boxes of a method's card: its roles and weights in order, then the platform's slots. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Active } from '@hengxi/server/files/schema';

import type { Box } from '../../../fields/boxes/box.ts';
import type { Column } from '../../../fields/column.ts';
import { columnsIn } from '../../../fields/condition/words.ts';
import type { Form } from '../../../fields/form.ts';
import { isRecord } from '../../../fields/form.ts';
import { roleBox } from '../../../fields/role/role-field.tsx';
import { isShown } from '../../../fields/visible.ts';
import { weightBox } from '../../../fields/weight/weight-field.tsx';

export const FILTER = '_filter';
export const SPLIT = '_split';
export const WEIGHT = '_weight';

/** A split makes one part for each level; more than this nobody reads. */
const SPLIT_LEVELS = 30;

export const filterBox: Box = {
  key: FILTER,
  title: '筛选',
  needs: { measure: '任意', use: 'label' },
  many: false,
  min: 0,
  max: null,
  shared: [],
  badge: '筛',
  opens: true,
  read: columnsIn,
};

export const splitBox: Box = {
  key: SPLIT,
  title: '分层',
  needs: { measure: '定类', levels: [2, SPLIT_LEVELS] },
  many: false,
  min: 0,
  max: 1,
  shared: [],
  badge: '层',
  wrap: (id) => ({ column: id, levels: null, total: true }),
};

function platformWeight(declaration: Declaration): Box | null {
  const [kind] = declaration.weights;
  // A method with a weight of its own needs no second one.
  if (kind === undefined || declaration.fields.some((field) => field.type === 'weight')) return null;
  return {
    ...weightBox({ key: WEIGHT, title: '加权', whole: false }),
    wrap: (column) => ({ column, kind }),
  };
}

export function slotBoxes(declaration: Declaration): Box[] {
  if (declaration.needs_data === false) return [];
  const weight = platformWeight(declaration);
  return [filterBox, ...(declaration.split ? [splitBox] : []), ...(weight === null ? [] : [weight])];
}

export function boxesOf(
  declaration: Declaration,
  form: Form,
  resolved: Form,
  known: ReadonlyMap<string, Column>,
): Box[] {
  const own = declaration.fields.flatMap((field) => {
    if (!isShown(field, declaration.fields, form, resolved, known)) return [];
    if (field.type === 'role') return [roleBox(field)];
    return field.type === 'weight' ? [weightBox(field)] : [];
  });
  return [...own, ...slotBoxes(declaration)];
}

export interface FilterInForce {
  condition: string;
  filter_type: 'keep' | 'drop';
  /** True while it is the version's and not this analysis' own. */
  inherited: boolean;
}

/** A missing key means what the version has active, null means none. */
export function filterOf(form: Form, active: Active): FilterInForce | null {
  const own = form[FILTER];
  if (typeof own === 'string' && own !== '') return { condition: own, filter_type: 'keep', inherited: false };
  if (FILTER in form || active.filter === null) return null;
  return { condition: active.filter.condition, filter_type: active.filter.filter_type, inherited: true };
}

export interface ColumnInForce {
  column: string;
  inherited: boolean;
}

export function splitOf(form: Form, active: Active): ColumnInForce | null {
  const own = form[SPLIT];
  if (isRecord(own) && typeof own['column'] === 'string') return { column: own['column'], inherited: false };
  return SPLIT in form || active.split === null ? null : { column: active.split.column, inherited: true };
}

export function weightOf(form: Form, active: Active): ColumnInForce | null {
  const own = form[WEIGHT];
  if (isRecord(own) && typeof own['column'] === 'string') return { column: own['column'], inherited: false };
  return WEIGHT in form || active.weight === null ? null : { column: active.weight.column, inherited: true };
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
