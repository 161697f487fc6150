/** Saved models: a list of one's own, their names, and what one of them answers. */
import type { ModelCard } from '@hengxi/contracts/contract';
import { z } from 'zod';

export const ModelId = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });

const ModelTask = z.enum(['classification', 'regression']);

/** `name` null: kept with its report, not in the list. */
export const ModelRow = z.object({
  model_id: z.number(),
  name: z.string().nullable(),
  path: z.string(),
  method: z.string(),
  task: z.string(),
  target: z.string(),
  features: z.number(),
  rows: z.number(),
  scores: z.record(z.string(), z.number()),
  bytes: z.number(),
  file_name: z.string().nullable(),
  project_id: z.number().nullable(),
  report_id: z.number().nullable(),
  created_at: z.string(),
  named_at: z.string().nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

export const ModelDetail = ModelRow.extend({ card: z.custom<ModelCard>() });
export type ModelDetail = z.infer<typeof ModelDetail>;

/** Saved models, the newest first. `path` keeps those of one method. */
export const ModelQuery = z.object({
  task: ModelTask.optional(),
  path: z.string().max(200).optional(),
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(50),
});
export type ModelQuery = z.infer<typeof ModelQuery>;

export const ModelName = z.strictObject({
  name: z.string().trim().min(1, '请输入名称').max(100, '名称最多 100 个字'),
});
export type ModelName = z.infer<typeof ModelName>;

/** New values by feature key (x1, x2 …); null or absent is a gap. */
export const AskBody = z.strictObject({
  cases: z
    .array(
      z.record(z.string().regex(/^x[1-9]\d{0,4}$/), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])),
    )
    .min(1)
    .max(20, '一次最多 20 行'),
});
export type AskBody = z.infer<typeof AskBody>;

/** `value` is a class or a number; null where `status` says why there is no answer. */
export const Answered = z.object({
  classes: z.array(z.string()),
  rows: z.array(
    z.object({
      value: z.union([z.string(), z.number()]).nullable(),
      probabilities: z.array(z.number()).nullable().optional(),
      status: z.string().nullable(),
    }),
  ),
});
export type Answered = z.infer<typeof Answered>;
