/** Changes of what columns are called and mean: one call is one step and a new version; undo is a move of the head. */
import type { ColumnEdit, Version } from '@hengxi/server/files/schema';
import type { SetEdit } from '@hengxi/server/steps/schema';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';

import { ApiError } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { askParseFormat } from './parse-format.ts';
import { askSaveConflict, type SaveTo } from './save-conflict.ts';
import { editColumns, editSets, moveHead, refreshFiles } from '../queries.ts';

type Change = ({ columns: ColumnEdit[] } | { sets: SetEdit[] }) & {
  to?: SaveTo;
  /** Before the same goes out once more: the changes on the page count as saved then. */
  onAgain?: () => void;
};

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
    mutationFn: ({ to, ...change }: Change) =>
      'sets' in change ? editSets(version.vid, change.sets, to) : editColumns(version.vid, change.columns, to),
    onError: (error, sent) => {
      const again = (to: SaveTo) => {
        sent.onAgain?.();
        change.mutate({ ...sent, to });
      };
      if (askSaveConflict(error, version.number, again)) return;
      const isAsked =
        'columns' in sent &&
        askParseFormat(error, sent.columns, (columns) => {
          sent.onAgain?.();
          change.mutate({ ...sent, columns });
        });
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
    mutate: (columns: ColumnEdit[], options: { onError?: () => void; onAgain?: () => void } = {}) => {
      const { onAgain, ...rest } = options;
      change.mutate(onAgain ? { columns, onAgain } : { columns }, rest);
    },
  };
  return { edit, head, change };
}
