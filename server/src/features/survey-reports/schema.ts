/** 整卷报告: a questionnaire as one document, planned, made by one run, its parts dropped or taken back. */
import { z } from 'zod';
import { FirstReportPlan, Id } from '../files/schema.ts';

/** As many chapters as one export takes. */
export const PARTS_MOST = 50;

export const SurveyPlanQuery = z.object({ vid: Id });

/** `made`: the reports there are already of this version, newest first. */
export const SurveyPlan = FirstReportPlan.extend({
  name: z.string(),
  made: z.array(z.object({ project_id: z.number(), name: z.string(), created_at: z.string() })),
});
export type SurveyPlan = z.infer<typeof SurveyPlan>;

/** The parts by key; their titles tell that it is still the plan that was seen. */
export const NewSurveyReport = z.strictObject({
  vid: z.number().int().positive().max(2_147_483_647),
  name: z.string('请输入报告名称').trim().min(1, '请输入报告名称').max(100, '名称最多 100 个字'),
  parts: z
    .array(z.strictObject({ key: z.string().max(20), title: z.string().max(1000) }))
    .min(1, '请至少选择一部分')
    .max(PARTS_MOST, `一份报告最多 ${PARTS_MOST} 部分，请去掉一些`),
});
export type NewSurveyReport = z.infer<typeof NewSurveyReport>;

export const SurveyPart = z.object({
  place: z.number(),
  section: z.string(),
  title: z.string(),
  path: z.string(),
  dropped: z.boolean(),
  /** `waits`: not begun; `stopped`: the work ended before it. */
  state: z.enum(['waits', 'runs', 'done', 'refused', 'stopped', 'gone']),
  /** Why there is no result. */
  text: z.string().nullable(),
  report_id: z.number().nullable(),
  rev: z.number().nullable(),
});
export type SurveyPart = z.infer<typeof SurveyPart>;

export const SurveyReport = z.object({
  project_id: z.number(),
  name: z.string(),
  vid: z.number(),
  created_at: z.string(),
  left_out: z.array(z.string()),
  /** The run that makes it; `open`: it is still at work. */
  run_id: z.number(),
  open: z.boolean(),
  parts: z.array(SurveyPart),
});
export type SurveyReport = z.infer<typeof SurveyReport>;

export const SurveyReportPatch = z.strictObject({
  /** Places of the parts left out of the document; all others are in it. */
  dropped: z.array(z.number().int().min(1).max(PARTS_MOST)).max(PARTS_MOST),
});
export type SurveyReportPatch = z.infer<typeof SurveyReportPatch>;
