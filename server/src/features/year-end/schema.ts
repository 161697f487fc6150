/** Shapes of the year-end report: what was counted of one person's own work in a year. */
import { z } from 'zod';

/** Below so many analyses there is little to tell. */
export const LEAST_RUNS = 3;

const count = z.number().int().min(0);

/** What is counted and kept; no names of data, columns or projects, and nobody else's. */
export const YearCount = z.object({
  /** Days in Shanghai with an analysis. */
  days: count,
  /** Analyses that ended with a result. */
  runs: count,
  /** Different methods among them. */
  methods: count,
  /** Path of the method used most; of equals the one used first. null: no analysis. */
  top: z.string().nullable(),
  top_runs: count,
  /** Rows of the table of each analysis, added up. */
  rows: count,
  /** Rows of the longest table analysed. */
  largest: count,
  /** Data and reports exported. */
  exports: count,
});
export type YearCount = z.infer<typeof YearCount>;

/** `top` by its name: null where there is none, or the method is no longer there. */
export const YearNumbers = YearCount.extend({ top: z.string().nullable() });
export type YearNumbers = z.infer<typeof YearNumbers>;

export const Year = z.coerce.number().int().min(2000).max(2999);
export const YearQuery = z.object({ year: Year.optional() });
export const YearGiven = z.object({ year: Year });
export const ConsentBody = z.strictObject({
  year: z.number().int().min(2000).max(2999),
  consent: z.literal(true, '请先勾选同意'),
});

export const YEAR_STATES = ['closed', 'consent', 'computing', 'too_few', 'ready'] as const;
export const YearReport = z.object({
  year: z.number(),
  state: z.enum(YEAR_STATES),
  /** When the report of this year is open: from, and the first moment it is not any more. */
  opens_at: z.string(),
  closes_at: z.string(),
  server_now: z.string(),
  numbers: YearNumbers.nullable(),
  /** What was counted, half-open. */
  range: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** Years whose report is kept: each can be withdrawn, open or not. */
  kept: z.array(z.number()),
});
export type YearReport = z.infer<typeof YearReport>;

export const Withdrawn = z.object({ removed: z.boolean() });
