/** Calls of the export. */
import type { ExportBody, ExportCheck } from '@hengxi/server/exports/schema';
import type { ActiveFilter } from '@hengxi/server/files/schema';
import type { Run } from '@hengxi/server/runs/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../../lib/api.ts';

const pathOf = (vid: number): string => `/v1/user/file/versions/${vid}/export`;

/** `filter`: the active one if only its rows go out. A version never changes, so the answer holds for good. */
export function exportCheckQuery(vid: number, filter: ActiveFilter | null) {
  return queryOptions({
    queryKey: ['export-check', vid, filter?.filter_type, filter?.condition],
    queryFn: ({ signal }) =>
      api.get<ExportCheck>(pathOf(vid), { signal, quiet: true, query: { filtered: filter ? 1 : 0 } }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function startExport(vid: number, body: ExportBody): Promise<Run> {
  return api.post<Run>(pathOf(vid), body);
}
