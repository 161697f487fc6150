/** Tables of signing in by providers; the migrations hold the same with their constraints. */
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const wechatTickets = pgTable('wechat_tickets', {
  ticketDigest: text('ticket_digest').primaryKey(),
  sceneDigest: text('scene_digest').notNull(),
  state: text('state', { enum: ['waiting', 'scanned', 'confirmed', 'refused', 'used'] })
    .notNull()
    .default('waiting'),
  phoneDigest: text('phone_digest'),
  subjectDigest: text('subject_digest'),
  nickname: text('nickname'),
  avatar: text('avatar'),
  agent: text('agent').notNull(),
  netShown: text('net_shown').notNull(),
  userId: integer('user_id'),
  createdAt: at('created_at').notNull().defaultNow(),
  endsAt: at('ends_at').notNull(),
});

export const oauthFlows = pgTable('oauth_flows', {
  stateDigest: text('state_digest').primaryKey(),
  provider: text('provider').notNull(),
  flowDigest: text('flow_digest').notNull(),
  returnTo: text('return_to'),
  utmSource: text('utm_source'),
  about: text('about'),
  userId: integer('user_id'),
  createdAt: at('created_at').notNull().defaultNow(),
});
