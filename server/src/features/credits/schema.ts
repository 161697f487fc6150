/** Shapes of credits. */
import { z } from 'zod';

export const CREDIT_KINDS = ['quest', 'campaign', 'refund', 'mall', 'expire', 'clawback', 'adjust'] as const;
export const CreditKind = z.enum(CREDIT_KINDS);
export type CreditKind = z.infer<typeof CreditKind>;

export const CreditAccount = z.object({
  total_amount: z.number(),
  /** Earned by orders whose refund window is still open; nothing of the kind is given yet. */
  pending: z.number(),
  /** What expires within 30 days; nothing given so far does. */
  expiring: z.array(z.object({ amount: z.number(), at: z.string() })),
  /** Why credits cannot be used for now; null: they can. */
  held_reason: z.string().nullable(),
});
export type CreditAccount = z.infer<typeof CreditAccount>;

export const CreditQuery = z.object({
  page: z.coerce.number().int().min(0).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
});
export type CreditQuery = z.infer<typeof CreditQuery>;

export const CreditRecord = z.object({
  id: z.number(),
  created_at: z.string(),
  kind: CreditKind,
  title: z.string(),
  /** Signed. */
  amount: z.number(),
  balance_after: z.number(),
  /** What it was for, e.g. the number of an exchange. */
  ref: z.string(),
});
export type CreditRecord = z.infer<typeof CreditRecord>;
export const CreditRecords = z.object({ total: z.number(), list: z.array(CreditRecord) });
export type CreditRecords = z.infer<typeof CreditRecords>;
