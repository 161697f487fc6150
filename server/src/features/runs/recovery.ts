/** What becomes of runs when the engine dies under them, or its events were missed for a while. */
import type { Db } from '../../lib/db.ts';
import type { EngineClient, EngineEvent } from '../../lib/engine-client.ts';
import type { Logger } from '../../lib/log.ts';
import type { Line } from './queue.ts';
import type { RunEventName } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';

const REPEATED_TEXT = '计算服务重新启动，正在从头再来一次';

/** Given to the engine beyond what it works on, so that it never stands still between two runs. */
const AHEAD = 2;

/** What the engine is told of the limits of a run. */
export interface RunLimits {
  memoryMb: number;
  timeoutS: number;
}

interface Around {
  db: Db;
  server: string;
  engine: EngineClient;
  log: Logger;
  line: Line;
  /** Kinds that are begun once more when the engine died under them. */
  repeatable: Map<string, RunLimits>;
  /** Runs that the engine cannot know yet. */
  submitting: Set<number>;
  isLocal: (id: number) => Promise<boolean>;
  lose: (id: number) => Promise<void>;
  /** Ends what a former server worked on itself. */
  interrupt: (id: number) => Promise<void>;
  receive: (event: EngineEvent) => Promise<void>;
  tell: (name: RunEventName, run: RunRow) => void;
  endUnsubmitted: (id: number, error: unknown) => Promise<void>;
}

export function createRecovery({ db, server, engine, log, line, submitting, ...around }: Around) {
  const { repeatable, isLocal, lose, interrupt, receive, tell, endUnsubmitted } = around;

  /** The engine died. What is to be repeated, and what it was not given yet, stays open until there is an engine again. */
  async function loseAll(): Promise<void> {
    line.hold();
    for (const id of await store.openRunIds(db, server))
      if (!submitting.has(id) && !(await isLocal(id)) && !(await mayRepeat(id))) await lose(id);
  }

  async function mayRepeat(id: number): Promise<boolean> {
    const run = await store.runById(db, id);
    return run !== null && !run.repeated && repeatable.has(run.kind);
  }

  /** Hands a run to the engine once more under its old number; false when it had its second chance already. */
  async function repeat(id: number): Promise<boolean> {
    if (!(await mayRepeat(id))) return false;
    submitting.add(id);
    try {
      const run = await store.repeatRun(db, id, { done: 0, of: null, text: REPEATED_TEXT });
      const limits = run && repeatable.get(run.kind);
      if (!run || !limits) return false;
      tell('state', run);
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

  /** Runs of servers that are no more become this one's. Without an engine they wait for it like its own. */
  async function takeOver(): Promise<void> {
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
    if (workers) line.most = workers + AHEAD;
    line.release();
  }

  return { loseAll, reconcile, takeOver };
}
