/** The one call of a visitor. */
import type { Report } from '@hengxi/contracts/contract';
import type { SharedReport } from '@hengxi/server/reports/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';

export type OpenShare = Omit<SharedReport, 'document'> & { document: Report };

/** Asked again when the page is opened again: a link that was ended must not live on in a cache. */
export function sharedQuery(code: string) {
  return queryOptions({
    queryKey: ['shared', code],
    queryFn: ({ signal }) => api.get<OpenShare>('/v1/analysis/report/share', { signal, quiet: true, query: { code } }),
    staleTime: 0,
  });
}
