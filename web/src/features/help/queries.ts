/** Calls of the help centre; open to visitors. */
import type { HelpPage } from '@hengxi/server/help/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';

export function helpQuery(slug: string) {
  return queryOptions({
    queryKey: ['help', slug],
    queryFn: ({ signal }) => api.get<HelpPage>(`/v1/help/${encodeURIComponent(slug)}`, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
