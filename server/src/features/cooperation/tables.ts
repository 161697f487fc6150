/** Table of those who want to work with us; migrations/0150_cooperation.sql holds the same with its constraints. */
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const leads = pgTable('cooperation_leads', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  number: text('number').notNull(),
  name: text('name').notNull(),
  company: text('company').notNull(),
  phone: text('phone'),
  mail: text('mail'),
  topic: text('topic', { enum: ['enterprise', 'school', 'channel', 'course', 'api', 'other'] }).notNull(),
  text: text('text').notNull(),
  source: text('source'),
  deviceId: text('device_id').notNull(),
  netDigest: text('net_digest').notNull(),
  contacts: text('contacts').array().notNull(),
  requestId: text('request_id').notNull(),
  state: text('state', { enum: ['new', 'working', 'done', 'declined'] })
    .notNull()
    .default('new'),
  note: text('note').notNull().default(''),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export type LeadRow = typeof leads.$inferSelect;
