/** Work of this server that is cancelled or stopped, here or at another server. */
import type { Db } from '../../lib/db.ts';
import type { EngineClient } from '../../lib/engine-client.ts';
import type { Logger } from '../../lib/log.ts';
import type { Line } from './queue.ts';
import type { RunEventName } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';
import { isOpen } from './await-run.ts';

interface Needed {
  db: Db;
  engine: EngineClient;
  log: Logger;
  line: Line;
  /** Kinds that the server works on itself, and who does. */
  isOurWork: (kind: string) => boolean;
  local: { cancel: (id: number) => void };
  /** Runs whose end this process has not told yet. */
  untold: ReadonlyMap<number, string>;
  /** Runs that the engine cannot know yet. */
  submitting: ReadonlySet<number>;
  /** Nothing is kept for a run any longer. */
  leave: (id: number) => void;
  tell: (name: RunEventName, run: RunRow) => void;
}

export function createElsewhere({ db, engine, log, line, isOurWork, local, untold, submitting, leave, tell }: Needed) {
  /** Whoever works on it for us ends. */
  async function dropWork({ id, kind }: RunRow): Promise<void> {
    if (isOurWork(kind)) local.cancel(id);
    else if (!line.holds(id))
      await engine.cancel(id).catch((error: unknown) => {
        // Gone or unreachable: then there is nothing left to cancel there.
        log.debug({ event: 'cancel', run_id: id, err: error }, 'the engine could not be told');
      });
  }

  /** What was asked for at other servers; now and then. */
  async function heedOthers(): Promise<void> {
    const ids = [...untold.keys()].filter((id) => line.holds(id) || !submitting.has(id));
    for (const run of ids.length > 0 ? await store.heedOthers(db, ids) : []) {
      if (isOpen(run)) {
        await engine.stop(run.id);
        await store.wantStop(db, run.id, false);
      } else if (untold.has(run.id)) {
        await dropWork(run);
        leave(run.id);
        tell('end', run);
      }
    }
  }

  return { dropWork, heedOthers };
}
