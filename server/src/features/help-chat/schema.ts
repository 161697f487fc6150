/** Shapes of the chat in the help menu. */
import { z } from 'zod';

export const QUESTION_MAX = 500;

export const ChatToken = z.object({
  access_token: z.string(),
  /** Seconds. */
  expires_in: z.number(),
  /** Who answers: passages of the help pages, found by rules. */
  mode: z.literal('rules'),
  note: z.string(),
});
export type ChatToken = z.infer<typeof ChatToken>;

export const ChatMessage = z.strictObject({
  access_token: z.string().max(200),
  text: z.string().trim().min(1, '请输入问题').max(QUESTION_MAX, `一次最多 ${QUESTION_MAX} 字`),
});

export const ChatLink = z.object({ title: z.string(), heading: z.string().nullable(), url: z.string() });
/** answer: cut word for word from the help pages. none: nothing reliable, with the nearest pages. people: not for a machine. */
export const ChatAnswer = z.object({
  kind: z.enum(['answer', 'none', 'people']),
  sentences: z.array(z.string()),
  links: z.array(ChatLink),
});
export type ChatAnswer = z.infer<typeof ChatAnswer>;
