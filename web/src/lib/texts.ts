/** Dictionaries and pictures of text analysis: calls of the fields that name them. */
import type { Page } from '@hengxi/contracts/http';
import type {
  DictionaryDetail,
  DictionaryEntry,
  DictionaryKind,
  PictureMade,
} from '@hengxi/server/text-analysis/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

export type { DictionaryDetail, DictionaryEntry, DictionaryKind };

export const DICTIONARIES_KEY = 'dictionaries';
const BASE = '/v1/text-analysis';

export const dictionariesQuery = (kind: DictionaryKind) =>
  queryOptions({
    queryKey: [DICTIONARIES_KEY, kind],
    queryFn: ({ signal }) =>
      api.get<Page<DictionaryEntry>>(`${BASE}/dictionaries`, { signal, quiet: true, query: { kind } }),
    staleTime: 30_000,
  });

export const readDictionary = (id: number): Promise<DictionaryDetail> =>
  api.get<DictionaryDetail>(`${BASE}/dictionaries/${id}`);

/** A new one where `id` is null; else the next version of the one that was read as `version`. */
export const saveDictionary = (
  id: number | null,
  kind: DictionaryKind,
  { name, lines, version }: { name: string; lines: string[]; version: number },
): Promise<DictionaryDetail> =>
  id === null
    ? api.post<DictionaryDetail>(`${BASE}/dictionaries`, { kind, name, lines })
    : api.put<DictionaryDetail>(`${BASE}/dictionaries/${id}`, { name, lines, version });

export const removeDictionary = (id: number): Promise<unknown> => api.delete(`${BASE}/dictionaries/${id}`);

export const sendPicture = (file: Blob): Promise<PictureMade> => api.post<PictureMade>(`${BASE}/pictures`, file);

export const pictureAddress = (fileId: string): string => `${BASE}/pictures/${fileId.slice(1)}`;
