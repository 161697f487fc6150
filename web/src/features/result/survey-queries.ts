/** Calls of the first report of a whole questionnaire. */
import type { NewSurveyReport, SurveyPlan, SurveyReport } from '@hengxi/server/survey-reports/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';

/** How often it is asked how far the work is. */
const EACH_MS = 1500;

export function surveyPlanQuery(vid: number) {
  return queryOptions({
    queryKey: ['survey-plan', vid],
    queryFn: ({ signal }) => api.get<SurveyPlan>('/v1/analysis/survey-plan', { signal, quiet: true, query: { vid } }),
    staleTime: 0,
  });
}

const address = (project: number): string => `/v1/analysis/projects/${project}/survey`;

export function surveyQuery(project: number) {
  return queryOptions({
    queryKey: ['survey', project],
    queryFn: ({ signal }) => api.get<SurveyReport>(address(project), { signal, quiet: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.open === true ? EACH_MS : false),
  });
}

export function startSurvey(body: NewSurveyReport): Promise<SurveyReport> {
  return api.post<SurveyReport>('/v1/analysis/survey-reports', body);
}

export function dropParts(project: number, dropped: readonly number[]): Promise<SurveyReport> {
  return api.patch<SurveyReport>(address(project), { dropped });
}

export function resumeSurvey(project: number): Promise<SurveyReport> {
  return api.post<SurveyReport>(`${address(project)}/resume`, {});
}
