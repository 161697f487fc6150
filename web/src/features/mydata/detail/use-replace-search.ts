/** From place to place of what is looked for, cell by cell; what each would become comes with it. */
import type { Found, Seek, Version } from '@hengxi/server/files/schema';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';

import { ApiError } from '../../../lib/api.ts';
import { findRow } from '../queries.ts';
import type { CellChange } from './grid/cell-edits.ts';
import { cellKey } from './grid/cell-edits.ts';
import type { GridHandle } from './grid/data-grid.tsx';
import type { Place } from './grid/move.ts';
import { lookOf, type TableView } from './use-table-view.ts';

export type ReplaceSearchState =
  | { is: 'idle' | 'seeking' | 'none' | 'done' }
  | { is: 'failed'; why: string }
  /** `at`: which of the cells, from 1. */
  | { is: 'found'; at: number; cells: number };

interface Hit {
  found: Found;
  /** Places in the table of the columns that hold it, in their order. */
  columns: number[];
  place: Place;
  /** What it was asked to become. */
  by: string;
}

const SLOW_MS = 400;
/** Rows that are looked at for one that is not replaced yet. */
const TRIES = 200;

/** The column to stop at: the first from here on (back: the last up to here) that is not changed yet. */
export function columnFrom(columns: readonly number[], from: number, back: boolean): number | null {
  return (back ? columns.findLast((at) => at <= from) : columns.find((at) => at >= from)) ?? null;
}

interface SeekOf {
  version: Version;
  view: TableView;
  grid: RefObject<GridHandle | null>;
  /** Null: nothing is asked for. */
  seek: Seek | null;
  by: string;
  /** Cells that are changed and not saved: the table on the server does not know of them. */
  edits: ReadonlyMap<string, CellChange>;
}

export function useReplaceSearch({ version, view, grid, seek, by, edits }: SeekOf) {
  const { sort, picked } = view;
  const look = useMemo(() => lookOf({ sort, picked }), [sort, picked]);
  const of = JSON.stringify([look, seek]);
  const [kept, setKept] = useState<{ of: string; state: ReplaceSearchState }>({ of: '', state: { is: 'idle' } });
  // What was found for another question counts no more.
  const state: ReplaceSearchState = kept.of === of ? kept.state : { is: 'idle' };
  const setState = useCallback((next: ReplaceSearchState) => setKept({ of, state: next }), [of]);
  const hit = useRef<(Hit & { of: string }) | null>(null);
  const asked = useRef(0);
  const known = useMemo(() => new Map(version.columns.map(({ id }, at) => [id, at])), [version.columns]);

  const show = (next: Hit) => {
    const { found, columns, place } = next;
    hit.current = { ...next, of };
    const at = (found.cells_before ?? 0) + columns.indexOf(place.column) + 1;
    setState({ is: 'found', at, cells: found.cells ?? 0 });
    grid.current?.goTo(place);
  };

  /** The next place at or behind this one, round the end of the table. */
  const from = async (start: Place, back: boolean): Promise<void> => {
    if (seek === null) return;
    asked.current += 1;
    const mine = asked.current;
    const slow = setTimeout(() => asked.current === mine && setState({ is: 'seeking' }), SLOW_MS);
    const edge = back ? Number.MAX_SAFE_INTEGER : 0;
    let { row, column } = start;
    try {
      for (let tries = 0; tries < TRIES; tries += 1) {
        // One row after the other: where one leads on depends on what it holds.
        // oxlint-disable-next-line no-await-in-loop
        const nextHit = await findRow(version.vid, { ...look, seek, with: by, row, back });
        if (asked.current !== mine) return;
        if (nextHit.row === null) {
          hit.current = null;
          setState({ is: 'none' });
          return;
        }
        const number = nextHit.number ?? -1;
        const open = nextHit.columns.filter((id) => !edits.has(cellKey(number, id)));
        const columns = nextHit.columns.flatMap((id) => known.get(id) ?? []).sort((a, b) => a - b);
        const left = open.flatMap((id) => known.get(id) ?? []).sort((a, b) => a - b);
        const next = columnFrom(left, nextHit.row === row ? column : edge, back);
        if (next !== null) {
          show({ found: nextHit, columns, place: { row: nextHit.row, column: next }, by });
          return;
        }
        row = nextHit.row + (back ? -1 : 1);
        column = edge;
      }
      hit.current = null;
      setState({ is: 'done' });
    } catch (error) {
      const why = error instanceof ApiError ? (error.fields[0]?.text ?? error.message) : '没有查到，请重试';
      if (asked.current === mine) setState({ is: 'failed', why });
    } finally {
      clearTimeout(slow);
    }
  };

  const here = (): Place => {
    const place = grid.current?.place() ?? null;
    return { row: Math.max(0, place?.row ?? 0), column: place?.column ?? 0 };
  };
  const step = (back: boolean): Promise<void> => {
    const { row, column } = here();
    const isOn = hit.current?.of === of && hit.current.place.row === row && hit.current.place.column === column;
    return from({ row, column: isOn ? column + (back ? -1 : 1) : column }, back);
  };

  return {
    state,
    /** The first place from where one stands: typing alone does not move away from one that holds it. */
    first: () => from(here(), false),
    step,
    /** The place one stands at, and what it would become; null where it is none. */
    current: async (): Promise<{ change: CellChange } | { fault: string } | null> => {
      const at = hit.current;
      const place = here();
      if (at?.of !== of || at.place.row !== place.row || at.place.column !== place.column) return null;
      const column = version.columns[place.column]?.id ?? '';
      // What it is to become was typed after it was found.
      const nextHit =
        at.by === by
          ? at.found
          : await findRow(version.vid, { ...look, seek: seek ?? undefined, with: by, row: place.row });
      const fresh = nextHit.row === place.row ? nextHit.fresh?.[column] : undefined;
      if (!fresh || nextHit.number === undefined) return null;
      if ('fault' in fresh) return fresh;
      return { change: { row: nextHit.number, column, old: fresh.old, value: fresh.value } };
    },
  };
}
