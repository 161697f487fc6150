/** Shapes of compared texts. Places in a text are counted as JavaScript counts them. */
import { z } from 'zod';

const id = z.coerce.number().int().positive().max(2_147_483_647);
const MIB = 1024 * 1024;

/** What holds for everybody; quotas and prices are data (GET /v1/plagdet/scope). */
export const PLAGDET = {
  bytes: 20 * MIB,
  least: 300,
  most: 200_000,
  /** Every common run of so many characters is found. */
  certain: 13,
  common: 20,
  /** Characters shown around a passage of another text. */
  around: 100,
  /** Documents read in one run: so many slow ones still end in its time. */
  batch: 20,
} as const;

/** Raised when what is agreed to changes. */
export const CONSENT = 1;

export const CheckName = z.string().trim().min(1).max(200);
export const CheckQuery = z.object({
  name: CheckName,
  /** Two texts with each other: the name of the second, and where in the bytes it begins. */
  other: CheckName.optional(),
  split: z.coerce.number().int().min(0).max(PLAGDET.bytes).optional(),
  /** 1: points are spent where it is not free. */
  pay: z.enum(['0', '1']).default('0'),
});
export const DocumentQuery = z.object({ name: CheckName, consent: z.enum(['0', '1']).default('0') });
export const PlagdetId = z.object({ id });
export const PlagdetPage = z.object({
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});

export const Scope = z.object({
  documents: z.number(),
  characters: z.number(),
  waiting: z.number(),
  /** Texts are being added to the library. */
  run_id: z.number().nullable(),
  limits: z.object({
    edition: z.string(),
    checks_day: z.number(),
    free_characters: z.number(),
    documents: z.number(),
    price: z.number().nullable(),
    kept_days: z.number(),
  }),
  used_today: z.number(),
  balance: z.number(),
});
export type Scope = z.infer<typeof Scope>;

export const LibraryDocument = z.object({
  id: z.number(),
  name: z.string(),
  state: z.enum(['waiting', 'ready', 'refused']),
  characters: z.number().nullable(),
  reason: z.string().nullable(),
  created_at: z.string(),
});
export type LibraryDocument = z.infer<typeof LibraryDocument>;
export const LibraryDocuments = z.object({ total: z.number(), list: z.array(LibraryDocument) });
export const Adding = z.object({ run_id: z.number().nullable() });

export const MATCH_KINDS = ['same', 'similar', 'common'] as const;
export const PART_KINDS = ['cover', 'contents', 'references', 'quotation'] as const;
export type PartKind = (typeof PART_KINDS)[number];
/** Parts that are not counted unless their owner says so. */
export const LEFT_OUT = ['cover', 'contents', 'references'] as const;

/** Start and end in the text, then among the characters that count. */
const Span = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** What the engine writes. */
export const StoredReport = z.object({
  characters: z.number(),
  notes: z.record(z.string(), z.number()),
  pages: z.array(z.number()),
  parts: z.array(z.object({ kind: z.enum(PART_KINDS), span: Span })),
  matches: z.array(
    z.object({
      document: z.number(),
      kind: z.enum(MATCH_KINDS),
      span: Span,
      source: z.tuple([z.number(), z.number()]),
      chain: z.number(),
      ratio: z.number(),
      documents: z.number(),
    }),
  ),
});
export type StoredReport = z.infer<typeof StoredReport>;

/** What its author says: passages that are quotations, sources that are own works, parts to be counted after all. */
export const Claims = z.strictObject({
  quoted: z.array(z.number().int().min(0).max(100_000)).max(2000).default([]),
  own: z.array(z.number().int().min(0).max(2_147_483_647)).max(2000).default([]),
  count: z.array(z.enum(LEFT_OUT)).max(LEFT_OUT.length).default([]),
});
export type Claims = z.infer<typeof Claims>;

/** All in characters that count; shares are made where they are shown. */
export const Figures = z.object({
  /** Of the whole text. */
  characters: z.number(),
  /** Without the parts that are left out: what the shares are of. */
  counted: z.number(),
  left_out: z.partialRecord(z.enum(LEFT_OUT), z.number()),
  same: z.number(),
  similar: z.number(),
  common: z.number(),
  quoted: z.number(),
  same_unquoted: z.number(),
  same_foreign: z.number(),
  largest: z.object({ document: z.number(), same: z.number() }).nullable(),
});
export type Figures = z.infer<typeof Figures>;

export const Source = z.object({
  document: z.number(),
  name: z.string(),
  same: z.number(),
  similar: z.number(),
  passages: z.number(),
  is_own: z.boolean(),
});
export type Source = z.infer<typeof Source>;

export const Check = z.object({
  id: z.number(),
  name: z.string(),
  other_name: z.string().nullable(),
  run_id: z.number(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  reason: z.string().nullable(),
  documents: z.number(),
  points: z.number(),
  figures: Figures.nullable(),
  created_at: z.string(),
  expires_at: z.string(),
});
export type Check = z.infer<typeof Check>;
export const Checks = z.object({ total: z.number(), list: z.array(Check) });

export const Passage = z.object({
  /** Its number in the report. */
  no: z.number(),
  document: z.number(),
  kind: z.enum(MATCH_KINDS),
  start: z.number(),
  end: z.number(),
  chain: z.number(),
  ratio: z.number(),
  documents: z.number(),
  quoted: z.boolean(),
});
export type Passage = z.infer<typeof Passage>;

export const Report = z.object({
  check: Check,
  text: z.string(),
  figures: Figures,
  sources: z.array(Source),
  passages: z.array(Passage),
  parts: z.array(z.object({ kind: z.enum(PART_KINDS), start: z.number(), end: z.number() })),
  notes: z.record(z.string(), z.number()),
  pages: z.array(z.number()),
  claims: Claims,
  /** Sources that have left the library since, with all their passages. */
  removed: z.number(),
});
export type Report = z.infer<typeof Report>;

export const PassageId = z.object({ id, no: z.coerce.number().int().min(0).max(100_000) });
/** A passage in its source, with what stands around it. */
export const Excerpt = z.object({ name: z.string(), before: z.string(), passage: z.string(), after: z.string() });
export type Excerpt = z.infer<typeof Excerpt>;

export const Keep = z.strictObject({ consent: z.literal(true) });
export const ExportQuery = z.object({ format: z.enum(['html', 'pdf']).default('html') });
