/**
 * What a person did with the product, written in the transaction of the deed itself: one row, without references or
 * checks that could make the deed fail or wait. Who counts them (quests) does so afterwards.
 */
import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { atOnce } from './clock.ts';
import { at } from './columns.ts';
import type { Db } from './db.ts';
import type { Owner } from './guard.ts';

export const productEvents = pgTable('product_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  kind: text('kind').notNull(),
  subject: text('subject').notNull(),
  method: text('method'),
  onceOnly: boolean('once_only').notNull().default(false),
  at: at('at').notNull().defaultNow(),
  appliedAt: at('applied_at'),
  attempts: integer('attempts').notNull().default(0),
  nextAt: at('next_at').notNull().defaultNow(),
});
export type ProductEventRow = typeof productEvents.$inferSelect;

export interface Deed {
  kind:
    | 'phone_bound'
    | 'file_imported'
    | 'analysis_succeeded'
    | 'report_exported'
    | 'feedback_adopted'
    | 'invite_qualified';
  /** What it was done to: the same one is not counted twice. */
  subject: string | number;
  /** Path of the method, of an analysis. */
  method?: string;
  /** With example data. */
  isExample?: boolean;
}

/** Work in an enterprise is the enterprise's: nothing is written of it. */
export async function happened(tx: Db, owner: Owner, { kind, subject, method, isExample }: Deed): Promise<void> {
  if (owner.kind !== 'user') return;
  await tx.insert(productEvents).values({
    userId: owner.id,
    kind,
    subject: String(subject),
    method: method ?? null,
    onceOnly: isExample ?? false,
    nextAt: atOnce,
  });
}
