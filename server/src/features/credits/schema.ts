/** Shapes of the credits account: balance, movements, appeals. */
import { z } from 'zod';

export const CREDIT_KINDS = ['quest', 'campaign', 'refund', 'mall', 'expire', 'clawback', 'adjust'] as const;
export const CreditKind = z.enum(CREDIT_KINDS);
export type CreditKind = z.infer<typeof CreditKind>;

export const CreditAccount = z.object({
  /** What can be spent now. */
  total_amount: z.number(),
  /** Rewards of orders that still lie within their refund window; they are in no ledger yet. */
  pending: z.number(),
  /** What expires within the next 90 days, soonest first; one entry an instant. */
  expiring: z.array(z.object({ amount: z.number(), at: z.string() })),
  /** Why the account may neither earn nor spend; null: it may. */
  held_reason: z.string().nullable(),
});
export type CreditAccount = z.infer<typeof CreditAccount>;

/** The filter of the movements: 获得, 使用, 到期. */
export const ChangeFilter = z.enum(['earned', 'used', 'expired']);
export type ChangeFilter = z.infer<typeof ChangeFilter>;
export const ChangeQuery = z.object({
  page: z.coerce.number().int().min(0).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  kind: ChangeFilter.optional(),
});
export type ChangeQuery = z.infer<typeof ChangeQuery>;

export const CreditChange = z.object({
  id: z.number(),
  created_at: z.string(),
  kind: CreditKind,
  title: z.string(),
  /** Signed. */
  amount: z.number(),
  balance_after: z.number(),
  /** Until when what was earned here can be spent; null for what was taken. */
  expires_at: z.string().nullable(),
  /** What it was for, e.g. the number of a mall order. */
  ref: z.string(),
});
export type CreditChange = z.infer<typeof CreditChange>;
export const CreditChanges = z.object({ total: z.number(), list: z.array(CreditChange) });
export type CreditChanges = z.infer<typeof CreditChanges>;

export const AppealBody = z.strictObject({
  /** The quest record that was held or voided; left out: the account is meant. */
  record_id: z.number().int().positive().max(2_147_483_647).optional(),
  text: z.string().trim().min(1, '请填写申诉内容').max(500, '申诉内容最多 500 个字'),
});
export type AppealBody = z.infer<typeof AppealBody>;

export const APPEAL_STATES = ['open', 'granted', 'refused'] as const;
export const AppealState = z.enum(APPEAL_STATES);
export type AppealState = z.infer<typeof AppealState>;
export const Appeal = z.object({
  id: z.number(),
  record_id: z.number().nullable(),
  text: z.string(),
  /** open 处理中, granted 已通过, refused 未通过. */
  state: AppealState,
  reply: z.string().nullable(),
  created_at: z.string(),
  decided_at: z.string().nullable(),
});
export type Appeal = z.infer<typeof Appeal>;
/** The newest twenty. */
export const Appeals = z.object({ list: z.array(Appeal) });
export type Appeals = z.infer<typeof Appeals>;
