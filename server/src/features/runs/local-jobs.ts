/**
 * The queue of jobs that the server itself runs: documents, which need no engine. Bounded; jobs that wait or run here
 * end with the server, and are marked as interrupted when it stops or starts again.
 */
import type { RunProgress } from './schema.ts';
import type { Outcome } from './outcome.ts';
import { FairQueue } from './queue.ts';
import type { ConcurrencyLimit } from './queue.ts';
import type { RunRow } from './tables.ts';

export interface LocalContext {
  progress: (progress: RunProgress) => void;
  /** Aborted when the run is cancelled or its time is over. */
  signal: AbortSignal;
}

/** Handles one run and returns its outcome. An exception counts as failed. */
export interface LocalHandler {
  work: (run: RunRow, context: LocalContext) => Promise<Outcome>;
  timeoutMs: number;
  /** It only starts other runs and waits for them: it takes no place from those that work. */
  conducts?: boolean;
}

export interface LocalCallbacks {
  onWaiting: (id: number, position: number) => Promise<void>;
  onRunning: (id: number, progress: RunProgress | null) => Promise<void>;
  onEnd: (id: number, outcome: Outcome) => Promise<void>;
  /** A bug: logged, and the run fails with an error number. */
  onError: (id: number, error: unknown) => Outcome;
}

export const outcomeAs = (state: Outcome['state'], text?: string): Outcome => ({
  state,
  result: null,
  refusal: null,
  error: text === undefined ? null : { code: `run.${state}`, text, id: null },
});

export const INTERRUPTED = outcomeAs('lost', '服务重新启动，本次任务已中断，请重试');
/** Its text comes from outcome.ts. */
const TIMEOUT = outcomeAs('timeout');

/** `maxRunning`: how many jobs run at once. */
export function createLocalQueue(maxRunning: number, events: LocalCallbacks) {
  const queue = new FairQueue(maxRunning);
  const working = new Map<number, AbortController>();

  const reportPositions = (): void => {
    for (const [position, id] of queue.ids().entries()) void events.onWaiting(id, position).catch(() => undefined);
  };

  async function perform(run: RunRow, { work, timeoutMs }: LocalHandler): Promise<void> {
    const stop = new AbortController();
    working.set(run.id, stop);
    const timer = setTimeout(() => stop.abort(TIMEOUT), timeoutMs);
    let outcome: Outcome;
    try {
      await events.onRunning(run.id, null);
      stop.signal.throwIfAborted();
      const progress = (to: RunProgress): void => void events.onRunning(run.id, to).catch(() => undefined);
      outcome = await work(run, { progress, signal: stop.signal });
    } catch (error) {
      if (!stop.signal.aborted) outcome = events.onError(run.id, error);
      // Whoever stopped it otherwise has ended the run.
      else outcome = stop.signal.reason === TIMEOUT ? TIMEOUT : outcomeAs('cancelled');
    } finally {
      clearTimeout(timer);
    }
    await events.onEnd(run.id, outcome).catch((error: unknown) => void events.onError(run.id, error));
    working.delete(run.id);
    queue.remove(run.id);
    reportPositions();
  }

  return {
    submit(run: RunRow, handler: LocalHandler, limit: ConcurrencyLimit): void {
      const entry = { id: run.id, owner: `${run.ownerKind} ${run.ownerId}`, member: run.userId, limit };
      const start = (): void => void perform(run, handler);
      if (queue.enqueue({ ...entry, start })) start();
      else reportPositions();
    },

    /** Removes a run from the queue, or aborts its job; ending its row is up to the caller. */
    cancel(id: number): void {
      if (queue.isWaiting(id)) queue.remove(id);
      working.get(id)?.abort();
    },

    /** For stopping the server: no further job starts, running jobs are aborted. */
    async close(): Promise<void> {
      queue.pause();
      const waiting = queue.ids();
      for (const id of waiting) queue.remove(id);
      const unfinished = [...waiting, ...working.keys()];
      for (const id of unfinished) await events.onEnd(id, INTERRUPTED);
      for (const stop of working.values()) stop.abort();
    },
  };
}
