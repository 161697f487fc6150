/** Analyses under way, for the list of reports: each is looked after until it has ended, then the list is read anew. */
import type { Page } from '@hengxi/contracts/http';
import type { Run, RunAbout } from '@hengxi/server/runs/schema';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { api } from '../../lib/api.ts';

const EACH_MS = 2000;
const MOST = 100;

export type OpenRun = Pick<Run, 'run_id' | 'state' | 'position' | 'progress' | 'created_at'> & { about: RunAbout };

const openRunsQuery = queryOptions({
  queryKey: ['open-runs'],
  queryFn: async ({ signal }): Promise<OpenRun[]> => {
    const query = { open: 1, page_size: MOST };
    const { list } = await api.get<Page<Run>>('/v1/runs', { signal, quiet: true, query });
    return list.flatMap((run) => (run.about === null ? [] : [{ ...run, about: run.about }]));
  },
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? EACH_MS : false),
});

export interface Wanted {
  vid: number;
  /** null: reports of all projects on this version. */
  project: number | null;
}

export function useOpenRuns({ vid, project }: Wanted): readonly OpenRun[] {
  const client = useQueryClient();
  const { data = [] } = useQuery(openRunsQuery);
  const mine = data.filter(({ about }) => (project === null ? about.vid === vid : about.project_id === project));
  const ids = mine.map(({ run_id }) => run_id).join(' ');
  // One of them has ended, or another began: its report is in the list by now.
  useEffect(() => {
    if (ids === '') return undefined;
    return () => void client.invalidateQueries({ queryKey: ['reports'] });
  }, [client, ids]);
  return mine;
}
