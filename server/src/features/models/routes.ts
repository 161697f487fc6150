/** /v1/analysis/models: the person's own models. Foreign and absent look the same. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import type { Logger } from '../../lib/log.ts';
import { route } from '../../lib/route.ts';
import { Answered, AskBody, ModelDetail, ModelId, ModelName, ModelQuery, ModelRow } from './schema.ts';
import type { Models } from './service.ts';

const HOUR_MS = 3_600_000;

export function modelsRoutes(app: App, { models, log }: { models: Models; log: Logger }): void {
  sweepHourly(app, models, log);
  route(app, {
    method: 'GET',
    url: '/v1/analysis/models',
    access: 'session',
    summary: 'Saved models, the newest first',
    query: ModelQuery,
    answer: z.object({ total: z.number(), list: z.array(ModelRow) }),
    handler: ({ actor, query }) => models.list(actor.owner, query),
  });

  route(app, {
    method: 'GET',
    url: '/v1/analysis/models/:id',
    access: 'session',
    summary: 'A model with its card: variables, classes, scores',
    params: ModelId,
    answer: ModelDetail,
    handler: ({ actor, params }) => models.read(actor.owner, params.id),
  });

  route(app, {
    method: 'PATCH',
    url: '/v1/analysis/models/:id',
    access: 'session',
    summary: 'Saves the model of a report under a name, or renames a saved one',
    params: ModelId,
    body: ModelName,
    answer: ModelRow,
    handler: ({ actor, params, body }) => models.rename(actor.owner, params.id, body.name),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/analysis/models/:id',
    access: 'session',
    summary: 'Takes a model out of the list; its file goes with its report, or at once where there is none',
    params: ModelId,
    answer: z.null(),
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await models.remove(actor.owner, params.id);
      return null;
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/analysis/models/:id/answer',
    access: 'session',
    summary: 'What the model says to up to twenty typed cases',
    limit: 'draft',
    params: ModelId,
    body: AskBody,
    answer: Answered,
    handler: ({ actor, params, body }) => models.ask(actor.owner, params.id, body),
  });
}

/** Models whose report is gone and that nobody named. */
function sweepHourly(app: App, models: Models, log: Logger): void {
  let timer: NodeJS.Timeout | null = null;
  const attempt = (): void => {
    models
      .sweep()
      .catch((error: unknown) => log.warn({ event: 'sweep', err: error }, 'will be tried again in an hour'));
  };
  app.addHook('onReady', async () => {
    timer = setInterval(attempt, HOUR_MS).unref();
  });
  app.addHook('onClose', async () => {
    if (timer) clearInterval(timer);
  });
}
