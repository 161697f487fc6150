/** Finding a method: by name, pinyin, initials and English through lib/search, by the words of a question where that finds nothing. */
import type { MethodRow, MethodWords } from '@hengxi/server/analysis/schema';

import { near, normal, score } from '../../../lib/search.ts';
import { notYet } from './later.ts';
import { tasksOf } from './tasks.tsx';

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
  const share = signs.filter((sign) => words.includes(sign)).length / signs.length;
  const two = pairs(text);
  const close = two.filter((pair) => words.includes(pair)).length / two.length;
  return 0.5 * share + 0.5 * close;
}

function wordsOf(method: MethodRow): string {
  const tasks = tasksOf(method).flatMap((task) => [task.title, task.words]);
  return [method.title, method.purpose, method.family, ...tasks].join(' ');
}

/**
 * Words of its tasks that stand in a question which otherwise speaks of its own matter: 男女满意度有没有差异.
 * A method of one task is meant before one of several: 满意度的分布 asks for counts rather than for correlations.
 * What needs a saved model answers no question about a matter.
 */
function asked(question: string, method: MethodRow): number {
  if (method.takes_model) return 0;
  const tasks = tasksOf(method);
  const words = new Set(tasks.flatMap((task) => task.words.split(' ')));
  return [...words].filter((word) => word.length > 1 && question.includes(word)).length / Math.max(tasks.length, 1);
}

const SHORTEST_QUESTION = 2;
/** A question that names it by the way: below most words in common, above the words of a task. */
const MEANT = 8;

function worth(query: string, method: MethodRow, words: MethodWords): number {
  const key = method.algo_code.split('/').at(-1) ?? '';
  const { title, title_en: english, family, purpose, aliases } = method;
  const named = score(query, { title, words: [english, family, key.replaceAll('_', ' '), purpose], aliases });
  if (named > 0) return named;
  const meant = aliases.filter((alias) => alias.length > 2 && normal(query).includes(normal(alias))).length;
  const slip = near(query, [title, ...aliases]);
  if (slip > 0) return 30 * slip;
  const answered = answers(query, wordsOf(method)) - ENOUGH + 0.01;
  if (answered > 0.01 / 30 || meant > 0) return Math.max(30 * answered, meant > 0 ? MEANT + meant : 0);
  const plain = query.trim().toLowerCase();
  const own = words[method.algo_code] ?? [];
  if (plain.length > 1 && own.some((word) => word.toLowerCase().includes(plain))) return 0.3;
  return plain.length < SHORTEST_QUESTION ? 0 : 0.05 * asked(plain, method);
}

/** A question about three groups or more means a method that speaks of them itself. */
const SEVERAL = /[三四五六七八九十多几各](个|组|类|种|班)|不同(年级|专业|学历|职称)/u;
const MORE = 2;

const compares = (query: string, method: MethodRow): number =>
  SEVERAL.test(query) && method.aliases.some((alias) => SEVERAL.test(alias)) ? MORE : 0;

/** `words`: titles of boxes, options and choices (卡方, Kendall, Welch), which come after the list. */
export function findMethods(query: string, methods: readonly MethodRow[], words: MethodWords = {}): MethodRow[] {
  if (notYet(query, methods)?.alone === true) return [];
  return methods
    .map((method) => ({ method, value: worth(query, method, words) }))
    .filter(({ value }) => value > 0.01)
    .map(({ method, value }) => ({ method, value: value + compares(query, method) }))
    .sort((a, b) => b.value - a.value)
    .map((hit) => hit.method);
}
