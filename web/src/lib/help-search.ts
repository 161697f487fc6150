/**
 * The search of the help centre (site page, section 3.7): what people want to know first, then names, other names, pinyin
 * and initials, then the slip of a pen; the words of the pages last. Knows no screen; the pinyin was written at the build.
 */
import { near, normal, score } from './search.ts';

export interface HelpEntry {
  slug: string;
  path: string;
  title: string;
  english: string;
  family: string;
  purpose: string;
  aliases: readonly string[];
  /** Of the title and of each other name in 汉字: syllables, ü as v. */
  pinyin: readonly (readonly string[])[];
}

export interface SearchWords {
  intents: readonly { ask: readonly string[]; methods: readonly string[] }[];
  synonyms: readonly (readonly string[])[];
}

export interface HelpIndex extends SearchWords {
  entries: readonly HelpEntry[];
}

export interface HelpHit {
  entry: HelpEntry;
  /** The question it answers, where it was found by one. */
  ask: string | null;
}

/** A question is understood when so much of one of its phrasings stands in what was typed, or the other way round. */
const INTENT_SHARE = 0.6;
const INTENT_SHORTEST = 3;
const INTENT_NEAR = 0.25;
const SAME = 90;
const INTENT = 85;
const SYNONYM = 5;
const PINYIN = 50;

/** Words every question has and that say nothing of what it is about. */
const EMPTY =
  /请问|怎么(?:办|做|分析|算|用)?|怎样|如何|什么|哪个|哪种|哪些|可以|能不能|是不是|我想|我要|一下|应该|需要|方法|[吗呢的了吧啊么用？?，,。！!]/gu;

export function pairsOf(text: string): string[] {
  const runs = normal(text).match(/\p{Script=Han}+|[a-z\d]+/gu) ?? [];
  return runs.flatMap((run) => {
    const signs = [...run];
    if (!/\p{Script=Han}/u.test(run) || signs.length === 1) return [run];
    return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
  });
}

/** The part of `some` that stands in `others`. */
function share(some: readonly string[], others: ReadonlySet<string>): number {
  return some.length === 0 ? 0 : some.filter((pair) => others.has(pair)).length / some.length;
}

/** How well a question fits one of the phrasings, 0 to 1; and which. */
function fit(question: string, asks: readonly string[]): { value: number; ask: string } {
  const wanted = normal(question.replace(EMPTY, ''));
  let best = { value: 0, ask: '' };
  for (const ask of asks) {
    const known = normal(ask.replace(EMPTY, ''));
    const whole = wanted.length >= INTENT_SHORTEST && known.includes(wanted) ? wanted.length / known.length : 0;
    const pairs = pairsOf(wanted);
    const asked = pairsOf(known);
    const both = Math.min(share(pairs, new Set(asked)), share(asked, new Set(pairs)));
    const value = wanted === known ? 1 : Math.max(whole === 0 ? 0 : Math.max(whole, INTENT_SHARE), both);
    if (value > best.value) best = { value, ask };
  }
  return best;
}

/** Letters as syllables, each whole, begun or by its initial: dlyb, duliyb, dulyang. */
export function spells(letters: string, syllables: readonly string[]): boolean {
  const from = (at: number, syllable: number): boolean => {
    if (at === letters.length) return true;
    const sound = syllables[syllable];
    if (sound === undefined) return false;
    for (const spelling of new Set([sound, sound.replace('v', 'u')]))
      for (let length = spelling.length; length > 0; length -= 1)
        if (letters.startsWith(spelling.slice(0, length), at) && from(at + length, syllable + 1)) return true;
    return false;
  };
  return from(0, 0);
}

function byPinyin(query: string, { pinyin }: HelpEntry): number {
  const letters = normal(query);
  if (!/^[a-z][a-z\d]*$/.test(letters)) return 0;
  let best = 0;
  for (const [name, syllables] of pinyin.entries())
    for (let at = 0; at < syllables.length; at += 1)
      if (spells(letters, syllables.slice(at))) {
        best = Math.max(best, PINYIN - (at === 0 ? 0 : 10) - (name === 0 ? 0 : 5));
        break;
      }
  return best;
}

/** What was typed, and the same with a word put in place of another of one meaning. */
function variants(query: string, synonyms: SearchWords['synonyms']): string[] {
  const typed = normal(query);
  const others = synonyms.flatMap((words) => {
    const held = words.find((word) => typed.includes(normal(word)));
    return held === undefined
      ? []
      : words.filter((word) => word !== held).map((word) => typed.replace(normal(held), normal(word)));
  });
  return [...new Set(others)].slice(0, 12);
}

export function searchHelp(query: string, { entries, intents, synonyms }: HelpIndex, most: number): HelpHit[] {
  if (normal(query) === '') return [];
  const others = variants(query, synonyms);
  const asked = new Map<string, { value: number; ask: string }>();
  const fits = intents.map(({ ask, methods }) => ({ ...fit(query, ask), methods }));
  // Beside a question that is understood well, one that shares some words with it (两组, 三组) is another one.
  const least = Math.max(INTENT_SHARE, Math.max(0, ...fits.map(({ value }) => value)) - INTENT_NEAR);
  for (const { value, ask: phrase, methods } of fits) {
    if (value < least) continue;
    for (const [place, path] of methods.entries()) {
      const worth = INTENT + value - place / 100;
      if (worth > (asked.get(path)?.value ?? 0)) asked.set(path, { value: worth, ask: phrase });
    }
  }
  const judged = entries.map((entry, place) => {
    const item = { title: entry.title, words: [entry.english, entry.family, entry.purpose], aliases: entry.aliases };
    const plain = score(query, item);
    const meant = Math.max(0, ...others.map((other) => score(other, item) - SYNONYM));
    const intent = asked.get(entry.path);
    const named = Math.max(plain, meant, byPinyin(query, entry));
    // A method that is called just so comes before those that answer a question.
    const value = plain >= SAME ? plain : Math.max(named, intent?.value ?? 0);
    return { entry, place, value, ask: intent && value === intent.value ? intent.ask : null };
  });
  const some = judged.some(({ value }) => value > 0);
  return judged
    .map((hit) => (some ? hit : { ...hit, value: near(query, [hit.entry.title, ...hit.entry.aliases]) }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value || a.place - b.place)
    .slice(0, most)
    .map(({ entry, ask }) => ({ entry, ask }));
}

/** Words of the pages: term → numbers of the entries that hold it, one by one further than the last. */
export type PageWords = Readonly<Record<string, readonly number[]>>;

/** Pages that hold what was typed, the most and rarest of it first; at least 60% of it must be there. */
export function searchPages(query: string, { entries }: HelpIndex, words: PageWords, most: number): HelpHit[] {
  const wanted = [...new Set(pairsOf(query.replace(EMPTY, ' ')))];
  const worth = new Map<number, { held: number; weight: number }>();
  for (const pair of wanted) {
    const steps = Object.hasOwn(words, pair) ? (words[pair] ?? []) : [];
    let at = 0;
    for (const step of steps) {
      at += step;
      const known = worth.get(at) ?? { held: 0, weight: 0 };
      worth.set(at, { held: known.held + 1, weight: known.weight + Math.log(1 + entries.length / steps.length) });
    }
  }
  return [...worth]
    .filter(([, { held }]) => held >= wanted.length * INTENT_SHARE)
    .toSorted(([a, first], [b, second]) => second.weight - first.weight || a - b)
    .flatMap(([at]) => entries[at] ?? [])
    .slice(0, most)
    .map((entry) => ({ entry, ask: null }));
}

/** The words of texts, as searchPages reads them. */
export function pageWords(texts: readonly string[]): PageWords {
  const held = new Map<string, number[]>();
  for (const [at, text] of texts.entries())
    for (const pair of new Set(pairsOf(text))) held.set(pair, [...(held.get(pair) ?? []), at]);
  // What half of the pages say finds none of them.
  const telling = [...held].filter(([, places]) => places.length <= Math.max(1, texts.length / 2));
  return Object.fromEntries(telling.map(([pair, places]) => [pair, places.map((at, n) => at - (places[n - 1] ?? 0))]));
}
