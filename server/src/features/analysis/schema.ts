/** Shapes around a method's form: the form itself is described by the method's declaration (contracts/generated). */
import type { Declaration, Fault, FormNote, HelpLink, RoleField } from '@hengxi/contracts/contract';
import { z } from 'zod';
import { Id } from '../files/schema.ts';
import { LimitData } from '../membership/schema.ts';
import { Form, ReportDocument } from '../reports/schema.ts';
import { RunError, RunState } from '../runs/schema.ts';
import { Stepped } from '../steps/schema.ts';

export const RunQuery = z.object({
  vid: Id.optional(),
  project_id: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  project_name: z.string().trim().max(100).optional(),
  report_id: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  /** Seconds the call may wait for the result. */
  wait: z.coerce.number().min(0).max(20).default(20),
  draft: z.enum(['0', '1']).default('0'),
  /** A form that is being filled in: judged, and where nothing is missing looked ahead. A later look ends the one before. */
  ahead: z
    .string()
    .regex(/^[\w-]{1,40}$/u)
    .optional(),
});
export type RunQuery = z.infer<typeof RunQuery>;

/** draft=1: the form as it would run (every `auto` filled in), its faults, the time expected, its key. Nothing is kept. */
export const Draft = z.object({
  resolved: Form,
  fields: z.custom<Fault[]>((value) => Array.isArray(value)),
  seconds: z.number().nullable(),
  key: z.string(),
  /** Columns a processing method will add, as far as that is known without running it. */
  makes: z
    .array(z.looseObject({ name: z.string(), measure: z.string().nullish(), from: z.string().nullish() }))
    .optional(),
  /** What the method says of the settings as they stand, such as the consistency of a matrix being typed. */
  notes: z.custom<FormNote[]>((value) => Array.isArray(value)).optional(),
});
export type Draft = z.infer<typeof Draft>;

/** ahead=…: the draft, and what the step would do; null where the draft has faults. */
export const LookAhead = Draft.extend({ step: Stepped.nullable() });
export type LookAhead = z.infer<typeof LookAhead>;

/**
 * `report_id` names the report from the first moment, so that the next run can supersede this one. Until a run of it is
 * done it is a draft: `rev` null, in no list, and forgotten within a day. A failed first run leaves nothing behind.
 */
export const Started = z.object({
  run_id: z.number().nullable(),
  state: RunState,
  project_id: z.number(),
  report_id: z.number(),
  rev: z.number().nullable(),
  cached: z.boolean(),
  report: ReportDocument.nullable(),
  /** Why a run that ended within the wait has no report (failed, timeout, memory, lost). */
  error: RunError.nullable(),
});
export type Started = z.infer<typeof Started>;

/** `result` of an analysis run that is done: where its report is; the document is read there. */
export const AnalysisResult = z.object({
  project_id: z.number(),
  report_id: z.number(),
  rev: z.number(),
  key: z.string(),
  stopped: z.boolean(),
});
export type AnalysisResult = z.infer<typeof AnalysisResult>;

/** GET of a method's path: its declaration as generated, the help-link record, and how far it is checked against independent numbers. */
export const MethodPage = z.object({
  declaration: z.custom<Declaration>(),
  help: z.custom<HelpLink>(),
  oracle: z.custom<Declaration['oracle']>(),
});
export type MethodPage = z.infer<typeof MethodPage>;

/** What the list of methods says of a box that is always shown: enough to tell whether data suit it. */
const ROLE_KEYS = [
  'key',
  'title',
  'measure',
  'many',
  'min',
  'max',
  'levels',
  'values',
  'ordered',
  'varies',
  'use',
  'shared_with',
  'sets',
] as const;
export type MethodRole = Pick<RoleField, (typeof ROLE_KEYS)[number]>;
export const methodRole = (field: RoleField): MethodRole =>
  z.custom<MethodRole>().parse(Object.fromEntries(ROLE_KEYS.map((key) => [key, field[key]])));

export const MethodRow = z.object({
  algo_code: z.string(),
  /** 126 classifier_predict, 140 regression_predict; all others null. */
  algo_id: z.number().nullable(),
  algo_type: z.union([z.literal(1), z.literal(2)]),
  title: z.string(),
  title_en: z.string(),
  group: z.string(),
  family: z.string(),
  /** The sub-heading of its family in the menu; null where the family has none. */
  section: z.string().nullable(),
  tier: z.string(),
  kind: z.string(),
  purpose: z.string(),
  /** What else it is called, or looked for by. */
  aliases: z.array(z.string()),
  /** Troubles of a table it is the way out of, with the settings it then begins with. */
  deals_with: z.custom<Declaration['deals_with']>(),
  /** Where it takes the dimensions kept of a questionnaire. */
  takes_dimensions: z.custom<Declaration['takes_dimensions']>(),
  needs: z.string(),
  /** False: it runs on its form alone, without a version. */
  takes_data: z.boolean(),
  /** False: it also runs without a version. */
  needs_data: z.boolean(),
  slug: z.string(),
  version: z.number(),
  roles: z.custom<MethodRole[]>(),
  /** It asks for a saved model. */
  takes_model: z.boolean(),
  /** The field that a condition is put into; null where there is none. */
  condition_field: z.string().nullable(),
});
export type MethodRow = z.infer<typeof MethodRow>;

/** Titles of boxes, options and choices by method: what a search finds a method by last. */
export const MethodWords = z.record(z.string(), z.array(z.string()));
export type MethodWords = z.infer<typeof MethodWords>;

/** POST /algorithm/v2: `algo_params` holds the form and may hold vid, project_id, project_name, report_id, wait. */
export const GenericBody = z.strictObject({
  algo_code: z.string().max(200).optional(),
  algo_id: z.number().int().optional(),
  algo_type: z.number().int().optional(),
  algo_params: Form,
});
export type GenericBody = z.infer<typeof GenericBody>;

export const RecommendBody = z.strictObject({
  vid: z.number().int().positive(),
  columns: z.array(z.string().max(40)).min(1, '请先选择变量').max(200),
});
export const Recommendation = z.object({ path: z.string(), why: z.string() });
export type Recommendation = z.infer<typeof Recommendation>;

/** A page that leads to a method in two questions at most. */
export const Selector = z.object({
  key: z.string(),
  title: z.string(),
  question: z.string(),
  groups: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      hint: z.string(),
      /** Empty where the group has one method. */
      question: z.string(),
      methods: z.array(z.object({ path: z.string(), when: z.string() })),
    }),
  ),
});
export type Selector = z.infer<typeof Selector>;

export const LimitQuery = z.object({ algo: z.string().max(200).optional(), vid: Id.optional() });
/** What a run would be answered: the same judgement and the same words as error 20002. */
export const Limit = z.object({
  allowed: z.boolean(),
  /** Which limit stands in the way; `unlocked`: the method is open for a time. */
  reason: z.enum(['method', 'rows', 'upload_bytes', 'analyses_day', 'unlocked']).nullable(),
  /** The text of 20002; null when it is allowed. */
  msg: z.string().nullable(),
  /** Its data: {limit, max, asked, lifts}. */
  data: LimitData.nullable(),
  /** Analyses a day; null is without a limit. */
  limit: z.number().nullable(),
  used: z.number(),
  resets_at: z.string().nullable(),
  /** End of the unlock. */
  until: z.string().nullable(),
});
export type Limit = z.infer<typeof Limit>;
