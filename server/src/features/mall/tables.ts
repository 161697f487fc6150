/** Tables of the mall (migrations/0120_mall.sql). */
import { integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at, big, id } from '../../lib/columns.ts';
import { GRANT_KINDS, LIMIT_PERIODS, MALL_ORDER_STATES } from './schema.ts';
import type { Granted } from './schema.ts';

export const ITEM_STATES = ['draft', 'on', 'off'] as const;

export const mallItems = pgTable('mall_items', {
  id: id(),
  title: text('title').notNull(),
  summary: text('summary').notNull().default(''),
  bodyMd: text('body_md').notNull().default(''),
  grantKind: text('grant_kind', { enum: GRANT_KINDS }).notNull(),
  grantValue: integer('grant_value').notNull(),
  couponType: smallint('coupon_type').$type<0 | 1 | 3>(),
  validDays: integer('valid_days'),
  priceCredits: integer('price_credits').notNull(),
  stockTotal: integer('stock_total'),
  stockLeft: integer('stock_left'),
  perUserLimit: integer('per_user_limit'),
  limitPeriod: text('limit_period', { enum: LIMIT_PERIODS }).notNull().default('ever'),
  onAt: at('on_at'),
  offAt: at('off_at'),
  campaignId: integer('campaign_id'),
  sort: integer('sort').notNull().default(0),
  state: text('state', { enum: ITEM_STATES }).notNull().default('draft'),
  version: integer('version').notNull().default(1),
});
export type ItemRow = typeof mallItems.$inferSelect;

export const mallOrders = pgTable('mall_orders', {
  id: id(),
  orderNo: text('order_no').notNull(),
  userId: integer('user_id').notNull(),
  requestId: text('request_id').notNull(),
  itemId: integer('item_id').notNull(),
  title: text('title').notNull(),
  grantKind: text('grant_kind', { enum: GRANT_KINDS }).notNull(),
  grantValue: integer('grant_value').notNull(),
  quantity: integer('quantity').notNull(),
  credits: integer('credits').notNull(),
  method: text('method'),
  granted: jsonb('granted').$type<Granted>(),
  state: text('state', { enum: MALL_ORDER_STATES }).notNull().default('done'),
  entryId: big('entry_id'),
  refundEntryId: big('refund_entry_id'),
  returnedCredits: integer('returned_credits').notNull().default(0),
  createdAt: at('created_at').notNull().defaultNow(),
  returnedAt: at('returned_at'),
  version: integer('version').notNull().default(1),
});
export type OrderRow = typeof mallOrders.$inferSelect;
