/** Tables of credits (migrations/0118_credits.sql). */
import { bigint, boolean, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { at, big, id } from '../../lib/columns.ts';
import { APPEAL_STATES, CREDIT_KINDS } from './schema.ts';

export const CONTRAS = ['sys:quest', 'sys:campaign', 'sys:mall', 'sys:expired', 'sys:desk'] as const;

export const creditAccounts = pgTable('credit_accounts', {
  userId: integer('user_id').primaryKey(),
  balance: integer('balance').notNull().default(0),
  lastSeq: integer('last_seq').notNull().default(0),
  heldReason: text('held_reason'),
  clearedAt: at('cleared_at'),
});
export type CreditAccountRow = typeof creditAccounts.$inferSelect;

export const creditEntries = pgTable('credit_entries', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  seq: integer('seq').notNull(),
  amount: integer('amount').notNull(),
  balanceAfter: integer('balance_after').notNull(),
  kind: text('kind', { enum: CREDIT_KINDS }).notNull(),
  contra: text('contra', { enum: CONTRAS }).notNull(),
  idemKey: text('idem_key').notNull(),
  ref: text('ref').notNull().default(''),
  title: text('title').notNull(),
  reversesId: big('reverses_id'),
  actor: integer('actor'),
  at: at('at').notNull().defaultNow(),
});
export type CreditEntry = typeof creditEntries.$inferSelect;

export const creditLots = pgTable('credit_lots', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  entryId: big('entry_id').notNull(),
  amount: integer('amount').notNull(),
  remaining: integer('remaining').notNull(),
  expiresAt: at('expires_at').notNull(),
  extended: boolean('extended').notNull().default(false),
  generation: integer('generation').notNull().default(0),
  noticed: smallint('noticed'),
});
export type CreditLot = typeof creditLots.$inferSelect;

export const creditLotUses = pgTable(
  'credit_lot_uses',
  {
    entryId: big('entry_id').notNull(),
    lotId: big('lot_id').notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.lotId] })],
);

export const creditAppeals = pgTable('credit_appeals', {
  id: id(),
  userId: integer('user_id').notNull(),
  recordId: integer('record_id'),
  text: text('text').notNull(),
  state: text('state', { enum: APPEAL_STATES }).notNull().default('open'),
  reply: text('reply'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  decidedAt: at('decided_at'),
});
export type AppealRow = typeof creditAppeals.$inferSelect;
