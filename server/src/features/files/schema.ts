/** Shapes of the calls under /v1/user/file and of the active filter. Wire names are snake_case; ids are integers; times are ISO UTC. */
import { z } from 'zod';

/** A path or query id: text on the wire, a positive 32-bit integer inside; anything else is simply not found. */
export const Id = z.coerce.number().int().positive().max(2_147_483_647);

export const Measure = z.enum(['定类', '定量', '时间', '文本']);
export type Measure = z.infer<typeof Measure>;

const Value = z.union([z.string(), z.number(), z.boolean()]);

/** `label` equals the value as text where nobody gave one. */
export const Level = z.object({ value: Value, label: z.string(), count: z.number() });
export type Level = z.infer<typeof Level>;

export const Missing = z.object({
  values: z.array(Value),
  ranges: z.array(z.object({ low: z.number().nullable(), high: z.number().nullable() })),
});
export type Missing = z.infer<typeof Missing>;

/** `n` valid cells, `missing` empty ones and user-missing codes. `min` and `max` are numbers, or ISO text for dates. */
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
  top: z.array(z.looseObject({ value: Value, count: z.number() })).nullish(),
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
  profile: Profile,
});
export type Column = z.infer<typeof Column>;

/** 导入报告: what the import did, column by column, and the raw file held against what was read. */
export const ImportReport = z.looseObject({
  kind: z.string(),
  settings: z.record(z.string(), z.unknown()),
  columns: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      why: z.string(),
      missing: z.number(),
      /** Cells read as missing, by their text. */
      tokens: z.record(z.string(), z.number()),
      odd: z.number(),
      samples: z.array(z.looseObject({ row: z.number(), value: z.string(), line: z.number().nullish() })),
      original_name: z.string().nullish(),
    }),
  ),
  check: z.looseObject({
    raw_rows: z.number(),
    raw_columns: z.number(),
    rows: z.number(),
    columns: z.number(),
    sums: z.enum(['same', 'different', 'none']),
    checked_rows: z.number(),
    text: z.string(),
  }),
  warnings: z.array(
    z.looseObject({ code: z.string(), text: z.string(), facts: z.record(z.string(), z.unknown()).optional() }),
  ),
  seconds: z.number(),
});
export type ImportReport = z.infer<typeof ImportReport>;

// --- what is active on a version -------------------------------------------------------------------------------------

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
const Condition = z.string().max(2000, '筛选条件最多 2000 个字符');

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

const Name = z.string('请输入名称').trim().min(1, '请输入名称').max(200, '名称最多 200 个字');

export const NamedFilterBody = z.strictObject({
  name: Name,
  condition: Condition.min(1, '请至少设置一个筛选条件'),
  filter_type: FilterType.default('keep'),
  reduce_num: z.number().int().min(0).max(10).default(REDUCE_NUM),
});
export type NamedFilterBody = z.infer<typeof NamedFilterBody>;

// --- uploads ---------------------------------------------------------------------------------------------------------

export const UploadBody = z.strictObject({
  name: z.string('请输入文件名').min(1, '请输入文件名').max(255, '文件名最多 255 个字'),
  size: z.number('请给出文件大小').int().min(0),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, '校验和应为 64 位十六进制')
    .optional(),
});
export type UploadBody = z.infer<typeof UploadBody>;

/** `chunk` is the largest number of bytes one PUT may carry; the next one starts at `offset`. */
export const Upload = z.object({
  upload_id: z.number(),
  name: z.string(),
  size: z.number(),
  offset: z.number(),
  chunk: z.number(),
  complete: z.boolean(),
  sha256: z.string().nullable(),
});
export type Upload = z.infer<typeof Upload>;

/** How the file is read: encoding, delimiter, quote, decimal, header_row, sheet, …; named and judged by the engine. */
export const Settings = z.record(z.string().max(40), z.unknown());
export type Settings = z.infer<typeof Settings>;

export const PreviewBody = z.strictObject({ settings: Settings.default({}), password: z.string().max(255).optional() });
export type PreviewBody = z.infer<typeof PreviewBody>;

export const Preview = z.looseObject({
  kind: z.string(),
  settings: Settings,
  candidates: z.record(z.string(), z.unknown()),
  columns: z.array(
    z.looseObject({
      name: z.string(),
      measure: Measure,
      ordered: z.boolean().optional(),
      why: z.string().nullable(),
    }),
  ),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  total_rows: z.number().nullable(),
});
export type Preview = z.infer<typeof Preview>;

export const ImportBody = z.strictObject({
  settings: Settings.default({}),
  answers: z.record(z.string().max(200), z.unknown()).default({}),
  on_doubt: z.enum(['ask', 'text']).default('ask'),
  password: z.string().max(255).optional(),
  name: Name.optional(),
  /** Imports as a new version of this file instead of a new file. */
  fid: z.number().int().positive().optional(),
});
export type ImportBody = z.infer<typeof ImportBody>;

/** What a finished import or example leaves: `result` of its run. */
export const Imported = z.object({ fid: z.number(), vid: z.number() });
export type Imported = z.infer<typeof Imported>;

export const ExampleBody = z.strictObject({ path: z.string().min(1).max(200) });

// --- files -----------------------------------------------------------------------------------------------------------

export const FileRow = z.object({
  fid: z.number(),
  name: z.string(),
  /** csv, xlsx, sav; `example` files carry the path of their method. */
  format: z.string(),
  example: z.string().nullable(),
  size: z.number(),
  /** The version shown and analysed by default. */
  vid: z.number(),
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

/** GET /{fid}: the row with its versions, oldest first. `last` = newest descendant of the head, where 重做 leads. */
export const FileDetail = FileRow.extend({
  history: z.array(
    z.object({
      vid: z.number(),
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

// --- versions --------------------------------------------------------------------------------------------------------

/**
 * One step: `import` makes the first version, `edit` changes what columns are called and mean, `cells` values, `process`
 * runs a processing method, `data` takes over what an analysis made. A disabled step stands in the list and does nothing.
 */
export const Step = z.object({
  op: z.enum(['import', 'example', 'edit', 'cells', 'sets', 'process', 'data']),
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

/** A question with several answers, one column each; `counted` is the value that means chosen, null: any value. */
export const AnswerSet = z.looseObject({
  id: z.string(),
  name: z.string(),
  label: z.string().nullable(),
  columns: z.array(z.string()),
  counted: Value.nullable(),
});
export type AnswerSet = z.infer<typeof AnswerSet>;

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
  step: Step,
  active: Active,
  columns: z.array(Column),
  sets: z.array(AnswerSet),
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
});
export type Finding = z.infer<typeof Finding>;

/** `checks` counts the examinations made, so that 其余 n 项通过 can be said. */
export const Health = z.object({ checks: z.number(), passed: z.number(), findings: z.array(Finding) });
export type Health = z.infer<typeof Health>;

const ColumnId = z.string().regex(/^c\d{1,6}$/);

export const RowsBody = z.strictObject({
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
  columns: z.array(ColumnId).max(20_000).nullable().default(null),
  sort: z
    .array(z.strictObject({ column: ColumnId, desc: z.boolean().default(false) }))
    .max(5)
    .default([]),
  condition: Condition.nullable().default(null),
  filter_type: FilterType.default('keep'),
  find: z.string().max(200).nullable().default(null),
});
export type RowsBody = z.infer<typeof RowsBody>;

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.infer<typeof Cell>;

/** `index` holds the row numbers in the whole table, from 0. */
export const Rows = z.object({
  total: z.number(),
  rows: z.array(z.array(Cell)),
  index: z.array(z.number()),
  /** Cells that do not say all that the file says: row of the page, column, text in the file. */
  odd: z.array(z.tuple([z.number(), z.string(), z.string()])).optional(),
});
export type Rows = z.infer<typeof Rows>;

/**
 * `row` is a place in the view (sorted, narrowed) from 0; the search starts there and goes on past the end at the
 * beginning. `odd` looks for cells that the import read otherwise than they are written, whatever the text.
 */
export const FindBody = z
  .strictObject({
    text: z.string().max(200, '最多 200 个字').default(''),
    odd: z.boolean().default(false),
    sort: RowsBody.shape.sort,
    condition: Condition.nullable().default(null),
    filter_type: FilterType.default('keep'),
    row: z.number().int().min(-1).default(0),
    back: z.boolean().default(false),
  })
  .refine(({ text, odd }) => odd || text !== '', { path: ['text'], error: '请输入要查找的文字' });
export type FindBody = z.infer<typeof FindBody>;

/** `total` rows hold the text, `before` of them stand before the found one; `columns` where in that row. */
/** Ctrl and an arrow in the grid, which knows of the rows only those in sight. */
export const EdgeBody = z.strictObject({
  row: z.number().int().min(0),
  column: z.number().int().min(0),
  to: z.enum(['down', 'up', 'right', 'left']),
  sort: RowsBody.shape.sort,
  condition: Condition.nullable().default(null),
  filter_type: FilterType.default('keep'),
  find: RowsBody.shape.find,
});
export type EdgeBody = z.infer<typeof EdgeBody>;

/** Both count from 0: the row in the order shown, the column in the order of the table. */
export const Edge = z.object({ row: z.number(), column: z.number() });
export type Edge = z.infer<typeof Edge>;

export const Found = z.object({
  total: z.number(),
  before: z.number(),
  row: z.number().nullable(),
  columns: z.array(z.string()),
});
export type Found = z.infer<typeof Found>;

const FLAGS = ['量表', '标识'] as const;

/** One column of an edit: what is left out stays. */
export const ColumnEdit = z.strictObject({
  id: ColumnId,
  name: z.string().trim().min(1, '变量名不能为空').max(200, '变量名最多 200 个字').optional(),
  label: z.string().max(1000, '变量标签最多 1000 个字').nullable().optional(),
  measure: Measure.optional(),
  /** How 03/04/2024 is read where a text is declared 时间 and both orders fit; refused with edit.date_order without it. */
  date_order: z.enum(['mdy', 'dmy']).optional(),
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
