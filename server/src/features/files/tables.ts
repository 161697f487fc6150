/** Tables of this feature (migrations/0010_files.sql); only store files of this folder use them. */
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type {
  ActiveFilter,
  AnswerSet,
  Column,
  FilterType,
  ImportReport,
  Questionnaire,
  Split,
  Step,
  Weight,
} from './schema.ts';
import type { Summary } from './summary.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const uploads = pgTable('uploads', {
  uploadId: integer('upload_id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  key: text('key').notNull(),
  name: text('name').notNull(),
  size: bigint('size', { mode: 'number' }).notNull(),
  received: bigint('received', { mode: 'number' }).notNull().default(0),
  declaredSha256: text('declared_sha256'),
  sha256: text('sha256'),
  state: text('state').$type<'open' | 'complete' | 'used'>().notNull().default('open'),
  createdAt: instant('created_at').notNull().defaultNow(),
  touchedAt: instant('touched_at').notNull().defaultNow(),
});
export type UploadRow = typeof uploads.$inferSelect;

export const files = pgTable('files', {
  fid: integer('fid').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('private'),
  name: text('name').notNull(),
  format: text('format').notNull(),
  example: text('example'),
  head: integer('head'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
  lockedAt: instant('locked_at'),
});
export type FileEntry = typeof files.$inferSelect;

export const versions = pgTable('versions', {
  vid: integer('vid').primaryKey().generatedAlwaysAsIdentity(),
  fid: integer('fid').notNull(),
  parent: integer('parent'),
  /** The version shown before, where it is not the parent: undo leads there. */
  replaces: integer('replaces'),
  /** Made on the way to the end of a list that was run anew. */
  passing: boolean('passing').notNull().default(false),
  number: integer('number').notNull(),
  tableKey: text('table_key').notNull(),
  dataKey: text('data_key'),
  uploadId: integer('upload_id'),
  size: bigint('size', { mode: 'number' }).notNull(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
  columns: jsonb('columns').$type<Column[]>().notNull(),
  importReport: jsonb('import_report').$type<ImportReport>(),
  step: jsonb('step').$type<Step>().notNull(),
  sets: jsonb('sets').$type<AnswerSet[]>().notNull().default([]),
  questionnaire: jsonb('questionnaire').$type<Questionnaire>(),
  summary: jsonb('summary').$type<Summary>().notNull(),
  search: text('search').notNull(),
  filter: jsonb('filter').$type<ActiveFilter>(),
  weight: jsonb('weight').$type<Weight>(),
  split: jsonb('split').$type<Split>(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const namedFilters = pgTable('named_filters', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  fid: integer('fid').notNull(),
  name: text('name').notNull(),
  condition: text('condition').notNull(),
  filterType: text('filter_type').$type<FilterType>().notNull(),
  reduceNum: integer('reduce_num').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const garbage = pgTable('garbage', { key: text('key').primaryKey(), dueAt: instant('due_at').notNull() });
