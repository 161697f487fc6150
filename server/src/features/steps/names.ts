/** The columns a step speaks of. Their names travel with it, so that it finds them again in another table. */
import type { Declaration, Field } from '@hengxi/contracts/contract';
import type { Column, Step } from '../files/schema.ts';

const ID = /\bc\d{1,6}\b/g;

/** Names of the columns whose ids occur anywhere in a value. */
export function namesIn(value: unknown, columns: Column[]): Record<string, string> {
  const found = new Set(JSON.stringify(value ?? null).match(ID) ?? []);
  return Object.fromEntries(columns.filter(({ id }) => found.has(id)).map(({ id, name }) => [id, name]));
}

type Ids = ReadonlyMap<string, string>;

const inText = (text: string, ids: Ids): string =>
  text.replace(/\{(c\d{1,6})\}/g, (whole, id: string) => (ids.has(id) ? `{${ids.get(id)}}` : whole));

/** Ids as values and as keys of objects, at any depth. */
function inValue(value: unknown, ids: Ids): unknown {
  if (typeof value === 'string') return ids.get(value) ?? inText(value, ids);
  if (Array.isArray(value)) return value.map((one) => inValue(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [ids.get(key) ?? key, inValue(one, ids)]));
}

/** Types of fields that hold values of the table or words of a person: what looks like an id there is none. */
const PLAIN: readonly string[] = [
  'dataset',
  'mapping',
  'level',
  'choice',
  'many',
  'words',
  'number',
  'integer',
  'numbers',
  'flag',
];

/** Columns of another table, which stays at a version of its own, keep their ids. */
function inField(field: Field | undefined, value: unknown, ids: Ids): unknown {
  if (PLAIN.includes(field?.type ?? '')) return value;
  if (field?.type === 'role' && field.table !== null) return value;
  if (field?.type !== 'matched' || !Array.isArray(value)) return inValue(value, ids);
  const foreign = new Set(field.slots.flatMap(({ key, table }) => (table === null ? [] : [key])));
  return value.map((row: unknown) =>
    isRecord(row)
      ? Object.fromEntries(Object.entries(row).map(([key, one]) => [key, foreign.has(key) ? one : inValue(one, ids)]))
      : row,
  );
}

function inForm(form: Record<string, unknown>, fields: readonly Field[], ids: Ids): Record<string, unknown> {
  const known = new Map(fields.map((field) => [field.key, field]));
  return Object.fromEntries(Object.entries(form).map(([key, value]) => [key, inField(known.get(key), value, ids)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only the columns of a set are ids of columns; its name, label and counted value are words and values. */
function inSets(sets: unknown, ids: Ids): unknown {
  if (!Array.isArray(sets)) return [];
  return sets.map((set: unknown) => (isRecord(set) ? { ...set, columns: inValue(set['columns'], ids) } : set));
}

/** The parameters of a step with the ids that its columns have in the table it was run on. */
export function renumbered(step: Step, ids: Ids, method: Declaration | null): Step['params'] {
  const { params } = step;
  if (step.op === 'data') {
    const form = isRecord(params['form']) ? params['form'] : {};
    const [filter, weight, split] = ['filter', 'weight', 'split'].map((key) => inValue(params[key] ?? null, ids));
    return { ...params, form: inForm(form, method?.fields ?? [], ids), filter, weight, split };
  }
  if (step.op === 'process') {
    const form = isRecord(params['form']) ? params['form'] : {};
    return { ...params, form: inForm(form, method?.fields ?? [], ids), filter: inValue(params['filter'] ?? null, ids) };
  }
  if (step.op === 'replace') {
    const seek = isRecord(params['seek']) ? params['seek'] : {};
    const columns = inValue(seek['columns'] ?? null, ids);
    return { ...params, seek: { ...seek, columns }, condition: inValue(params['condition'] ?? null, ids) };
  }
  // The engine tells such an act with the ids it found.
  if (step.op === 'rows' || step.op === 'columns') return params;
  if (step.op === 'sets') return { ...params, sets: inSets(params['sets'], ids) };
  const key = step.op === 'edit' ? 'columns' : 'cells';
  const list = Array.isArray(params[key]) ? params[key] : [];
  return {
    ...params,
    [key]: list.map((item: unknown) => {
      if (!isRecord(item)) return item;
      const at = step.op === 'edit' ? 'id' : 'column';
      const id = item[at];
      return typeof id === 'string' ? { ...item, [at]: ids.get(id) ?? id } : item;
    }),
  };
}
