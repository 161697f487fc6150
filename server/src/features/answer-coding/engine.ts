/** The engine's calls on the answers of a column. */
import { z } from 'zod';
import type { EngineClient } from '../../lib/engine-client.ts';
import type { AnswerSet } from '../files/schema.ts';
import { TableMeta } from '../files/service.ts';

/** Which answers are meant: their numbers depend on nothing else. */
export interface Where {
  column: string;
  mask: boolean;
}

const ReadAnswers = z.object({
  texts: z.array(z.string()),
  rows: z.array(z.number()),
  first: z.array(z.number()),
  total: z.number(),
  answered: z.number(),
  masked: z.number(),
  cut: z.number(),
});
export type ReadAnswers = z.infer<typeof ReadAnswers>;

export interface Coded extends Where {
  table: string;
  of: string;
  codes: { code: number; name: string; column: string | null }[];
  gone: string[];
  marks: [at: number, codes: number[]][];
  invalid: number | null;
  set: { id: string | null; name: string };
  sets: AnswerSet[];
}
/** `ids`: columns of the codes in their order; `renamed`: names that were taken already. */
const CodedMeta = TableMeta.extend({
  ids: z.array(z.string()),
  set: z.string().nullable(),
  renamed: z.record(z.string(), z.string()),
});
export type CodedMeta = z.infer<typeof CodedMeta>;

export function createAnswersEngine(engine: EngineClient) {
  return {
    read: (key: string, where: Where): Promise<ReadAnswers> =>
      engine.call('POST', `/tables/${key}/answers`, where, ReadAnswers, { timeoutMs: 25_000 }),
    coded: (key: string, body: Coded): Promise<CodedMeta> =>
      engine.call('POST', `/tables/${key}/coded`, body, CodedMeta, { timeoutMs: 25_000 }),
  };
}
export type AnswersEngine = ReturnType<typeof createAnswersEngine>;
