/** A save that came second: somebody has made a newer version meanwhile. Nothing was stored; the person says what shall be. */
import type { Newer } from '@hengxi/server/files/schema';
import { create } from 'zustand';

import { ApiError } from '../../../lib/api.ts';

export const SAVE_CONFLICT = 30511;

/** Where a save goes: on the version it was made on, onto a newer one, or beside it. */
export interface SaveTo {
  /** The newer version it shall be applied to. */
  onto?: number;
  /** Cells that were changed there too stay as they are. */
  theirs?: boolean;
  /** A version beside the newer one. */
  branch?: boolean;
}

interface PendingSave {
  newer: Newer;
  /** The number of the version on the screen. */
  number: number;
  send: (to: SaveTo) => void;
}

/** One question at a time, asked from wherever something is saved; the dialog stands once on the data page. */
export const useSaveConflict = create<{ asked: PendingSave | null }>(() => ({ asked: null }));

/** Asks if that is why the save was refused; the answer is the same save to another place. */
export function askSaveConflict(error: unknown, number: number, send: (to: SaveTo) => void): boolean {
  if (!(error instanceof ApiError) || error.code !== SAVE_CONFLICT) return false;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- what this code promises
  useSaveConflict.setState({ asked: { newer: error.data as Newer, number, send } });
  return true;
}
