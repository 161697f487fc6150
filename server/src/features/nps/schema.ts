/** Shapes of the question how likely somebody recommends us, and of its answers. */
import { z } from 'zod';

/** How long a result must have stood open, as the page counts. */
export const OPEN_MS = 20_000;
export const COMMENT_MOST = 1000;

export const PopupQuery = z.object({ open_ms: z.coerce.number().int().min(0).max(86_400_000).default(0) });
export const Popup = z.object({
  /** From this answer on it counts as shown. */
  show: z.boolean(),
  survey_id: z.string().nullable(),
  token: z.string().nullable(),
  /** When to ask again with this result still open; null: not for this result. */
  delay_ms: z.number().nullable(),
});
export type Popup = z.infer<typeof Popup>;

export const NPS_ACTIONS = ['answer', 'later', 'close', 'never'] as const;
export type NpsAction = (typeof NPS_ACTIONS)[number];

export const AnswerBody = z.strictObject({
  survey_id: z.string().max(20),
  token: z.string().max(100),
  action: z.enum(NPS_ACTIONS),
  /** Judged apart, with a number of its own (31502). */
  score: z.unknown().optional(),
  comment: z.string().trim().max(COMMENT_MOST, `最多 ${COMMENT_MOST} 个字`).default(''),
  contact_ok: z.boolean().default(false),
  page: z.string().max(300).default(''),
  app_version: z.string().max(40).default(''),
});
export type AnswerBody = z.infer<typeof AnswerBody>;
