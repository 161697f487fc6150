/** Shapes of what people tell us and what they are answered. */
import { z } from 'zod';

export const TEXT_LEAST = 5;
export const TEXT_MOST = 2000;
export const IMAGES_MOST = 4;
export const IMAGE_BYTES = 5 * 1024 * 1024;

export const FeedbackType = z.enum(['idea', 'fault', 'result', 'other']);
export type FeedbackType = z.infer<typeof FeedbackType>;
export const FeedbackState = z.enum(['sent', 'working', 'answered', 'solved', 'declined']);
export type FeedbackState = z.infer<typeof FeedbackState>;

/** Each left out when the person unticks it; never anything of the data. */
export const Context = z.strictObject({
  page: z.string().max(300).optional(),
  browser: z.string().max(300).optional(),
  /** The last call that failed: `_rid` and error number. */
  rid: z.string().max(64).optional(),
  err_code: z.number().int().optional(),
});
export type Context = z.infer<typeof Context>;

/** Its length is judged apart, with a number of its own (31511). */
const Text = z.string().trim().max(TEXT_MOST, `最多 ${TEXT_MOST} 个字`);

export const FeedbackBody = z.strictObject({
  type: FeedbackType,
  text: Text,
  images: z.array(z.number().int().positive()).max(IMAGES_MOST, `最多 ${IMAGES_MOST} 张图片`).default([]),
  context: Context.default({}),
  contact: z.string().trim().max(100).nullish(),
  /** Random, made by the page; sent again it is the same feedback. */
  request_id: z.string().regex(/^[\w-]{8,64}$/),
});
export type FeedbackBody = z.infer<typeof FeedbackBody>;

/** Without an account: no pictures, and the ticket of a captcha. */
export const VisitorFeedback = FeedbackBody.omit({ images: true }).extend({
  ticket: z.string().min(1).max(2000),
  rand: z.string().max(200),
});
export type VisitorFeedback = z.infer<typeof VisitorFeedback>;

export const MessageBody = z.strictObject({ text: Text });
export const FeedbackId = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
export const ImageMade = z.object({ image: z.number() });

export const Feedback = z.object({
  id: z.number(),
  type: FeedbackType,
  state: FeedbackState,
  images: z.number(),
  created_at: z.string(),
  messages: z.array(z.object({ by: z.enum(['person', 'desk']), text: z.string(), at: z.string() })),
});
export type Feedback = z.infer<typeof Feedback>;
export const FeedbackList = z.object({ total: z.number(), list: z.array(Feedback) });
export type FeedbackList = z.infer<typeof FeedbackList>;

export const FeedbackPage = z.object({
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});
