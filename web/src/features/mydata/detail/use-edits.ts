/** Changes of what columns are called and mean: one call is one step and a new version; undo is a move of the head. */
import type { ColumnEdit, Version } from '@hengxi/server/files/schema';
import type { SetEdit } from '@hengxi/server/steps/schema';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';

import { ApiError } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { askDateOrder } from './date-order.ts';
import { editColumns, editSets, moveHead, refreshFiles } from '../queries.ts';

type Change = { columns: ColumnEdit[] } | { sets: SetEdit[] };

/** `handOn`: what the page of the next version goes on with. */
export function useEdits(version: Version, handOn: () => unknown = () => null) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const goTo = (vid: number) => navigate(`/mydata/detail/${vid}${search}`, { state: handOn() });
  const head = useMutation({
    mutationFn: (vid: number) => moveHead(version.fid, vid),
    onSuccess: async (file) => {
      await refreshFiles();
      await goTo(file.vid);
    },
  });
  const change = useMutation({
    mutationFn: (change: Change) =>
      'sets' in change ? editSets(version.vid, change.sets) : editColumns(version.vid, change.columns),
    onError: (error, sent) => {
      const isAsked = 'columns' in sent && askDateOrder(error, sent.columns, (columns) => change.mutate({ columns }));
      // What belongs to a field has had no notice yet; the dialog of questions shows it, nothing shows it for columns.
      const isShown = isAsked || 'sets' in sent;
      if (!isShown && error instanceof ApiError && error.fields[0]) toast.warn(error.fields[0].text);
    },
    onSuccess: async ({ vid, warnings }) => {
      await refreshFiles();
      await goTo(vid);
      const action = { text: '撤销', run: () => head.mutate(version.vid) };
      if (warnings.length > 0) toast.warn(warnings.join('；'), { action });
      else toast.done('已保存为新版本，原始数据没有改动', { action });
    },
  });
  const edit = {
    isPending: change.isPending,
    mutate: (columns: ColumnEdit[], options?: { onError: () => void }) => change.mutate({ columns }, options),
  };
  return { edit, head, change };
}
