/**
 * Work of a run that the server itself does: documents, which need no engine. A bounded queue; what waits or works here
 * ends with the server, and is marked as interrupted when it stops or starts again.
 */
import type { RunProgress } from './schema.ts';
import type { Outcome } from './outcome.ts';
import { Line } from './queue.ts';
import type { Room } from './queue.ts';
import type { RunRow } from './tables.ts';

export interface LocalHand {
  progress: (progress: RunProgress) => void;
  /** Aborted when the run is cancelled or its time is over. */
  signal: AbortSignal;
}

/** Does one run and says how it ended. What it throws counts as failed. */
export interface LocalWork {
  work: (run: RunRow, hand: LocalHand) => Promise<Outcome>;
  timeoutMs: number;
}

export interface LocalEvents {
  waits: (id: number, position: number) => Promise<void>;
  runs: (id: number, progress: RunProgress | null) => Promise<void>;
  ends: (id: number, outcome: Outcome) => Promise<void>;
  /** Something broke that is nobody's business but ours. */
  broke: (id: number, error: unknown) => Outcome;
}

export const endingAs = (state: Outcome['state'], text?: string): Outcome => ({
  state,
  result: null,
  refusal: null,
  error: text === undefined ? null : { code: `run.${state}`, text, id: null },
});

export const INTERRUPTED = endingAs('lost', '服务重新启动，本次任务已中断，请重试');
/** Worded by the endings of runs. */
const TIMEOUT = endingAs('timeout');

/** `most`: how many work at once. */
export function createLocal(most: number, events: LocalEvents) {
  const line = new Line(most);
  const working = new Map<number, AbortController>();

  const tellPlaces = (): void => {
    for (const [position, id] of line.ids().entries()) void events.waits(id, position).catch(() => undefined);
  };

  async function perform(run: RunRow, { work, timeoutMs }: LocalWork): Promise<void> {
    const stop = new AbortController();
    working.set(run.id, stop);
    const timer = setTimeout(() => stop.abort(TIMEOUT), timeoutMs);
    let outcome: Outcome;
    try {
      await events.runs(run.id, null);
      stop.signal.throwIfAborted();
      const progress = (to: RunProgress): void => void events.runs(run.id, to).catch(() => undefined);
      outcome = await work(run, { progress, signal: stop.signal });
    } catch (error) {
      if (!stop.signal.aborted) outcome = events.broke(run.id, error);
      // Whoever stopped it otherwise has ended the run.
      else outcome = stop.signal.reason === TIMEOUT ? TIMEOUT : endingAs('cancelled');
    } finally {
      clearTimeout(timer);
    }
    await events.ends(run.id, outcome).catch((error: unknown) => void events.broke(run.id, error));
    working.delete(run.id);
    line.leave(run.id);
    tellPlaces();
  }

  return {
    submit(run: RunRow, kind: LocalWork, room: Room): void {
      const place = { id: run.id, owner: `${run.ownerKind} ${run.ownerId}`, member: run.userId, room };
      const go = (): void => void perform(run, kind);
      if (line.enter({ ...place, go })) go();
      else tellPlaces();
    },

    /** Takes a run out of the queue, or stops its work; ending its row is the caller's. */
    cancel(id: number): void {
      if (line.holds(id)) line.leave(id);
      working.get(id)?.abort();
    },

    /** For stopping the server: nothing begins any more, what works is stopped. */
    async close(): Promise<void> {
      line.hold();
      const held = line.ids();
      for (const id of held) line.leave(id);
      const left = [...held, ...working.keys()];
      for (const id of left) await events.ends(id, INTERRUPTED);
      for (const stop of working.values()) stop.abort();
    },
  };
}
