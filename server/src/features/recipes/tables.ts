/** Table of this feature (migrations/0160_step_recipes.sql). */
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Step } from '../files/schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const stepRecipes = pgTable('step_recipes', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  visibility: text('visibility').$type<'private' | 'all'>().notNull().default('all'),
  name: text('name').notNull(),
  note: text('note').notNull().default(''),
  steps: jsonb('steps').$type<Step[]>().notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  usedAt: instant('used_at'),
  deletedAt: instant('deleted_at'),
});
export type RecipeRow = typeof stepRecipes.$inferSelect;
