/** Tables of feedback; the migration holds the same with their constraints. */
import { customType, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Context } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

export const feedback = pgTable('feedback', {
  id: id(),
  /** null: a visitor, known by the device (migrations/0117_visitor_feedback.sql). */
  userId: integer('user_id'),
  deviceId: text('device_id'),
  netDigest: text('net_digest'),
  type: text('type', { enum: ['idea', 'fault', 'result', 'other'] }).notNull(),
  contact: text('contact'),
  context: jsonb('context').$type<Context>().notNull(),
  requestId: text('request_id').notNull(),
  state: text('state', { enum: ['sent', 'working', 'answered', 'solved', 'declined'] })
    .notNull()
    .default('sent'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  closedAt: at('closed_at'),
});

export const feedbackMessages = pgTable('feedback_messages', {
  id: id(),
  feedbackId: integer('feedback_id').notNull(),
  by: text('by', { enum: ['person', 'desk'] }).notNull(),
  text: text('text').notNull(),
  at: at('at').notNull().defaultNow(),
});

export const feedbackImages = pgTable('feedback_images', {
  id: id(),
  userId: integer('user_id').notNull(),
  feedbackId: integer('feedback_id'),
  jpeg: bytea('jpeg').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export type FeedbackRow = typeof feedback.$inferSelect;
