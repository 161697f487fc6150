/** Help pages, example tables and the figures of the site: all without sign-in. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { HelpList, HelpPage, HelpSlug, Statistics } from './schema.ts';
import type { Help } from './service.ts';

export function helpRoutes(app: App, help: Help): void {
  route(app, {
    method: 'GET',
    url: '/v1/help',
    access: 'visitor',
    summary: 'All methods in short',
    answer: HelpList,
    handler: async () => help.list(),
  });

  route(app, {
    method: 'GET',
    url: '/v1/help/:slug',
    access: 'visitor',
    summary: 'Declaration, text and reference cases of a method',
    params: HelpSlug,
    answer: HelpPage,
    handler: async ({ params }) => help.page(params.slug),
  });

  route(app, {
    method: 'GET',
    url: '/data/:file',
    access: 'visitor',
    summary: 'Example of a method: its table as csv, or its form as json where it takes no data',
    params: z.object({ file: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}\.(csv|json)$/) }),
    handler: async ({ params, reply }) => {
      const at = params.file.lastIndexOf('.');
      const kind = params.file.endsWith('.json') ? 'json' : 'csv';
      const bytes = await help.example(params.file.slice(0, at), kind);
      return reply
        .type(kind === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${params.file}"`)
        .header('cache-control', 'public, max-age=3600')
        .send(bytes);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/index/statistics',
    access: 'visitor',
    summary: 'How many methods and which formats there are',
    answer: Statistics,
    handler: async () => help.statistics(),
  });
}
