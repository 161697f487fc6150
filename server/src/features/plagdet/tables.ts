/** Tables of compared texts; migrations/0172_plagdet.sql holds the same with their constraints. */
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Claims, Figures } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();
const owner = {
  ownerKind: text('owner_kind', { enum: ['user', 'enterprise'] }).notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by').notNull(),
};

export const plagdetLimits = pgTable('plagdet_limits', {
  edition: text('edition').primaryKey(),
  checksDay: integer('checks_day').notNull(),
  freeCharacters: integer('free_characters').notNull(),
  documents: integer('documents').notNull(),
  price: integer('price'),
  keptDays: integer('kept_days').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
export type LimitRow = typeof plagdetLimits.$inferSelect;

export const segments = pgTable('plagdet_segments', {
  key: text('key').primaryKey(),
  ...owner,
  documents: integer('documents').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  droppedAt: at('dropped_at'),
});

export const documents = pgTable('plagdet_documents', {
  id: id(),
  ...owner,
  name: text('name').notNull(),
  state: text('state', { enum: ['waiting', 'ready', 'refused'] })
    .notNull()
    .default('waiting'),
  uploadKey: text('upload_key'),
  fromKey: text('from_key'),
  textKey: text('text_key').notNull(),
  segmentKey: text('segment_key'),
  runId: integer('run_id'),
  characters: integer('characters'),
  sha256: text('sha256'),
  reason: text('reason'),
  consent: integer('consent').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type DocumentRow = typeof documents.$inferSelect;

export const checks = pgTable('plagdet_checks', {
  id: id(),
  ...owner,
  name: text('name').notNull(),
  otherName: text('other_name'),
  runId: integer('run_id').notNull(),
  state: text('state', { enum: ['running', 'done', 'failed', 'cancelled'] })
    .notNull()
    .default('running'),
  reason: text('reason'),
  digest: text('digest').notNull(),
  documents: integer('documents').notNull(),
  textKey: text('text_key').notNull(),
  otherKey: text('other_key'),
  reportKey: text('report_key').notNull(),
  points: integer('points').notNull().default(0),
  characters: integer('characters'),
  figures: jsonb('figures').$type<Figures>(),
  claims: jsonb('claims').$type<Claims>().notNull().default({ quoted: [], own: [], count: [] }),
  createdAt: at('created_at').notNull().defaultNow(),
  expiresAt: at('expires_at').notNull(),
});
export type CheckRow = typeof checks.$inferSelect;
