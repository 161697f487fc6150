/** Table of this feature (migrations/0015_coding_schemes.sql). */
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { CodingRule } from './schema.ts';

export const codingSchemes = pgTable('coding_schemes', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  name: text('name').notNull(),
  rules: jsonb('rules').$type<CodingRule[]>().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
});
