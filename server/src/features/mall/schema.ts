/** Shapes of the mall: items, purchase, orders. */
import { z } from 'zod';

export const GRANT_KINDS = ['vip_days', 'ai_points', 'algorithm', 'coupon'] as const;
export const GrantKind = z.enum(GRANT_KINDS);
export type GrantKind = z.infer<typeof GrantKind>;

/** Within what `per_user_limit` counts. */
export const LIMIT_PERIODS = ['day', 'week', 'month', 'year', 'ever'] as const;
export const LimitPeriod = z.enum(LIMIT_PERIODS);
export type LimitPeriod = z.infer<typeof LimitPeriod>;

export const ItemQuery = z.object({
  page: z.coerce.number().int().min(0).max(10_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
});
export const ItemParams = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });

export const MallItem = z.object({
  id: z.number(),
  title: z.string(),
  /** One line on the card. */
  summary: z.string(),
  /** Rules, markdown without HTML; may be empty. */
  body_md: z.string(),
  grant_kind: GrantKind,
  /** Days of membership, AI points, days of an unlock, or fen of a coupon. */
  grant_value: z.number(),
  /** How long a coupon can be used; null for the other kinds. */
  valid_days: z.number().nullable(),
  price_credits: z.number(),
  /** True stock, told when 20 or fewer are left; null: more, or without limit. */
  stock_left: z.number().nullable(),
  /** null: without limit. */
  per_user_limit: z.number().nullable(),
  limit_period: LimitPeriod,
  /** What this account bought of it within the period. */
  bought: z.number(),
  /** Largest quantity of one purchase, 1 to 10; 1 for unlocks. */
  quantity_max: z.number(),
  /** When it goes; null: open. */
  off_at: z.string().nullable(),
  can_buy: z.boolean(),
  /** Why not: 积分不足，还差 60 / 已兑完 / 本月已兑 1/1 / 会员无需解锁 / 登录后可兑换; null where it can. */
  reason: z.string().nullable(),
});
export type MallItem = z.infer<typeof MallItem>;
export const MallItems = z.object({ total: z.number(), list: z.array(MallItem) });
export type MallItems = z.infer<typeof MallItems>;

export const PurchaseBody = z.strictObject({
  item_id: z.number().int().positive().max(2_147_483_647),
  quantity: z.number().int().min(1).max(10).default(1),
  /** Price of one piece as the page showed it. */
  expect_credits: z.number().int().min(1).max(100_000),
  /** Made once a click: the same number is one purchase and gets the same answer. */
  request_id: z.string().regex(/^[\w.:-]{1,100}$/),
  /** Path of the method, of an unlock only: hypothesis_test/welch_anova. */
  method: z
    .string()
    .regex(/^[a-z0-9_]+(?:\/[a-z0-9_]+)+$/)
    .max(100)
    .optional(),
});
export type PurchaseBody = z.infer<typeof PurchaseBody>;

/** What was got. */
export const Granted = z.object({
  kind: GrantKind,
  /** Of all pieces together, in the unit of `grant_value`; a coupon's amount is that of one. */
  value: z.number(),
  /** Of an unlock or a coupon: until when. */
  until: z.string().nullable(),
  /** Of an unlock. */
  method: z.object({ path: z.string(), title: z.string() }).nullable(),
  /** Of coupons: their codes. */
  codes: z.array(z.string()),
});
export type Granted = z.infer<typeof Granted>;

/** done 已完成, refunded 已退回, returned 已折算退回 (an unlock that membership made needless). */
export const MALL_ORDER_STATES = ['done', 'refunded', 'returned'] as const;
export const MallOrderState = z.enum(MALL_ORDER_STATES);
export type MallOrderState = z.infer<typeof MallOrderState>;

export const Purchased = z.object({
  order_no: z.string(),
  state: MallOrderState,
  /** The balance after it. */
  total_amount: z.number(),
  granted: Granted,
});
export type Purchased = z.infer<typeof Purchased>;

export const OrderQuery = ItemQuery;
export const OrderParams = z.object({ no: z.string().regex(/^[A-Z0-9]{6,40}$/) });

export const MallOrder = z.object({
  order_no: z.string(),
  item_id: z.number(),
  title: z.string(),
  grant_kind: GrantKind,
  quantity: z.number(),
  /** What it cost in all. */
  credits: z.number(),
  state: MallOrderState,
  created_at: z.string(),
  granted: Granted,
  /** Credits that came back; 0 while none did. */
  returned_credits: z.number(),
  returned_at: z.string().nullable(),
  /** Whether one click gives it back now, and until when. */
  can_refund: z.boolean(),
  refund_until: z.string().nullable(),
  /** Why not: 已使用 / 已超过 24 小时 / 会员天数请联系客服; null where it can or has been. */
  refund_reason: z.string().nullable(),
});
export type MallOrder = z.infer<typeof MallOrder>;
export const MallOrders = z.object({ total: z.number(), list: z.array(MallOrder) });
export type MallOrders = z.infer<typeof MallOrders>;

export const RefundBody = z.strictObject({});
export const Refunded = z.object({
  order_no: z.string(),
  state: MallOrderState,
  amount: z.number(),
  total_amount: z.number(),
});
export type Refunded = z.infer<typeof Refunded>;
