/** Calls of the credits centre. */
import type { CreditAccount, CreditRecords } from '@hengxi/server/credits/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';

export const creditsQuery = queryOptions({
  queryKey: ['credits'],
  queryFn: ({ signal }) => api.get<CreditAccount>('/v1/credits-center/account', { signal, quiet: true }),
});

export const CREDITS_PAGE = 20;

export function creditRecordsQuery(page: number) {
  return queryOptions({
    queryKey: ['credits', 'records', page],
    queryFn: ({ signal }) =>
      api.get<CreditRecords>('/v1/credits-center/account/change-detail', {
        signal,
        quiet: true,
        query: { page, page_size: CREDITS_PAGE },
      }),
  });
}
