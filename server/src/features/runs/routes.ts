/** /v1/runs and /v1/downloads. */
import type { App } from '../../lib/deps.ts';
import { tooMany } from '../../lib/errors.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { z } from 'zod';
import { attachment } from './downloads.ts';
import type { Downloads } from './downloads.ts';
import { DownloadLink, DownloadRequest, DownloadTicket, Run, RunId, RunList } from './schema.ts';
import type { Runs } from './service.ts';
import { createStreams } from './stream.ts';
import { serializeRun } from './serialize.ts';

const STREAMS_PER_USER = 5;

export function runsRoutes(
  app: App,
  { runs, downloads, authenticate }: { runs: Runs; downloads: Downloads; authenticate: Authenticate },
): void {
  const streams = createStreams(runs);
  app.addHook('preClose', async () => streams.closeAll());

  route(app, {
    method: 'GET',
    url: '/v1/runs',
    access: 'session',
    summary: 'Runs of the signed-in person, newest first; open=1: only those not ended; report_id: of one report',
    query: RunList,
    answer: z.object({ total: z.number(), list: z.array(Run) }),
    handler: async ({ actor, query }) => {
      const page = Math.max(1, query.page) - 1;
      const runPage = await runs.list(actor.owner, {
        onlyOpen: query.open === '1',
        rid: query.report_id ?? null,
        limit: query.page_size,
        offset: page * query.page_size,
      });
      return { total: runPage.total, list: runPage.list.map(serializeRun) };
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/runs/:id',
    access: 'session',
    summary: 'State of a run',
    params: RunId,
    answer: Run,
    handler: async ({ actor, params }) => serializeRun(await runs.read(actor.owner, params.id)),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/runs/:id',
    access: 'session',
    summary: 'Cancels a run; an ended one stays as it is',
    params: RunId,
    answer: Run,
    handler: async ({ actor, params }) => serializeRun(await runs.cancel(actor.owner, params.id)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/runs/:id/stop',
    access: 'session',
    summary: 'Ends a run and keeps what it has found so far',
    params: RunId,
    answer: Run,
    handler: async ({ actor, params }) => serializeRun(await runs.stop(actor.owner, params.id)),
  });

  route(app, {
    method: 'GET',
    url: '/v1/runs/:id/events',
    access: 'session',
    summary: 'Server-sent events of a run: state, progress, end, bye; continues after Last-Event-ID',
    params: RunId,
    handler: async ({ actor, params, request, reply }) => {
      const run = await runs.read(actor.owner, params.id);
      if (streams.count(actor.userId) >= STREAMS_PER_USER) throw tooMany(5);
      const last = Number(request.headers['last-event-id'] ?? 'NaN');
      const isAllowed = async (): Promise<boolean> => (await authenticate(request).catch(() => null)) !== null;
      return streams.open(run, Number.isInteger(last) ? last : null, isAllowed, reply);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/downloads',
    access: 'session',
    summary: 'Gives an address that can be fetched once within 60 seconds',
    body: DownloadRequest,
    answer: DownloadLink,
    limit: 'export',
    handler: async ({ actor, body }) => ({ url: await downloads.issue(actor.owner, body.kind, body.id) }),
  });

  route(app, {
    method: 'GET',
    url: '/v1/downloads/:ticket',
    access: 'capability',
    summary: 'The file of a one-use ticket',
    params: DownloadTicket,
    handler: async ({ params, reply }) => {
      const download = await downloads.redeem(params.ticket);
      if (download.size !== null) reply.header('content-length', String(download.size));
      return reply.header('content-disposition', attachment(download.name)).type(download.type).send(download.open());
    },
  });
}
