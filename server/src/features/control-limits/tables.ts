/** Table of this feature (migrations/0175_control_limits.sql). */
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { RestsOn } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const controlLimits = pgTable('control_limits', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('all'),
  name: text('name').notNull(),
  path: text('path').notNull(),
  method: text('method').notNull(),
  restsOn: jsonb('rests_on').$type<RestsOn>().notNull(),
  report: text('report').notNull(),
  madeAt: instant('made_at').notNull(),
  variable: text('variable').notNull(),
  projectId: integer('project_id').notNull(),
  rid: integer('rid').notNull(),
  rev: integer('rev').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});
export type LimitsRow = typeof controlLimits.$inferSelect;
