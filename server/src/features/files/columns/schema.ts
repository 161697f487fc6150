/** What a column is and how it is edited, sets of columns that answer one question. */
import { z } from 'zod';
import { ColumnId, Value } from '../parts/schema.ts';

export const Measure = z.enum(['定类', '定量', '时间', '文本']);
export type Measure = z.infer<typeof Measure>;

/** `label` equals the value as text where nobody gave one. */
export const Level = z.object({ value: Value, label: z.string(), count: z.number() });
export type Level = z.infer<typeof Level>;

export const Missing = z.object({
  values: z.array(Value),
  ranges: z.array(z.object({ low: z.number().nullable(), high: z.number().nullable() })),
});
export type Missing = z.infer<typeof Missing>;

/** `n` valid cells, `missing` empty ones and user-missing codes. `min` and `max` are numbers, or ISO text for dates. */
const Counts = z.array(z.looseObject({ value: Value, count: z.number() })).nullish();

export const Profile = z.looseObject({
  n: z.number(),
  missing: z.number(),
  distinct: z.number(),
  min: z.union([z.number(), z.string()]).nullish(),
  max: z.union([z.number(), z.string()]).nullish(),
  mean: z.number().nullish(),
  sd: z.number().nullish(),
  median: z.number().nullish(),
  q1: z.number().nullish(),
  q3: z.number().nullish(),
  whole: z.boolean().nullish(),
  non_negative: z.boolean().nullish(),
  positive: z.boolean().nullish(),
  unique: z.boolean().nullish(),
  histogram: z.array(z.looseObject({ low: z.number(), high: z.number(), count: z.number() })).nullish(),
  top: Counts,
  /** The outermost values of whole numbers, from the end inwards. */
  lowest: Counts,
  highest: Counts,
});
export type Profile = z.infer<typeof Profile>;

export const Column = z.looseObject({
  id: z.string(),
  name: z.string(),
  label: z.string().nullable(),
  measure: Measure,
  ordered: z.boolean(),
  flags: z.array(z.string()),
  storage: z.enum(['int', 'float', 'text', 'date', 'datetime', 'bool']),
  decimals: z.number(),
  unit: z.string().nullable(),
  why: z.string(),
  levels: z.array(Level).nullable(),
  missing: Missing,
  /** What the codes among the missing values are called; `levels` are answers only. */
  missing_labels: z.array(Level).nullish(),
  /** Of seconds that are times of day or durations: the format of the file that shows them so (TIME8, DTIME11). */
  clock: z.string().nullish(),
  /** Of answers in words that are of a scale: what 1 … k are called, and the score of each word; `rest` has none. */
  wording: z
    .looseObject({
      title: z.string(),
      labels: z.array(z.string()),
      scores: z.record(z.string(), z.number()),
      rest: z.array(z.string()),
    })
    .nullish(),
  /** Of a text read as numbers: the score of each word. */
  scores: z.record(z.string(), z.number()).nullish(),
  profile: Profile,
});
export type Column = z.infer<typeof Column>;

/** A question with several answers, one column each; `counted` is the value that means chosen, null: any value. */
export const AnswerSet = z.looseObject({
  id: z.string(),
  name: z.string(),
  label: z.string().nullable(),
  columns: z.array(z.string()),
  counted: Value.nullable(),
});
export type AnswerSet = z.infer<typeof AnswerSet>;

const FLAGS = ['量表', '标识'] as const;

/** One column of an edit: what is left out stays. */
export const ColumnEdit = z.strictObject({
  id: ColumnId,
  name: z.string().trim().min(1, '变量名不能为空').max(200, '变量名最多 200 个字').optional(),
  label: z.string().max(1000, '变量标签最多 1000 个字').nullable().optional(),
  measure: Measure.optional(),
  /** How 03/04/2024 is read where a text is declared 时间 and both orders fit; refused with edit.date_order without it. */
  date_order: z.enum(['mdy', 'dmy']).optional(),
  /** How 1,234 is read where a text is declared 定量 and two ways fit; refused with edit.reading without it. */
  reading: z.string().max(100).optional(),
  /** The score of each word, where a text is declared 定量. */
  scores: z.record(z.string().max(200), z.int().min(-1000).max(1000)).optional(),
  ordered: z.boolean().optional(),
  levels: z
    .array(z.strictObject({ value: Value, label: z.string().max(500).nullable() }))
    .max(10_000)
    .nullable()
    .optional(),
  missing: z
    .strictObject({
      values: z.array(z.union([z.string().max(200), z.number(), z.boolean()])).max(50),
      ranges: z.array(z.strictObject({ low: z.number().nullable(), high: z.number().nullable() })).max(10),
    })
    .optional(),
  flags: z.array(z.enum(FLAGS)).max(FLAGS.length).optional(),
  unit: z.string().max(40).nullable().optional(),
});
export type ColumnEdit = z.infer<typeof ColumnEdit>;

export const Edited = z.object({ vid: z.number(), warnings: z.array(z.string()) });
export type Edited = z.infer<typeof Edited>;
