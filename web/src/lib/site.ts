/** What this installation is and has: asked once, by visitors too. */
import type { Site } from '@hengxi/server/accounts/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

/** Without an answer nothing is claimed: no sandbox mark, no demo, no further ways in, no operator. */
const UNKNOWN: Site = {
  sandbox: false,
  wechat: false,
  research: false,
  academic: false,
  captcha_app: null,
  demo: false,
  embedded: false,
  company: { name: null, address: null, hotline: null, mail: null, icp: null, police: null },
};

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => api.get<Site>('/v1/site', { signal, quiet: true }).catch(() => UNKNOWN),
  staleTime: Number.POSITIVE_INFINITY,
});
