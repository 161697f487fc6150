/** Tables of credits (migrations/0115_credits.sql). */
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { CREDIT_KINDS } from './schema.ts';

export const creditAccounts = pgTable('credit_accounts', {
  userId: integer('user_id').primaryKey(),
  balance: integer('balance').notNull().default(0),
  lastSeq: integer('last_seq').notNull().default(0),
  heldReason: text('held_reason'),
});

export const creditEntries = pgTable('credit_entries', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  seq: integer('seq').notNull(),
  amount: integer('amount').notNull(),
  balanceAfter: integer('balance_after').notNull(),
  kind: text('kind', { enum: CREDIT_KINDS }).notNull(),
  contra: text('contra').notNull(),
  idemKey: text('idem_key').notNull(),
  ref: text('ref').notNull().default(''),
  title: text('title').notNull(),
  reversesId: bigint('reverses_id', { mode: 'number' }),
  actor: integer('actor'),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
});
export type CreditEntry = typeof creditEntries.$inferSelect;
