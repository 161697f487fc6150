/** Versions of a file as files for other programs. */
import { z } from 'zod';

export const EXPORT_FORMATS = ['csv', 'xlsx', 'sav', 'dta', 'parquet', 'codebook'] as const;
export const ExportFormat = z.enum(EXPORT_FORMATS);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** A format looks at its own options only. */
export const ExportOptions = z.strictObject({
  /** csv, xlsx: codes as they are, or their value labels. */
  cells: z.enum(['values', 'labels']).optional(),
  /** csv. */
  encoding: z.enum(['utf-8-sig', 'gb18030']).optional(),
  /** csv: a single quote before texts that a spreadsheet would take for a formula. */
  quote: z.boolean().optional(),
  /** codebook: which kind of file. */
  sheet: z.enum(['xlsx', 'csv']).optional(),
});
export type ExportOptions = z.infer<typeof ExportOptions>;

export const ExportBody = z.strictObject({
  format: ExportFormat,
  options: ExportOptions.default({}),
  /** Only the rows that the active filter keeps. */
  filtered: z.boolean().default(false),
});
export type ExportBody = z.infer<typeof ExportBody>;

/** What has to be said about a file: renamed variables, codes without a place in the format, texts like formulas. */
export const ExportNote = z.looseObject({ code: z.string(), text: z.string() });
export type ExportNote = z.infer<typeof ExportNote>;

/** Result of an export run; the file is fetched with POST /v1/downloads {kind: "run", id}. */
export const Exported = z.object({
  file: z.string(),
  name: z.string(),
  bytes: z.number(),
  rows: z.number(),
  notes: z.array(ExportNote),
});
export type Exported = z.infer<typeof Exported>;

export const ExportQuery = z.object({ filtered: z.enum(['0', '1']).default('0') });

export const ExportCheck = z.object({
  rows: z.number(),
  /** Texts among cells and names that a spreadsheet would take for a formula, by what the cells hold. */
  formulas: z.object({ values: z.number(), labels: z.number() }),
  /** Names of the variables that hold them. */
  columns: z.array(z.string()),
});
export type ExportCheck = z.infer<typeof ExportCheck>;
