/** What this installation is and has: asked once, by visitors too. */
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

export interface Site {
  sandbox: boolean;
  wechat: boolean;
  demo: boolean;
}

/** Without an answer nothing is claimed: no sandbox mark, no demo, no further ways in. */
const UNKNOWN: Site = { sandbox: false, wechat: false, demo: false };

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => api.get<Site>('/v1/site', { signal, quiet: true }).catch(() => UNKNOWN),
  staleTime: Number.POSITIVE_INFINITY,
});
