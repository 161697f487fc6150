/** The user's folders of this version: read, changed at once on the screen, kept by the server, taken back by 撤销. */
import { useMutation, useQuery } from '@tanstack/react-query';

import { type OwnFolder, ownFoldersQuery, putOwnFolders } from '../../../fields/own-folders.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';

const NONE: readonly OwnFolder[] = [];

export interface OwnFolders {
  folders: readonly OwnFolder[];
  /** Keeps the folders as given; `done` says what happened. */
  put: (folders: readonly OwnFolder[], done: string) => void;
}

export function useOwnFolders(vid: number): OwnFolders {
  const query = ownFoldersQuery(vid);
  const folders = useQuery(query).data ?? NONE;
  const show = (next: readonly OwnFolder[]) => queryClient.setQueryData(query.queryKey, [...next]);
  const { mutate } = useMutation({
    scope: { id: `own-folders ${vid}` },
    mutationFn: ({ next }: { next: readonly OwnFolder[]; before: readonly OwnFolder[]; done: string }) =>
      putOwnFolders(vid, next),
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
  return { folders, put: (next, done) => mutate({ next, before: folders, done }) };
}
