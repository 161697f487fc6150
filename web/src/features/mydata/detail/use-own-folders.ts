/** The user's folders and hidden variables of this version: read, changed at once on the screen, kept, taken back by 撤销. */
import { useMutation, useQuery } from '@tanstack/react-query';

import { type OwnFolder, type OwnList, ownFoldersQuery, putOwnFolders } from '../../../fields/own-folders.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';

const NOTHING: OwnList = { folders: [], hidden: [] };

export interface OwnFolders {
  folders: readonly OwnFolder[];
  hidden: readonly string[];
  /** Keeps the folders as given; `done` says what happened. */
  put: (folders: readonly OwnFolder[], done: string) => void;
  hide: (hidden: readonly string[], done: string) => void;
}

export function useOwnFolders(vid: number): OwnFolders {
  const query = ownFoldersQuery(vid);
  const list = useQuery(query).data ?? NOTHING;
  const show = (next: OwnList) => queryClient.setQueryData(query.queryKey, next);
  const { mutate } = useMutation({
    scope: { id: `own-folders ${vid}` },
    mutationFn: ({ next }: { next: OwnList; before: OwnList; done: string }) => putOwnFolders(vid, next),
    onMutate: async ({ next }) => {
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      show(next);
    },
    onError: (_error, { before }) => show(before),
    onSuccess: (_kept, { next, before, done }) => {
      const action = { text: '撤销', run: () => mutate({ next: before, before: next, done: '已撤销' }) };
      toast.done(done, done === '已撤销' ? {} : { action });
    },
  });
  const change = (part: Partial<OwnList>, done: string) => mutate({ next: { ...list, ...part }, before: list, done });
  return {
    ...list,
    put: (folders, done) => change({ folders: [...folders] }, done),
    hide: (hidden, done) => change({ hidden: [...hidden] }, done),
  };
}
