/** Calls of the contest: the season, teams, works, results, the papers of a judge. */
import type {
  Appeal,
  AppealBody,
  Assignments,
  ContestFile,
  CurrentContest,
  OwnResults,
  Problems,
  PublicResults,
  RegisterBody,
  ReviewBody,
  Submission,
  Submissions,
  TeamBody,
  UploadBody,
  Verified,
  WorkUpload,
} from '@hengxi/server/contest/schema';
import { queryOptions } from '@tanstack/react-query';

import { addressOf, api, authorization } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

const KEY = 'contest';
const at = (cid: number): string => `/v1/contest/${cid}`;

/** null: the newest season. */
export const contestQuery = (cid: number | null) =>
  queryOptions({
    queryKey: [KEY, 'season', cid],
    queryFn: async ({ signal }) => {
      const answer = await api.get<CurrentContest>('/v1/contest', { signal, quiet: true, query: { cid } });
      // How far the server's clock is ahead of this one, from the moment of the answer.
      return { ...answer, ahead: new Date(answer.server_now).getTime() - Date.now() };
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });

export const problemsQuery = (cid: number) =>
  queryOptions({
    queryKey: [KEY, cid, 'problems'],
    queryFn: ({ signal }) => api.get<Problems>(`${at(cid)}/problems`, { signal, quiet: true }),
  });
export const submissionsQuery = (cid: number) =>
  queryOptions({
    queryKey: [KEY, cid, 'submissions'],
    queryFn: ({ signal }) => api.get<Submissions>(`${at(cid)}/submissions`, { signal, quiet: true }),
    staleTime: 0,
  });
export const resultsQuery = (cid: number) =>
  queryOptions({
    queryKey: [KEY, cid, 'results'],
    queryFn: ({ signal }) => api.get<PublicResults>(`${at(cid)}/results`, { signal, quiet: true }),
    staleTime: 0,
  });
export const ownQuery = (cid: number) =>
  queryOptions({
    queryKey: [KEY, cid, 'own'],
    queryFn: ({ signal }) => api.get<OwnResults>(`${at(cid)}/own`, { signal, quiet: true }),
    staleTime: 0,
  });
export const papersQuery = queryOptions({
  queryKey: [KEY, 'papers'],
  queryFn: ({ signal }) => api.get<Assignments[]>('/v1/contest/judge/assignments', { signal, quiet: true }),
  staleTime: 0,
});

export const refreshContest = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [KEY] });
async function changed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    // Refused: what stands on the page was not so any more.
    await refreshContest();
  }
}

export const register = (cid: number, body: RegisterBody) => changed(api.post<null>(`${at(cid)}/register`, body));
export const makeTeam = (cid: number, body: TeamBody) => changed(api.post<null>(`${at(cid)}/teams`, body));
export const joinTeam = (cid: number, code: string) => changed(api.post<null>(`${at(cid)}/teams/join`, { code }));
export const leaveTeam = (cid: number) => changed(api.post<null>(`${at(cid)}/teams/leave`, {}));
export const setCaptain = (cid: number, member: number) =>
  changed(api.post<null>(`${at(cid)}/teams/captain`, { member }));
export const removeMember = (cid: number, member: number) =>
  changed(api.post<null>(`${at(cid)}/teams/remove`, { member }));

export const readUpload = (cid: number, upload: number) =>
  api.get<WorkUpload>(`${at(cid)}/uploads/${upload}`, { quiet: true });
const CHUNK_MS = 120_000;
export const sendChunk = (cid: number, upload: number, offset: number, bytes: Blob, signal: AbortSignal) =>
  api.put<WorkUpload>(`${at(cid)}/uploads/${upload}`, bytes, {
    query: { offset },
    timeout: CHUNK_MS,
    quiet: true,
    signal,
  });
export const submitWork = (cid: number, files: UploadBody[], request: string) =>
  api.post<Submission>(`${at(cid)}/submissions`, { files, request_id: request });
export const withdrawWork = (cid: number, no: number) => changed(api.delete<null>(`${at(cid)}/submissions/${no}`));

export const sendAppeal = (cid: number, body: AppealBody) => changed(api.post<Appeal>(`${at(cid)}/appeals`, body));
export const withdrawAppeal = (cid: number, appeal: number) =>
  changed(api.delete<null>(`${at(cid)}/appeals/${appeal}`));
export const verifyQuery = (question: { code: string; sha256: string | null }) =>
  queryOptions({
    queryKey: ['certificate', question],
    queryFn: ({ signal }) =>
      api.get<Verified>('/v1/contest/certificates/verify', { signal, query: question, quiet: true }),
    retry: false,
    staleTime: 0,
  });

export const saveReview = (assignment: number, body: ReviewBody) =>
  changed(api.put<null>(`/v1/contest/judge/assignments/${assignment}`, body));
export const declareConflict = (assignment: number, reason: string) =>
  changed(api.post<null>(`/v1/contest/judge/assignments/${assignment}/conflict`, { reason }));

function keep(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file behind the session, saved under a name; throws with what the server says. */
async function save(path: string, name: string): Promise<void> {
  const answer = await fetch(addressOf(path), { headers: authorization() });
  if (!answer.ok || answer.headers.get('content-type')?.includes('json')) {
    const told: { msg?: string } | null = await answer.json().catch(() => null);
    throw new Error(told?.msg ?? '没有下载成功，请重试');
  }
  keep(await answer.blob(), name);
}
export const saveWork = (cid: number, no: number, kind: 'report' | 'support', name: string) =>
  save(`${at(cid)}/submissions/${no}/${kind}`, name);
export const saveCertificate = (cid: number, certificate: number, code: string) =>
  save(`${at(cid)}/certificates/${certificate}`, `${code}.pdf`);
export const savePaper = (assignment: number, paper: string) =>
  save(`/v1/contest/judge/assignments/${assignment}/report`, `${paper}.pdf`);
export async function saveProblemFile(cid: number, file: number): Promise<void> {
  const { name, text } = await api.get<ContestFile>(`${at(cid)}/files/${file}`);
  keep(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
}
