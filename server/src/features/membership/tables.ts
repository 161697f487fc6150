/** Tables of membership (migrations/0030_membership.sql). */
import { boolean, date, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { at, big, bytea, id } from '../../lib/columns.ts';
import { EDITIONS, EDU_KINDS, GRANT_SOURCES, PACKAGE_KINDS } from './schema.ts';

export const editionLimits = pgTable('edition_limits', {
  edition: text('edition', { enum: EDITIONS }).primaryKey(),
  uploadBytes: big('upload_bytes').notNull(),
  storageBytes: big('storage_bytes'),
  files: integer('files'),
  rows: integer('rows'),
  analysesDay: integer('analyses_day'),
  scriptsDay: integer('scripts_day'),
  memberMethods: boolean('member_methods').notNull(),
  ownScripts: boolean('own_scripts').notNull(),
  questionnaires: boolean('questionnaires').notNull(),
  advancedCharts: boolean('advanced_charts').notNull(),
  flowModels: boolean('flow_models').notNull(),
  dashboards: boolean('dashboards').notNull(),
  version: integer('version').notNull().default(1),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
export type LimitsRow = typeof editionLimits.$inferSelect;

export const packages = pgTable('packages', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  kind: text('kind', { enum: PACKAGE_KINDS }).notNull(),
  title: text('title').notNull(),
  description: text('description').notNull().default(''),
  fee: integer('fee').notNull(),
  discount: integer('discount').notNull().default(0),
  discountEnabled: boolean('discount_enabled').notNull().default(false),
  discountRate: integer('discount_rate').notNull().default(100),
  discountDescription: text('discount_description').notNull().default(''),
  discountFrom: at('discount_from'),
  discountTo: at('discount_to'),
  validVipDays: integer('valid_vip_days'),
  lifetime: boolean('lifetime').notNull().default(false),
  points: integer('points'),
  perUserLimit: integer('per_user_limit'),
  groupQr: text('group_qr'),
  onSale: boolean('on_sale').notNull().default(true),
  sort: integer('sort').notNull().default(0),
  version: integer('version').notNull().default(1),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
export type PackageRow = typeof packages.$inferSelect;

export const vipAccounts = pgTable('vip_accounts', {
  userId: integer('user_id').primaryKey(),
  until: at('until'),
  lifetime: boolean('lifetime').notNull().default(false),
  noticedUntil: at('noticed_until'),
});
export type VipAccount = typeof vipAccounts.$inferSelect;

export const vipGrants = pgTable('vip_grants', {
  id: id(),
  userId: integer('user_id').notNull(),
  source: text('source', { enum: GRANT_SOURCES }).notNull(),
  ref: text('ref').notNull(),
  days: integer('days'),
  lifetime: boolean('lifetime').notNull(),
  startsAt: at('starts_at'),
  endsAt: at('ends_at'),
  revokedAt: at('revoked_at'),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type GrantRow = typeof vipGrants.$inferSelect;

export const methodUnlocks = pgTable('method_unlocks', {
  id: id(),
  userId: integer('user_id').notNull(),
  method: text('method').notNull(),
  source: text('source').notNull(),
  ref: text('ref').notNull(),
  startsAt: at('starts_at').notNull(),
  endsAt: at('ends_at').notNull(),
  revokedAt: at('revoked_at'),
  usedAt: at('used_at'),
});

export const eduCodes = pgTable('edu_codes', {
  verifyKey: text('verify_key').primaryKey(),
  userId: integer('user_id').notNull(),
  email: text('email').notNull(),
  codeDigest: text('code_digest').notNull(),
  tries: integer('tries').notNull().default(0),
  sentAt: at('sent_at').notNull().defaultNow(),
  usedAt: at('used_at'),
});

export const sandboxMails = pgTable('sandbox_mails', {
  id: id(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  sentAt: at('sent_at').notNull().defaultNow(),
});

export const eduDomains = pgTable('edu_domains', { domain: text('domain').primaryKey() });

export const proofs = pgTable('proofs', {
  id: id(),
  userId: integer('user_id').notNull(),
  purpose: text('purpose', { enum: ['edu', 'transfer', 'contract'] }).notNull(),
  mime: text('mime', { enum: ['image/jpeg', 'application/pdf'] }).notNull(),
  size: integer('size').notNull(),
  sealed: bytea('sealed').notNull(),
  deleteAfter: at('delete_after'),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type ProofRow = typeof proofs.$inferSelect;

export const eduChecks = pgTable('edu_checks', {
  id: id(),
  userId: integer('user_id').notNull(),
  kind: text('kind', { enum: EDU_KINDS }).notNull(),
  name: text('name').notNull(),
  school: text('school').notNull(),
  role: text('role', { enum: ['student', 'teacher'] }).notNull(),
  email: text('email'),
  chsiCode: text('chsi_code'),
  proofId: integer('proof_id'),
  status: smallint('status').$type<0 | 1 | 2>().notNull().default(0),
  reason: text('reason'),
  validTo: at('valid_to'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  decidedAt: at('decided_at'),
});
export type EduRow = typeof eduChecks.$inferSelect;

export const usageDays = pgTable(
  'usage_days',
  {
    ownerKind: text('owner_kind').notNull(),
    ownerId: integer('owner_id').notNull(),
    day: date('day').notNull(),
    used: integer('used').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ownerKind, table.ownerId, table.day] })],
);

export const usageHits = pgTable(
  'usage_hits',
  {
    ownerKind: text('owner_kind').notNull(),
    ownerId: integer('owner_id').notNull(),
    createdBy: integer('created_by'),
    reportId: integer('report_id').notNull(),
    day: date('day').notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.ownerKind, table.ownerId, table.reportId] })],
);
