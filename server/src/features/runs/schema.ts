/** A run: one long piece of work, its state, and what it ended with. */
import type { Remedy } from '@hengxi/contracts/http';
import { z } from 'zod';

export const RUN_STATES = [
  'waiting',
  'running',
  'asking',
  'done',
  'refused',
  'failed',
  'cancelled',
  'timeout',
  'memory',
  'lost',
] as const;
export const RunState = z.enum(RUN_STATES);
export type RunState = z.infer<typeof RunState>;

/** States in which work goes on. `asking` is an end: the answer to a question is a new run. */
export const OPEN_STATES: readonly RunState[] = ['waiting', 'running'];

/** `best`: of a search, the best value of the target so far, as the person wrote the target. */
export const RunProgress = z.object({
  done: z.number(),
  of: z.number().nullable(),
  text: z.string(),
  best: z.number().optional(),
});
export type RunProgress = z.infer<typeof RunProgress>;

export const RunRefusal = z.object({
  fields: z.array(
    z.object({
      field: z.string().nullable(),
      code: z.string(),
      text: z.string(),
      facts: z.record(z.string(), z.unknown()).optional(),
      column: z.string().nullish(),
      row: z.number().nullish(),
      remedies: z.array(z.custom<Remedy>()).optional(),
    }),
  ),
});
export type RunRefusal = z.infer<typeof RunRefusal>;

/** What the person reads when a run did not end well; `id` finds the entry in the log. */
export const RunError = z.object({ code: z.string(), text: z.string(), id: z.string().nullable() });
export type RunError = z.infer<typeof RunError>;

/** Where the result of an analysis will belong; `method` is its path. */
export const RunAbout = z.object({
  report_id: z.number(),
  project_id: z.number(),
  vid: z.number().nullable(),
  method: z.string(),
});
export type RunAbout = z.infer<typeof RunAbout>;

export const Run = z.object({
  run_id: z.number(),
  kind: z.string(),
  /** null for every other kind of work. */
  about: RunAbout.nullable(),
  state: RunState,
  /** How many runs stand before this one; null when it does not wait. */
  position: z.number().nullable(),
  progress: RunProgress.nullable(),
  refusal: RunRefusal.nullable(),
  result: z.unknown(),
  error: RunError.nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;

export const RunId = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
export const RunList = z.object({
  open: z.enum(['0', '1']).optional(),
  /** Only analyses whose result becomes a revision of this report. */
  report_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});

/** Data of the SSE events `state` and `end`: a Run; of `progress`: its progress; of `bye`: the server is stopping. */
export const RUN_EVENTS = ['state', 'progress', 'end', 'bye'] as const;
export type RunEventName = (typeof RUN_EVENTS)[number];

export const DownloadRequest = z.strictObject({
  kind: z.string().max(40),
  id: z.number().int().positive().max(2_147_483_647),
});
export const DownloadLink = z.object({ url: z.string() });
export type DownloadLink = z.infer<typeof DownloadLink>;
export const DownloadTicket = z.object({ ticket: z.string().max(64) });
