/** Tables of accounts; the migrations hold the same with their constraints. */
import { boolean, customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();

export const users = pgTable('users', {
  id: id(),
  nickname: text('nickname').notNull(),
  avatar: text('avatar'),
  phoneSealed: text('phone_sealed'),
  phoneDigest: text('phone_digest'),
  fillNanAdjusted: integer('fill_nan_adjusted').notNull().default(0),
  utmSource: text('utm_source'),
  isDemo: boolean('is_demo').notNull().default(false),
  bannedAt: at('banned_at'),
  banReason: text('ban_reason'),
  banUntil: at('ban_until'),
  analyticsConsent: boolean('analytics_consent').notNull().default(false),
  leavingAt: at('leaving_at'),
  removedAt: at('removed_at'),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const avatars = pgTable('avatars', {
  key: text('key').primaryKey(),
  userId: integer('user_id').notNull(),
  png: bytea('png').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const END_REASONS = ['replaced', 'logout', 'banned', 'phone', 'left', 'device', 'operator'] as const;
export type EndReason = (typeof END_REASONS)[number];

export const sessions = pgTable('sessions', {
  id: id(),
  userId: integer('user_id').notNull(),
  enterpriseId: integer('enterprise_id'),
  platform: text('platform').notNull(),
  deviceId: text('device_id').notNull(),
  netDigest: text('net_digest').notNull(),
  netShown: text('net_shown').notNull(),
  agent: text('agent').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  seenAt: at('seen_at').notNull().defaultNow(),
  endsAt: at('ends_at').notNull(),
  endedAt: at('ended_at'),
  endedReason: text('ended_reason', { enum: END_REASONS }),
  offeredUntil: at('offered_until'),
  provedAt: at('proved_at'),
});

export const LINK_PROVIDERS = ['wechat', 'research', 'academic'] as const;
export type LinkProvider = (typeof LINK_PROVIDERS)[number];

export const identityLinks = pgTable('identity_links', {
  id: id(),
  provider: text('provider', { enum: LINK_PROVIDERS }).notNull(),
  subjectDigest: text('subject_digest').notNull(),
  userId: integer('user_id').notNull(),
  linkedAt: at('linked_at').notNull().defaultNow(),
});

export const accountTickets = pgTable('account_tickets', {
  ticketDigest: text('ticket_digest').primaryKey(),
  kind: text('kind', { enum: ['restore', 'merge'] }).notNull(),
  userId: integer('user_id').notNull(),
  otherId: integer('other_id'),
  deviceId: text('device_id').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const smsCodes = pgTable('sms_codes', {
  id: id(),
  purpose: text('purpose').notNull(),
  phoneDigest: text('phone_digest').notNull(),
  verifyKey: text('verify_key').notNull(),
  codeDigest: text('code_digest').notNull(),
  netDigest: text('net_digest').notNull(),
  tries: integer('tries').notNull().default(0),
  sentAt: at('sent_at').notNull().defaultNow(),
  endsAt: at('ends_at').notNull(),
  usedAt: at('used_at'),
});

export const wrongCodes = pgTable('wrong_codes', {
  id: id(),
  phoneDigest: text('phone_digest').notNull(),
  netDigest: text('net_digest').notNull(),
  at: at('at').notNull().defaultNow(),
});

export const captchaPuzzles = pgTable('captcha_puzzles', {
  id: text('id').primaryKey(),
  x: integer('x').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const captchaTickets = pgTable('captcha_tickets', {
  ticketDigest: text('ticket_digest').primaryKey(),
  deviceId: text('device_id').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const captchaPasses = pgTable('captcha_passes', {
  id: id(),
  kind: text('kind', { enum: ['slider', 'fallback', 'sandbox'] }).notNull(),
  phoneDigest: text('phone_digest').notNull(),
  deviceId: text('device_id'),
  netDigest: text('net_digest').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  usedAt: at('used_at'),
});

export const handoffs = pgTable('handoffs', {
  ticketDigest: text('ticket_digest').primaryKey(),
  flowDigest: text('flow_digest').notNull(),
  userId: integer('user_id').notNull(),
  /** The account was made by this very visit. */
  lucky: boolean('lucky').notNull().default(false),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const sandboxSms = pgTable('sandbox_sms', {
  id: id(),
  phoneDigest: text('phone_digest').notNull(),
  phoneShown: text('phone_shown').notNull(),
  text: text('text').notNull(),
  code: text('code').notNull(),
  sentAt: at('sent_at').notNull().defaultNow(),
});
