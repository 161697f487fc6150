/** Tables of AI readings; migrations/0170_ai_readings.sql holds the same with their constraints. */
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { ReadingSentence } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();

export const aiReadings = pgTable('ai_readings', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  reportId: integer('report_id').notNull(),
  resultKey: text('result_key').notNull(),
  attempt: integer('attempt').notNull(),
  runId: integer('run_id').notNull(),
  state: text('state', { enum: ['running', 'done', 'failed'] })
    .notNull()
    .default('running'),
  provider: text('provider').notNull(),
  sentences: jsonb('sentences').$type<ReadingSentence[]>().notNull().default([]),
  reason: text('reason'),
  createdAt: at('created_at'),
});
export type AiReadingRow = typeof aiReadings.$inferSelect;

export const aiConsents = pgTable('ai_consents', {
  userId: integer('user_id').primaryKey(),
  version: integer('version').notNull(),
  givenAt: at('given_at'),
});
