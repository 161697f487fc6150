/** Calls of the help centre; open to visitors. */
import type { HelpList, HelpPage } from '@hengxi/server/help/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';

export function helpQuery(slug: string) {
  return queryOptions({
    queryKey: ['help', slug],
    queryFn: ({ signal }) => api.get<HelpPage>(`/v1/help/${encodeURIComponent(slug)}`, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const helpListQuery = queryOptions({
  queryKey: ['help'],
  queryFn: ({ signal }) => api.get<HelpList>('/v1/help', { signal, quiet: true }),
  staleTime: Number.POSITIVE_INFINITY,
});
