/** The form on the wire: keys of the method's fields, and the platform's own with a leading underscore. */

export type Form = Readonly<Record<string, unknown>>;

/** What a box holds for a multiple-answer question. */
export interface SetItem {
  set: string;
  name: string;
  columns: readonly string[];
  counted: string | number | boolean | null;
}

export function isSetItem(item: unknown): item is SetItem {
  return isRecord(item) && typeof item['set'] === 'string' && Array.isArray(item['columns']);
}

export type Item = string | SetItem;

const isItem = (item: unknown): item is Item => (typeof item === 'string' && item !== '') || isSetItem(item);

/** A role holds one variable or set, a list of them or nothing, a slot an object around its column; here always a list. */
export function itemsOf(value: unknown): Item[] {
  if (isItem(value)) return [value];
  if (isRecord(value)) return typeof value['column'] === 'string' ? [value['column']] : [];
  return Array.isArray(value) ? value.filter(isItem) : [];
}

export const idOfItem = (item: Item): string => (typeof item === 'string' ? item : item.set);

/** The same by their ids: a set has one as a column has. */
export function idsOf(value: unknown): string[] {
  return itemsOf(value).map(idOfItem);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return listOf(value).filter(isRecord);
}

/** Words as they are, '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Nothing chosen: what `filled` in a condition means the opposite of. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}

/** Equal by content; forms are plain JSON. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

/** The form with some keys changed; a key set to undefined is left out (the platform's keys fall back to the version's). */
export function withValues(form: Form, changes: Form): Form {
  const next: Record<string, unknown> = { ...form, ...changes };
  for (const key of Object.keys(changes)) if (changes[key] === undefined) delete next[key];
  return next;
}
