/** Shapes of AI readings. */
import { z } from 'zod';

/** A piece of a sentence; `ref` names the statement of the report that it quotes. */
export const ReadingPiece = z.object({ text: z.string(), ref: z.string().optional() });
export const ReadingSentence = z.array(ReadingPiece);
export type ReadingSentence = z.infer<typeof ReadingSentence>;

export const READING_PRICE = 1;

export const AiResult = z.object({
  state: z.enum(['none', 'running', 'done', 'failed']),
  /** Number of the newest attempt on this result; a start names the one it has seen. */
  attempt: z.number(),
  run_id: z.number().nullable(),
  price: z.number(),
  balance: z.number(),
  /** Who answers, in words; null where only the rules do. */
  provider: z.string().nullable(),
  consented: z.boolean(),
  /** What would leave the machine, word for word; empty where nothing does. */
  sends: z.string(),
  sentences: z.array(ReadingSentence),
  /** The reading by rules, which costs nothing. */
  rules: z.array(ReadingSentence),
  reason: z.string().nullable(),
  /** The sentences are about an earlier result of this report. */
  stale: z.boolean(),
  content_id: z.string().nullable(),
  made_at: z.string().nullable(),
});
export type AiResult = z.infer<typeof AiResult>;

export const AiResultId = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
export const AiResultQuery = z.object({ confirm: z.enum(['0', '1']).default('0') });
export const AiStart = z.strictObject({
  /** The newest attempt that was seen: another is begun after it, once. */
  after: z.number().int().min(0).max(10_000).default(0),
  consent: z.boolean().default(false),
});
export type AiStart = z.infer<typeof AiStart>;
