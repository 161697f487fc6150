/** Shapes of quests and their records. */
import { z } from 'zod';

export const QUEST_KINDS = ['once', 'daily', 'weekly', 'streak', 'count'] as const;
export const QuestKind = z.enum(QUEST_KINDS);
export type QuestKind = z.infer<typeof QuestKind>;

/** What the server itself saw somebody do. */
export const PRODUCT_EVENTS = [
  'phone_bound',
  'file_imported',
  'analysis_succeeded',
  'report_exported',
  'feedback_adopted',
  'invite_qualified',
] as const;
export const ProductEvent = z.enum(PRODUCT_EVENTS);
export type ProductEvent = z.infer<typeof ProductEvent>;

/** 0 进行中, 1 可领取, 2 已领取, 3 审核中, 4 已作废. */
export const RecordState = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
export type RecordState = z.infer<typeof RecordState>;

export const Quest = z.object({
  id: z.number(),
  title: z.string(),
  /** What it helps with, one sentence. */
  why: z.string(),
  kind: QuestKind,
  target: z.number(),
  progress: z.number(),
  bonus: z.number(),
  state: RecordState,
  /** Of the present period; null before the first hit. With it: GET /v1/quest-record/{id}. */
  record_id: z.number().nullable(),
  /** Why it is held or void; null otherwise. */
  held_reason: z.string().nullable(),
  /** End of the day, week or window; of the quest itself where it has one; null: none. */
  period_end: z.string().nullable(),
  /** Where it is done, a path of this site; empty: no page of its own (feedback stands in the account menu). */
  action_url: z.string(),
});
export type Quest = z.infer<typeof Quest>;
/** Finished records of earlier periods that wait to be claimed come first. */
export const Quests = z.array(Quest);
export type Quests = z.infer<typeof Quests>;

export const RecordParams = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });

export const QuestRecord = Quest.extend({
  record_id: z.number(),
  /** `once`, a day, an ISO week (2026-W53), or the first day of a window. */
  period_key: z.string(),
  completed_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  /** When an unclaimed bonus credits itself; null: nothing waits. */
  auto_credit_at: z.string().nullable(),
  /** What counted, newest first, at most a hundred. */
  hits: z.array(z.object({ at: z.string(), title: z.string() })),
});
export type QuestRecord = z.infer<typeof QuestRecord>;

export const AcceptBody = z.strictObject({});
export const Accepted = z.object({
  amount: z.number(),
  /** The balance after it. */
  total_amount: z.number(),
  /** It had been claimed before: nothing moved now. */
  already: z.boolean(),
});
export type Accepted = z.infer<typeof Accepted>;
