/** Tables of quests (migrations/0119_quests.sql); the events they count stand in lib/product-events.ts. */
import { integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { at, big, id } from '../../lib/columns.ts';
import { PRODUCT_EVENTS, QUEST_KINDS } from './schema.ts';
import type { RecordState } from './schema.ts';

export const COUNTS = ['subject', 'method', 'day'] as const;
export const AUDIENCES = ['all', 'standard', 'member'] as const;
export const QUEST_STATES = ['draft', 'on', 'off', 'replaced'] as const;

export const quests = pgTable('quests', {
  id: id(),
  code: text('code').notNull(),
  version: integer('version').notNull().default(1),
  title: text('title').notNull(),
  why: text('why').notNull(),
  kind: text('kind', { enum: QUEST_KINDS }).notNull(),
  event: text('event', { enum: PRODUCT_EVENTS }).notNull(),
  counts: text('counts', { enum: COUNTS }).notNull().default('subject'),
  target: integer('target').notNull(),
  bonus: integer('bonus').notNull(),
  window: integer('window'),
  perYear: integer('per_year'),
  startsAt: at('starts_at'),
  endsAt: at('ends_at'),
  audience: text('audience', { enum: AUDIENCES }).notNull().default('all'),
  actionUrl: text('action_url').notNull(),
  campaignId: integer('campaign_id'),
  sort: integer('sort').notNull().default(0),
  state: text('state', { enum: QUEST_STATES }).notNull().default('draft'),
});
export type QuestRow = typeof quests.$inferSelect;

export const questRecords = pgTable('quest_records', {
  id: id(),
  questId: integer('quest_id').notNull(),
  code: text('code').notNull(),
  userId: integer('user_id').notNull(),
  periodKey: text('period_key').notNull(),
  periodEnd: at('period_end'),
  progress: integer('progress').notNull().default(0),
  target: integer('target').notNull(),
  bonus: integer('bonus').notNull(),
  state: smallint('state').$type<RecordState>().notNull().default(0),
  heldReason: text('held_reason'),
  completedAt: at('completed_at'),
  acceptedAt: at('accepted_at'),
  autoCreditAt: at('auto_credit_at'),
  entryId: big('entry_id'),
  shortfall: integer('shortfall').notNull().default(0),
  version: integer('version').notNull().default(1),
});
export type RecordRow = typeof questRecords.$inferSelect;

export const questHits = pgTable(
  'quest_hits',
  {
    recordId: integer('record_id').notNull(),
    eventKey: text('event_key').notNull(),
    title: text('title').notNull(),
    at: at('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.eventKey] })],
);
