/** Rows of a version: pages, search, and the way to the edge. */
import { z } from 'zod';
import { FilterType } from '../filters/schema.ts';
import { ColumnId, Condition } from '../parts/schema.ts';

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

/** What is looked for; `pattern`: a regular expression of RE2, `labels`: in value labels, where the grid shows them. */
export const Seek = z.strictObject({
  text: z.string().min(1, '请输入查找内容').max(200, '查找内容最多 200 个字'),
  columns: z.array(ColumnId).min(1).max(20_000).nullable().default(null),
  whole: z.boolean().default(false),
  case: z.boolean().default(false),
  pattern: z.boolean().default(false),
  labels: z.boolean().default(false),
});
export type Seek = z.infer<typeof Seek>;

/**
 * `row` is a place in the view (sorted, narrowed) from 0; the search starts there and goes on past the end at the
 * beginning. `odd` looks for cells that the import read otherwise than they are written, whatever the text. `number`: the
 * row of the table, from 0, whose place in the view that the text narrows too is asked for.
 */
export const FindBody = z
  .strictObject({
    text: z.string().max(200, '最多 200 个字').default(''),
    odd: z.boolean().default(false),
    number: z.number().int().min(0).nullable().default(null),
    sort: RowsBody.shape.sort,
    condition: Condition.nullable().default(null),
    filter_type: FilterType.default('keep'),
    row: z.number().int().min(-1).default(0),
    back: z.boolean().default(false),
    /** In place of `text`: counted by cells, and as `Seek` says. */
    seek: Seek.optional(),
    /** What it would be replaced by: the answer tells what each cell would become. */
    with: z.string().max(32_767).optional(),
  })
  .refine(({ text, odd, number, seek }) => odd || number !== null || seek !== undefined || text !== '', {
    path: ['text'],
    error: '请输入要查找的文字',
  });
export type FindBody = z.infer<typeof FindBody>;

/** Cells of one version that are to go to a newer one: `gone` have no place there, `both` were changed there too. */
export const Carried = z.object({
  gone: z.number(),
  both: z.array(z.object({ row: z.number(), column: z.string(), old: Cell, now: Cell, value: Cell })),
  both_total: z.number(),
});
export type Carried = z.infer<typeof Carried>;

/** What 30511 tells: the version there is now, and what became of the cells that were to be saved. */
export const Newer = z.object({
  head: z.number(),
  number: z.number(),
  title: z.string(),
  author: z.string().nullable(),
  made_at: z.string(),
  cells: Carried.nullable(),
});
export type Newer = z.infer<typeof Newer>;

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

/** `total` rows hold the text, `before` of them stand before the found one; `columns` where in that row. */
export const Found = z.object({
  total: z.number(),
  before: z.number(),
  row: z.number().nullable(),
  columns: z.array(z.string()),
  /** Cells that hold it in the view, and those above the found row; only where `seek` asked. */
  cells: z.number().optional(),
  cells_before: z.number().optional(),
  /** The row in the whole table, from 0. */
  number: z.number().optional(),
  fresh: z
    .record(z.string(), z.union([z.object({ old: Cell, value: Cell }), z.object({ fault: z.string() })]))
    .optional(),
});
export type Found = z.infer<typeof Found>;

export const TextPreviewQuery = z.object({ col: ColumnId });
/** A text column before it is analysed. Counts are of the first 200,000 rows (`read`); lengths in characters. */
export const TextPreview = z.object({
  rows: z.array(z.object({ row: z.number(), text: z.string() })),
  total: z.number(),
  read: z.number(),
  empty: z.number(),
  mean_len: z.number().nullable(),
  max_len: z.number().nullable(),
  language: z.enum(['zh', 'en', 'mixed']).nullable(),
  duplicates: z.number(),
  /** Rows that hold a phone number, an identity number, an address of e-mail. */
  pii: z.object({ phone: z.number(), id: z.number(), email: z.number() }),
  /** The method that masks personal data, where there are any. */
  masking: z.string().nullable(),
});
export type TextPreview = z.infer<typeof TextPreview>;
