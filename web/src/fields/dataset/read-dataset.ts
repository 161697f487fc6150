/** Other tables a form names, as it holds them (contract: dataset). */
import type { DatasetField, Field } from '@hengxi/contracts/contract';

import type { Form } from '../form.ts';
import { isRecord, recordsOf } from '../form.ts';

export interface Named {
  vid: number;
  name?: string;
}

function read(value: unknown): Named[] {
  if (!isRecord(value) || typeof value['vid'] !== 'number') return [];
  const { vid, name } = value;
  return [typeof name === 'string' ? { vid, name } : { vid }];
}

export const readDatasets = (field: DatasetField, value: unknown): Named[] =>
  field.many ? recordsOf(value).flatMap(read) : read(value);

/** The form with other tables chosen; what was chosen among the columns of the one before goes with it. */
export function withDatasets(
  fields: readonly Field[],
  form: Form,
  field: DatasetField,
  chosen: readonly Named[],
): Form {
  const next: Record<string, unknown> = { ...form, [field.key]: field.many ? [...chosen] : (chosen[0] ?? null) };
  for (const other of fields) {
    if (other.type === 'role' && other.table === field.key) next[other.key] = other.many ? [] : null;
    if (other.type !== 'matched') continue;
    const foreign = other.slots.filter(({ table }) => table === field.key).map(({ key }) => key);
    if (foreign.length === 0) continue;
    const cleared = Object.fromEntries(foreign.map((key) => [key, null]));
    next[other.key] = recordsOf(form[other.key]).map((row) => ({ ...row, ...cleared }));
  }
  return next;
}
