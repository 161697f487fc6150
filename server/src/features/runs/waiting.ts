/** Waiting for the end of a run: told by this process where it knows, else looked up. */
import type { EventEmitter } from 'node:events';
import type { Db } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { OPEN_STATES } from './schema.ts';
import type { RunEventName, RunState } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';

export type RunListener = (name: RunEventName, run: RunRow) => void;

export const isOpen = (run: { state: RunState }): boolean => OPEN_STATES.includes(run.state);

interface Needed {
  db: Db;
  /** Every event of a run, under its number. */
  channel: EventEmitter;
  /** Whether this process has made the run and will yet tell its end. */
  isUntold: (id: number) => boolean;
}

/** Gives the run as it is after at most `seconds`, sooner when it ends. */
export function createWaiting({ db, channel, isUntold }: Needed) {
  return async (id: number, seconds: number): Promise<RunRow> => {
    const found = async (): Promise<RunRow> => {
      const run = await store.runById(db, id);
      if (!run) throw missing();
      return run;
    };
    let stop = (): void => undefined;
    const ended = new Promise<RunRow | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), seconds * 1000);
      const listener: RunListener = (name, row) => name === 'end' && resolve(row);
      channel.on(String(id), listener);
      stop = () => {
        clearTimeout(timer);
        channel.off(String(id), listener);
      };
    });
    try {
      if (!isUntold(id) || seconds <= 0) {
        const run = await found();
        if (!isOpen(run) || seconds <= 0) return run;
      }
      const told = await ended;
      if (told) return told;
    } finally {
      stop();
    }
    return found();
  };
}
