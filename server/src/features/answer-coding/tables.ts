/** Tables of this feature (migrations/0178_answer_coding.sql). */
import { boolean, integer, jsonb, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core';
import { at, id } from '../../lib/columns.ts';
import type { Code, RoundKind, SuggestedBy, Written } from './schema.ts';

export const codings = pgTable('answer_codings', {
  id: id(),
  fid: integer('fid').notNull(),
  vid: integer('vid'),
  columnId: text('column_id').notNull(),
  question: text('question').notNull(),
  masked: boolean('masked').notNull(),
  total: integer('total').notNull(),
  answered: integer('answered').notNull(),
  covered: integer('covered').notNull(),
  characters: integer('characters').notNull(),
  book: jsonb('book').$type<Code[]>().notNull(),
  bookVersion: integer('book_version').notNull().default(1),
  nextCode: integer('next_code').notNull(),
  suggested: jsonb('suggested').$type<SuggestedBy>(),
  written: jsonb('written').$type<Written>(),
  createdBy: integer('created_by'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
export type CodingRow = typeof codings.$inferSelect;

const codes = (name: string) => integer(name).array().notNull().default([]);

export const answers = pgTable(
  'coded_answers',
  {
    codingId: integer('coding_id').notNull(),
    at: integer('at').notNull(),
    text: text('text').notNull(),
    rows: integer('rows').notNull(),
    firstRow: integer('first_row').notNull(),
    codes: codes('codes'),
    byHand: codes('by_hand'),
    rejected: codes('rejected'),
    suggested: codes('suggested'),
    likely: real('likely').array().notNull().default([]),
    version: integer('version').notNull().default(0),
    changedBy: integer('changed_by'),
    changedAt: at('changed_at'),
  },
  (table) => [primaryKey({ columns: [table.codingId, table.at] })],
);
export type AnswerRow = typeof answers.$inferSelect;

export type ActKind = 'marks' | 'accept' | 'merge' | 'settle';
/** Marks of an answer: codes, those by hand, those rejected. */
export type Marks = readonly [at: number, codes: number[], byHand: number[], rejected: number[]];

export const acts = pgTable(
  'coding_acts',
  {
    codingId: integer('coding_id').notNull(),
    number: integer('number').notNull(),
    userId: integer('user_id'),
    kind: text('kind').$type<ActKind>().notNull(),
    title: text('title').notNull(),
    marks: integer('marks').notNull(),
    before: jsonb('before').$type<Marks[]>(),
    after: jsonb('after').$type<Marks[]>(),
    undone: boolean('undone').notNull().default(false),
    madeAt: at('made_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.codingId, table.number] })],
);
export type ActRow = typeof acts.$inferSelect;

/** migrations/0179_coding_rounds.sql */
export const rounds = pgTable('coding_rounds', {
  id: id(),
  codingId: integer('coding_id').notNull(),
  kind: text('kind').$type<RoundKind>().notNull(),
  digest: text('digest'),
  coder: integer('coder'),
  seed: integer('seed').notNull(),
  book: jsonb('book').$type<Code[]>().notNull(),
  bookVersion: integer('book_version').notNull(),
  createdBy: integer('created_by'),
  createdAt: at('created_at').notNull().defaultNow(),
  endedAt: at('ended_at'),
});
export type RoundRow = typeof rounds.$inferSelect;

export const roundAnswers = pgTable(
  'coding_round_answers',
  {
    roundId: integer('round_id').notNull(),
    place: integer('place').notNull(),
    at: integer('at').notNull(),
    text: text('text').notNull(),
    first: integer('first').array().notNull(),
    second: integer('second').array(),
    settled: integer('settled').array(),
  },
  (table) => [primaryKey({ columns: [table.roundId, table.place] })],
);
export type RoundAnswer = typeof roundAnswers.$inferSelect;
