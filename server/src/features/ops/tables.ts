/** Tables of the desk (migrations/0050_ops.sql). */
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at, id } from '../../lib/columns.ts';
import type { RequestState, Role } from './schema.ts';

export const operators = pgTable('operators', {
  userId: integer('user_id').primaryKey(),
  roles: jsonb('roles').$type<Role[]>().notNull(),
  state: text('state', { enum: ['active', 'stopped'] })
    .notNull()
    .default('active'),
  addedBy: text('added_by').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
export type OperatorRow = typeof operators.$inferSelect;

export const opsSessions = pgTable('ops_sessions', {
  id: id(),
  userId: integer('user_id').notNull(),
  sessionId: integer('session_id').notNull(),
  secretDigest: text('secret_digest').notNull(),
  netShown: text('net_shown').notNull(),
  begunAt: at('begun_at').notNull(),
  seenAt: at('seen_at').notNull(),
  endsAt: at('ends_at').notNull(),
  endedAt: at('ended_at'),
});
export type OpsSessionRow = typeof opsSessions.$inferSelect;

export const opsRequests = pgTable('ops_requests', {
  id: id(),
  act: text('act').notNull(),
  kind: text('kind').notNull(),
  target: text('target').notNull(),
  targetName: text('target_name').notNull(),
  targetVersion: integer('target_version'),
  payload: jsonb('payload').$type<unknown>().notNull(),
  payloadHash: text('payload_hash').notNull(),
  before: jsonb('before').$type<unknown>(),
  why: text('why').notNull(),
  reason: text('reason').notNull(),
  askedBy: integer('asked_by').notNull(),
  state: text('state').$type<RequestState>().notNull().default('waiting'),
  decidedBy: integer('decided_by'),
  answer: text('answer'),
  createdAt: at('created_at').notNull(),
  endsAt: at('ends_at').notNull(),
  decidedAt: at('decided_at'),
});
export type RequestRow = typeof opsRequests.$inferSelect;

export const opsFiles = pgTable('ops_files', {
  id: id(),
  userId: integer('user_id').notNull(),
  name: text('name').notNull(),
  rows: integer('rows').notNull(),
  csv: text('csv').notNull(),
  endsAt: at('ends_at').notNull(),
});
