/** Calls of 文本编码. */
import type { Page } from '@hengxi/contracts/http';
import type {
  Acted,
  AnswerPage,
  AnswerState,
  CodeEdit,
  Coding,
  CodingEntry,
  CodingRun,
  CodingWritten,
  Marked,
  MarksBody,
  Round,
  RoundKind,
  SecondCoding,
} from '@hengxi/server/answer-coding/schema';
import type { FileRow, TextPreview } from '@hengxi/server/files/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { followRun } from '../../lib/runs.ts';

const BASE = '/v1/text-analysis/codings';
const KEY = 'codings';
const FILES_SHOWN = 200;
/** What changes up to a hundred thousand answers at once takes its time. */
const LONG = { timeout: 120_000 };

export const codingsQuery = queryOptions({
  queryKey: [KEY, 'list'],
  queryFn: ({ signal }) => api.get<Page<CodingEntry>>(BASE, { signal, quiet: true }),
  staleTime: 0,
});

export const codingQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'one', id],
    queryFn: ({ signal }) => api.get<Coding>(`${BASE}/${id}`, { signal, quiet: true }),
    staleTime: 0,
  });

export const ownFilesQuery = queryOptions({
  queryKey: [KEY, 'files'],
  queryFn: ({ signal }) =>
    api.get<Page<FileRow>>('/v1/user/file', { signal, quiet: true, query: { page_size: FILES_SHOWN } }),
});

export const previewQuery = (vid: number, column: string) =>
  queryOptions({
    queryKey: [KEY, 'preview', vid, column],
    queryFn: ({ signal }) =>
      api.get<TextPreview>(`/v1/user/file/versions/${vid}/preview-text-data`, {
        signal,
        quiet: true,
        query: { col: column },
      }),
  });

export interface AnswerFilter {
  q: string;
  state: AnswerState;
  code: number | null;
  sort: 'place' | 'rows' | 'length';
}

export const answersPage = (
  id: number,
  filter: AnswerFilter,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<AnswerPage> =>
  api.get<AnswerPage>(`${BASE}/${id}/answers`, {
    signal,
    quiet: true,
    query: { ...filter, q: filter.q || null, offset, limit },
  });

export const refreshCoding = (id: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: codingQuery(id).queryKey });

export async function newCoding(body: {
  vid: number;
  column: string;
  question: string;
  mask: boolean;
}): Promise<Coding> {
  const coding = await api.post<Coding>(BASE, body, LONG);
  await queryClient.invalidateQueries({ queryKey: codingsQuery.queryKey });
  return coding;
}

export async function removeCoding(id: number): Promise<void> {
  await api.delete(`${BASE}/${id}`);
  await queryClient.invalidateQueries({ queryKey: codingsQuery.queryKey });
}

export async function saveBook(id: number, codes: CodeEdit[], version: number): Promise<Coding> {
  const coding = await api.put<Coding>(`${BASE}/${id}/book`, { codes, version });
  queryClient.setQueryData(codingQuery(id).queryKey, coding);
  return coding;
}

export const markAnswers = (id: number, body: Partial<MarksBody> & Pick<MarksBody, 'answers'>): Promise<Marked> =>
  api.post<Marked>(`${BASE}/${id}/marks`, body);
export const acceptFrom = (id: number, p: number): Promise<Acted> =>
  api.post<Acted>(`${BASE}/${id}/accept`, { p }, LONG);
export const mergeCodes = (id: number, from: number, into: number): Promise<Acted> =>
  api.post<Acted>(`${BASE}/${id}/merge`, { from, into }, LONG);
export const undoLast = (id: number): Promise<Acted> => api.post<Acted>(`${BASE}/${id}/undo`, {}, LONG);
export const redoLast = (id: number): Promise<Acted> => api.post<Acted>(`${BASE}/${id}/redo`, {}, LONG);
export const writeBack = (id: number): Promise<CodingWritten> =>
  api.post<CodingWritten>(`${BASE}/${id}/write`, {}, LONG);

/** A run that the answer already holds, or that is followed to its end. */
async function ended(run: CodingRun): Promise<CodingRun> {
  if (run.state === 'done') return run;
  const last = await followRun<Pick<CodingRun, 'codes' | 'suggestions'>>(
    run.run_id,
    () => undefined,
    new AbortController().signal,
  );
  if (last.state === 'refused') throw new Error(last.refusal?.fields[0]?.text ?? '这些回答不能这样处理');
  if (last.state !== 'done' || last.result === null) throw new Error(last.error?.text ?? '没有完成，请重试');
  return { run_id: run.run_id, state: 'done', ...last.result };
}

export const suggest = async (id: number): Promise<CodingRun> =>
  ended(await api.post<CodingRun>(`${BASE}/${id}/suggest`, {}, LONG));
export const draft = async (id: number, k: number): Promise<CodingRun> =>
  ended(await api.post<CodingRun>(`${BASE}/${id}/draft`, { k }, LONG));

export const roundsQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'rounds', id],
    queryFn: ({ signal }) => api.get<{ list: Round[] }>(`${BASE}/${id}/rounds`, { signal, quiet: true }),
    staleTime: 0,
  });

const keepRounds = (id: number, rounds: { list: Round[] }): void => {
  queryClient.setQueryData(roundsQuery(id).queryKey, rounds);
};

export const startRound = async (id: number, kind: RoundKind): Promise<void> =>
  keepRounds(id, await api.post<{ list: Round[] }>(`${BASE}/${id}/rounds`, { kind }));

export async function removeRound(id: number, round: number): Promise<void> {
  await api.delete(`${BASE}/${id}/rounds/${round}`);
  await queryClient.invalidateQueries({ queryKey: roundsQuery(id).queryKey });
}

export const settleAnswer = async (id: number, round: number, place: number, codes: number[]): Promise<void> =>
  keepRounds(id, await api.post<{ list: Round[] }>(`${BASE}/${id}/rounds/${round}/settle`, { place, codes }));

const SECOND = '/v1/text-analysis/second-codings';

export const secondQuery = (code: string) =>
  queryOptions({
    queryKey: [KEY, 'second', code],
    queryFn: ({ signal }) => api.get<SecondCoding>(`${SECOND}/${code}`, { signal, quiet: true }),
    staleTime: 0,
  });

export const codeSecond = (code: string, place: number, codes: number[]): Promise<unknown> =>
  api.put(`${SECOND}/${code}`, { place, codes });

export async function finishSecond(code: string): Promise<void> {
  const fresh = await api.post<SecondCoding>(`${SECOND}/${code}/finish`, {});
  queryClient.setQueryData(secondQuery(code).queryKey, fresh);
}
