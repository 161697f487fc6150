/** Tables of runs; the migrations hold the same with their constraints. */
import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { RUN_STATES } from './schema.ts';
import type { RunError, RunProgress, RunRefusal } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const runs = pgTable('runs', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  ownerKind: text('owner_kind', { enum: ['user', 'enterprise'] }).notNull(),
  ownerId: integer('owner_id').notNull(),
  userId: integer('user_id').notNull(),
  kind: text('kind').notNull(),
  state: text('state', { enum: RUN_STATES }).notNull(),
  seq: integer('seq').notNull().default(0),
  position: integer('position'),
  progress: jsonb('progress').$type<RunProgress>(),
  refusal: jsonb('refusal').$type<RunRefusal>(),
  result: jsonb('result').$type<unknown>(),
  error: jsonb('error').$type<RunError>(),
  payload: jsonb('payload').$type<unknown>().notNull(),
  note: jsonb('note').$type<unknown>(),
  repeated: boolean('repeated').notNull().default(false),
  /** Which server works on it. */
  serverId: uuid('server_id'),
  stopWanted: boolean('stop_wanted').notNull().default(false),
  /** A queue in which one person has one place (`text`); null: the common one. */
  queue: text('queue'),
  createdAt: at('created_at').notNull().defaultNow(),
  startedAt: at('started_at'),
  endedAt: at('ended_at'),
});
export type RunRow = typeof runs.$inferSelect;

export const downloads = pgTable('downloads', {
  ticketDigest: text('ticket_digest').primaryKey(),
  ownerKind: text('owner_kind', { enum: ['user', 'enterprise'] }).notNull(),
  ownerId: integer('owner_id').notNull(),
  createdBy: integer('created_by'),
  kind: text('kind').notNull(),
  objectId: integer('object_id').notNull(),
  endsAt: at('ends_at').notNull(),
});
