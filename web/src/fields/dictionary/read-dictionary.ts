/** The wire of a `dictionary` field: `{"builtin":"通用","id":7,"version":3,"extra":["的"]}`; null is the default. */
import type { DictionaryField as Declaration } from '@hengxi/contracts/contract';

import { isRecord } from '../form.ts';

export interface DictionaryValue {
  builtin: string | null;
  id: number | null;
  version: number | null;
  extra: string[];
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export function readDictionary(field: Pick<Declaration, 'default'>, value: unknown): DictionaryValue {
  if (!isRecord(value)) return { builtin: field.default, id: null, version: null, extra: [] };
  const { builtin, id, version, extra } = value;
  return {
    builtin: typeof builtin === 'string' ? builtin : null,
    id: numberOf(id),
    version: numberOf(version),
    extra: Array.isArray(extra) ? extra.filter((line: unknown): line is string => typeof line === 'string') : [],
  };
}

/** How one line is written, by kind. */
export const WRITING: Record<Declaration['kind'], { noun: string; example: string }> = {
  words: { noun: '自定义词典', example: '一行一个词，可加频次和词性：衡析平台 100 nz' },
  stopwords: { noun: '停用词表', example: '一行一个词' },
  synonyms: { noun: '同义词表', example: '一行一组：主词=词1，词2' },
  lexicon: { noun: '情感词典', example: '一行一个词和分值（-1 到 1）：贴心 0.8' },
  labels: { noun: '标签组', example: '一行一个标签：服务=热情，前台+慢，!机器人' },
};
