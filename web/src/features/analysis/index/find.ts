/** Finding a method: by name, pinyin, initials and English through lib/search, by the words of a question where that finds nothing. */
import type { MethodRow } from '@hengxi/server/analysis/schema';

import { score } from '../../../lib/search.ts';
import { taskOf } from './tasks.tsx';

/** Particles of a question that say nothing about the method. */
const PARTICLES = new Set('的是否有吗呢么和与在把想要做用对怎样如何一个我'.split(''));
const ENOUGH = 0.55;

function pairs(text: string): string[] {
  return [...text].slice(0, -1).map((sign, at) => sign + (text[at + 1] ?? ''));
}

/** Share of the question that the method's words answer: signs and neighbouring pairs, 0 to 1. */
export function answers(question: string, words: string): number {
  const signs = [...question.replaceAll(/\s+/gu, '')].filter((sign) => !PARTICLES.has(sign));
  if (signs.length < 2) return 0;
  const text = signs.join('');
  const found = signs.filter((sign) => words.includes(sign)).length / signs.length;
  const two = pairs(text);
  const close = two.filter((pair) => words.includes(pair)).length / two.length;
  return 0.5 * found + 0.5 * close;
}

function wordsOf(method: MethodRow): string {
  const task = taskOf(method.family);
  return [method.title, method.purpose, method.family, task?.title ?? '', task?.words ?? ''].join(' ');
}

export function findMethods(query: string, methods: readonly MethodRow[]): MethodRow[] {
  const hits = methods.map((method) => {
    const key = method.algo_code.split('/').at(-1) ?? '';
    const named = score(query, {
      title: method.title,
      words: [method.title_en, method.family, key.replaceAll('_', ' '), method.purpose],
    });
    return { method, value: named > 0 ? named : 30 * Math.max(0, answers(query, wordsOf(method)) - ENOUGH + 0.01) };
  });
  return hits
    .filter((hit) => hit.value > 0.01)
    .sort((a, b) => b.value - a.value)
    .map((hit) => hit.method);
}
