/** Calls of the text check: what there is to compare with, checks, reports, the library. */
import type {
  Adding,
  Check,
  Checks,
  Claims,
  Excerpt,
  LibraryDocument,
  LibraryDocuments,
  Report,
  Scope,
} from '@hengxi/server/plagdet/schema';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';

import { addressOf, api, authorization } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

const KEY = 'plagdet';
const AT = '/v1/plagdet';
/** 40 MB over a slow line. */
const UPLOAD_MS = 300_000;
export const SOURCE = 'plagdet';

export const scopeQuery = queryOptions({
  queryKey: [KEY, 'scope'],
  queryFn: ({ signal }) => api.get<Scope>(`${AT}/scope`, { signal, quiet: true }),
  staleTime: 0,
});
export const checksQuery = (page: number) =>
  queryOptions({
    queryKey: [KEY, 'checks', page],
    queryFn: ({ signal }) =>
      api.get<z.infer<typeof Checks>>(`${AT}/checks`, { signal, quiet: true, query: { page, page_size: 10 } }),
    staleTime: 0,
  });
export const documentsQuery = (page: number) =>
  queryOptions({
    queryKey: [KEY, 'documents', page],
    queryFn: ({ signal }) =>
      api.get<z.infer<typeof LibraryDocuments>>(`${AT}/documents`, {
        signal,
        quiet: true,
        query: { page, page_size: 10 },
      }),
    staleTime: 0,
  });
export const checkQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'check', id],
    queryFn: ({ signal }) => api.get<Check>(`${AT}/checks/${id}`, { signal, quiet: true }),
    staleTime: 0,
  });
export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'report', id],
    queryFn: ({ signal }) => api.get<Report>(`${AT}/checks/${id}/report`, { signal, quiet: true }),
    staleTime: 0,
  });
export const excerptQuery = (id: number, no: number) =>
  queryOptions({
    queryKey: [KEY, 'excerpt', id, no],
    queryFn: ({ signal }) => api.get<Excerpt>(`${AT}/checks/${id}/passages/${no}`, { signal, quiet: true }),
  });

export const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [KEY] });
async function changed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    await refresh();
  }
}

interface Start {
  file: File;
  other: File | null;
  pay: boolean;
}

export const startCheck = ({ file, other, pay }: Start) =>
  changed(
    api.post<Check>(`${AT}/checks`, new Blob(other ? [file, other] : [file]), {
      query: { name: file.name, pay: pay ? '1' : '0', ...(other ? { other: other.name, split: file.size } : {}) },
      timeout: UPLOAD_MS,
      // Asked about on the page.
      claims: [30171, 30172],
    }),
  );
export const removeCheck = (id: number) => changed(api.delete<null>(`${AT}/checks/${id}`));
export const sendDocument = (file: File, signal: AbortSignal) =>
  api.post<LibraryDocument>(`${AT}/documents`, new Blob([file]), {
    query: { name: file.name, consent: '1' },
    timeout: UPLOAD_MS,
    signal,
  });
export const indexDocuments = () => changed(api.post<z.infer<typeof Adding>>(`${AT}/documents/index`, {}));
export const removeDocument = (id: number) => changed(api.delete<null>(`${AT}/documents/${id}`));
export const keepCheck = (id: number) =>
  changed(api.post<z.infer<typeof Adding>>(`${AT}/checks/${id}/library`, { consent: true }));

export async function claim(id: number, claims: Claims): Promise<void> {
  const report = await api.post<Report>(`${AT}/checks/${id}/exclusions`, claims);
  queryClient.setQueryData(reportQuery(id).queryKey, report);
}

/** The report as a file; throws with what the server says. */
export async function saveReport(id: number, name: string, format: 'html' | 'pdf'): Promise<void> {
  const answer = await fetch(addressOf(`${AT}/checks/${id}/export`, { format }), { headers: authorization() });
  if (!answer.ok || answer.headers.get('content-type')?.includes('json')) {
    const told: { msg?: string } | null = await answer.json().catch(() => null);
    throw new Error(told?.msg ?? '没有下载成功，请重试');
  }
  const url = URL.createObjectURL(await answer.blob());
  const stem = name.replace(/\.\w{1,5}$/, '');
  Object.assign(document.createElement('a'), { href: url, download: `查重_${stem}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
