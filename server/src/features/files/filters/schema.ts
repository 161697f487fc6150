/** What is active on a version: filter, weight, split; filters that have a name. */
import { z } from 'zod';
import { Condition, Name, Value } from '../parts/schema.ts';

export const FilterType = z.enum(['keep', 'drop']);
export type FilterType = z.infer<typeof FilterType>;

/** `keep`: only rows where the condition holds; `drop`: all rows but those. A condition that is missing does not hold. */
export const ActiveFilter = z.object({
  condition: z.string(),
  filter_type: FilterType,
  reduce_num: z.number(),
  filter_count: z.number(),
});
export type ActiveFilter = z.infer<typeof ActiveFilter>;

export const WeightKind = z.enum(['frequency', 'sampling', 'precision']);
export const Weight = z.strictObject({ column: z.string().min(1).max(40), kind: WeightKind });
export type Weight = z.infer<typeof Weight>;

export const Split = z.strictObject({
  column: z.string().min(1).max(40),
  levels: z.array(Value).max(30).nullable().default(null),
  total: z.boolean().default(true),
});
export type Split = z.infer<typeof Split>;

export const Active = z.object({ filter: ActiveFilter.nullable(), weight: Weight.nullable(), split: Split.nullable() });
export type Active = z.infer<typeof Active>;

export const ActiveBody = z.strictObject({ weight: Weight.nullable().optional(), split: Split.nullable().optional() });
export type ActiveBody = z.infer<typeof ActiveBody>;

export const REDUCE_NUM = 3;

/** POST /algorithm/filter?vid — an empty condition resets. */
export const FilterBody = z.strictObject({
  condition: Condition.default(''),
  filter_type: FilterType.or(z.literal('')).default('keep'),
  reduce_num: z.number().int().min(0).max(10).default(REDUCE_NUM),
});
export type FilterBody = z.infer<typeof FilterBody>;

export const FilterState = z.object({
  is_filtered: z.boolean(),
  filter_count: z.number(),
  condition: z.string(),
  filter_type: FilterType.nullable(),
  reduce_num: z.number(),
});
export type FilterState = z.infer<typeof FilterState>;

export const FilterCountBody = z.strictObject({ condition: Condition, filter_type: FilterType.default('keep') });
export const FilterCount = z.object({ count: z.number(), rows: z.number() });
export type FilterCount = z.infer<typeof FilterCount>;

export const NamedFilter = z.object({
  id: z.number(),
  name: z.string(),
  condition: z.string(),
  filter_type: FilterType,
  reduce_num: z.number(),
});
export type NamedFilter = z.infer<typeof NamedFilter>;

export const NamedFilterBody = z.strictObject({
  name: Name,
  condition: Condition.min(1, '请至少设置一个筛选条件'),
  filter_type: FilterType.default('keep'),
  reduce_num: z.number().int().min(0).max(10).default(REDUCE_NUM),
});
export type NamedFilterBody = z.infer<typeof NamedFilterBody>;
