/** From the body of a call to what the engine is asked: the form, and what the platform decides beside it. */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import { Fault } from '../../lib/errors.ts';
import { FilterType, Split, WeightKind } from '../files/schema.ts';
import type { Weight } from '../files/schema.ts';
import type { VersionFacts } from '../files/service.ts';
import type { Form } from '../reports/schema.ts';

const Condition = z.string().max(2000);
const FilterGiven = z.union([
  Condition,
  z.strictObject({ condition: Condition, filter_type: FilterType.default('keep') }),
]);
const WeightGiven = z.union([
  z.string().min(1).max(40),
  z.strictObject({ column: z.string().min(1).max(40), kind: WeightKind.optional() }),
]);

export interface FilterUsed {
  condition: string;
  filter_type: FilterType;
}

/** What decides the result besides the data. */
export interface AnalysisRequest {
  form: Form;
  filter: FilterUsed | null;
  split: Split | null;
  weight: Weight | null;
}

function given<T>(schema: z.ZodType<T>, value: unknown, key: string): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Fault(30090, { detail: `${key} 的格式不正确` });
  return parsed.data;
}

/** The method's own part of a form. */
export function bareForm(body: Form): Form {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !key.startsWith('_')));
}

/** What the form itself chose in the place of what the version has active: kept with it, or a second run would lose it. */
export function ownChoices(body: Form): Form {
  return Object.fromEntries(['_filter', '_split', '_weight'].flatMap((key) => (key in body ? [[key, body[key]]] : [])));
}

/** Missing = what the version has active; null = none. */
export function readRequest(body: Form, method: Declaration, version: VersionFacts | null): AnalysisRequest {
  return {
    form: bareForm(body),
    filter: readFilter(body['_filter'], version),
    split: readSplit(body['_split'], method, version),
    weight: readWeight(body['_weight'], method, version),
  };
}

function readFilter(value: unknown, version: VersionFacts | null): FilterUsed | null {
  if (value === null) return null;
  if (value === undefined) {
    const active = version?.filter;
    return active ? { condition: active.condition, filter_type: active.filter_type } : null;
  }
  const parsed = given(FilterGiven, value, '_filter');
  const filter = typeof parsed === 'string' ? { condition: parsed, filter_type: 'keep' as const } : parsed;
  return filter.condition.trim() === '' ? null : { ...filter, condition: filter.condition.trim() };
}

/** An active split is not meant for methods that cannot be split; asking them for one is a mistake of the caller. */
function readSplit(value: unknown, method: Declaration, version: VersionFacts | null): Split | null {
  if (value === undefined) return method.split ? (version?.split ?? null) : null;
  if (value === null) return null;
  const split = given(Split, value, '_split');
  if (!method.split) {
    const text = `“${method.title}”不能分组运行，请取消分组`;
    throw new Fault(
      30601,
      { text },
      {
        fields: [
          {
            field: '_split',
            code: 'split.unsupported',
            text,
            remedies: [{ title: '不分组运行', set: { _split: null } }],
          },
        ],
      },
    );
  }
  return split;
}

/** A bare column id means the kind the version weights by, else counts of cases. */
function readWeight(value: unknown, method: Declaration, version: VersionFacts | null): Weight | null {
  if (value === undefined) return method.needs_data === false ? null : (version?.weight ?? null);
  if (value === null) return null;
  const parsed = given(WeightGiven, value, '_weight');
  const column = typeof parsed === 'string' ? parsed : parsed.column;
  const kind = typeof parsed === 'string' ? undefined : parsed.kind;
  const active = version?.weight?.column === column ? version.weight.kind : undefined;
  return { column, kind: kind ?? active ?? 'frequency' };
}
