/** Calls of the expert questionnaires: the owner's, and those of whoever holds a link. */
import type {
  AnswerPage,
  AnswersBody,
  Content,
  Dataset,
  Experts,
  FinishBody,
  Kind,
  NextRound,
  Project,
  ProjectList,
  RoundChange,
  Saved,
  Submitted,
} from '@hengxi/server/expert-questionnaires/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

const BASE = '/v1/pro-analysis/projects';
const KEY = 'questionnaires';

export const projectsQuery = (bin: boolean) =>
  queryOptions({
    queryKey: [KEY, 'list', bin],
    queryFn: ({ signal }) => api.get<ProjectList>(`${BASE}?bin=${bin ? 1 : 0}`, { signal, quiet: true }),
    staleTime: 0,
  });

export const projectQuery = (pid: number) =>
  queryOptions({
    queryKey: [KEY, 'one', pid],
    queryFn: ({ signal }) => api.get<Project>(`${BASE}/${pid}`, { signal, quiet: true }),
    staleTime: 0,
  });

export const expertsQuery = (pid: number) =>
  queryOptions({
    queryKey: [KEY, 'experts', pid],
    queryFn: ({ signal }) => api.get<Experts>(`${BASE}/${pid}/experts`, { signal, quiet: true }),
    staleTime: 0,
  });

const refresh = () => queryClient.invalidateQueries({ queryKey: [KEY] });

async function changed<T>(answer: Promise<T>): Promise<T> {
  const data = await answer;
  await refresh();
  return data;
}

export const makeProject = (start: { kind: Kind; title: string; content?: Record<string, unknown> }) =>
  changed(api.post<Project>(BASE, start));
export const remind = (pid: number, experts: number[]) =>
  changed(api.post<Experts>(`${BASE}/${pid}/reminders`, { experts }));
export const copyProject = (pid: number) => changed(api.post<Project>(`${BASE}/${pid}/copy`, {}));
export const restoreProject = (pid: number) => changed(api.post<Project>(`${BASE}/${pid}/restore`, {}));
export const removeForGood = (pid: number) => changed(api.delete(`${BASE}/${pid}?forever=1`));
export const removeProject = (pid: number) => changed(api.delete(`${BASE}/${pid}`));
export const saveProject = (
  pid: number,
  body: { title: string; content: Content; revision: number; reason: string },
): Promise<Project> => changed(api.put<Project>(`${BASE}/${pid}`, body));
export const publish = (pid: number, due_at: string) =>
  changed(api.post<Project>(`${BASE}/${pid}/publish`, { due_at }));
export const changeRound = (pid: number, change: RoundChange) =>
  changed(api.patch<Project>(`${BASE}/${pid}/round`, change));
export const openNext = (pid: number, body: NextRound) => changed(api.post<Project>(`${BASE}/${pid}/rounds`, body));
export const finish = (pid: number, body: FinishBody) => changed(api.post<Project>(`${BASE}/${pid}/finish`, body));
export const makeDataset = (pid: number) => api.post<Dataset>(`${BASE}/${pid}/dataset`, {});
export const addExperts = (pid: number, names: string[]) =>
  changed(api.post<Experts>(`${BASE}/${pid}/experts`, { names }));
export const removeExpert = (pid: number, eid: number) => changed(api.delete(`${BASE}/${pid}/experts/${eid}`));
export const renewLink = (pid: number, eid: number) =>
  changed(api.post<Experts>(`${BASE}/${pid}/experts/${eid}/link`, {}));
export const setPublicLink = (pid: number, open: boolean) =>
  changed(api.put<Project>(`${BASE}/${pid}/public-link`, { open }));

const answerUrl = (code: string): string => `/v1/pro-analysis/answer/${encodeURIComponent(code)}`;

export const answerQuery = (code: string) =>
  queryOptions({
    queryKey: ['answer', code],
    queryFn: ({ signal }) => api.get<AnswerPage>(answerUrl(code), { signal, quiet: true }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
export const joinStudy = (code: string) => api.post<{ quescode: string }>(`${answerUrl(code)}/join`, {});
export const saveAnswers = (code: string, answers: AnswersBody['answers']) =>
  api.put<Saved>(`${answerUrl(code)}/answers`, { answers }, { quiet: true });
export const submitSheet = (code: string) => api.post<Submitted>(`${answerUrl(code)}/submit`, {});
export const withdraw = (code: string) => api.post(`${answerUrl(code)}/withdraw`, {});

/** Where an expert answers. */
export const linkOf = (code: string): string => `${location.origin}/pro-analysis/answer/${code}`;

/** The end of the day so many days from now. */
export function dueAfter(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() + days);
  at.setHours(23, 59, 0, 0);
  return at.toISOString();
}
