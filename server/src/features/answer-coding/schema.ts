/** Shapes of 文本编码: the code book, answers with their codes, and what is done to many of them at once. */
import { z } from 'zod';
import { ColumnId } from '../files/parts/schema.ts';

const Id = z.coerce.number().int().positive().max(2_147_483_647);
export const CodingId = z.object({ id: Id });
const CodeId = z.number().int().positive().max(2_147_483_647);
const Words = (most: number) => z.string().trim().max(most, `最多 ${most} 个字`).default('');

export const CODES_MOST = 200;
export const ANSWERS_AT_ONCE = 1000;

/** unclear: 无法归类, zeros and a column of its own; invalid: 无效, a missing code of its own. Both stand alone. */
export const CodeKind = z.enum(['plain', 'other', 'unclear', 'invalid']);
export type CodeKind = z.infer<typeof CodeKind>;

const codeFields = {
  name: z.string('请输入编码名称').trim().min(1, '请输入编码名称').max(30, '编码名称最多 30 个字'),
  /** The heading it stands under; empty: none. */
  group: Words(30),
  definition: Words(500),
  includes: Words(500),
  excludes: Words(500),
  /** As in a set of labels: `热情，前台+慢，!机器人，/退.?房/`; empty: no suggestions by words. */
  rule: Words(480),
  kind: CodeKind.default('plain'),
  /** Taken out: its marks stay, but count nowhere until it is brought back. */
  gone: z.boolean().default(false),
};
export const Code = z.object({ id: CodeId, ...codeFields });
export type Code = z.infer<typeof Code>;
/** A new code has no id yet. */
export const CodeEdit = z.strictObject({ id: CodeId.nullable(), ...codeFields });
export type CodeEdit = z.infer<typeof CodeEdit>;
/** `version`: the book that was edited; another in between refuses the change. */
export const BookBody = z.strictObject({
  codes: z.array(CodeEdit).max(CODES_MOST, `码表最多 ${CODES_MOST} 个编码`),
  version: z.number().int().positive(),
});
export type BookBody = z.infer<typeof BookBody>;

export const NewCoding = z.strictObject({
  vid: z.number().int().positive().max(2_147_483_647),
  column: ColumnId,
  question: z.string().trim().min(1, '请输入题名').max(60, '题名最多 60 个字').optional(),
  /** Phones, identity cards and mail addresses are covered before anybody codes. */
  mask: z.boolean().default(true),
});
export type NewCoding = z.infer<typeof NewCoding>;

const Progress = z.object({
  answers: z.number(),
  rows: z.number(),
  coded_answers: z.number(),
  coded_rows: z.number(),
});
export type Progress = z.infer<typeof Progress>;

export const CodingEntry = z.object({
  id: z.number(),
  fid: z.number(),
  /** null: the version is gone. */
  vid: z.number().nullable(),
  file: z.string(),
  column: z.string(),
  question: z.string(),
  progress: Progress,
  created_at: z.string(),
  updated_at: z.string(),
});
export type CodingEntry = z.infer<typeof CodingEntry>;

export const CodingList = z.object({ total: z.number(), list: z.array(CodingEntry) });
export const CodingQuery = z.object({ fid: Id.optional() });

const Agreed = z.array(z.object({ p: z.number(), suggested: z.number(), right: z.number() }));
/** How the suggestions were made. `agreed`: tried out on the coded answers; null: nothing was learnt, for `why`. */
export const SuggestedBy = z.object({
  book_version: z.number(),
  coded: z.number(),
  agreed: Agreed.nullable(),
  why: z.string().nullable(),
  at: z.string(),
});
export type SuggestedBy = z.infer<typeof SuggestedBy>;

export const Written = z.object({
  vid: z.number(),
  set: z.string().nullable(),
  /** Code → column. */
  columns: z.record(z.string(), z.string()),
  book_version: z.number(),
  at: z.string(),
});
export type Written = z.infer<typeof Written>;

export const Coding = CodingEntry.extend({
  masked: z.boolean(),
  /** Rows of the table, those with an answer, and those in which something was covered. */
  total: z.number(),
  answered: z.number(),
  covered: z.number(),
  codes: z.array(Code),
  book_version: z.number(),
  /** Of each code: answers and rows that hold it, and answers it is suggested for. */
  counts: z.array(z.object({ code: z.number(), answers: z.number(), rows: z.number(), suggested: z.number() })),
  /** Answers with a suggestion nobody has decided on. */
  open: z.number(),
  /** Such suggestions at p or more. */
  by_p: z.array(z.object({ p: z.number(), marks: z.number() })),
  suggested: SuggestedBy.nullable(),
  /** Of all codes given: how many were suggestions taken all at once. */
  taken: z.object({ marks: z.number(), at_once: z.number() }),
  undo: z.string().nullable(),
  redo: z.string().nullable(),
  written: Written.nullable(),
});
export type Coding = z.infer<typeof Coding>;

export const Answer = z.object({
  at: z.number(),
  text: z.string(),
  rows: z.number(),
  first_row: z.number(),
  codes: z.array(z.number()),
  by_hand: z.array(z.number()),
  rejected: z.array(z.number()),
  /** Suggestions nobody has decided on. */
  suggested: z.array(z.object({ code: z.number(), p: z.number() })),
  version: z.number(),
});
export type Answer = z.infer<typeof Answer>;

export const AnswerState = z.enum(['all', 'uncoded', 'suggested', 'coded']);
export type AnswerState = z.infer<typeof AnswerState>;
export const AnswerQuery = z.object({
  q: z.string().trim().max(100).optional(),
  state: AnswerState.default('all'),
  /** Only answers that hold, or are suggested, this code. */
  code: Id.optional(),
  sort: z.enum(['place', 'rows', 'length']).default('place'),
  offset: z.coerce.number().int().min(0).max(200_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});
export type AnswerQuery = z.infer<typeof AnswerQuery>;
export const AnswerPage = z.object({ total: z.number(), rows: z.number(), list: z.array(Answer) });
export type AnswerPage = z.infer<typeof AnswerPage>;

/** `version`: the answer as it was read; where somebody has changed it since, nothing happens to it. */
export const MarksBody = z.strictObject({
  answers: z
    .array(z.strictObject({ at: z.number().int().min(0).max(200_000), version: z.number().int().min(0) }))
    .min(1)
    .max(ANSWERS_AT_ONCE, `一次最多改 ${ANSWERS_AT_ONCE} 条回答`),
  on: z.array(CodeId).max(20).default([]),
  off: z.array(CodeId).max(CODES_MOST).default([]),
  /** Takes all open suggestions of these answers. */
  accept: z.boolean().default(false),
});
export type MarksBody = z.infer<typeof MarksBody>;
export const Marked = z.object({
  answers: z.array(Answer),
  conflicts: z.array(z.object({ answer: Answer, by: z.string().nullable() })),
});
export type Marked = z.infer<typeof Marked>;

export const AcceptBody = z.strictObject({ p: z.number().min(0.5).max(1) });
export const MergeBody = z.strictObject({ from: CodeId, into: CodeId });
/** `kept`: answers somebody has changed since, which stay as they are. */
export const Acted = z.object({ title: z.string(), answers: z.number(), marks: z.number(), kept: z.number() });
export type Acted = z.infer<typeof Acted>;

export const DraftBody = z.strictObject({ k: z.number().int().min(2).max(20).default(8) });
export const DraftedCode = z.object({
  name: z.string(),
  words: z.array(z.string()),
  answers: z.number(),
  samples: z.array(z.string()),
});
export type DraftedCode = z.infer<typeof DraftedCode>;
/** A run that works on a coding: `state` waiting or running where it has not ended within the wait. */
export const CodingRun = z.object({
  run_id: z.number(),
  state: z.string(),
  codes: z.array(DraftedCode).nullable(),
  suggestions: z.number().nullable(),
});
export type CodingRun = z.infer<typeof CodingRun>;
export const WaitQuery = z.object({ wait: z.coerce.number().min(0).max(20).default(20) });

export const CodingWritten = z.object({ vid: z.number(), columns: z.number(), warnings: z.array(z.string()) });
export type CodingWritten = z.infer<typeof CodingWritten>;

/** κ is null (—) where nobody used the code. `first`, `second`: answers that each of the two gave it to. */
export const Agreement = z.object({
  n: z.number(),
  codes: z.array(
    z.object({
      code: z.number(),
      agreed: z.number(),
      kappa: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      first: z.number(),
      second: z.number(),
    }),
  ),
  mean_kappa: z.number().nullable(),
  alpha: z.number().nullable(),
});
export type Agreement = z.infer<typeof Agreement>;

export const RoundKind = z.enum(['invited', 'self']);
export type RoundKind = z.infer<typeof RoundKind>;
export const RoundBody = z.strictObject({ kind: RoundKind });
const Place = z.number().int().min(0).max(200);
export const SecondBody = z.strictObject({ place: Place, codes: z.array(CodeId).max(50) });
export type SecondBody = z.infer<typeof SecondBody>;
export const RoundId = z.object({ id: Id, round: Id });
export const SecondCode = z.object({ code: z.string().regex(/^[\w-]{22}$/) });
export const Round = z.object({
  id: z.number(),
  kind: RoundKind,
  /** Of the link /analysis/coding/second/{code}. */
  code: z.string(),
  size: z.number(),
  done: z.number(),
  coder: z.string().nullable(),
  book_version: z.number(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** Both only after its end. */
  agreement: Agreement.nullable(),
  differing: z.array(
    z.object({
      place: z.number(),
      text: z.string(),
      first: z.array(z.number()),
      second: z.array(z.number()),
      settled: z.array(z.number()).nullable(),
    }),
  ),
});
export type Round = z.infer<typeof Round>;
export const RoundList = z.object({ list: z.array(Round) });
/** What a second coder sees: texts and code book, nothing of the first coder. */
export const SecondCoding = z.object({
  question: z.string(),
  codes: z.array(Code),
  ended: z.boolean(),
  answers: z.array(z.object({ place: z.number(), text: z.string(), codes: z.array(z.number()).nullable() })),
});
export type SecondCoding = z.infer<typeof SecondCoding>;
