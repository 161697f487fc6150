/** /v1/text-analysis: dictionaries, labels, pictures, and the state of one's text job. Foreign and absent look the same. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import {
  DictionaryChange,
  DictionaryDetail,
  DictionaryEntry,
  DictionaryId,
  DictionaryQuery,
  Killed,
  LabelSet,
  LabelSetBody,
  LabelSetChange,
  LabelSetId,
  LabelSetMade,
  NewDictionary,
  PICTURE_BYTES,
  PictureId,
  PictureMade,
  StatusQuery,
  TextStatus,
} from './schema.ts';
import type { TextAnalysis } from './service.ts';

const BASE = '/v1/text-analysis';
/** Ten thousand lines of words, in bytes. */
const DICTIONARY_BYTES = 2 * 1024 * 1024;

export function textAnalysisRoutes(app: App, { texts }: { texts: TextAnalysis }): void {
  dictionaryRoutes(app, texts);
  labelRoutes(app, texts);
  pictureRoutes(app, texts);

  route(app, {
    method: 'GET',
    url: `${BASE}/status`,
    access: 'session',
    summary: 'The text job that runs, those that wait, and the one that ended last',
    query: StatusQuery,
    answer: TextStatus,
    handler: ({ actor, query }) => texts.status(actor, query),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/kill`,
    access: 'session',
    summary: 'Ends the running text job of the signed-in person; without one nothing happens',
    answer: Killed,
    handler: ({ actor }) => texts.kill(actor),
  });
}

function dictionaryRoutes(app: App, texts: TextAnalysis): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/dictionaries`,
    access: 'session',
    summary: 'Dictionaries by kind and name, without their lines',
    query: DictionaryQuery,
    answer: z.object({ total: z.number(), list: z.array(DictionaryEntry) }),
    handler: ({ actor, query }) => texts.list(actor.owner, query.kind),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/dictionaries/:id`,
    access: 'session',
    summary: 'A dictionary with its lines',
    params: DictionaryId,
    answer: DictionaryDetail,
    handler: ({ actor, params }) => texts.read(actor.owner, params.id),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/dictionaries`,
    access: 'session',
    summary: 'A new dictionary',
    bodyLimit: DICTIONARY_BYTES,
    body: NewDictionary,
    answer: DictionaryDetail,
    handler: async ({ actor, body }) => {
      refuseDemo(actor);
      return texts.add(actor.owner, body);
    },
  });

  route(app, {
    method: 'PUT',
    url: `${BASE}/dictionaries/:id`,
    access: 'session',
    summary: 'Changes a dictionary, which gets the next version; refused where it was changed since it was read',
    bodyLimit: DICTIONARY_BYTES,
    params: DictionaryId,
    body: DictionaryChange,
    answer: DictionaryDetail,
    handler: async ({ actor, params, body }) => {
      refuseDemo(actor);
      return texts.change(actor.owner, params.id, body);
    },
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/dictionaries/:id`,
    access: 'session',
    summary: 'Deletes a dictionary; reports made with it stay as they are',
    params: DictionaryId,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await texts.remove(actor.owner, params.id);
    },
  });
}

function labelRoutes(app: App, texts: TextAnalysis): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/labels-list`,
    access: 'session',
    summary: 'Sets of labels with their words',
    answer: z.array(LabelSet),
    handler: ({ actor }) => texts.labels.list(actor.owner),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/custom-labels/save`,
    access: 'session',
    summary: 'A new set of labels',
    body: LabelSetBody,
    answer: LabelSetMade,
    handler: async ({ actor, body }) => {
      refuseDemo(actor);
      const { id, version } = await texts.labels.add(actor.owner, body.name, body.labels);
      return { id, version };
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/custom-labels/update`,
    access: 'session',
    summary: 'Changes a set of labels; refused where it was changed since it was read',
    body: LabelSetChange,
    answer: LabelSetMade,
    handler: async ({ actor, body }) => {
      refuseDemo(actor);
      const { id, version } = await texts.labels.change(actor.owner, body.id, body.name, body.labels, body.version);
      return { id, version };
    },
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/custom-labels/delete`,
    access: 'session',
    summary: 'Deletes a set of labels; reports made with it stay as they are',
    query: LabelSetId,
    handler: async ({ actor, query }) => {
      refuseDemo(actor);
      await texts.remove(actor.owner, query.id, 'labels');
    },
  });
}

function pictureRoutes(app: App, texts: TextAnalysis): void {
  bytesRoute(app, {
    method: 'POST',
    url: `${BASE}/pictures`,
    access: 'session',
    summary: 'Uploads a picture (octet-stream, png or jpeg, at most 2 MB) whose dark parts words are put on',
    bodyLimit: PICTURE_BYTES + 1024,
    answer: PictureMade,
    otherwise: () => new Fault(31514),
    handler: async ({ actor, bytes }) => {
      refuseDemo(actor);
      return texts.addPicture(actor.owner, bytes);
    },
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/pictures/:id`,
    access: 'session',
    summary: 'A picture as it was drawn anew (jpeg)',
    params: PictureId,
    handler: async ({ actor, params, reply }) => {
      const jpeg = await texts.picture(actor.owner, params.id);
      return reply.header('cache-control', 'private, max-age=3600').type('image/jpeg').send(jpeg);
    },
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/pictures/:id`,
    access: 'session',
    summary: 'Deletes a picture; reports made with it keep their shape',
    params: PictureId,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await texts.removePicture(actor.owner, params.id);
    },
  });
}
