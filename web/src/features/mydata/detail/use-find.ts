/** Finding a text from cell to cell of the table as it is shown, or showing only the rows that hold it. */
import type { Found, Version } from '@hengxi/server/files/schema';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';

import { findRow } from '../queries.ts';
import type { GridHandle } from './grid/data-grid.tsx';
import { lookOf, type TableView } from './use-table-view.ts';

export type FindState =
  | { is: 'idle' }
  | { is: 'seeking' }
  | { is: 'none' }
  | { is: 'failed' }
  /** `at`: which of the rows that hold the text, from 1. */
  | { is: 'found'; at: number; total: number };

/** The next place of the text in a row that holds it several times; null when the row is through. */
export function nextColumn(columns: readonly number[], from: number, back: boolean): number | null {
  return (back ? columns.findLast((at) => at < from) : columns.find((at) => at > from)) ?? null;
}

const SLOW_MS = 400;

interface Hit extends Found {
  row: number;
  places: number[];
  of: string;
}

export function useFind(version: Version, view: TableView, grid: RefObject<GridHandle | null>) {
  const [text, setText] = useState(view.find);
  const [stored, setKept] = useState<{ of: string; state: FindState }>({ of: '', state: { is: 'idle' } });
  const hit = useRef<Hit | null>(null);
  const asked = useRef(0);
  const { sort, picked, find: narrowed, setFind } = view;
  // Under another order or condition the text stands elsewhere: what was found before counts no more.
  const look = useMemo(() => lookOf({ sort, picked }), [sort, picked]);
  const of = JSON.stringify(look);
  const state: FindState = stored.of === of ? stored.state : { is: 'idle' };
  const setState = useCallback((next: FindState) => setKept({ of, state: next }), [of]);

  const show = useCallback(
    (hit: Hit, column: number | undefined) => {
      setState({ is: 'found', at: hit.before + 1, total: hit.total });
      // Where only rows with the text are shown, a row's place is its number among them.
      const place = { row: narrowed === '' ? hit.row : hit.before, column: column ?? 0 };
      // The grid has fewer or more rows after narrowing; it must know that before it is sent to one.
      setTimeout(() => grid.current?.goTo(place), 0);
    },
    [grid, narrowed, setState],
  );

  const seek = useCallback(
    async (wanted: string, row: number, back: boolean) => {
      asked.current += 1;
      const mine = asked.current;
      // A short wait is not worth a word.
      const slow = setTimeout(() => asked.current === mine && setState({ is: 'seeking' }), SLOW_MS);
      try {
        const nextHit = await findRow(version.vid, { ...look, text: wanted, row, back });
        if (asked.current !== mine) return;
        if (nextHit.row === null) {
          hit.current = null;
          setState({ is: 'none' });
          return;
        }
        const order = new Map(version.columns.map((column, at) => [column.id, at]));
        const places = nextHit.columns.flatMap((id) => order.get(id) ?? []).sort((a, b) => a - b);
        hit.current = { ...nextHit, row: nextHit.row, places, of };
        show(hit.current, back ? places.at(-1) : places[0]);
      } catch {
        if (asked.current === mine) setState({ is: 'failed' });
      } finally {
        clearTimeout(slow);
      }
    },
    [version, look, of, show, setState],
  );

  const clear = useCallback(() => {
    asked.current += 1;
    hit.current = null;
    setState({ is: 'idle' });
    setFind('');
  }, [setFind, setState]);

  const step = (back: boolean) => {
    const wanted = text.trim();
    if (wanted === '') return;
    const place = grid.current?.place() ?? null;
    const at = hit.current?.of === of ? hit.current : null;
    if (at) {
      const isThere = place !== null && place.row === (narrowed === '' ? at.row : at.before);
      const column = isThere ? nextColumn(at.places, place.column, back) : null;
      if (column !== null) {
        show(at, column);
        return;
      }
    }
    const from = narrowed === '' || !at ? (place?.row ?? (back ? 0 : -1)) : at.row;
    void seek(wanted, from + (back ? -1 : 1), back);
  };

  return {
    text,
    state,
    narrowed: narrowed !== '',
    type: (next: string) => {
      setText(next);
      if (next.trim() === '') clear();
    },
    /** The first place from where one stands; typing alone does not move away from a place that holds the text. */
    first: () => {
      const wanted = text.trim();
      if (narrowed !== '') setFind(wanted);
      if (wanted !== '') void seek(wanted, Math.max(0, grid.current?.place()?.row ?? 0), false);
    },
    step,
    narrow: (on: boolean) => setFind(on ? text.trim() : ''),
  };
}
