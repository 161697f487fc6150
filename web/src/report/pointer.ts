/** Which row of which table is pointed at, by a hover on the table or on a mark: only the row and the mark themselves redraw. */
import { useSyncExternalStore } from 'react';

interface Pointed {
  table: string;
  row: number;
}

export interface Pointer {
  get: () => Pointed | null;
  set: (at: Pointed | null) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createPointer(): Pointer {
  let at: Pointed | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => at,
    set: (next) => {
      if (at?.table === next?.table && at?.row === next?.row) return;
      at = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The row of a table that is pointed at, or null. */
export function usePointedRow(pointer: Pointer, table: string): number | null {
  return useSyncExternalStore(pointer.subscribe, () => {
    const at = pointer.get();
    return at?.table === table ? at.row : null;
  });
}

export function useIsPointed(pointer: Pointer, table: string, row: number): boolean {
  return useSyncExternalStore(pointer.subscribe, () => {
    const at = pointer.get();
    return at !== null && at.table === table && at.row === row;
  });
}
