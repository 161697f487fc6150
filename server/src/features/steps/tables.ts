/** Table of this feature (migrations/0018_variable_folders.sql, 0090_hidden_variables.sql). */
import { integer, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core';
import type { VariableFolder } from './schema.ts';

export const variableFolders = pgTable('variable_folders', {
  vid: integer('vid').primaryKey(),
  folders: jsonb('folders').$type<VariableFolder[]>().notNull(),
  hidden: jsonb('hidden').$type<string[]>().notNull().default([]),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
});
