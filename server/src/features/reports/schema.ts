/** Reports: a row in a project, its revisions, its presentation, its shares. The document itself is the engine's wire report. */
import type { Report } from '@hengxi/contracts/contract';
import { z } from 'zod';
import { Cell, Column, FilterType, Split, Weight } from '../files/schema.ts';

export const Form = z.record(z.string(), z.unknown());
export type Form = z.infer<typeof Form>;

/** The engine's report, passed on unchanged; the server adds when it was made. */
export type ReportDocument = Report & { made_at: string };
export const ReportDocument = z.custom<ReportDocument>(
  (value) => typeof value === 'object' && value !== null && 'parts' in value && Array.isArray(value.parts),
);

export const ReportRow = z.object({
  rid: z.number(),
  project_id: z.number(),
  /** The version analysed; null once that version has been removed for good. */
  vid: z.number().nullable(),
  fid: z.number().nullable(),
  file_name: z.string().nullable(),
  path: z.string(),
  method: z.string(),
  title: z.string(),
  pinned: z.boolean(),
  note: z.string(),
  frozen: z.boolean(),
  /** The revision shown, and the newest one. */
  rev: z.number(),
  revs: z.number(),
  key: z.string(),
  shared: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
});
export type ReportRow = z.infer<typeof ReportRow>;

/** GET …/reports/{rid}?rev. `form`, `filter`, `weight`, `split` are what this revision was run with. */
export const ReportDetail = ReportRow.extend({
  form: Form,
  filter: z.object({ condition: z.string(), filter_type: FilterType }).nullable(),
  weight: Weight.nullable(),
  split: Split.nullable(),
  document: ReportDocument,
  made_at: z.string(),
  history: z.array(z.object({ rev: z.number(), key: z.string(), made_at: z.string() })),
});
export type ReportDetail = z.infer<typeof ReportDetail>;

/** `bin=1` lists the bin; `vid`/`fid` keep only the reports on that version or file. */
export const ReportQuery = z.object({
  bin: z.enum(['0', '1']).default('0'),
  vid: z.coerce.number().int().positive().optional(),
  fid: z.coerce.number().int().positive().optional(),
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(50),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

/** Exactly one of them per call. `rev` moves the report back (or forth) to a revision; nothing is lost by it. */
export const ReportAct = z.union([
  z.strictObject({ name: z.string().trim().min(1, '请输入名称').max(200, '名称最多 200 个字') }),
  z.strictObject({ pinned: z.boolean() }),
  z.strictObject({ note: z.string().max(10_000, '备注最多 10000 个字') }),
  z.strictObject({ frozen: z.boolean() }),
  z.strictObject({ restore: z.literal(true) }),
  z.strictObject({ rev: z.number().int().positive() }),
]);
export type ReportAct = z.infer<typeof ReportAct>;

export const ConfigType = z.enum(['analysis', 'drawing', 'pro_model']);
export const ConfigQuery = z.object({ report_type: ConfigType.default('analysis') });

/** Presentation and the unsaved form; both are the web's to shape, bounded in size. A key left out keeps its value. */
export const ConfigBody = z.strictObject({
  presentation: z.record(z.string(), z.unknown()).optional(),
  form: z
    .strictObject({ form: Form, saved_at: z.string().max(40).optional() })
    .nullable()
    .optional(),
});
export type ConfigBody = z.infer<typeof ConfigBody>;

export const Config = z.object({
  report_type: ConfigType,
  presentation: z.record(z.string(), z.unknown()),
  form: z.object({ form: Form, saved_at: z.string() }).nullable(),
  updated_at: z.string().nullable(),
});
export type Config = z.infer<typeof Config>;

/** `3,56,57`: numbers of rows, from 1. */
const RowNumbers = z
  .string()
  .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,99}$/u, '行号须是以逗号分隔的正整数，最多 100 个')
  .transform((text) => text.split(',').map(Number));

/**
 * The rows behind the sample account, step by step as in 样本说明: `filtered` fell out by the filter, `missing` by
 * missing values; `numbered`: those of `numbers`, behind a point of a chart.
 */
export const SampleQuery = z
  .object({
    set: z.enum(['used', 'filtered', 'missing', 'numbered']).default('used'),
    numbers: RowNumbers.optional(),
    /** Only the rows missing in this column (`set=missing`). */
    column: z.string().max(40).optional(),
    rev: z.coerce.number().int().positive().optional(),
    offset: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  })
  .refine(({ set, numbers }) => set !== 'numbered' || numbers !== undefined, {
    path: ['numbers'],
    error: '请给出行号',
  });
export type SampleQuery = z.infer<typeof SampleQuery>;

export const SampleRows = z.object({
  total: z.number(),
  columns: z.array(Column),
  rows: z.array(z.array(Cell)),
  index: z.array(z.number()),
  /** Why each row is out: the columns missing in it, or 不满足筛选条件; empty for used rows. */
  reasons: z.array(z.array(z.string())),
});
export type SampleRows = z.infer<typeof SampleRows>;

/** Rows of a long table beyond those in the document; `file` is the table's `more.file`, `offset` counts from the first of them. */
export const TableRowsQuery = z.object({
  file: z.string().min(1).max(40),
  rev: z.coerce.number().int().positive().optional(),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});
export type TableRowsQuery = z.infer<typeof TableRowsQuery>;

/** As in a table element: cells, indents, places of totals and marks, all counted from the first row of this page. */
export const TableRows = z.object({
  total: z.number(),
  rows: z.array(z.array(z.any())),
  depth: z.array(z.number()),
  totals: z.array(z.number()),
  marks: z.record(z.string(), z.string()),
});
export type TableRows = z.infer<typeof TableRows>;

export const DataBody = z.strictObject({ element: z.string().min(1).max(200) });
export const DataMade = z.object({ vid: z.number() });
export type DataMade = z.infer<typeof DataMade>;

// --- shares ----------------------------------------------------------------------------------------------------------

/** `blocks`: ids of the elements shown, null = all. `days`: null = no end. */
export const ShareBody = z.strictObject({
  days: z
    .union([z.literal(7), z.literal(30)])
    .nullable()
    .default(7),
  blocks: z.array(z.string().max(200)).max(1000).nullable().default(null),
  hide_small: z.boolean().default(false),
});
export type ShareBody = z.infer<typeof ShareBody>;

export const ShareQuery = z.object({
  rid: z.coerce.number().int().positive(),
  pid: z.coerce.number().int().positive().optional(),
});

export const Share = z.object({
  code: z.string(),
  rev: z.number(),
  blocks: z.array(z.string()).nullable(),
  hide_small: z.boolean(),
  created_at: z.string(),
  ends_at: z.string().nullable(),
});
export type Share = z.infer<typeof Share>;

/** GET /v1/analysis/report/share?code: all that a visitor gets. No vid, owner, rows, siblings. */
export const SharedReport = z.object({
  title: z.string(),
  method: z.string(),
  document: ReportDocument,
  presentation: z.record(z.string(), z.unknown()),
  hide_small: z.boolean(),
  made_at: z.string(),
  ends_at: z.string().nullable(),
});
export type SharedReport = z.infer<typeof SharedReport>;

/** A file an analysis wrote, of the revision shown or of another. */
export const FileQuery = z.object({
  file: z.string().min(1).max(64),
  rev: z.coerce.number().int().positive().optional(),
});
export type FileQuery = z.infer<typeof FileQuery>;

// --- pinned numbers --------------------------------------------------------------------------------------------------

/** A number as it stood in a table of a revision. */
export const PinnedNumber = z.strictObject({
  rid: z.number().int().positive(),
  rev: z.number().int().positive(),
  block: z.string().min(1).max(200),
  source: z.string().max(40),
  row: z.string().max(300),
  column: z.string().max(300),
  shown: z.string().max(120),
  exact: z.string().max(200),
});
export type PinnedNumber = z.infer<typeof PinnedNumber>;

export const PINS_MOST = 60;
export const PinsBody = z.strictObject({
  pins: z.array(PinnedNumber).max(PINS_MOST, `最多固定 ${PINS_MOST} 个数字，请先移走一些`),
});
export type PinsBody = z.infer<typeof PinsBody>;

/** With what leads back to the report. */
export const Pins = z.object({
  list: z.array(PinnedNumber.extend({ title: z.string(), vid: z.number().nullable() })),
});
export type Pins = z.infer<typeof Pins>;
