/** /v1/analysis/reports/{id}/ai-result: the AI reading of a report; /v1/ai/consent: what may be sent for it. */
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { AiResult, AiResultId, AiResultQuery, AiStart } from './schema.ts';
import type { AiReadings } from './service.ts';

export function aiRoutes(app: App, { readings }: { readings: AiReadings }): void {
  const url = '/v1/analysis/reports/:id/ai-result';

  route(app, {
    method: 'GET',
    url,
    access: 'session',
    summary:
      'The stored AI reading of a report and the one by rules; spends nothing unless confirm=1, which starts one',
    params: AiResultId,
    query: AiResultQuery,
    answer: AiResult,
    handler: ({ actor, params, query }) =>
      query.confirm === '1' ? readings.confirmed(actor, params.id) : readings.read(actor, params.id),
  });

  route(app, {
    method: 'POST',
    url,
    access: 'session',
    summary: 'Starts an AI reading for one point, once after the attempt that was seen',
    params: AiResultId,
    body: AiStart,
    answer: AiResult,
    handler: ({ actor, params, body }) => readings.start(actor, params.id, body),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/ai/consent',
    access: 'session',
    summary: 'Withdraws the consent to what is sent for AI readings',
    handler: async ({ actor }) => readings.withdraw(actor),
  });
}
