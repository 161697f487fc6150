/** Labels as lines of a dictionary (`服务=热情，前台+慢，!机器人，/退.?房/`), the form the engine reads, and back. */
import type { LabelRule } from './schema.ts';

export const lineOf = ({ name, include, all_of: joint, exclude, regex }: LabelRule): string =>
  `${name}=${[
    ...include,
    ...joint.map((words) => words.join('+')),
    ...exclude.map((word) => `!${word}`),
    ...(regex === null || regex === '' ? [] : [`/${regex}/`]),
  ].join('，')}`;

export function labelOf(line: string): LabelRule | null {
  const [, name, rest] = /^([^=＝]+)[=＝](.*)$/su.exec(line.trim()) ?? [];
  if (name === undefined || rest === undefined) return null;
  const pattern = /\/(.+)\/\s*$/u.exec(rest);
  const words = (pattern === null ? rest : rest.slice(0, pattern.index)).split(/[,，、;；\s]+/u).filter(Boolean);
  const isBarred = (word: string): boolean => /^[!！]/u.test(word);
  return {
    name: name.trim(),
    include: words.filter((word) => !isBarred(word) && !word.includes('+')),
    all_of: words.filter((word) => !isBarred(word) && word.includes('+')).map((word) => word.split('+')),
    exclude: words.filter(isBarred).map((word) => word.slice(1)),
    regex: pattern?.[1] ?? null,
  };
}
