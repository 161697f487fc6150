/** Shapes of the calls under /v1/user/file: files and versions here, the other nouns in the folders. Wire names are snake_case; times are ISO UTC. */
import type { Declaration } from '@hengxi/contracts/contract';
import { TYPED_COUNTS } from '@hengxi/contracts/typed-counts';
import { z } from 'zod';
import { AnswerSet, Column } from './columns/schema.ts';
import { Active } from './filters/schema.ts';
import { Name, Named } from './parts/schema.ts';
import { Questionnaire } from './questionnaire/schema.ts';

export * from './columns/schema.ts';
export * from './filters/schema.ts';
export { Condition, Id, Name } from './parts/schema.ts';
export * from './questionnaire/schema.ts';
export * from './rows/schema.ts';
export * from './uploads/schema.ts';

export const FileRow = z.object({
  fid: z.number(),
  name: z.string(),
  /** csv, xlsx, sav; `example` files carry the path of their method. */
  format: z.string(),
  example: z.string().nullable(),
  size: z.number(),
  /** The version shown and analysed by default. */
  vid: z.number(),
  /** Which of the versions that is, in the order they were made, from 1. */
  number: z.number(),
  versions: z.number(),
  rows: z.number(),
  columns: z.number(),
  /** 变量构成: how many columns of which kind (measure, or 量表/标识 where flagged; 有序 apart from 定类). */
  makeup: z.array(z.object({ kind: z.string(), count: z.number() })),
  /** 数据体检: number of findings and the most harmful one in a few words. */
  findings: z.number(),
  finding: z.string().nullable(),
  /** Reports made from any version of the file. */
  reports: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
  /** Nothing makes, moves or removes a version until it is lifted. */
  locked: z.boolean(),
});
export type FileRow = z.infer<typeof FileRow>;

/** `bin=1` lists the bin instead. */
export const FileQuery = z.object({
  keyword: z.string().max(200).optional(),
  bin: z.enum(['0', '1']).default('0'),
  sort: z.enum(['updated', 'created', 'name', 'size']).default('updated'),
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});
export type FileQuery = z.infer<typeof FileQuery>;

export const FileList = z.object({
  total: z.number(),
  list: z.array(FileRow),
  /** Bytes stored and allowed. */
  used: z.number(),
  /** null: no limit. */
  quota: z.number().nullable(),
});
export type FileList = z.infer<typeof FileList>;

export const FilePatch = z.strictObject({
  name: Name.optional(),
  head: z.number().int().positive().optional(),
  locked: z.boolean().optional(),
});
export type FilePatch = z.infer<typeof FilePatch>;

/** 录入频数表: `counts` in the order of the categories, those of the last variable running fastest. */
export const TypedCounts = z.strictObject({
  name: Name,
  factors: z
    .array(
      z.strictObject({
        name: Named(TYPED_COUNTS.name, '变量名'),
        levels: z
          .array(Named(TYPED_COUNTS.level, '类别名'))
          .min(2, '每个变量至少要有 2 个类别')
          .max(TYPED_COUNTS.levels),
      }),
    )
    .min(1)
    .max(TYPED_COUNTS.factors),
  counts: z
    .array(z.number().int('频数必须是整数').min(0, '频数不能是负数').max(TYPED_COUNTS.count))
    .max(TYPED_COUNTS.cells),
});
export type TypedCounts = z.infer<typeof TypedCounts>;

/** GET /{fid}: the row with its versions, oldest first. `last` = newest descendant of the head, where 重做 leads. */
export const FileDetail = FileRow.extend({
  history: z.array(
    z.object({
      vid: z.number(),
      number: z.number(),
      parent: z.number().nullable(),
      rows: z.number(),
      columns: z.number(),
      title: z.string(),
      created_at: z.string(),
      is_head: z.boolean(),
      reports: z.number(),
    }),
  ),
  undo: z.number().nullable(),
  redo: z.number().nullable(),
});
export type FileDetail = z.infer<typeof FileDetail>;

/**
 * One step: `import` makes the first version, `edit` changes what columns are called and mean, `cells` values, `replace`
 * a text wherever it stands, `rows` and `columns` put in or take out some, `process` runs a processing method, `data` takes over what an analysis made. A disabled step stands in the list and does nothing.
 */
export const Step = z.object({
  op: z.enum(['import', 'example', 'edit', 'cells', 'replace', 'rows', 'columns', 'sets', 'process', 'data']),
  title: z.string(),
  /** The title is a person's own. */
  titled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  /** 备注: a person's own words on the step. */
  note: z.string().optional(),
  /** Who made the step (user id) and when, kept where it is run anew; without `at` it was made with its version. */
  by: z.number().optional(),
  at: z.string().optional(),
  /** One sentence per changed thing, in order. */
  changes: z.array(z.string()),
  params: z.record(z.string(), z.unknown()),
});
export type Step = z.infer<typeof Step>;

/** `author`: nickname of who made the step, null where it is not known any more. */
export const StepRow = Step.omit({ by: true, at: true }).extend({
  step_id: z.number(),
  vid: z.number(),
  rows: z.number(),
  author: z.string().nullable(),
  made_at: z.string(),
  created_at: z.string(),
});
export type StepRow = z.infer<typeof StepRow>;

export const Version = z.object({
  vid: z.number(),
  fid: z.number(),
  name: z.string(),
  format: z.string(),
  size: z.number(),
  parent: z.number().nullable(),
  /** Place in the file's history, from 1 (v1, v2, …). */
  number: z.number(),
  is_head: z.boolean(),
  locked: z.boolean(),
  rows: z.number(),
  /** Most rows one analysis of this edition uses; null: as many as there are. */
  rows_limit: z.number().nullable(),
  step: Step,
  active: Active,
  columns: z.array(Column),
  sets: z.array(AnswerSet),
  /** null: nobody has confirmed what is a dimension here. */
  questionnaire: Questionnaire.nullable(),
  reports: z.number(),
  created_at: z.string(),
});
export type Version = z.infer<typeof Version>;

/** 数据体检, most harmful first. `condition` shows the rows meant; `edit` is the ready body of POST /edits where one helps. */
export const Finding = z.object({
  code: z.string(),
  state: z.enum(['care', 'fail']),
  title: z.string(),
  text: z.string(),
  columns: z.array(z.string()),
  count: z.number().nullable(),
  condition: z.string().nullable(),
  edit: z.object({ title: z.string(), columns: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  /** What kind of trouble it is for a step of data processing, which the methods' declarations answer; null: no step mends it. */
  trouble: z.custom<keyof Declaration['deals_with']>().nullable(),
  /** The variables that step begins with. */
  subject: z.array(z.string()),
});
export type Finding = z.infer<typeof Finding>;

/** `checks` counts the examinations made, so that 其余 n 项通过 can be said. */
export const Health = z.object({ checks: z.number(), passed: z.number(), findings: z.array(Finding) });
export type Health = z.infer<typeof Health>;
