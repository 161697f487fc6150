/** The index of the help search, made at the build: the pinyin table stays out of the browser. */
import { pinyin } from 'pinyin-pro';

import type { HelpEntry } from './help-search.ts';

interface Described {
  slug: string;
  path: string;
  title: string;
  title_en: string;
  family: string;
  purpose: string;
  aliases: readonly string[];
}

/** Syllables of a name; Latin words and numbers stay whole. */
export function syllablesOf(name: string): string[] {
  return (name.normalize('NFKC').match(/\p{Script=Han}+|[A-Za-z\d]+/gu) ?? []).flatMap((run) =>
    /\p{Script=Han}/u.test(run)
      ? pinyin(run, { toneType: 'none', type: 'array', v: true }).map((sound) => sound.toLowerCase())
      : [run.toLowerCase()],
  );
}

export function entryOf({ slug, path, title, title_en: english, family, purpose, aliases }: Described): HelpEntry {
  const names = [title, ...aliases].filter((name) => /\p{Script=Han}/u.test(name));
  return { slug, path, title, english, family, purpose, aliases, pinyin: names.map(syllablesOf) };
}
