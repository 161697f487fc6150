/** Tables of the contest; migrations/0166 to 0168 hold the same with their constraints. */
import { bigint, boolean, doublePrecision, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Prize } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();

export const contests = pgTable('contests', {
  id: id(),
  code: text('code').notNull(),
  title: text('title').notNull(),
  summary: text('summary').notNull().default(''),
  rules: text('rules').notNull().default(''),
  rulesVersion: integer('rules_version').notNull().default(1),
  problems: text('problems').notNull().default(''),
  prizes: jsonb('prizes').$type<Prize[]>().notNull().default([]),
  signupFrom: at('signup_from').notNull(),
  signupTo: at('signup_to').notNull(),
  answerFrom: at('answer_from').notNull(),
  answerTo: at('answer_to').notNull(),
  resultsAt: at('results_at').notNull(),
  openedAt: at('opened_at'),
  teamCount: integer('team_count').notNull().default(0),
  seed: integer('seed'),
  assignedAt: at('assigned_at'),
  publishedAt: at('published_at'),
  publishedBy: integer('published_by').array(),
  settledAt: at('settled_at'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type ContestRow = typeof contests.$inferSelect;

export const notices = pgTable('contest_notices', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  kind: text('kind', { enum: ['correction', 'answer', 'postponed'] }).notNull(),
  text: text('text').notNull(),
  at: at('at').notNull(),
});

export const contestFiles = pgTable('contest_files', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  name: text('name').notNull(),
  content: text('content').notNull(),
  size: integer('size').notNull(),
  sha256: text('sha256').notNull(),
});

export const teams = pgTable('contest_teams', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  number: integer('number').notNull(),
  name: text('name').notNull(),
  code: text('code').notNull(),
  captainId: integer('captain_id').notNull(),
  tutorSealed: text('tutor_sealed'),
  tutorSchoolSealed: text('tutor_school_sealed'),
  alias: integer('alias'),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type TeamRow = typeof teams.$inferSelect;

export const people = pgTable('contest_people', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  userId: integer('user_id').notNull(),
  teamId: integer('team_id'),
  nameSealed: text('name_sealed').notNull(),
  schoolSealed: text('school_sealed').notNull(),
  rulesVersion: integer('rules_version').notNull(),
  source: text('source'),
  createdAt: at('created_at').notNull(),
});
export type PersonRow = typeof people.$inferSelect;

export const workUploads = pgTable('contest_uploads', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  teamId: integer('team_id').notNull(),
  userId: integer('user_id').notNull(),
  kind: text('kind', { enum: ['report', 'support'] }).notNull(),
  key: text('key').notNull(),
  name: text('name').notNull(),
  size: bigint('size', { mode: 'number' }).notNull(),
  received: bigint('received', { mode: 'number' }).notNull().default(0),
  sha256: text('sha256').notNull(),
  state: text('state', { enum: ['open', 'complete', 'refused'] })
    .notNull()
    .default('open'),
  reason: text('reason'),
  pages: integer('pages'),
  openedAt: at('opened_at').notNull(),
  touchedAt: at('touched_at').notNull(),
});
export type WorkUploadRow = typeof workUploads.$inferSelect;

export const submissions = pgTable('contest_submissions', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  teamId: integer('team_id').notNull(),
  no: integer('no').notNull(),
  userId: integer('user_id').notNull(),
  requestId: text('request_id').notNull(),
  reportId: integer('report_id').notNull(),
  supportId: integer('support_id'),
  state: text('state', { enum: ['waiting', 'submitted', 'refused', 'withdrawn'] }).notNull(),
  reason: text('reason'),
  arrivedAt: at('arrived_at').notNull(),
  completedAt: at('completed_at'),
  inGrace: boolean('in_grace').notNull().default(false),
});
export type SubmissionRow = typeof submissions.$inferSelect;

export const judges = pgTable('contest_judges', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  userId: integer('user_id').notNull(),
  name: text('name').notNull(),
  school: text('school').notNull(),
  active: boolean('active').notNull().default(true),
  version: integer('version').notNull().default(1),
});
export type JudgeRow = typeof judges.$inferSelect;

export const assignments = pgTable('contest_assignments', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  submissionId: integer('submission_id').notNull(),
  judgeId: integer('judge_id').notNull(),
  isCalibration: boolean('is_calibration').notNull().default(false),
  assignedAt: at('assigned_at').notNull(),
  droppedAt: at('dropped_at'),
  dropReason: text('drop_reason'),
});
export type AssignmentRow = typeof assignments.$inferSelect;

export const reviews = pgTable('contest_reviews', {
  assignmentId: integer('assignment_id').primaryKey(),
  parts: integer('parts').array().notNull(),
  comment: text('comment').notNull(),
  savedAt: at('saved_at').notNull(),
  lockedAt: at('locked_at'),
});
export type ReviewRow = typeof reviews.$inferSelect;

export const results = pgTable('contest_results', {
  submissionId: integer('submission_id').primaryKey(),
  contestId: integer('contest_id').notNull(),
  teamId: integer('team_id').notNull(),
  n: integer('n').notNull(),
  raw: doublePrecision('raw').notNull(),
  adjusted: doublePrecision('adjusted').notNull(),
  se: doublePrecision('se'),
  rank: integer('rank').notNull(),
  award: text('award'),
  method: text('method', { enum: ['model', 'mean'] }).notNull(),
  methodVersion: integer('method_version').notNull(),
  judgeEffects: doublePrecision('judge_effects').array(),
  correctedAward: text('corrected_award'),
  disqualified: boolean('disqualified').notNull().default(false),
});
export type ResultRow = typeof results.$inferSelect;

export const appeals = pgTable('contest_appeals', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  teamId: integer('team_id').notNull(),
  userId: integer('user_id').notNull(),
  kind: text('kind', { enum: ['score', 'qualification', 'similarity'] }).notNull(),
  text: text('text').notNull(),
  state: text('state', { enum: ['open', 'upheld', 'rejected', 'withdrawn'] })
    .notNull()
    .default('open'),
  answer: text('answer'),
  decidedBy: integer('decided_by'),
  decidedAt: at('decided_at'),
  createdAt: at('created_at').notNull(),
  version: integer('version').notNull().default(1),
});
export type AppealRow = typeof appeals.$inferSelect;

export const prizes = pgTable('contest_prizes', {
  contestId: integer('contest_id').notNull(),
  userId: integer('user_id').notNull(),
  teamId: integer('team_id').notNull(),
  award: text('award').notNull(),
  kind: text('kind', { enum: ['credits', 'vip_days'] }).notNull(),
  value: integer('value').notNull(),
  givenAt: at('given_at').notNull(),
});

export const certificates = pgTable('contest_certificates', {
  id: id(),
  contestId: integer('contest_id').notNull(),
  teamId: integer('team_id').notNull(),
  userId: integer('user_id').notNull(),
  code: text('code').notNull(),
  nameSealed: text('name_sealed'),
  teamName: text('team_name').notNull(),
  award: text('award').notNull(),
  state: text('state', { enum: ['valid', 'revoked', 'replaced'] })
    .notNull()
    .default('valid'),
  replacedBy: integer('replaced_by'),
  key: text('key'),
  sha256: text('sha256'),
  issuedAt: at('issued_at').notNull(),
  version: integer('version').notNull().default(1),
});
export type CertificateRow = typeof certificates.$inferSelect;
