/** /v1/user/recipes: 常用流程. Foreign and absent look the same. */
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { ChainMatch, Stepped, Wait } from '../steps/schema.ts';
import {
  Forever,
  ImportedRecipe,
  NewRecipe,
  RecipeChange,
  RecipeDetail,
  RecipeId,
  RecipeList,
  RecipeMade,
  RecipeOn,
  RecipeQuery,
  RecipeText,
  SavedRecipe,
} from './schema.ts';
import type { Recipes } from './service.ts';

const BASE = '/v1/user/recipes';
/** A million characters, in bytes of JSON within JSON. */
const TEXT_BYTES = 8 * 1024 * 1024;

export function recipesRoutes(app: App, { recipes }: { recipes: Recipes }): void {
  listRoutes(app, recipes);
  binRoutes(app, recipes);

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/match`,
    access: 'session',
    summary: 'Which variables of a version a saved chain finds, which are missing, and which steps cannot run and why',
    limit: 'draft',
    params: RecipeId,
    body: RecipeOn,
    answer: ChainMatch,
    handler: ({ actor, params, body }) => recipes.match(actor.owner, params.id, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/apply`,
    access: 'session',
    summary: 'Runs a saved chain on a version; the head of its file moves to what it made',
    limit: 'analysis',
    params: RecipeId,
    query: Wait,
    body: RecipeOn,
    answer: Stepped,
    handler: ({ actor, params, query, body }) => recipes.apply(actor, params.id, body, query.wait),
  });
}

function listRoutes(app: App, recipes: Recipes): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Saved chains of steps, last used first; keyword searches names and notes; bin=1 lists the bin',
    query: RecipeQuery,
    answer: RecipeList,
    handler: ({ actor, query }) => recipes.list(actor.owner, query),
  });

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'Saves the steps of a version under a name',
    body: NewRecipe,
    answer: RecipeMade,
    handler: ({ actor, body }) => {
      if (body.replace) refuseDemo(actor);
      return recipes.save(actor, body);
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/import`,
    access: 'session',
    summary: 'Saves a chain from its text; each mistake in it is told with its line',
    bodyLimit: TEXT_BYTES,
    body: ImportedRecipe,
    answer: SavedRecipe,
    handler: ({ actor, body }) => recipes.take(actor, body.text),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'A saved chain with its steps and the variables it needs',
    params: RecipeId,
    answer: RecipeDetail,
    handler: ({ actor, params }) => recipes.read(actor.owner, params.id),
  });

  route(app, {
    method: 'PATCH',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Renames or describes a saved chain',
    params: RecipeId,
    body: RecipeChange,
    answer: SavedRecipe,
    handler: async ({ actor, params, body }) => {
      refuseDemo(actor);
      return recipes.change(actor.owner, params.id, body);
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/copy`,
    access: 'session',
    summary: 'Saves a saved chain once more under another name',
    params: RecipeId,
    answer: SavedRecipe,
    handler: ({ actor, params }) => recipes.copy(actor, params.id),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:id/text`,
    access: 'session',
    summary: 'A saved chain as a readable text that can be read in again',
    params: RecipeId,
    answer: RecipeText,
    handler: ({ actor, params }) => recipes.text(actor.owner, params.id),
  });
}

function binRoutes(app: App, recipes: Recipes): void {
  route(app, {
    method: 'DELETE',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Moves a saved chain to the bin (30 days); forever=1 removes one from the bin for good',
    params: RecipeId,
    query: Forever,
    handler: async ({ actor, params, query }) => {
      refuseDemo(actor);
      if (query.forever === '1') await recipes.removeForGood(actor.owner, params.id);
      else await recipes.remove(actor.owner, params.id);
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/restore`,
    access: 'session',
    summary: 'Takes a saved chain out of the bin; where its name is taken it gets the next one that is free',
    params: RecipeId,
    answer: SavedRecipe,
    handler: ({ actor, params }) => recipes.restore(actor, params.id),
  });
}
