/** Waits for the end of a run: by notification where this server works on it, else by polling. */
import type { Db } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { OPEN_STATES } from './schema.ts';
import type { RunEventName, RunState } from './schema.ts';
import * as store from './store.ts';
import type { RunRow } from './tables.ts';

export type RunListener = (name: RunEventName, run: RunRow) => void;

export const isOpen = (run: { state: RunState }): boolean => OPEN_STATES.includes(run.state);

interface Dependencies {
  db: Db;
  /** Calls back on every event of a run until the returned function is called. */
  watch: (id: number, listener: RunListener) => () => void;
  /** Whether this process made the run and has not notified its end yet. */
  isUnfinished: (id: number) => boolean;
}

/** Gives the run as it is after at most `seconds`, sooner when it ends. */
export function createAwaitRun({ db, watch, isUnfinished }: Dependencies) {
  return async (id: number, seconds: number): Promise<RunRow> => {
    const currentRun = async (): Promise<RunRow> => {
      const run = await store.runById(db, id);
      if (!run) throw missing();
      return run;
    };
    let stop = (): void => undefined;
    const ended = new Promise<RunRow | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), seconds * 1000);
      const unwatch = watch(id, (name, row) => name === 'end' && resolve(row));
      stop = () => {
        clearTimeout(timer);
        unwatch();
      };
    });
    try {
      if (!isUnfinished(id) || seconds <= 0) {
        const run = await currentRun();
        if (!isOpen(run) || seconds <= 0) return run;
      }
      const told = await ended;
      if (told) return told;
    } finally {
      stop();
    }
    return currentRun();
  };
}
