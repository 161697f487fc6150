/** Shapes of frozen control limits. */
import { z } from 'zod';

export const LIMITS_MOST = 200;
const NAME_MOST = 60;

const Id = z.coerce.number().int().positive().max(2_147_483_647);

/** What limits rest on, as a row of the report says it: see `FrozenLimits` of the engine. */
export const RestsOn = z.object({
  phase: z.string().nullable(),
  points: z.number(),
  center: z.number(),
  sigma: z.number().nullable(),
  extra: z.number().nullable(),
  n: z.number().nullable(),
  kind: z.string().nullable(),
});
export type RestsOn = z.infer<typeof RestsOn>;

export const LimitsId = z.object({ id: Id });
/** `path`: of one chart only. */
export const LimitsQuery = z.object({ path: z.string().max(200).optional() });

/** `phase`: which of several phases with limits of their own. */
export const NewLimits = z.strictObject({
  project_id: z.number().int().positive().max(2_147_483_647),
  report_id: z.number().int().positive().max(2_147_483_647),
  rev: z.number().int().positive().max(2_147_483_647),
  name: z.string('请输入名称').trim().min(1, '请输入名称').max(NAME_MOST, `名称最多 ${NAME_MOST} 个字`),
  phase: z.string().max(1000).nullable().default(null),
});
export type NewLimits = z.infer<typeof NewLimits>;

export const KeptLimits = RestsOn.extend({
  id: z.number(),
  name: z.string(),
  path: z.string(),
  method: z.string(),
  report: z.string(),
  made_at: z.string(),
  variable: z.string(),
  project_id: z.number(),
  report_id: z.number(),
  created_at: z.string(),
});
export type KeptLimits = z.infer<typeof KeptLimits>;
export const LimitsList = z.object({ total: z.number(), list: z.array(KeptLimits) });
export type LimitsList = z.infer<typeof LimitsList>;
