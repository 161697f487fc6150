/** 固定: numbers of the reports of a project side by side, kept for the person who pinned them. */
import type { PinnedNumber as Stored, Pins } from '@hengxi/server/reports/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { toast } from '../../lib/toast.ts';
import type { PinnedNumber } from '../../report/context.ts';
import { pinsQuery, savePins } from './queries.ts';

export type Pin = Pins['list'][number];

export interface PinActions {
  list: readonly Pin[];
  add: (report: { rid: number; rev: number; title: string; vid: number | null }, pin: PinnedNumber) => void;
  remove: (at: number) => void;
  clear: () => void;
}

const stored = ({ title: _title, vid: _vid, ...pin }: Pin): Stored => pin;

/** One number of one result, however it came here. */
export const placeOf = ({ rid, rev, block, row, column }: Stored): string => [rid, rev, block, row, column].join('/');

const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

export function usePins(project: number): PinActions {
  const client = useQueryClient();
  const { data } = useQuery(pinsQuery(project));
  const list = data?.list;

  const save = useCallback(
    (next: readonly Pin[]): void => {
      const { queryKey } = pinsQuery(project);
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, { list: [...next] });
      savePins(project, next.map(stored)).then(
        (kept) => client.setQueryData(queryKey, kept),
        // The client has said why; the pad shows again what is kept.
        () => client.setQueryData(queryKey, before),
      );
    },
    [client, project],
  );

  const add = useCallback<PinActions['add']>(
    ({ rid, rev, title, vid }, pin) => {
      const now = client.getQueryData(pinsQuery(project).queryKey)?.list ?? [];
      const fresh: Pin = { rid, rev, title, vid, ...pin, row: cut(pin.row, 300), column: cut(pin.column, 300) };
      if (now.some((p) => placeOf(p) === placeOf(fresh))) {
        toast.note('这个数字已经固定');
        return;
      }
      save([...now, fresh]);
    },
    [client, project, save],
  );

  return {
    list: list ?? [],
    add,
    remove: (at) => save((list ?? []).filter((_, i) => i !== at)),
    clear: () => save([]),
  };
}
