/** Tables of this feature (migrations/0140_text_analysis.sql). */
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytea } from '../../lib/columns.ts';
import type { DictionaryKind } from './schema.ts';

const owner = {
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
};

export const textDictionaries = pgTable('text_dictionaries', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ...owner,
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('all'),
  kind: text('kind').$type<DictionaryKind>().notNull(),
  name: text('name').notNull(),
  version: integer('version').notNull().default(1),
  lines: jsonb('lines').$type<string[]>().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
});
export type DictionaryRow = typeof textDictionaries.$inferSelect;

export const textPictures = pgTable('text_pictures', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ...owner,
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('private'),
  mime: text('mime').notNull(),
  size: integer('size').notNull(),
  jpeg: bytea('jpeg').notNull(),
  shape: jsonb('shape').$type<string[]>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
