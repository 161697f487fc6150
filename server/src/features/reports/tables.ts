/** Tables of this feature (migrations/0012_reports.sql, first part). */
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { FilterType, Split, Weight } from '../files/schema.ts';
import type { Form, PinnedNumber } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export interface FilterUsed {
  condition: string;
  filter_type: FilterType;
}

export const reports = pgTable('reports', {
  rid: integer('rid').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('private'),
  projectId: integer('project_id').notNull(),
  vid: integer('vid'),
  fid: integer('fid'),
  fileName: text('file_name'),
  path: text('path').notNull(),
  method: text('method').notNull(),
  title: text('title').notNull(),
  titled: boolean('titled').notNull().default(false),
  pinned: boolean('pinned').notNull().default(false),
  note: text('note').notNull().default(''),
  frozen: boolean('frozen').notNull().default(false),
  rev: integer('rev').notNull().default(0),
  revs: integer('revs').notNull().default(0),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
});
export type ReportEntry = typeof reports.$inferSelect;

export const documents = pgTable('report_documents', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  key: text('key').notNull(),
  document: text('document').notNull(),
  kept: text('kept'),
  made: text('made'),
  madeAt: instant('made_at').notNull().defaultNow(),
});

export const revs = pgTable('report_revs', {
  rid: integer('rid').notNull(),
  rev: integer('rev').notNull(),
  key: text('key').notNull(),
  documentId: integer('document_id').notNull(),
  vid: integer('vid'),
  form: jsonb('form').$type<Form>().notNull(),
  filter: jsonb('filter').$type<FilterUsed>(),
  weight: jsonb('weight').$type<Weight>(),
  split: jsonb('split').$type<Split>(),
  fillMissing: integer('fill_missing').notNull().default(0),
  madeAt: instant('made_at').notNull().defaultNow(),
});
export type RevEntry = typeof revs.$inferSelect;

export const configs = pgTable('report_configs', {
  rid: integer('rid').notNull(),
  reportType: text('report_type').notNull(),
  presentation: jsonb('presentation').$type<Record<string, unknown>>().notNull(),
  form: jsonb('form').$type<{ form: Form; saved_at: string }>(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** migrations/0060_report_pins.sql */
export const pins = pgTable(
  'report_pins',
  {
    userId: integer('user_id').notNull(),
    projectId: integer('project_id').notNull(),
    pins: jsonb('pins').$type<PinnedNumber[]>().notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.projectId] })],
);

export const shares = pgTable('shares', {
  code: text('code').primaryKey(),
  /** Names it where its code must not be told (migrations/0116_desk_runs_and_shares.sql). */
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  rid: integer('rid').notNull(),
  rev: integer('rev').notNull(),
  blocks: jsonb('blocks').$type<string[]>(),
  hideSmall: boolean('hide_small').notNull(),
  presentation: jsonb('presentation').$type<Record<string, unknown>>().notNull(),
  title: text('title').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  endsAt: instant('ends_at'),
  endedAt: instant('ended_at'),
});
export type ShareEntry = typeof shares.$inferSelect;
