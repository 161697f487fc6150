/** Tables of privacy; the migrations hold the same with their constraints. */
import { bigint, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();

export const accountExports = pgTable('account_exports', {
  id: id(),
  ownerKind: text('owner_kind').notNull(),
  ownerId: integer('owner_id').notNull(),
  userId: integer('user_id').notNull(),
  state: text('state', { enum: ['working', 'done', 'failed'] }).notNull(),
  done: integer('done').notNull().default(0),
  total: integer('total').notNull().default(0),
  fileKey: text('file_key'),
  size: bigint('size', { mode: 'number' }),
  createdAt: at('created_at').notNull().defaultNow(),
  endedAt: at('ended_at'),
  serverId: uuid('server_id'),
});

export const events = pgTable('events', {
  id: id(),
  userId: integer('user_id').notNull(),
  name: text('name').notNull(),
  path: text('path').notNull(),
  at: at('at').notNull().defaultNow(),
});
