/** Recovery of runs: retry or end them when the engine dies, adopt orphans of dead servers, reconcile after missed events. */
import type { Db } from '../../lib/db.ts';
import type { EngineClient, EngineEvent } from '../../lib/engine-client.ts';
import type { Logger } from '../../lib/log.ts';
import type { FairQueue } from './queue.ts';
import type { RunEventName } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';

const RETRIED_TEXT = '计算服务重新启动，正在从头再来一次';

/** Given to the engine beyond what it works on, so that it never stands still between two runs. */
const AHEAD = 2;

/** What the engine is told of the limits of a run. */
export interface RunLimits {
  memoryMb: number;
  timeoutS: number;
}

interface Dependencies {
  db: Db;
  server: string;
  engine: EngineClient;
  log: Logger;
  queue: FairQueue;
  /** Kinds that are retried once when the engine died under them. */
  retryable: Map<string, RunLimits>;
  /** Runs not yet submitted to the engine. */
  submitting: Set<number>;
  isLocal: (id: number) => Promise<boolean>;
  lose: (id: number) => Promise<void>;
  /** Ends what a former server worked on itself. */
  interrupt: (id: number) => Promise<void>;
  receive: (event: EngineEvent) => Promise<void>;
  notify: (name: RunEventName, run: RunRow) => void;
  endUnsubmitted: (id: number, error: unknown) => Promise<void>;
}

export function createRecovery({ db, server, engine, log, queue, submitting, ...dependencies }: Dependencies) {
  const { retryable, isLocal, lose, interrupt, receive, notify, endUnsubmitted } = dependencies;

  /** The engine died. Runs to be retried and runs still queued stay open until there is an engine again. */
  async function loseRunning(): Promise<void> {
    queue.pause();
    for (const id of await store.openRunIds(db, server))
      if (!submitting.has(id) && !(await isLocal(id)) && !(await mayRepeat(id))) await lose(id);
  }

  async function mayRepeat(id: number): Promise<boolean> {
    const run = await store.runById(db, id);
    return run !== null && !run.repeated && retryable.has(run.kind);
  }

  /** Retries a run in the engine under its old number; false when it was retried before. */
  async function repeat(id: number): Promise<boolean> {
    if (!(await mayRepeat(id))) return false;
    submitting.add(id);
    try {
      const run = await store.repeatRun(db, id, { done: 0, of: null, text: RETRIED_TEXT });
      const limits = run && retryable.get(run.kind);
      if (!run || !limits) return false;
      notify('state', run);
      log.info({ event: 'run_repeat', run_id: id }, 'a run is begun once more');
      const { memoryMb, timeoutS } = limits;
      try {
        const { kind, payload } = run;
        await engine.submit({ run_id: id, kind, payload, memory_mb: memoryMb, timeout_s: timeoutS });
      } catch (error) {
        await endUnsubmitted(id, error);
      }
      return true;
    } finally {
      submitting.delete(id);
    }
  }

  /** What became of runs that the engine should know. */
  async function compare(ids: number[]): Promise<void> {
    for (const id of ids) {
      if (submitting.has(id) || (await isLocal(id))) continue;
      const known = await engine.run(id);
      if (known) await receive({ ...known, run_id: id });
      else if (!(await repeat(id))) await lose(id);
    }
  }

  /** Adopts orphaned runs, whose server lost its lease. Without an engine they wait for it like own runs. */
  async function adoptOrphans(): Promise<void> {
    const taken = await store.takeOrphans(db, server);
    for (const id of taken) {
      log.info({ event: 'run_taken_over', run_id: id }, 'a run of a server that is gone');
      if (await isLocal(id)) await interrupt(id);
    }
    if (taken.length > 0 && engine.isConnected) await compare(taken);
  }

  /** After the stream was interrupted: what happened to the runs we believe open? */
  async function reconcile(): Promise<void> {
    await compare(await store.openRunIds(db, server));
    const { workers } = await engine.health();
    if (workers) queue.maxRunning = workers + AHEAD;
    queue.resume();
  }

  return { loseRunning, reconcile, adoptOrphans };
}
