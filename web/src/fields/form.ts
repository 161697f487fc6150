/** The form on the wire: keys of the method's fields, and the platform's own with a leading underscore. */

export type Form = Readonly<Record<string, unknown>>;

/** A role holds one id, a list of ids or nothing, a slot an object around its column; here it is always a list. */
export function idsOf(value: unknown): string[] {
  if (typeof value === 'string' && value !== '') return [value];
  if (isRecord(value)) return typeof value['column'] === 'string' ? [value['column']] : [];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === 'string');
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
