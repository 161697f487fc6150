/** Cancels and stops runs of this server, whether the request came here or to another server (then it is read from the row). */
import type { Db } from '../../lib/db.ts';
import type { EngineClient } from '../../lib/engine-client.ts';
import type { Logger } from '../../lib/log.ts';
import type { FairQueue } from './queue.ts';
import type { RunEventName } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';
import { isOpen } from './await-run.ts';

interface Dependencies {
  db: Db;
  engine: EngineClient;
  log: Logger;
  queue: FairQueue;
  /** Whether the server itself handles runs of this kind (local jobs). */
  isLocalKind: (kind: string) => boolean;
  local: { cancel: (id: number) => void };
  /** Runs of this process that have not ended. */
  unfinished: ReadonlyMap<number, string>;
  /** Runs not yet submitted to the engine. */
  submitting: ReadonlySet<number>;
  /** Drops every in-memory record of a run. */
  release: (id: number) => void;
  notify: (name: RunEventName, run: RunRow) => void;
}

export function createCancellation({
  db,
  engine,
  log,
  queue,
  isLocalKind,
  local,
  unfinished,
  submitting,
  release,
  notify,
}: Dependencies) {
  /** Stops the work behind a run: the local job or the engine's child process. */
  async function dropWork({ id, kind }: RunRow): Promise<void> {
    if (isLocalKind(kind)) local.cancel(id);
    else if (!queue.isWaiting(id))
      await engine.cancel(id).catch((error: unknown) => {
        // The engine has died or is unreachable: nothing left to cancel there.
        log.debug({ event: 'cancel', run_id: id, err: error }, 'the engine could not be told');
      });
  }

  /** Applies cancel and stop requests that other servers wrote into the rows; called periodically. */
  async function applyRemoteRequests(): Promise<void> {
    const ids = [...unfinished.keys()].filter((id) => queue.isWaiting(id) || !submitting.has(id));
    for (const run of ids.length > 0 ? await store.remoteRequests(db, ids) : []) {
      if (isOpen(run)) {
        await engine.stop(run.id);
        await store.wantStop(db, run.id, false);
      } else if (unfinished.has(run.id)) {
        await dropWork(run);
        release(run.id);
        notify('end', run);
      }
    }
  }

  return { dropWork, applyRemoteRequests };
}
