/** /v1/user/file/uploads: resumable uploads, their preview, and the import that makes a file of one. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { counted } from '../../lib/limits.ts';
import type { Limiter } from '../../lib/limits.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import { Run } from '../runs/schema.ts';
import { CHUNK } from './limits.ts';
import { UploadId } from './params.ts';
import { ImportBody, OpenUploads, Preview, PreviewBody, Upload, UploadBody } from './schema.ts';
import type { Files } from './service.ts';

const BASE = '/v1/user/file/uploads';

export function uploadRoutes(app: App, files: Files, limiter: Limiter): void {
  const { uploads, imports } = files;

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'Begins an upload',
    body: UploadBody,
    answer: Upload,
    // A file that is refused is no upload; the limit of writes holds for it still.
    handler: ({ actor, body }) => counted(limiter, 'upload', actor.userId, () => uploads.start(actor.owner, body)),
  });

  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Uploads no file was made of yet, whole or half-sent, with the import under way',
    answer: OpenUploads,
    handler: async ({ actor }) => {
      const list = await imports.open(actor.owner);
      return { total: list.length, list };
    },
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'How far an upload has come',
    params: UploadId,
    answer: Upload,
    handler: ({ actor, params }) => uploads.read(actor.owner, params.id),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Ends an upload and removes what has arrived',
    params: UploadId,
    handler: async ({ actor, params }) => uploads.cancel(actor.owner, params.id),
  });

  bytesRoute(app, {
    method: 'PUT',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Adds bytes at an offset (octet-stream, at most 8 MiB); 409 tells the right offset',
    limit: 'chunk',
    bodyLimit: CHUNK,
    params: UploadId,
    query: z.object({ offset: z.coerce.number().int().min(0) }),
    answer: Upload,
    otherwise: () => new Fault(30090, { detail: '分块应以 application/octet-stream 发送' }),
    handler: ({ actor, params, query, bytes }) => uploads.append(actor.owner, params.id, query.offset, bytes),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/preview`,
    access: 'session',
    summary:
      'First rows as they would be read, with the settings guessed or given; text formats from the first chunk on',
    limit: 'draft',
    params: UploadId,
    body: PreviewBody,
    answer: Preview,
    handler: ({ actor, params, body }) => imports.preview(actor, params.id, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/import`,
    access: 'session',
    summary: 'Imports a whole upload; a run that ends as asking lists questions, to be answered by posting again',
    params: UploadId,
    body: ImportBody,
    answer: Run,
    handler: ({ actor, params, body }) => imports.start(actor, params.id, body),
  });
}
