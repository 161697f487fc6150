/** Saved models: calls shared by the form, which picks one, and the report, which makes one. */
import type { Answered, ModelDetail, ModelRow } from '@hengxi/server/models/schema';
import type { Page } from '@hengxi/contracts/http';
import { num, percent } from '@hengxi/contracts/format';
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

export type { Answered, ModelDetail, ModelRow };

export const MODELS_KEY = 'models';

export function modelsQuery(task: string) {
  return queryOptions({
    queryKey: [MODELS_KEY, 'list', task],
    queryFn: ({ signal }) =>
      api.get<Page<ModelRow>>('/v1/analysis/models', { signal, quiet: true, query: { task, page_size: 200 } }),
    staleTime: 30_000,
  });
}

export function modelQuery(id: number) {
  return queryOptions({
    queryKey: [MODELS_KEY, 'one', id],
    queryFn: ({ signal }) => api.get<ModelDetail>(`/v1/analysis/models/${id}`, { signal, quiet: true }),
    staleTime: 30_000,
  });
}

/** The rate of right answers first: a stored card does not keep its order. */
export function scoresOf(scores: Record<string, number>): [string, number][] {
  return Object.entries(scores).toSorted(([a], [b]) => Number(b.endsWith('率')) - Number(a.endsWith('率')));
}

/** 准确率 95%, AUC 0.98: shares as percent, other scores as they are read. */
export function scoreText(name: string, value: number): string {
  return `${name} ${name.endsWith('率') ? percent(value) : num(value)}`;
}

/** The first name saves a model that only its report kept. */
export const nameModel = (id: number, name: string): Promise<ModelRow> =>
  api.patch<ModelRow>(`/v1/analysis/models/${id}`, { name });

export const removeModel = (id: number): Promise<unknown> => api.delete(`/v1/analysis/models/${id}`);

export type Given = Record<string, string | number | boolean | null>;

export const askModel = (id: number, cases: readonly Given[]): Promise<Answered> =>
  api.post<Answered>(`/v1/analysis/models/${id}/answer`, { cases }, { quiet: true });
