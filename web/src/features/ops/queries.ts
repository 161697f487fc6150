/** Calls of the operator's desk. A session that has run out (30404) brings the door back. */
import type { ActDone, Customer, Exported, ListName, OpsList, OpsMe, Proof } from '@hengxi/server/ops/schema';
import { queryOptions } from '@tanstack/react-query';

import { api, ApiError, type CallOptions } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { STEP_UP, withStepUp } from '../../lib/step-up.ts';

export const ENDED = 30404;

export const meKey = ['ops', 'me'];
export const opsMeQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => api.get<OpsMe>('/v1/ops/me', { signal, quiet: true }),
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Runs a call; when the desk's session is over, the door is shown again. */
async function inside<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
  try {
    return await call({ claims: [STEP_UP] });
  } catch (error) {
    if (error instanceof ApiError && error.code === ENDED) await queryClient.invalidateQueries({ queryKey: meKey });
    throw error;
  }
}

export function listQuery(list: ListName, query: Record<string, string>) {
  return queryOptions({
    queryKey: ['ops', 'list', list, query],
    queryFn: ({ signal }) =>
      inside((options) => api.get<OpsList>(`/v1/ops/${list}`, { ...options, signal, query, quiet: true })),
    retry: false,
    staleTime: 0,
  });
}

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['ops', 'customer', id],
    queryFn: ({ signal }) =>
      inside((options) => api.get<Customer>(`/v1/ops/customers/${id}`, { ...options, signal, quiet: true })),
    retry: false,
    // Every look is written down: coming back to the window is none.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const sendCode = () => api.post<{ verify_key: string }>('/v1/ops/session/code');
export const enterDesk = (body: { verify_key: string; verify_code: string }) =>
  api.post<OpsMe>('/v1/ops/session', body);
export const leaveDesk = () => api.delete<null>('/v1/ops/session');

export interface ActCall {
  act: string;
  target: string;
  version: number | null;
  payload: Record<string, unknown>;
  reason: string;
}

/** One change; null when the proof that money wants was not given. Requests have doors of their own. */
export function doAct({ act, target, version, payload, reason }: ActCall): Promise<ActDone | null> {
  const call = (options: CallOptions) => {
    if (act === 'approve') return api.post<ActDone>(`/v1/ops/requests/${target}/approve`, undefined, options);
    if (act === 'refuse') return api.post<ActDone>(`/v1/ops/requests/${target}/refuse`, { reason }, options);
    return api.post<ActDone>('/v1/ops/acts', { act, target, version, payload, reason }, options);
  };
  return withStepUp(() => inside(call));
}

export const readProof = (list: string, id: string) =>
  inside((options) => api.get<Proof>(`/v1/ops/proofs/${list}/${id}`, options));

/** Makes the csv and hands it to the browser as a file. */
export async function exportList(list: ListName, filters: Record<string, string>, reason: string): Promise<Exported> {
  const exported = await inside((options) => api.post<Exported>('/v1/ops/export', { list, filters, reason }, options));
  const file = await inside((options) =>
    api.get<{ name: string; text: string }>(`/v1/ops/exports/${exported.id}`, options),
  );
  save(new Blob([file.text], { type: 'text/csv;charset=utf-8' }), file.name);
  return exported;
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
