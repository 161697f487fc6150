/** Calls of the processing pages. */
import type { Declaration, HelpLink } from '@hengxi/contracts/contract';
import type { Draft, LookAhead } from '@hengxi/server/analysis/schema';
import type { ColumnEdit, Edited, FilterCount } from '@hengxi/server/files/schema';
import { queryOptions } from '@tanstack/react-query';

import type { Form } from '../../fields/form.ts';
import { api } from '../../lib/api.ts';

interface Method {
  declaration: Declaration;
  help: HelpLink;
  oracle: Declaration['oracle'];
}

/** The same entry that the analysis pages read: a declaration never changes while the page is open. */
export function methodQuery(path: string) {
  return queryOptions({
    queryKey: ['method', path],
    queryFn: ({ signal }) => api.get<Method>(`/algorithm/${path}`, { signal, quiet: true }),
    staleTime: 10 * 60_000,
  });
}

export function judge(path: string, vid: number, form: Form, signal?: AbortSignal): Promise<Draft> {
  return api.post<Draft>(`/algorithm/${path}`, form, { quiet: true, signal, query: { vid, draft: 1 } });
}

const WAIT_SECONDS = 2;

/** The form judged, and what the step would do; nothing is kept. `page`: a later look from it ends the one before. */
export function lookAhead(
  path: string,
  vid: number,
  form: Form,
  page: string,
  signal: AbortSignal,
): Promise<LookAhead> {
  const query = { vid, ahead: page, wait: WAIT_SECONDS };
  return api.post<LookAhead>(`/algorithm/${path}`, form, { signal, quiet: true, query });
}

export function filterCount(vid: number, condition: string): Promise<FilterCount> {
  return api.post<FilterCount>(`/v1/user/file/versions/${vid}/filter-count`, { condition }, { quiet: true });
}

export function editColumns(vid: number, columns: readonly ColumnEdit[]): Promise<Edited> {
  return api.post<Edited>(`/v1/user/file/versions/${vid}/edits`, { columns }, { query: { branch: '1' } });
}
