/** Tables of campaigns (migrations/0033_campaigns.sql). */
import { boolean, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at, id } from '../../lib/columns.ts';

/** What one claim of a campaign gives. */
export interface Gift {
  vip_days?: number;
  points?: number;
  coupon?: { amount: number; coupon_type: 0 | 1 | 3; days: number };
}

export const CAMPAIGN_KINDS = ['lucky', 'invite', 'coupon', 'price'] as const;
export const CAMPAIGN_STATES = ['draft', 'review', 'planned', 'running', 'paused', 'ended'] as const;

export const campaigns = pgTable('campaigns', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  code: text('code').notNull(),
  title: text('title').notNull(),
  kind: text('kind', { enum: CAMPAIGN_KINDS }).notNull(),
  startsAt: at('starts_at').notNull(),
  endsAt: at('ends_at').notNull(),
  firstEndsAt: at('first_ends_at'),
  audience: text('audience', { enum: ['all', 'standard', 'member', 'new'] })
    .notNull()
    .default('all'),
  gift: jsonb('gift').$type<Gift>().notNull().default({}),
  budgetTotal: integer('budget_total').notNull(),
  budgetLeft: integer('budget_left').notNull(),
  rulesMd: text('rules_md').notNull().default(''),
  state: text('state', { enum: CAMPAIGN_STATES }).notNull().default('draft'),
  version: integer('version').notNull().default(1),
});
export type CampaignRow = typeof campaigns.$inferSelect;

export const campaignGrants = pgTable('campaign_grants', {
  id: id(),
  campaignId: integer('campaign_id').notNull(),
  userId: integer('user_id').notNull(),
  kind: text('kind').notNull(),
  ref: text('ref').notNull(),
  at: at('at').notNull().defaultNow(),
});

export const advertisements = pgTable('advertisements', {
  id: id(),
  typ: smallint('typ').notNull(),
  campaignId: integer('campaign_id'),
  title: text('title').notNull(),
  cover: text('cover'),
  summary: text('summary').notNull().default(''),
  bodyMd: text('body_md').notNull().default(''),
  url: text('url').notNull().default(''),
  position: text('position').notNull().default(''),
  label: text('label', { enum: ['广告', '活动'] }).notNull(),
  startsAt: at('starts_at').notNull(),
  endsAt: at('ends_at').notNull(),
  sort: integer('sort').notNull().default(0),
  isOn: boolean('is_on').notNull().default(true),
  version: integer('version').notNull().default(1),
});
export type AdRow = typeof advertisements.$inferSelect;

export const broadcasts = pgTable('broadcasts', {
  id: id(),
  text: text('text').notNull(),
  startsAt: at('starts_at').notNull(),
  endsAt: at('ends_at').notNull(),
  sort: integer('sort').notNull().default(0),
  isOn: boolean('is_on').notNull().default(true),
  version: integer('version').notNull().default(1),
});
export type BroadcastRow = typeof broadcasts.$inferSelect;

export const friendLinks = pgTable('friend_links', {
  userId: integer('user_id').primaryKey(),
  code: text('code').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const friendInvitations = pgTable('friend_invitations', {
  invitee: integer('invitee').primaryKey(),
  inviter: integer('inviter').notNull(),
  deviceId: text('device_id').notNull(),
  linkedAt: at('linked_at').notNull().defaultNow(),
  state: text('state', { enum: ['open', 'held', 'rewarded', 'void'] })
    .notNull()
    .default('open'),
  days: integer('days').notNull().default(0),
  reason: text('reason'),
  rewardedAt: at('rewarded_at'),
});
export type FriendInvitation = typeof friendInvitations.$inferSelect;
