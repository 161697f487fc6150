/** Tables of this feature (migrations/0151_expert_questionnaires.sql, 0164_expert_panel.sql). */
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { AnswerValue, Content, FeedbackCard, Kind, ProjectState, Verdict } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const projects = pgTable('expert_projects', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('private'),
  kind: text('kind').$type<Kind>().notNull(),
  title: text('title').notNull(),
  state: text('state').$type<ProjectState>().notNull().default('draft'),
  content: jsonb('content').$type<Content>().notNull(),
  revision: integer('revision').notNull().default(1),
  version: integer('version').notNull().default(0),
  round: integer('round').notNull().default(0),
  publicDigest: text('public_digest'),
  publicSerial: integer('public_serial').notNull().default(0),
  fid: integer('fid'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  deletedAt: at('deleted_at'),
});
export type ProjectRow = typeof projects.$inferSelect;

export const versions = pgTable(
  'expert_versions',
  {
    projectId: integer('project_id').notNull(),
    number: integer('number').notNull(),
    content: jsonb('content').$type<Content>().notNull(),
    reason: text('reason').notNull(),
    frozenAt: at('frozen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.number] })],
);
export type VersionRow = typeof versions.$inferSelect;

export const rounds = pgTable(
  'expert_rounds',
  {
    projectId: integer('project_id').notNull(),
    number: integer('number').notNull(),
    version: integer('version').notNull(),
    state: text('state').$type<'open' | 'closed'>().notNull().default('open'),
    items: jsonb('items').$type<string[]>().notNull(),
    feedback: jsonb('feedback').$type<FeedbackCard[]>().notNull(),
    decisions: jsonb('decisions').$type<Record<string, Verdict>>().notNull().default({}),
    invited: integer('invited').notNull(),
    openedAt: at('opened_at').notNull().defaultNow(),
    dueAt: at('due_at').notNull(),
    closedAt: at('closed_at'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.number] })],
);
export type RoundRow = typeof rounds.$inferSelect;

export const people = pgTable('expert_people', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  number: integer('number').notNull(),
  channel: text('channel').$type<'personal' | 'public'>().notNull(),
  digest: text('digest'),
  serial: integer('serial').notNull().default(1),
  openedAt: at('opened_at'),
  consentedAt: at('consented_at'),
  withdrawnAt: at('withdrawn_at'),
  remindedAt: at('reminded_at'),
  reminders: integer('reminders').notNull().default(0),
});
export type ExpertRow = typeof people.$inferSelect;

export const contacts = pgTable('expert_contacts', {
  expertId: integer('expert_id').primaryKey(),
  name: text('name').notNull(),
});

export const sheets = pgTable('expert_sheets', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  round: integer('round').notNull(),
  expertId: integer('expert_id').notNull(),
  startedAt: at('started_at').notNull().defaultNow(),
  savedAt: at('saved_at').notNull().defaultNow(),
  submittedAt: at('submitted_at'),
  isLate: boolean('is_late').notNull().default(false),
});
export type SheetRow = typeof sheets.$inferSelect;

export const answers = pgTable(
  'expert_answers',
  {
    sheetId: integer('sheet_id').notNull(),
    key: text('key').notNull(),
    revision: integer('revision').notNull(),
    value: jsonb('value').$type<AnswerValue>().notNull(),
    savedAt: at('saved_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.sheetId, table.key, table.revision] })],
);
