/** Table of what readers say of help pages; migrations/0174_help_feedback.sql holds the same with its constraints. */
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const helpFeedback = pgTable('help_feedback', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  slug: text('slug').notNull(),
  version: text('version').notNull(),
  verdict: text('verdict', { enum: ['yes', 'no'] }).notNull(),
  reason: text('reason', { enum: ['unclear', 'differs', 'wrong', 'lacking'] }),
  text: text('text').notNull().default(''),
  netDigest: text('net_digest').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export type HelpFeedbackRow = typeof helpFeedback.$inferSelect;
