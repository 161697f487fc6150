/** /v1/user/file: the list, one file, its named filters. Uploads and versions have files of their own. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { counted } from '../../lib/limits.ts';
import type { Limiter } from '../../lib/limits.ts';
import { route } from '../../lib/route.ts';
import { FileId, FilterId } from './params.ts';
import {
  FileDetail,
  FileList,
  FilePatch,
  FileQuery,
  Imported,
  NamedFilter,
  NamedFilterBody,
  TypedCounts,
} from './schema.ts';
import type { Files } from './service.ts';
import { uploadRoutes } from './upload-routes.ts';
import { versionRoutes } from './version-routes.ts';

const BASE = '/v1/user/file';

const Forever = z.object({ forever: z.enum(['0', '1']).default('0') });

export function filesRoutes(app: App, { files, limiter }: { files: Files; limiter: Limiter }): void {
  app.addHook('onReady', () => files.sweeper.start());
  app.addHook('onClose', async () => files.sweeper.stop());
  uploadRoutes(app, files, limiter);
  versionRoutes(app, files);
  fileRoutes(app, files, limiter);
  namedFilterRoutes(app, files);
}

function fileRoutes(app: App, { library, counts }: Files, limiter: Limiter): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Files of the signed-in person; keyword searches names, variables and labels; bin=1 lists the bin',
    query: FileQuery,
    answer: FileList,
    handler: ({ actor, query }) => library.list(actor.owner, query),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/counts`,
    access: 'session',
    summary: 'A table of counts typed by hand becomes a file whose version is weighted by the counts',
    body: TypedCounts,
    answer: Imported,
    handler: ({ actor, body }) => counted(limiter, 'upload', actor.userId, () => counts.make(actor, body)),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:fid`,
    access: 'session',
    summary: 'One file with its versions, also from the bin',
    params: FileId,
    answer: FileDetail,
    handler: ({ actor, params }) => library.read(actor.owner, params.fid),
  });

  route(app, {
    method: 'PATCH',
    url: `${BASE}/:fid`,
    access: 'session',
    summary: 'Renames a file, or moves its head to another of its versions (undo, redo)',
    params: FileId,
    body: FilePatch,
    answer: FileDetail,
    handler: ({ actor, params, body }) => library.change(actor.owner, params.fid, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:fid`,
    access: 'session',
    summary: 'Moves a file to the bin (30 days); forever=1 removes one from the bin for good',
    params: FileId,
    query: Forever,
    handler: async ({ actor, params, query }) => {
      refuseDemo(actor);
      if (query.forever === '1') await library.remove(actor.owner, params.fid);
      else await library.toBin(actor.owner, params.fid);
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:fid/restore`,
    access: 'session',
    summary: 'Takes a file out of the bin',
    params: FileId,
    answer: FileDetail,
    handler: ({ actor, params }) => library.restore(actor.owner, params.fid),
  });
}

function namedFilterRoutes(app: App, { library: { filters } }: Files): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:fid/filters`,
    access: 'session',
    summary: 'Saved filters of a file',
    params: FileId,
    answer: z.object({ total: z.number(), list: z.array(NamedFilter) }),
    handler: async ({ actor, params }) => {
      const list = await filters.list(actor.owner, params.fid);
      return { total: list.length, list };
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:fid/filters`,
    access: 'session',
    summary: 'Saves a filter under a name',
    params: FileId,
    body: NamedFilterBody,
    answer: NamedFilter,
    handler: ({ actor, params, body }) => filters.add(actor.owner, params.fid, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:fid/filters/:id`,
    access: 'session',
    summary: 'Changes a saved filter',
    params: FilterId,
    body: NamedFilterBody,
    answer: NamedFilter,
    handler: ({ actor, params, body }) => filters.change(actor.owner, params.fid, params.id, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:fid/filters/:id`,
    access: 'session',
    summary: 'Removes a saved filter',
    params: FilterId,
    handler: async ({ actor, params }) => filters.remove(actor.owner, params.fid, params.id),
  });
}
