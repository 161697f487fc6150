/**
 * What is pointed at, on a table or on a picture: rows and marks that stand for the same thing light up together.
 * They are the same when they come from one row of one table, or when all words of the mark (男; 年龄 · 大一) stand in
 * the row: a picture often draws from a table of its own.
 */
import { useSyncExternalStore } from 'react';

export interface Pointed {
  from: 'row' | 'mark';
  table: string;
  row: number | null;
  words: readonly string[];
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
      if (at === next) return;
      at = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The row under the pointer, for a chart that looks for its marks; what a mark itself points at concerns no chart. */
export function usePointedRow(pointer: Pointer): Pointed | null {
  return useSyncExternalStore(pointer.subscribe, () => {
    const at = pointer.get();
    return at?.from === 'row' ? at : null;
  });
}

/** Whether a row lights up: it is under the pointer, or the mark under the pointer is about it. */
export function useIsPointed(pointer: Pointer, table: string, row: number, words: readonly string[]): boolean {
  return useSyncExternalStore(pointer.subscribe, () => {
    const at = pointer.get();
    if (at === null) return false;
    if (at.table === table && at.row === row) return true;
    return at.from === 'mark' && contains(words, at.words);
  });
}

/** Whether a mark is about the row under the pointer. */
export function isAbout(at: Pointed, table: string, row: number | undefined, words: readonly string[]): boolean {
  return (at.table === table && row !== undefined && at.row === row) || contains(at.words, words);
}

function contains(all: readonly string[], some: readonly string[]): boolean {
  return some.length > 0 && some.every((word) => all.includes(word));
}
