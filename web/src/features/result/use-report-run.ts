/** The analysis under way for a report: another tab began it, or the page was left and is open again. */
import type { Page } from '@hengxi/contracts/http';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { api } from '../../lib/api.ts';
import { followRun, type Run, type RunState } from '../../lib/runs.ts';
import type { Place } from './queries.ts';

export type Going = Pick<Run<unknown>, 'run_id' | 'progress' | 'state'>;

export interface ReportRun {
  /** undefined = not known yet, null = none. */
  going: Going | null | undefined;
  /** How the one followed here ended, when not well. */
  failed: RunState | null;
}

function openRunQuery({ project_id, report_id }: Place) {
  return queryOptions({
    queryKey: ['report-run', project_id, report_id],
    queryFn: async ({ signal }): Promise<Going | null> => {
      const query = { open: 1, report_id, page_size: 1 };
      const { list } = await api.get<Page<Going>>('/v1/runs', { signal, quiet: true, query });
      return list[0] ?? null;
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

export function useReportRun(place: Place): ReportRun {
  const client = useQueryClient();
  const { project_id, report_id } = place;
  const open = useQuery(openRunQuery(place));
  const [failed, setFailed] = useState<RunState | null>(null);
  const id = open.data?.run_id ?? null;
  useEffect(() => {
    if (id === null) return undefined;
    const left = new AbortController();
    const { queryKey } = openRunQuery({ project_id, report_id });
    const hear = (change: Partial<Going>): void => {
      client.setQueryData<Going | null>(queryKey, (old) => (old ? { ...old, ...change } : old));
    };
    const end = async (state: RunState): Promise<void> => {
      await client.invalidateQueries({ queryKey: ['report', project_id, report_id] });
      await client.invalidateQueries({ queryKey: ['report-config', project_id, report_id] });
      await client.invalidateQueries({ queryKey: ['reports'] });
      setFailed(state === 'done' ? null : state);
      client.setQueryData(queryKey, null);
    };
    followRun(
      id,
      ({ state, progress }) => hear({ ...(state && { state }), ...(progress && { progress }) }),
      left.signal,
    )
      .then((run) => end(run.state))
      // Left, signed out, or offline: looking at the page again asks anew.
      .catch(() => undefined);
    return () => left.abort();
  }, [id, client, project_id, report_id]);
  return { going: open.isLoadingError ? null : open.data, failed };
}
