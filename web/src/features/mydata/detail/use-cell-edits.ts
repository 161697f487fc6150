/** Changed cells of the version on screen: collected with undo, kept by the browser, then saved together as one step. */
import type { Version } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { z } from 'zod';

import { ApiError } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { editCells, moveHead, refreshFiles } from '../queries.ts';
import { readCellDraft, writeCellDraft } from './cell-draft.ts';
import { type CellChange, type CellEdits, NO_EDITS, redone, undone, withChanges } from './grid/cell-edits.ts';
import type { Sort } from './grid/grid-head.tsx';
import type { Place } from './grid/move.ts';
import type { Editing } from './grid/use-cell-editor.ts';
import { askSaveConflict, type SaveTo } from './save-conflict.ts';
import type { Picked } from './use-table-view.ts';

/** Handed on to the page of the new version, so that the work goes on where it was. */
export interface GridStart {
  place: Place | null;
  editing: boolean;
  sort: Sort | null;
  picked: Picked | null;
}

const Start = z.object({
  grid: z.object({
    place: z.object({ row: z.number(), column: z.number() }).nullable(),
    editing: z.boolean(),
    sort: z.object({ column: z.string(), desc: z.boolean() }).nullable(),
    picked: z.object({ title: z.string(), condition: z.string(), filter_type: z.enum(['keep', 'drop']) }).nullable(),
  }),
});

const NOWHERE: GridStart = { place: null, editing: false, sort: null, picked: null };

/** The state of a page in the browser's history may be of another release. */
export function startOf(state: unknown): GridStart {
  const found = Start.safeParse(state);
  return found.success ? found.data.grid : NOWHERE;
}

/** What the next version's page goes on with besides the place: how the table is looked at. */
type Looked = Pick<GridStart, 'sort' | 'picked'>;

interface OpenAt {
  place?: Place | null | undefined;
  isPlain?: boolean;
}

export function useCellEdits(version: Version, isOn: boolean, { sort, picked }: Looked, placeNow: () => Place | null) {
  const [edits, setEdits] = useState(() => ({ ...NO_EDITS, cells: readCellDraft(version) }));
  const [isRestored, setRestored] = useState(edits.cells.size > 0);
  const [isKept, setKept] = useState(true);
  const latest = useRef(edits);
  const put = useCallback(
    (next: CellEdits) => {
      latest.current = next;
      setKept(writeCellDraft(version, next.cells));
      setEdits(next);
    },
    [version],
  );
  const navigate = useNavigate();
  const { search } = useLocation();
  /** `isPlain`: all rows in the order of the table, where new ones are to be seen. */
  const open = (vid: number, editing: boolean, { place, isPlain = false }: OpenAt = {}) => {
    const looked = isPlain ? { sort: null, picked: null } : { sort, picked };
    return navigate(`/mydata/detail/${vid}${search}`, {
      state: { grid: { place: place === undefined ? placeNow() : place, editing, ...looked } satisfies GridStart },
    });
  };
  /** For a version with other columns perhaps: an order or a condition may be of one that it lacks. */
  const handOn = () => ({
    grid: { place: placeNow(), editing: isOn, sort: null, picked: null } satisfies GridStart,
  });
  const undoStep = useMutation({
    mutationFn: () => moveHead(version.fid, version.vid),
    onSuccess: async (file) => {
      await refreshFiles();
      await open(file.vid, true);
    },
  });
  const send = (to: SaveTo) =>
    editCells(
      version.vid,
      Array.from(edits.cells.values(), ({ row, column, value }) => ({ row, column, value })),
      to,
    );
  const save = useMutation({
    mutationFn: (to: SaveTo) => send(to),
    onMutate: () => edits.cells.size,
    onError: (error) => {
      if (askSaveConflict(error, version.number, (to) => save.mutate(to))) return;
      if (error instanceof ApiError && error.fields[0]) toast.warn(error.fields[0].text);
    },
    onSuccess: async ({ vid, warnings }, _, count) => {
      // Cleared first: leaving this version with unsaved changes would ask.
      put(NO_EDITS);
      await refreshFiles();
      await open(vid, true);
      const action = { text: '撤销', run: () => undoStep.mutate() };
      if (warnings.length > 0) toast.warn(warnings.join('；'), { action });
      else toast.done(`${formatCount(count)} 个单元格已保存为一步`, { action });
    },
  });
  const editing: Editing | null = useMemo(
    () =>
      isOn
        ? {
            cells: edits.cells,
            change: (batch) => put(withChanges(latest.current, batch)),
            undo: edits.past.length > 0 ? () => put(undone(latest.current)) : null,
            redo: edits.future.length > 0 ? () => put(redone(latest.current)) : null,
          }
        : null,
    [isOn, edits, put],
  );
  const drop = () => {
    setRestored(false);
    put(NO_EDITS);
  };
  /** Before another step: the version that holds what was changed by hand. */
  const saveFirst = async (): Promise<number> => {
    if (edits.cells.size === 0) return version.vid;
    const { vid } = await send({});
    put(NO_EDITS);
    return vid;
  };
  const change = (batch: readonly CellChange[]) => put(withChanges(latest.current, batch));
  return { editing, edits, save, drop, handOn, isRestored, isKept, change, saveFirst, open };
}

export type UseCellEdits = ReturnType<typeof useCellEdits>;
