/**
 * Runs that another server works on, or that this one took over: nobody here hears of their events, so they are looked
 * up while somebody watches them.
 */
import type { EventEmitter } from 'node:events';
import type { Db } from '../../lib/db.ts';
import type { RunEventName } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';
import { isOpen } from './await-run.ts';
import type { RunListener } from './await-run.ts';

const LOOK_MS = 500;

interface Needed {
  db: Db;
  /** Every event of a run, under its number. */
  channel: EventEmitter;
  /** Whether this process has made the run and will yet tell its end. */
  isUntold: (id: number) => boolean;
  tell: (name: RunEventName, run: RunRow) => void;
}

export function createFollowing({ db, channel, isUntold, tell }: Needed) {
  /** Number of the last event that was told. */
  const seen = new Map<number, number>();
  let timer: NodeJS.Timeout | null = null;

  async function look(): Promise<void> {
    const ids = [...seen.keys()].filter((id) => !isUntold(id));
    for (const run of ids.length > 0 ? await store.runsById(db, ids) : []) {
      if (seen.get(run.id) === run.seq) continue;
      seen.set(run.id, run.seq);
      tell(isOpen(run) ? 'state' : 'end', run);
    }
  }

  function wake(): void {
    timer ??= setTimeout(() => {
      void look()
        // Looked up again in a moment; the next answer says what this one would have.
        .catch(() => undefined)
        .finally(() => {
          timer = null;
          if (seen.size > 0) wake();
        });
    }, LOOK_MS).unref();
  }

  /** Calls back on every event of a run until the returned function is called. */
  return (id: number, listener: RunListener): (() => void) => {
    channel.on(String(id), listener);
    if (!isUntold(id) && !seen.has(id)) {
      seen.set(id, -1);
      wake();
    }
    return () => {
      channel.off(String(id), listener);
      if (channel.listenerCount(String(id)) === 0) seen.delete(id);
    };
  };
}
