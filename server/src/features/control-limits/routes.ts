/** /v1/analysis/control-limits: the person's frozen control limits. Foreign and absent look the same. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { KeptLimits, LimitsId, LimitsList, LimitsQuery, NewLimits } from './schema.ts';
import type { ControlLimits } from './service.ts';

const BASE = '/v1/analysis/control-limits';

export function controlLimitsRoutes(app: App, { limits }: { limits: ControlLimits }): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Frozen control limits, the newest first; path: of one kind of chart',
    query: LimitsQuery,
    answer: LimitsList,
    handler: ({ actor, query }) => limits.list(actor.owner, query.path),
  });

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'Keeps the control limits of a report under a name; phase: which, where each phase has its own',
    body: NewLimits,
    answer: KeptLimits,
    handler: ({ actor, body }) => limits.keep(actor.owner, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Removes frozen limits; reports made with them stay as they are',
    params: LimitsId,
    answer: z.null(),
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await limits.remove(actor.owner, params.id);
      return null;
    },
  });
}
