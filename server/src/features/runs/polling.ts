/**
 * Polls the rows of runs that another server works on, or that this one adopted: their events do not reach this process.
 * Only runs that somebody watches are polled.
 */
import type { EventEmitter } from 'node:events';
import type { Db } from '../../lib/db.ts';
import type { RunEventName } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';
import { isOpen } from './await-run.ts';
import type { RunListener } from './await-run.ts';

const POLL_INTERVAL_MS = 500;

interface Dependencies {
  db: Db;
  /** Every event of a run, under its number. */
  channel: EventEmitter;
  /** Whether this process made the run and has not notified its end yet. */
  isUnfinished: (id: number) => boolean;
  notify: (name: RunEventName, run: RunRow) => void;
}

export function createPolling({ db, channel, isUnfinished, notify }: Dependencies) {
  /** Number of the last event that was notified. */
  const seen = new Map<number, number>();
  let timer: NodeJS.Timeout | null = null;

  async function poll(): Promise<void> {
    const ids = [...seen.keys()].filter((id) => !isUnfinished(id));
    for (const run of ids.length > 0 ? await store.runsById(db, ids) : []) {
      if (seen.get(run.id) === run.seq) continue;
      seen.set(run.id, run.seq);
      notify(isOpen(run) ? 'state' : 'end', run);
    }
  }

  function wake(): void {
    timer ??= setTimeout(() => {
      void poll()
        // Looked up again in a moment; the next answer says what this one would have.
        .catch(() => undefined)
        .finally(() => {
          timer = null;
          if (seen.size > 0) wake();
        });
    }, POLL_INTERVAL_MS).unref();
  }

  /** Calls back on every event of a run until the returned function is called. */
  return (id: number, listener: RunListener): (() => void) => {
    channel.on(String(id), listener);
    if (!isUnfinished(id) && !seen.has(id)) {
      seen.set(id, -1);
      wake();
    }
    return () => {
      channel.off(String(id), listener);
      if (channel.listenerCount(String(id)) === 0) seen.delete(id);
    };
  };
}
