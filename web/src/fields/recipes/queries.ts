/** 常用流程: the list, what is done to its entries, and running one on a version. */
import type {
  RecipeDetail,
  RecipeList,
  RecipeMade,
  RecipeOn,
  RecipeText,
  SavedRecipe,
} from '@hengxi/server/recipes/schema';
import type { ChainMatch, Recipe, Stepped } from '@hengxi/server/steps/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

export type { ChainMatch, RecipeMade, RecipeOn, SavedRecipe };
export type Choice = Pick<RecipeOn, 'columns' | 'disabled'>;

const BASE = '/v1/user/recipes';
const KEY = 'recipes';
const WAIT_SECONDS = 2;
/** The name is taken: said at the field, not in passing. */
const REFUSED = 30508;
export const PAGE_SIZE = 20;

export interface Asked {
  keyword: string;
  page: number;
  bin: boolean;
}

export const recipesQuery = ({ keyword, page, bin }: Asked) =>
  queryOptions({
    queryKey: [KEY, 'list', keyword, page, bin],
    queryFn: ({ signal }) =>
      api.get<RecipeList>(BASE, {
        signal,
        quiet: true,
        query: { keyword: keyword || undefined, page, page_size: PAGE_SIZE, bin: bin ? 1 : 0 },
      }),
    placeholderData: (old) => old,
  });

export const recipeQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'one', id],
    queryFn: ({ signal }) => api.get<RecipeDetail>(`${BASE}/${id}`, { signal, quiet: true }),
  });

/** Whether it can be run on a version, with what was chosen so far. */
export const matchQuery = (id: number, vid: number, choice: Choice) =>
  queryOptions({
    queryKey: [KEY, 'match', id, vid, choice],
    queryFn: ({ signal }) => api.post<ChainMatch>(`${BASE}/${id}/match`, { vid, ...choice }, { signal, quiet: true }),
    placeholderData: (old) => old,
  });

export const refreshRecipes = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [KEY, 'list'] });

export const saveRecipe = (body: { vid: number; name: string; note: string; replace: boolean }): Promise<RecipeMade> =>
  api.post<RecipeMade>(BASE, body, { claims: [REFUSED] });

export const importRecipe = (text: string): Promise<SavedRecipe> =>
  api.post<SavedRecipe>(`${BASE}/import`, { text }, { quiet: true });

export const changeRecipe = (id: number, to: { name: string; note: string }): Promise<SavedRecipe> =>
  api.patch<SavedRecipe>(`${BASE}/${id}`, to, { claims: [REFUSED] });

export const copyRecipe = (id: number): Promise<SavedRecipe> => api.post<SavedRecipe>(`${BASE}/${id}/copy`);

export const removeRecipe = (id: number, forever = false): Promise<unknown> =>
  api.delete(`${BASE}/${id}`, { query: { forever: forever ? 1 : 0 } });

export const restoreRecipe = (id: number): Promise<SavedRecipe> => api.post<SavedRecipe>(`${BASE}/${id}/restore`);

export const applyRecipe = (id: number, on: RecipeOn): Promise<Stepped> =>
  api.post<Stepped>(`${BASE}/${id}/apply`, on, { query: { wait: WAIT_SECONDS } });

const readText = (id: number): Promise<RecipeText> => api.get<RecipeText>(`${BASE}/${id}/text`);

/** A saved chain as a file. */
export async function downloadRecipe(id: number): Promise<void> {
  const { name, text } = await readText(id);
  download(`${name}.流程.json`, text);
}

/** The steps of a version as a file, without keeping them. */
export async function downloadSteps(vid: number): Promise<Recipe> {
  const recipe = await api.get<Recipe>(`/v1/user/file/versions/${vid}/recipe`);
  download(`${recipe.name}.流程.json`, recipe.text);
  return recipe;
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
