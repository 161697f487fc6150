/** Tables of this feature (migrations/0011_projects.sql). */
import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { HistoryRow } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const projects = pgTable('projects', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('private'),
  name: text('name').notNull(),
  place: integer('place').notNull(),
  draft: boolean('draft').notNull().default(false),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
});
export type ProjectRow = typeof projects.$inferSelect;

export const projectEvents = pgTable('project_events', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  act: text('act').$type<HistoryRow['act']>().notNull(),
  text: text('text').notNull(),
  rid: integer('rid'),
  rev: integer('rev'),
  title: text('title'),
  at: instant('at').notNull().defaultNow(),
});
