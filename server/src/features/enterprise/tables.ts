/** Tables of enterprises; the migrations hold the same with their constraints. */
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Settings } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();

export const ENTERPRISE_STATES = [
  'pending',
  'trial',
  'active',
  'grace',
  'readonly',
  'frozen',
  'dissolving',
  'deleted',
] as const;
export type EnterpriseState = (typeof ENTERPRISE_STATES)[number];

export const enterprises = pgTable('enterprises', {
  id: id(),
  name: text('name').notNull(),
  creditCode: text('credit_code'),
  contact: text('contact').notNull().default(''),
  state: text('state', { enum: ENTERPRISE_STATES }).notNull().default('pending'),
  stateBefore: text('state_before', { enum: ENTERPRISE_STATES }),
  seats: integer('seats').notNull().default(0),
  seatsUsed: integer('seats_used').notNull().default(0),
  startsAt: at('starts_at'),
  endsAt: at('ends_at'),
  dissolvesAt: at('dissolves_at'),
  noticed: integer('noticed').notNull().default(0),
  storageBytes: bigint('storage_bytes', { mode: 'number' }),
  heldAt: at('held_at'),
  heldReason: text('held_reason'),
  storageTold: integer('storage_told').notNull().default(0),
  settings: jsonb('settings').$type<Partial<Settings>>().notNull().default({}),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type EnterpriseRow = typeof enterprises.$inferSelect;

export const trials = pgTable('enterprise_trials', {
  creditCode: text('credit_code').primaryKey(),
  enterpriseId: integer('enterprise_id').notNull(),
  contact: text('contact').notNull(),
  state: text('state', { enum: ['waiting', 'granted', 'refused'] })
    .notNull()
    .default('granted'),
  reason: text('reason'),
  beganAt: at('began_at').notNull().defaultNow(),
});

export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];
export const MEMBER_STATES = ['active', 'suspended', 'left'] as const;
export type MemberState = (typeof MEMBER_STATES)[number];

export interface MemberLimits {
  /** Bytes of files; null: only the enterprise's own limit. */
  storage_bytes: number | null;
  /** Counted analyses a day. */
  analyses_day: number | null;
}

export const members = pgTable('enterprise_members', {
  id: id(),
  enterpriseId: integer('enterprise_id').notNull(),
  userId: integer('user_id').notNull(),
  role: text('role', { enum: ROLES }).notNull(),
  state: text('state', { enum: MEMBER_STATES }).notNull().default('active'),
  limits: jsonb('limits').$type<Partial<MemberLimits>>().notNull().default({}),
  joinedAt: at('joined_at').notNull().defaultNow(),
  leftAt: at('left_at'),
  heirId: integer('heir_id'),
  usedAt: at('used_at'),
  version: integer('version').notNull().default(1),
});
export type MemberRow = typeof members.$inferSelect;

export const invites = pgTable('enterprise_invites', {
  id: id(),
  enterpriseId: integer('enterprise_id').notNull(),
  codeDigest: text('code_digest').notNull(),
  codeSealed: text('code_sealed').notNull(),
  phoneDigest: text('phone_digest'),
  phoneShown: text('phone_shown'),
  usesLeft: integer('uses_left').notNull(),
  madeBy: integer('made_by').notNull(),
  endsAt: at('ends_at').notNull(),
  withdrawnAt: at('withdrawn_at'),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type InviteRow = typeof invites.$inferSelect;

export const transfers = pgTable('ownership_transfers', {
  id: id(),
  enterpriseId: integer('enterprise_id').notNull(),
  fromUser: integer('from_user').notNull(),
  toUser: integer('to_user').notNull(),
  codeDigest: text('code_digest').notNull(),
  state: text('state', { enum: ['pending', 'done', 'refused', 'cancelled', 'expired'] })
    .notNull()
    .default('pending'),
  endsAt: at('ends_at').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  decidedAt: at('decided_at'),
});
export type TransferRow = typeof transfers.$inferSelect;

export const seatBlocks = pgTable('seat_blocks', {
  id: id(),
  enterpriseId: integer('enterprise_id').notNull(),
  seats: integer('seats').notNull(),
  fromAt: at('from_at').notNull(),
  toAt: at('to_at').notNull(),
  orderNo: text('order_no'),
  source: text('source', { enum: ['order', 'trial', 'ops'] }).notNull(),
  revokedAt: at('revoked_at'),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type SeatBlockRow = typeof seatBlocks.$inferSelect;

export const seatOrders = pgTable('seat_orders', {
  orderNo: text('order_no').primaryKey(),
  enterpriseId: integer('enterprise_id').notNull(),
  plan: text('plan', { enum: ['new', 'more', 'renewal'] }).notNull(),
  seats: integer('seats').notNull(),
  fromAt: at('from_at').notNull(),
  toAt: at('to_at').notNull(),
});

export const contentCopies = pgTable('content_copies', {
  id: id(),
  enterpriseId: integer('enterprise_id').notNull(),
  userId: integer('user_id').notNull(),
  direction: text('direction', { enum: ['in', 'out'] }).notNull(),
  files: jsonb('files').$type<string[]>().notNull(),
  projects: jsonb('projects').$type<string[]>().notNull(),
  reports: integer('reports').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const enterpriseLimits = pgTable('enterprise_limits', {
  id: integer('id').primaryKey().default(1),
  seatBytes: bigint('seat_bytes', { mode: 'number' }).notNull(),
  memberRuns: integer('member_runs').notNull(),
  memberWaiting: integer('member_waiting').notNull(),
  seatRuns: integer('seat_runs').notNull(),
  runsMax: integer('runs_max').notNull(),
  trialDays: integer('trial_days').notNull(),
  trialSeats: integer('trial_seats').notNull(),
  trialReview: boolean('trial_review').notNull(),
  version: integer('version').notNull(),
});
export type EnterpriseLimitsRow = typeof enterpriseLimits.$inferSelect;

export const contracts = pgTable('contracts', {
  id: id(),
  enterpriseId: integer('enterprise_id').notNull(),
  orderNo: text('order_no').notNull(),
  templateVersion: text('template_version').notNull(),
  proofId: integer('proof_id'),
  state: text('state', { enum: ['draft', 'signed', 'archived'] })
    .notNull()
    .default('draft'),
  signedAt: at('signed_at'),
  archivedAt: at('archived_at'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type ContractRow = typeof contracts.$inferSelect;
