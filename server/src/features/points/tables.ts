/** Tables of AI points (migrations/0032_points.sql). */
import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { POINT_KINDS } from './schema.ts';

export const pointAccounts = pgTable(
  'point_accounts',
  {
    ownerKind: text('owner_kind').notNull(),
    ownerId: integer('owner_id').notNull(),
    gift: integer('gift').notNull().default(0),
    paid: integer('paid').notNull().default(0),
    lastSeq: integer('last_seq').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ownerKind, table.ownerId] })],
);
export type PointAccountRow = typeof pointAccounts.$inferSelect;

export const pointEntries = pgTable('point_entries', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  seq: integer('seq').notNull(),
  gift: integer('gift').notNull(),
  paid: integer('paid').notNull(),
  balance: integer('balance').notNull(),
  kind: text('kind', { enum: POINT_KINDS }).notNull(),
  key: text('key').notNull(),
  ref: text('ref').notNull().default(''),
  title: text('title').notNull(),
  actor: integer('actor'),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
});
export type PointEntry = typeof pointEntries.$inferSelect;
