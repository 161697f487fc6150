/** Tables of orders (migrations/0031_orders.sql). */
import type { Pricing } from '@hengxi/contracts/price';
import { boolean, date, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at, big as fen, bytea, id } from '../../lib/columns.ts';
import { PACKAGE_KINDS } from '../membership/schema.ts';
import type { PackageKind } from '../membership/schema.ts';
import type { PayMethod } from './schema.ts';

/** The package as it was sold. */
export interface Snapshot extends Pricing {
  id: number;
  kind: PackageKind;
  title: string;
  valid_vip_days: number | null;
  lifetime: boolean;
  points: number | null;
  group_qr: string | null;
}

export const PROVIDERS = ['wechat', 'alipay', 'sandbox', 'bank'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export const moneySettings = pgTable('money_settings', {
  id: integer('id').primaryKey().default(1),
  refundDays: integer('refund_days').notNull(),
  invoiceDays: integer('invoice_days').notNull(),
  agreementVersion: text('agreement_version').notNull(),
  bank: text('bank').notNull(),
  bankAccount: text('bank_account').notNull(),
  companyName: text('company_name').notNull(),
  version: integer('version').notNull().default(1),
});
export type MoneySettings = typeof moneySettings.$inferSelect;

export const orders = pgTable('orders', {
  id: id(),
  orderNo: text('order_no').notNull(),
  userId: integer('user_id').notNull(),
  enterpriseId: integer('enterprise_id'),
  packageId: integer('package_id').notNull(),
  snapshot: jsonb('snapshot').$type<Snapshot>().notNull(),
  kind: text('kind', { enum: PACKAGE_KINDS }).notNull(),
  quantity: integer('quantity').notNull(),
  price: fen('price').notNull(),
  couponFen: fen('coupon_fen').notNull().default(0),
  total: fen('total').notNull(),
  method: smallint('method').$type<PayMethod>().notNull(),
  state: text('state', { enum: ['created', 'paid', 'closed', 'refunded'] })
    .notNull()
    .default('created'),
  closeReason: text('close_reason', { enum: ['timeout', 'superseded', 'user'] }),
  supersededBy: integer('superseded_by'),
  ticketDigest: text('ticket_digest'),
  opened: jsonb('opened').$type<ProviderName[]>().notNull().default([]),
  agreementVersion: text('agreement_version').notNull(),
  expiresAt: at('expires_at').notNull(),
  paidAt: at('paid_at'),
  closedAt: at('closed_at'),
  refunded: fen('refunded').notNull().default(0),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type OrderRow = typeof orders.$inferSelect;

export const payments = pgTable('payments', {
  id: id(),
  orderNo: text('order_no').notNull(),
  provider: text('provider', { enum: PROVIDERS }).notNull(),
  transactionId: text('transaction_id').notNull(),
  amount: fen('amount').notNull(),
  outcome: text('outcome', { enum: ['applied', 'duplicate', 'anomaly'] }).notNull(),
  why: text('why'),
  payerDigest: text('payer_digest'),
  paidAt: at('paid_at').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type PaymentRow = typeof payments.$inferSelect;

export const notices = pgTable('notices', {
  id: id(),
  provider: text('provider').notNull(),
  digest: text('digest').notNull(),
  receivedAt: at('received_at').notNull().defaultNow(),
  verified: boolean('verified').notNull(),
  rawSealed: text('raw_sealed').notNull(),
  outcome: text('outcome').notNull(),
});

export const refunds = pgTable('refunds', {
  id: id(),
  refundNo: text('refund_no').notNull(),
  orderNo: text('order_no').notNull(),
  paymentId: integer('payment_id').notNull(),
  amount: fen('amount').notNull(),
  offered: fen('offered'),
  kind: text('kind', { enum: ['asked', 'duplicate', 'anomaly'] }).notNull(),
  reason: text('reason').notNull(),
  answer: text('answer'),
  state: text('state', { enum: ['asked', 'refused', 'agreed', 'refunding', 'refunded', 'failed'] }).notNull(),
  askedBy: integer('asked_by'),
  decidedBy: integer('decided_by'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  decidedAt: at('decided_at'),
  doneAt: at('done_at'),
});
export type RefundRow = typeof refunds.$inferSelect;

export const coupons = pgTable('coupons', {
  id: id(),
  code: text('code').notNull(),
  couponType: smallint('coupon_type').$type<0 | 1 | 3>().notNull(),
  amount: integer('amount').notNull(),
  packageIds: jsonb('package_ids').$type<number[]>(),
  userId: integer('user_id'),
  limitTotal: integer('limit_total'),
  uses: integer('uses').notNull().default(0),
  perUser: integer('per_user').notNull().default(1),
  validFrom: at('valid_from'),
  validTo: at('valid_to'),
  state: text('state', { enum: ['on', 'stopped'] })
    .notNull()
    .default('on'),
  note: text('note').notNull().default(''),
  madeBy: integer('made_by'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type CouponRow = typeof coupons.$inferSelect;

export const couponUses = pgTable('coupon_uses', {
  id: id(),
  couponId: integer('coupon_id').notNull(),
  orderNo: text('order_no').notNull(),
  userId: integer('user_id').notNull(),
  state: text('state', { enum: ['reserved', 'used', 'released'] }).notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

export const couponMisses = pgTable('coupon_misses', {
  id: id(),
  userId: integer('user_id').notNull(),
  at: at('at').notNull().defaultNow(),
});

export const invoices = pgTable('invoices', {
  id: id(),
  orderNo: text('order_no').notNull(),
  userId: integer('user_id').notNull(),
  kind: text('kind', { enum: ['person', 'company'] }).notNull(),
  title: text('title').notNull(),
  taxNo: text('tax_no'),
  email: text('email').notNull(),
  amount: fen('amount').notNull(),
  state: text('state', { enum: ['pending', 'issued', 'refused', 'voided'] })
    .notNull()
    .default('pending'),
  number: text('number'),
  reason: text('reason'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  issuedAt: at('issued_at'),
});
export type InvoiceRow = typeof invoices.$inferSelect;

export const invoiceFiles = pgTable('invoice_files', {
  invoiceId: integer('invoice_id').primaryKey(),
  isSample: boolean('is_sample').notNull(),
  pdf: bytea('pdf').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const bankTransfers = pgTable('bank_transfers', {
  id: id(),
  orderNo: text('order_no').notNull(),
  remark: text('remark').notNull(),
  amountFen: fen('amount_fen').notNull(),
  payer: text('payer'),
  proofId: integer('proof_id'),
  bankRef: text('bank_ref'),
  reason: text('reason'),
  state: text('state', { enum: ['waiting', 'proof', 'checking', 'confirmed', 'returned', 'closed'] })
    .notNull()
    .default('waiting'),
  confirmedBy: integer('confirmed_by'),
  approvedBy: integer('approved_by'),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
});
export type TransferRow = typeof bankTransfers.$inferSelect;

export const sandboxTrades = pgTable('sandbox_trades', {
  transactionId: text('transaction_id').primaryKey(),
  orderNo: text('order_no').notNull(),
  amount: fen('amount').notNull(),
  paidAt: at('paid_at').notNull().defaultNow(),
  payer: text('payer'),
});

export const sandboxRefunds = pgTable('sandbox_refunds', {
  refundNo: text('refund_no').primaryKey(),
  orderNo: text('order_no').notNull(),
  amount: fen('amount').notNull(),
  doneAt: at('done_at').notNull().defaultNow(),
});

export const billDays = pgTable('bill_days', {
  provider: text('provider').$type<ProviderName>().notNull(),
  day: date('day').notNull(),
  payments: integer('payments').notNull(),
  paid: fen('paid').notNull(),
  refunds: integer('refunds').notNull(),
  refunded: fen('refunded').notNull(),
  differences: integer('differences').notNull(),
  checkedAt: at('checked_at').notNull().defaultNow(),
});
export type BillDayRow = typeof billDays.$inferSelect;

export const billDifferences = pgTable('bill_differences', {
  id: id(),
  provider: text('provider').$type<ProviderName>().notNull(),
  day: date('day').notNull(),
  kind: text('kind', { enum: ['payment', 'refund'] }).notNull(),
  reference: text('reference').notNull(),
  orderNo: text('order_no'),
  ours: fen('ours'),
  theirs: fen('theirs'),
  foundAt: at('found_at').notNull().defaultNow(),
  settledAt: at('settled_at'),
});
export type BillDifferenceRow = typeof billDifferences.$inferSelect;
