/** Tables of the net promoter score; migrations/0152_nps.sql holds the same with their constraints. */
import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();

export const npsPrompts = pgTable('nps_prompts', {
  id: id(),
  userId: integer('user_id').notNull(),
  survey: text('survey').notNull(),
  tokenDigest: text('token_digest').notNull(),
  shownAt: at('shown_at').notNull(),
  outcome: text('outcome', { enum: ['answer', 'close', 'later', 'never'] }),
  edition: text('edition', { enum: ['standard', 'member', 'enterprise'] }).notNull(),
});

export const npsAnswers = pgTable('nps_answers', {
  id: id(),
  promptId: integer('prompt_id').notNull(),
  survey: text('survey').notNull(),
  userId: integer('user_id').notNull(),
  score: integer('score').notNull(),
  comment: text('comment').notNull().default(''),
  contactOk: boolean('contact_ok').notNull().default(false),
  page: text('page').notNull().default(''),
  appVersion: text('app_version').notNull().default(''),
  edition: text('edition').notNull(),
  createdAt: at('created_at').notNull(),
});
