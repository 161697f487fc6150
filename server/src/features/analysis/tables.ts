/** What a run of an analysis is for (migrations/0012_reports.sql). */
import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Plan } from '../reports/service.ts';

export const calls = pgTable('analysis_calls', {
  runId: integer('run_id').primaryKey(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  rid: integer('rid').notNull(),
  key: text('key').notNull(),
  kept: text('kept').notNull(),
  keptTable: text('kept_table'),
  keptModel: text('kept_model'),
  plan: jsonb('plan').$type<Plan>().notNull(),
  isOpen: boolean('is_open').notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
export type CallRow = typeof calls.$inferSelect;
