/** /v1/user/file/versions/{vid}: edits, the list of steps, replay. Processing methods come through /algorithm. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { Edited, Id } from '../files/schema.ts';
import {
  EditsBody,
  EditsQuery,
  Recipe,
  ReplayBody,
  StepsBody,
  Stepped,
  VariableFolders,
  VariableFoldersBody,
  Wait,
} from './schema.ts';
import type { Steps } from './service.ts';

const BASE = '/v1/user/file/versions';
const VersionId = z.object({ vid: Id });
/** Metadata of thousands of columns at once. */
const EDITS_LIMIT = 8 * 1024 * 1024;

export function stepsRoutes(app: App, { steps }: { steps: Steps }): void {
  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/edits`,
    access: 'session',
    summary: 'Changes cells, or what columns are called and mean; one step, a new version, and the head moves to it',
    bodyLimit: EDITS_LIMIT,
    params: VersionId,
    query: EditsQuery,
    body: EditsBody,
    answer: Edited,
    handler: ({ actor, params, query, body }) => steps.edit(actor, params.vid, body, query),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/steps`,
    access: 'session',
    summary:
      'Renames, annotates, disables, enables, moves, edits or deletes steps; what follows is run anew and the head moves to it',
    limit: 'analysis',
    bodyLimit: EDITS_LIMIT,
    params: VersionId,
    query: Wait,
    body: StepsBody,
    answer: Stepped,
    handler: ({ actor, params, query, body }) => steps.change(actor, params.vid, body.ops, query.wait),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/replay`,
    access: 'session',
    summary: 'Runs all steps of this version on another one',
    limit: 'analysis',
    params: VersionId,
    query: Wait,
    body: ReplayBody,
    answer: Stepped,
    handler: ({ actor, params, query, body }) => steps.replay(actor, params.vid, body, query.wait),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:vid/recipe`,
    access: 'session',
    summary: 'The steps of this version as a recipe: a readable text that other data can follow',
    params: VersionId,
    answer: Recipe,
    handler: ({ actor, params }) => steps.recipe(actor.owner, params.vid),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:vid/folders`,
    access: 'session',
    summary: 'Own folders and hidden variables of the list: of this version, or of the nearest one it was made from',
    params: VersionId,
    answer: VariableFolders,
    handler: ({ actor, params }) => steps.folders.read(actor, params.vid),
  });

  route(app, {
    method: 'PUT',
    url: `${BASE}/:vid/folders`,
    access: 'session',
    summary: 'Keeps all own folders and hidden variables of the list; no step, the table stays as it is',
    bodyLimit: EDITS_LIMIT,
    params: VersionId,
    body: VariableFoldersBody,
    answer: VariableFolders,
    handler: ({ actor, params, body }) => steps.folders.put(actor, params.vid, body),
  });
}
