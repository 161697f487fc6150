/** Shapes of AI points. */
import { z } from 'zod';

export const PointAccount = z.object({
  /** gift + paid. */
  user_ai_point: z.number(),
  gift: z.number(),
  paid: z.number(),
});
export type PointAccount = z.infer<typeof PointAccount>;

export const POINT_KINDS = ['order', 'campaign', 'mall', 'invite', 'lucky', 'ops', 'use', 'return', 'refund'] as const;
export const PointKind = z.enum(POINT_KINDS);
export type PointKind = z.infer<typeof PointKind>;

export const PointQuery = z.object({
  page: z.coerce.number().int().min(0).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});
export type PointQuery = z.infer<typeof PointQuery>;

export const PointRecord = z.object({
  id: z.number(),
  at: z.string(),
  kind: PointKind,
  title: z.string(),
  /** Signed: gift + paid. */
  points: z.number(),
  gift: z.number(),
  paid: z.number(),
  /** After this movement. */
  balance: z.number(),
  /** What it was for, e.g. an order number. */
  ref: z.string(),
});
export type PointRecord = z.infer<typeof PointRecord>;
export const PointRecords = z.object({ total: z.number(), list: z.array(PointRecord) });
export type PointRecords = z.infer<typeof PointRecords>;
