/** The boxes of a method's card: its roles and weights in order, then the platform's slots. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Active } from '@hengxi/server/files/schema';

import type { Box } from '../../../fields/boxes/box.ts';
import type { Column } from '../../../fields/column.ts';
import { columnsIn } from '../../../fields/condition/words.ts';
import type { Form } from '../../../fields/form.ts';
import { isRecord } from '../../../fields/form.ts';
import { ownBoxes } from '../../../fields/form-start.ts';
import { weightBox } from '../../../fields/weight/weight-field.tsx';

export const FILTER = '_filter';
export const SPLIT = '_split';
export const WEIGHT = '_weight';

/** A split makes one part for each level; more than this nobody reads. */
const SPLIT_LEVELS = 30;

export const filterBox: Box = {
  key: FILTER,
  title: '筛选',
  needs: { measure: '任意', use: 'label', sets: true },
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
  return [...ownBoxes(declaration, form, resolved, known), ...slotBoxes(declaration)];
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
