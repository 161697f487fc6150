/** What a feature states of its kind of run. */
import type { Tx } from '../../lib/db.ts';
import type { Outcome } from './outcome.ts';
import type { NewRun } from './store.ts';
import type { RunRow } from './tables.ts';

/** Its return value becomes the `result` the person sees; it must not await anything but the database. */
export type Finisher = (tx: Tx, run: RunRow, outcome: Outcome) => Promise<unknown>;

/**
 * Gives the finisher of one run. It may ask the engine for what the finisher needs, and is therefore called before the
 * transaction begins; like the finisher it must cope with any ending.
 */
export type Preparation = (run: RunRow, outcome: Outcome) => Promise<Finisher>;

export interface Submission extends NewRun {
  /** What the engine calls this kind of work, where that differs. */
  engineKind?: string;
  memoryMb?: number;
  timeoutS?: number;
  /** Goes to the engine with the payload and is stored nowhere (the opening password of a workbook). */
  secret?: Record<string, unknown>;
}
