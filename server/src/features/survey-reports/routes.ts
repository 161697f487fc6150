/** /v1/analysis/survey-plan, /v1/analysis/survey-reports and /v1/analysis/projects/{pid}/survey. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { Id } from '../files/schema.ts';
import { NewSurveyReport, SurveyPlan, SurveyPlanQuery, SurveyReport, SurveyReportPatch } from './schema.ts';
import type { SurveyReports } from './service.ts';

const ProjectId = z.object({ pid: Id });
const URL = '/v1/analysis/projects/:pid/survey';

export function surveyReportsRoutes(app: App, { surveyReports }: { surveyReports: SurveyReports }): void {
  route(app, {
    method: 'GET',
    url: '/v1/analysis/survey-plan',
    access: 'session',
    summary: 'The parts of a first report of a questionnaire, before any is made',
    limit: 'read',
    query: SurveyPlanQuery,
    answer: SurveyPlan,
    handler: ({ actor, query }) => surveyReports.plan(actor.owner, query.vid),
  });

  route(app, {
    method: 'POST',
    url: '/v1/analysis/survey-reports',
    access: 'session',
    summary: 'Makes a first report of the chosen parts: a project, and a run that starts one analysis after the other',
    limit: 'export',
    body: NewSurveyReport,
    answer: SurveyReport,
    handler: ({ actor, body }) => surveyReports.start(actor, body),
  });

  route(app, {
    method: 'GET',
    url: URL,
    access: 'session',
    summary: 'A first report: its parts, how far each is, and why one was refused',
    params: ProjectId,
    answer: SurveyReport,
    handler: ({ actor, params }) => surveyReports.read(actor.owner, params.pid),
  });

  route(app, {
    method: 'PATCH',
    url: URL,
    access: 'session',
    summary: 'Leaves parts out of the document, or takes them back',
    params: ProjectId,
    body: SurveyReportPatch,
    answer: SurveyReport,
    handler: ({ actor, params, body }) => surveyReports.drop(actor.owner, params.pid, body.dropped),
  });

  route(app, {
    method: 'POST',
    url: `${URL}/resume`,
    access: 'session',
    summary: 'Goes on with the parts that have no result',
    limit: 'export',
    params: ProjectId,
    answer: SurveyReport,
    handler: ({ actor, params }) => surveyReports.resume(actor, params.pid),
  });
}
