/** Changed cells of the version on screen: collected with undo, then saved together as one step and a new version. */
import type { Version } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { formatCount } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { editCells, moveHead, refreshFiles } from '../queries.ts';
import { NO_EDITS, redone, undone, withChanges } from './grid/cell-edits.ts';
import type { Place } from './grid/move.ts';
import type { Editing } from './grid/use-cell-editor.ts';

/** Handed on to the page of the new version, so that the work goes on where it was. */
export interface GridStart {
  place: Place | null;
  editing: boolean;
}

export function startOf(state: unknown): GridStart {
  const start = typeof state === 'object' && state !== null && 'grid' in state ? state.grid : null;
  if (typeof start !== 'object' || start === null) return { place: null, editing: false };
  const place = 'place' in start ? start.place : null;
  const isPlace =
    typeof place === 'object' &&
    place !== null &&
    'row' in place &&
    'column' in place &&
    typeof place.row === 'number' &&
    typeof place.column === 'number';
  return {
    place: isPlace ? { row: Number(place.row), column: Number(place.column) } : null,
    editing: 'editing' in start && start.editing === true,
  };
}

export function useCellEdits(version: Version, isOn: boolean, placeNow: () => Place | null) {
  const [edits, setEdits] = useState(NO_EDITS);
  const navigate = useNavigate();
  const { search } = useLocation();
  const open = (vid: number, editing: boolean) =>
    navigate(`/mydata/detail/${vid}${search}`, { state: { grid: { place: placeNow(), editing } satisfies GridStart } });
  const undoStep = useMutation({
    mutationFn: () => moveHead(version.fid, version.vid),
    onSuccess: async (file) => {
      await refreshFiles();
      await open(file.vid, true);
    },
  });
  const save = useMutation({
    mutationFn: () =>
      editCells(
        version.vid,
        Array.from(edits.cells.values(), ({ row, column, value }) => ({ row, column, value })),
      ),
    onMutate: () => edits.cells.size,
    onSuccess: async ({ vid, warnings }, _, count) => {
      // Cleared first: leaving this version with unsaved changes would ask.
      setEdits(NO_EDITS);
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
            change: (batch) => setEdits((old) => withChanges(old, batch)),
            undo: () => setEdits(undone),
            redo: () => setEdits(redone),
          }
        : null,
    [isOn, edits.cells],
  );
  return { editing, edits, save, drop: () => setEdits(NO_EDITS) };
}

export type UseCellEdits = ReturnType<typeof useCellEdits>;
