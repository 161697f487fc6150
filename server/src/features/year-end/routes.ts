/** /v1/year-end-report: the report of a year, the consent it needs, and its withdrawal. */
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { ConsentBody, Withdrawn, YearGiven, YearQuery, YearReport } from './schema.ts';
import type { YearEnd } from './service.ts';

const URL = '/v1/year-end-report';

export function yearEndRoutes(app: App, { yearEnd }: { yearEnd: YearEnd }): void {
  route(app, {
    method: 'GET',
    url: URL,
    access: 'session',
    summary: 'The own report of a year, or what stands in its way',
    query: YearQuery,
    answer: YearReport,
    handler: ({ actor, query }) => yearEnd.read(actor, query.year),
  });

  route(app, {
    method: 'POST',
    url: `${URL}/consent`,
    access: 'session',
    summary: 'Agrees to the count of the own work and makes the report; again: counts up to now',
    body: ConsentBody,
    answer: YearReport,
    handler: ({ actor, body }) => yearEnd.consent(actor, body.year),
  });

  route(app, {
    method: 'DELETE',
    url: URL,
    access: 'session',
    summary: 'Withdraws the consent and deletes the report',
    query: YearGiven,
    answer: Withdrawn,
    handler: async ({ actor, query }) => ({ removed: await yearEnd.withdraw(actor, query.year) }),
  });
}
