/** How the table is looked at: values or labels, order, search, and rows picked out by a condition. Nothing here changes data. */
import type { FilterType, RowsBody } from '@hengxi/server/files/schema';
import { useCallback, useEffect, useRef, useState } from 'react';

import { readStored, STORAGE, writeStored } from '../../../lib/storage.ts';
import type { Sort } from './grid/grid-head.tsx';

/** Rows picked out, and why, in words; `drop`: all rows but those of the condition. */
export interface Picked {
  title: string;
  condition: string;
  filter_type: FilterType;
}

export interface TableView {
  labels: boolean;
  setLabels: (on: boolean) => void;
  sort: Sort | null;
  setSort: (sort: Sort | null) => void;
  /** Only rows that hold this text are shown; finding from row to row does not narrow anything. */
  find: string;
  setFind: (text: string) => void;
  picked: Picked | null;
  setPicked: (picked: Picked | null) => void;
  /** Rows left after search and condition; null until known. */
  total: number | null;
  setTotal: (total: number) => void;
}

/** The rows for which a condition holds. */
export const rowsWhere = (title: string, condition: string): Picked => ({ title, condition, filter_type: 'keep' });

/** The rows shown and their order, as the calls that read or search them want it. */
export function lookOf({ sort, picked }: Pick<TableView, 'sort' | 'picked'>) {
  return {
    sort: sort ? [sort] : [],
    condition: picked?.condition ?? null,
    filter_type: picked?.filter_type ?? 'keep',
  } satisfies Partial<RowsBody>;
}

/** `onNarrow` hears that other rows are about to be shown, and says what is to be done once they are. */
export function useTableView(
  start: { sort: Sort | null; picked: Picked | null },
  onNarrow: () => ((view: Pick<TableView, 'sort' | 'find' | 'picked'>) => void) | null,
): TableView {
  const [labels, setLabelsState] = useState(() => readStored(STORAGE.labels) !== 'off');
  const [sort, setSort] = useState(start.sort);
  const [find, setFindState] = useState('');
  const [picked, setPickedState] = useState(start.picked);
  const hear = useRef(onNarrow);
  const after = useRef<ReturnType<typeof onNarrow>>(null);
  useEffect(() => {
    hear.current = onNarrow;
  });
  const setFind = useCallback((text: string) => {
    after.current = hear.current();
    setFindState(text);
  }, []);
  const setPicked = useCallback((next: Picked | null) => {
    after.current = hear.current();
    setPickedState(next);
  }, []);
  useEffect(() => {
    const then = after.current;
    after.current = null;
    then?.({ sort, find, picked });
    // The order alone keeps the place, as in a spreadsheet.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [find, picked]);
  const [total, setTotal] = useState<number | null>(null);
  const setLabels = useCallback((on: boolean) => {
    writeStored(STORAGE.labels, on ? null : 'off');
    setLabelsState(on);
  }, []);
  return { labels, setLabels, sort, setSort, find, setFind, picked, setPicked, total, setTotal };
}
