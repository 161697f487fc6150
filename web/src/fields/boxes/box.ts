/** The boxes of a method card as plain data, and every way of putting variables into them. No React, no drag library. */
import type { Column } from '../column.ts';
import { byId, titleOf } from '../column.ts';
import type { Form } from '../form.ts';
import type { Item } from '../form.ts';
import { idOfItem, idsOf, itemsOf, withValues } from '../form.ts';
import { setOf } from '../answer-sets.ts';
import type { Misfit, Needs } from './fit.ts';
import { misfitOf } from './fit.ts';

export interface Box {
  /** Key of the form. */
  key: string;
  title: string;
  needs: Needs;
  /** The wire holds a list (also of one). */
  many: boolean;
  min: number;
  max: number | null;
  /** Keys of boxes that may hold the same variable. */
  shared: readonly string[];
  /** Letter or sign shown beside a used variable in the list. */
  badge: string;
  /** Dropping does not assign but opens something (the filter's rows). */
  opens?: boolean;
  /** What the wire holds around the one column of a slot: `{column, kind}` of a weight. */
  wrap?: (id: string) => unknown;
  /** The columns in its value, where that is more than ids (a condition, a part of a larger field). */
  read?: (value: unknown) => string[];
  /** The larger field this box is a part of; its own key otherwise. */
  field?: string;
  /** The value of the larger field with these columns in the box. */
  write?: (value: unknown, ids: readonly string[]) => unknown;
}

export const fieldOf = (box: Box): string => box.field ?? box.key;

export function idsIn(form: Form, box: Box): string[] {
  return (box.read ?? idsOf)(form[fieldOf(box)]);
}

/** `added`: sets that come into the box, by id; those in it already are read from its value. */
function valueWith(form: Form, box: Box, ids: readonly string[], added: ReadonlyMap<string, Item>): unknown {
  const value = form[fieldOf(box)];
  if (box.write !== undefined) return box.write(value, ids);
  const [first] = ids;
  if (box.wrap !== undefined) return first === undefined ? null : box.wrap(first);
  const here = new Map(itemsOf(value).map((item) => [idOfItem(item), item]));
  const items = ids.map((id) => added.get(id) ?? here.get(id) ?? id);
  return box.many ? items : (items[0] ?? null);
}

function store(form: Form, box: Box, ids: readonly string[], added: ReadonlyMap<string, Item> = NO_SETS): Form {
  return withValues(form, { [fieldOf(box)]: valueWith(form, box, ids, added) });
}

const NO_SETS: ReadonlyMap<string, Item> = new Map();

function setsAmong(ids: readonly string[], known: ReadonlyMap<string, Column>): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  for (const id of ids) {
    const column = known.get(id);
    const set = column === undefined ? null : setOf(column);
    if (set !== null) items.set(id, set);
  }
  return items;
}

/** How many more variables a box takes; Infinity without a limit. */
export function room(form: Form, box: Box): number {
  return box.max === null ? Infinity : Math.max(0, box.max - idsIn(form, box).length);
}

export function roomText(form: Form, box: Box): string {
  const left = room(form, box);
  if (left === 0) return '放下将替换';
  return left === Infinity ? '可放多个' : `还可放 ${left} 个`;
}

export interface Bounced {
  id: string;
  misfit: Misfit;
}

export interface Placement {
  form: Form;
  added: string[];
  replaced: string[];
  bounced: Bounced[];
  /** Fitting ones for which there was no room. */
  left: string[];
}

export interface Aim {
  /** Position in the box; the end when left out. */
  at?: number;
  /** The item under the pointer, replaced when the box is full. */
  over?: string;
}

/** Everything of `ids` that is in other boxes leaves them, unless the two boxes share. */
function takenOut(form: Form, boxes: readonly Box[], target: Box, ids: ReadonlySet<string>): Form {
  let next = form;
  for (const box of boxes) {
    if (box.key === target.key || box.opens === true) continue;
    if (box.shared.includes(target.key) || target.shared.includes(box.key)) continue;
    const here = idsIn(next, box);
    const kept = here.filter((id) => !ids.has(id));
    if (kept.length < here.length) next = store(next, box, kept);
  }
  return next;
}

function insert(
  here: readonly string[],
  ids: readonly string[],
  box: Box,
  aim: Aim,
): { ids: string[]; replaced: string[]; left: string[] } {
  const remaining = here.filter((id) => !ids.includes(id));
  // Items moved within the box shift the insertion point left of them.
  const shift = here.slice(0, aim.at ?? 0).filter((id) => ids.includes(id)).length;
  const at = aim.at === undefined ? remaining.length : Math.max(0, Math.min(aim.at - shift, remaining.length));
  const space = box.max === null ? Infinity : box.max - remaining.length;
  if (space >= ids.length)
    return { ids: [...remaining.slice(0, at), ...ids, ...remaining.slice(at)], replaced: [], left: [] };
  if (space > 0) {
    const fit = ids.slice(0, space);
    return { ids: [...remaining.slice(0, at), ...fit, ...remaining.slice(at)], replaced: [], left: ids.slice(space) };
  }
  const out = aim.over !== undefined && remaining.includes(aim.over) ? aim.over : (remaining.at(-1) ?? '');
  const next = remaining.map((id) => (id === out ? (ids[0] ?? id) : id));
  return { ids: next, replaced: out === '' ? [] : [out], left: ids.slice(1) };
}

/** Puts what fits into the box; the rest is named, never lost and never silently taken. */
export function place(
  form: Form,
  boxes: readonly Box[],
  box: Box,
  ids: readonly string[],
  columns: readonly Column[],
  aim: Aim = {},
): Placement {
  const known = byId(columns);
  const bounced: Bounced[] = [];
  const fitting: string[] = [];
  for (const id of ids) {
    const column = known.get(id);
    if (column === undefined) continue;
    const misfit = misfitOf(column, box.needs);
    if (misfit === null) fitting.push(id);
    else bounced.push({ id, misfit });
  }
  if (fitting.length === 0) return { form, added: [], replaced: [], bounced, left: [] };
  const before = idsIn(form, box);
  const result = insert(before, fitting, box, aim);
  const added = result.ids.filter((id) => fitting.includes(id));
  const cleared = takenOut(form, boxes, box, new Set(added));
  const next = store(cleared, box, result.ids, setsAmong(fitting, known));
  return { form: next, added, replaced: result.replaced, bounced, left: result.left };
}

/** The form as if the variables were in the box whether they fit or not: what the engine is asked about before a refusal is shown. */
export function force(
  form: Form,
  boxes: readonly Box[],
  box: Box,
  ids: readonly string[],
  known: ReadonlyMap<string, Column>,
): Form {
  const result = insert(idsIn(form, box), ids, box, {});
  return store(takenOut(form, boxes, box, new Set(ids)), box, result.ids, setsAmong(ids, known));
}

export function remove(form: Form, box: Box, ids: readonly string[]): Form {
  return store(
    form,
    box,
    idsIn(form, box).filter((id) => !ids.includes(id)),
  );
}

export function move(form: Form, box: Box, id: string, by: -1 | 1): Form {
  const ids = idsIn(form, box);
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return form;
  const next = ids.filter((item) => item !== id);
  next.splice(to, 0, id);
  return store(form, box, next);
}

/** Where Enter and a double click send a selection: the first box that takes all of it, then one that takes some, empty ones first. */
export function firstFitting(
  form: Form,
  boxes: readonly Box[],
  ids: readonly string[],
  columns: readonly Column[],
): Box | null {
  const known = byId(columns);
  const takes = (box: Box): number =>
    ids.filter((id) => {
      const column = known.get(id);
      return column !== undefined && misfitOf(column, box.needs) === null && !idsIn(form, box).includes(id);
    }).length;
  const open = boxes.filter((box) => box.opens !== true && !box.key.startsWith('_') && room(form, box) > 0);
  const needed = open.filter((box) => idsIn(form, box).length < box.min);
  const whole = (box: Box): boolean => takes(box) === ids.length && room(form, box) >= ids.length;
  return (
    needed.find(whole) ??
    open.find(whole) ??
    needed.find((box) => takes(box) > 0) ??
    open.find((box) => takes(box) > 0) ??
    null
  );
}

/** Why Enter and a double click place nothing: the box whose refusal is shown, or a sentence where no box refuses. */
export type Nowhere = { refusedBy: Box } | { text: string };

export function whyNowhere(
  form: Form,
  boxes: readonly Box[],
  ids: readonly string[],
  columns: readonly Column[],
): Nowhere {
  const known = byId(columns);
  const chosen = ids.map((id) => known.get(id)).filter((column) => column !== undefined);
  const open = boxes.filter((box) => box.opens !== true && !box.key.startsWith('_'));
  const holder = open.find((box) => ids.every((id) => idsIn(form, box).includes(id)));
  const fits = (box: Box): boolean => chosen.some((column) => misfitOf(column, box.needs) === null);
  const full = open.find((box) => box !== holder && room(form, box) === 0 && fits(box));
  const free = open.filter((box) => box !== holder && room(form, box) > 0 && !fits(box));
  const needed = free.find((box) => idsIn(form, box).length < box.min);
  if (needed !== undefined) return { refusedBy: needed };
  if (holder !== undefined) return { text: `${named(ids, columns)}已在“${holder.title}”里` };
  if (full !== undefined) return { text: `“${full.title}”已放满，请先移出一个，或把变量拖到它上面替换` };
  const refusedBy = free[0] ?? open.find((box) => !fits(box));
  return refusedBy === undefined ? { text: '这个方法不需要放变量' } : { refusedBy };
}

export interface Use {
  key: string;
  badge: string;
  title: string;
}

/** Which boxes hold each variable: the badges of the list. */
export function usesOf(form: Form, boxes: readonly Box[]): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  for (const box of boxes) {
    for (const id of idsIn(form, box)) {
      uses.set(id, [...(uses.get(id) ?? []), { key: box.key, badge: box.badge, title: box.title }]);
    }
  }
  return uses;
}

/** X of 分组变量X, 权 of 频数权重: one sign that fits beside a name. */
export function badgeOf(title: string): string {
  const plain = title.replace(/[（(].*$/u, '').trim();
  return /([A-Z])$/u.exec(plain)?.[1] ?? plain.slice(0, 1);
}

const named = (ids: readonly string[], columns: readonly Column[]): string => {
  const known = byId(columns);
  const names = ids
    .map((id) => known.get(id))
    .filter((column) => column !== undefined)
    .map((column) => `“${titleOf(column)}”`);
  return names.length > 3 ? `${names.slice(0, 2).join('')}等 ${names.length} 个变量` : names.join('');
};

/** What the live region says (and the toast, when something bounced). */
export function placementText(placement: Placement, box: Box, columns: readonly Column[]): string {
  const parts: string[] = [];
  if (placement.added.length > 0) {
    // The place for a new group stays empty: what was put there is in the group it made.
    const count = Math.max(idsIn(placement.form, box).length, placement.added.length);
    const of = box.max === null ? `共 ${count} 个` : `${count}/${box.max}`;
    parts.push(`已将${named(placement.added, columns)}加入${box.title}，${of}`);
  }
  if (placement.replaced.length > 0) parts.push(`替换了${named(placement.replaced, columns)}`);
  if (placement.left.length > 0) parts.push(`${box.title}放不下${named(placement.left, columns)}`);
  const [first] = placement.bounced;
  if (first !== undefined && placement.added.length === 0 && placement.bounced.length === 1)
    parts.push(first.misfit.text);
  else if (first !== undefined)
    parts.push(
      `${named(
        placement.bounced.map((item) => item.id),
        columns,
      )}不能放入${box.title}`,
    );
  return parts.join('；');
}
