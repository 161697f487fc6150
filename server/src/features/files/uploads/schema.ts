/** Uploads, their preview, the import that makes a file of one, and its report. */
import { withoutControls } from '@hengxi/contracts/names';
import { z } from 'zod';
import { Measure } from '../columns/schema.ts';
import { Name } from '../parts/schema.ts';

export const UploadBody = z.strictObject({
  name: z.string('请输入文件名').overwrite(withoutControls).min(1, '请输入文件名').max(255, '文件名最多 255 个字'),
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

/** An upload that no file was made of yet. */
export const OpenUpload = Upload.extend({
  /** The import under way. */
  run_id: z.number().nullable(),
  /** When it is removed, unless somebody goes on with it. */
  ends_at: z.string(),
});
export type OpenUpload = z.infer<typeof OpenUpload>;
export const OpenUploads = z.object({ total: z.number(), list: z.array(OpenUpload) });
export type OpenUploads = z.infer<typeof OpenUploads>;

/** How the file is read: encoding, delimiter, quote, decimal, header_row, sheet, …; named and judged by the engine. */
export const Settings = z.record(z.string().max(40), z.unknown());
export type Settings = z.infer<typeof Settings>;

/** The upload of a SAS catalogue (sas7bcat) whose value labels belong to the file. */
const CatalogueId = z.number().int().positive().optional();

export const PreviewBody = z.strictObject({
  settings: Settings.default({}),
  password: z.string().max(255).optional(),
  catalogue: CatalogueId,
});
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
  /** What the person should know before the import, in words. */
  notes: z.array(z.string()).optional(),
});
export type Preview = z.infer<typeof Preview>;

export const ImportBody = z.strictObject({
  settings: Settings.default({}),
  answers: z.record(z.string().max(200), z.unknown()).default({}),
  on_doubt: z.enum(['ask', 'text']).default('ask'),
  password: z.string().max(255).optional(),
  catalogue: CatalogueId,
  name: Name.optional(),
  /** Imports as a new version of this file instead of a new file. */
  fid: z.number().int().positive().optional(),
});
export type ImportBody = z.infer<typeof ImportBody>;

/** What a finished import or example leaves: `result` of its run. */
export const Imported = z.object({ fid: z.number(), vid: z.number() });
export type Imported = z.infer<typeof Imported>;

export const ExampleBody = z.strictObject({ path: z.string().min(1).max(200) });

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
