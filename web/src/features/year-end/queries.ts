/** Calls of the year-end report. */
import type { YearReport } from '@hengxi/server/year-end/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

const URL = '/v1/year-end-report';
const KEY = ['year-end'] as const;
/** The shared account of the sandbox has no year of its own; the page says so. */
export const NOT_OWN = 30092;
const AGAIN_MS = 1000;

export const reportQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => api.get<YearReport>(URL, { signal, quiet: true }),
  refetchInterval: ({ state }) => (state.data?.state === 'computing' ? AGAIN_MS : false),
});

export const consent = (year: number): Promise<YearReport> =>
  api.post<YearReport>(`${URL}/consent`, { year, consent: true }, { quiet: true });

export const withdraw = (year: number): Promise<unknown> => api.delete(URL, { query: { year }, quiet: true });

export const show = (report: YearReport): void => void queryClient.setQueryData(KEY, report);
export const refreshReport = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });
