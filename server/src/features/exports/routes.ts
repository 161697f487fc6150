/** /v1/user/file/versions/{vid}/export. The file itself is fetched through /v1/downloads. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { Id } from '../files/schema.ts';
import { Run } from '../runs/schema.ts';
import { ExportBody, ExportCheck, ExportQuery } from './schema.ts';
import type { Exports } from './service.ts';

const URL = '/v1/user/file/versions/:vid/export';
const VersionId = z.object({ vid: Id });

export function exportsRoutes(app: App, { exports }: { exports: Exports }): void {
  app.addHook('onReady', () => exports.startSweeper());
  app.addHook('onClose', async () => exports.stopSweeper());

  route(app, {
    method: 'GET',
    url: URL,
    access: 'session',
    summary: 'What an export would hold: its rows, and texts that a spreadsheet would take for formulas',
    params: VersionId,
    query: ExportQuery,
    answer: ExportCheck,
    handler: ({ actor, params, query }) => exports.check(actor.owner, params.vid, query.filtered === '1'),
  });

  route(app, {
    method: 'POST',
    url: URL,
    access: 'session',
    summary: 'Writes a version as a file in a run; the file is kept for a day',
    limit: 'export',
    params: VersionId,
    body: ExportBody,
    answer: Run,
    handler: ({ actor, params, body }) => exports.start(actor, params.vid, body),
  });
}
