/** What changes the table by hand at once: rows and columns put in and taken out, all places replaced. Each is one step. */
import type { Seek, Version } from '@hengxi/server/files/schema';
import type { Shape } from '@hengxi/server/steps/schema';
import { useMutation } from '@tanstack/react-query';

import { ApiError } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { editShape, replaceText, moveHead, refreshFiles } from '../queries.ts';
import type { Place } from './grid/move.ts';
import { askSaveConflict, type SaveTo } from './save-conflict.ts';
import type { UseCellEdits } from './use-cell-edits.ts';
import { lookOf, type TableView } from './use-table-view.ts';

/** Changed cells that were not saved are a step of their own before it. */
function useGridStep<T>(
  version: Version,
  edits: UseCellEdits,
  send: (vid: number, what: T, to: SaveTo) => Promise<{ vid: number; warnings: string[] }>,
  done: (what: T) => { text: string; place: Place | null | undefined; isPlain: boolean },
) {
  const undo = useMutation({
    mutationFn: (vid: number) => moveHead(version.fid, vid),
    onSuccess: async ({ vid }) => {
      await refreshFiles();
      await edits.open(vid, edits.editing !== null);
    },
  });
  const act = useMutation({
    mutationFn: async ({ what, to }: { what: T; to: SaveTo }) => {
      const from = await edits.saveFirst();
      return { from, ...(await send(from, what, to)) };
    },
    onError: (error, { what }) => {
      if (askSaveConflict(error, version.number, (to) => act.mutate({ what, to }))) return;
      if (error instanceof ApiError && error.fields[0]) toast.warn(error.fields[0].text);
    },
    onSuccess: async ({ from, vid, warnings }, { what }) => {
      if (vid === version.vid) {
        toast.note(warnings.join('；') || '没有改动');
        return;
      }
      const { text, place, isPlain } = done(what);
      await refreshFiles();
      await edits.open(vid, edits.editing !== null, { place, isPlain });
      if (vid === from) return toast.note(warnings.join('；'));
      const action = { text: '撤销', run: () => undo.mutate(from) };
      if (warnings.length > 0) toast.warn(`${text}；${warnings.join('；')}`, { action });
      else toast.done(text, { action });
    },
  });
  return { isPending: act.isPending, mutate: (what: T) => act.mutate({ what, to: {} }) };
}

export function useReplaceAll(version: Version, edits: UseCellEdits, view: TableView) {
  const { condition, filter_type } = lookOf(view);
  return useGridStep<{ seek: Seek; with: string }>(
    version,
    edits,
    (vid, { seek, with: by }, to) => replaceText(vid, { seek, with: by, condition, filter_type }, to),
    () => ({ text: '已全部替换，保存为一步', place: undefined, isPlain: false }),
  );
}

function told(shape: Shape): string {
  switch (shape.op) {
    case 'insert_rows':
      return `已插入 ${formatCount(shape.count)} 行`;
    case 'delete_rows':
      return `已删除 ${formatCount(shape.rows.length)} 行`;
    case 'insert_columns':
      return `已插入“${shape.columns[0]?.name ?? ''}”`;
    case 'delete_columns':
      return `已删除 ${formatCount(shape.columns.length)} 列`;
  }
}

/** `column`: where one stands afterwards; new rows stand in the order of the table, which is shown then. */
export function useTableEdits(version: Version, edits: UseCellEdits) {
  return useGridStep<{ shape: Shape; column: number }>(
    version,
    edits,
    (vid, { shape }, to) => editShape(vid, shape, to),
    ({ shape, column }) => {
      if (shape.op === 'insert_rows') return { text: told(shape), place: { row: shape.at, column }, isPlain: true };
      return {
        text: told(shape),
        place: shape.op === 'insert_columns' ? { row: 0, column } : undefined,
        isPlain: false,
      };
    },
  );
}

export type UseTableEdits = ReturnType<typeof useTableEdits>;
