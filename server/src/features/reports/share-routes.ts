/** Shares: made and ended by the owner, opened by whoever holds the code. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { networkOf } from '../../lib/limits.ts';
import { route } from '../../lib/route.ts';
import { Id } from '../files/schema.ts';
import { Share, ShareBody, ShareQuery, SharedReport } from './schema.ts';
import type { Reports } from './service.ts';

const url = '/v1/analysis/report/share';
const Code = z.object({ code: z.string().max(64) });
const ReportId = z.object({ pid: z.coerce.number().int().min(0).max(2_147_483_647), rid: Id });

export function shareRoutes(app: App, { shares }: Reports): void {
  route(app, {
    method: 'POST',
    url,
    access: 'session',
    summary: 'Makes a link to the report as it is now',
    query: ShareQuery,
    body: ShareBody.default({ days: 7, blocks: null, hide_small: false }),
    answer: Share,
    handler: ({ actor, query, body }) => shares.add(actor.owner, query.pid ?? 0, query.rid, body),
  });

  route(app, {
    method: 'GET',
    url,
    access: 'capability',
    summary: 'The shared report, for anybody who holds the code',
    query: Code,
    answer: SharedReport,
    handler: ({ query, request }) => shares.open(query.code, networkOf(request.ip)),
  });

  route(app, {
    method: 'DELETE',
    url,
    access: 'session',
    summary: 'Ends a link at once',
    query: Code,
    handler: async ({ actor, query }) => shares.end(actor.owner, query.code),
  });

  route(app, {
    method: 'GET',
    url: '/v1/analysis/projects/:pid/reports/:rid/shares',
    access: 'session',
    summary: 'Links of a report that are open now',
    params: ReportId,
    answer: z.object({ total: z.number(), list: z.array(Share) }),
    handler: async ({ actor, params }) => {
      const list = await shares.list(actor.owner, params.pid, params.rid);
      return { total: list.length, list };
    },
  });
}
