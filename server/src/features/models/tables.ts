/** Table of this feature (migrations/0016_models.sql). */
import type { ModelCard } from '@hengxi/contracts/contract';
import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const models = pgTable('models', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('private'),
  name: text('name'),
  path: text('path').notNull(),
  method: text('method').notNull(),
  task: text('task').notNull(),
  key: text('key').notNull(),
  sha256: text('sha256').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  card: jsonb('card').$type<ModelCard>().notNull(),
  documentId: integer('document_id'),
  rid: integer('rid'),
  projectId: integer('project_id'),
  fileName: text('file_name'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  namedAt: timestamp('named_at', { withTimezone: true }),
});
export type ModelEntry = typeof models.$inferSelect;
