/**
 * The list of works below a report. GB/T 7714: numbered, in the order of the method. APA 7: no numbers, hanging indent, by
 * author, year and title; works in Chinese stand first, by pinyin, as Chinese journals that follow APA have it.
 */
import type { Reference } from '../../generated/contract.ts';
import type { Presentation } from './presentation.ts';

export type Cite = Presentation['cite'];

export interface CitedWork {
  key: string;
  /** With the marks of italics. */
  text: string;
}

/** The works whose procedures a text names: in its words for them, or else by the family names of their authors. */
export function namedWorks(list: readonly Reference[], text: string): Reference[] {
  return list.filter((work) => wordsFor(work).some((word) => hasWord(text, word)));
}

/** Of an author, without the last dot: J, M. B, J.-P, Jr. */
const INITIALS = /^(?:\p{Lu}\.?[ -]?)+$|^Jr$/u;

/** Reports from before works had words of their own have authors only. */
function wordsFor({ named, apa }: Partial<Pick<Reference, 'named'>> & Reference): string[] {
  if (named !== undefined && named.length > 0) return named;
  const authors = apa.slice(0, apa.search(/ ?\(\d{4}\)/u));
  return authors
    .split(/[,，、&]/u)
    .map((part) => part.trim().replace(/\.$/, ''))
    .filter((part) => part !== '' && !INITIALS.test(part));
}

/** As a word: West is not in Western. Words of 汉字 have no ends. */
function hasWord(text: string, word: string): boolean {
  const letter = /[\p{Script=Latin}\p{Script=Greek}]/u;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + word.length] ?? ''];
    if (!(letter.test(word[0] ?? '') && letter.test(before)) && !(letter.test(word.at(-1) ?? '') && letter.test(after)))
      return true;
  }
  return false;
}

const BY_PINYIN = new Intl.Collator('zh-Hans-u-co-pinyin', { sensitivity: 'base', ignorePunctuation: true });
const BY_LETTERS = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });
const isChinese = (text: string): boolean => /^\p{Script=Han}/u.test(text);

export function citedWorks(list: readonly Reference[], cite: Cite): CitedWork[] {
  return cite === 'gbt' ? list.map((work) => ({ key: work.key, text: withDoi(work.gbt, work) })) : byAuthor(list);
}

function withDoi(text: string, { doi }: Reference): string {
  return doi === null || text.includes(doi) ? text : `${text} DOI: ${doi}`;
}

interface Sorted extends CitedWork {
  authors: string;
  year: string;
  title: string;
}

function byAuthor(list: readonly Reference[]): CitedWork[] {
  const sorted = list.map(partsOf).sort(inOrder);
  return sorted.map(({ key, text, authors, year }) => {
    // Two works of the same authors and year are told apart by letters: 1974a, 1974b.
    const alike = sorted.filter((one) => one.authors === authors && one.year === year);
    const letter = String.fromCodePoint(97 + alike.findIndex((one) => one.key === key));
    return { key, text: alike.length === 1 ? text : text.replace(`(${year})`, `(${year}${letter})`) };
  });
}

function partsOf(work: Reference): Sorted {
  const text = withDoi(work.apa, work);
  const [, authors = text, year = '', title = ''] = /^(.*?) ?\((\d{4})\)\. ?(.*)$/su.exec(text) ?? [];
  return { key: work.key, text, authors, year, title: title.replaceAll('*', '').replace(/^(?:The|An?) /, '') };
}

function inOrder(a: Sorted, b: Sorted): number {
  const chinese = isChinese(a.text);
  if (chinese !== isChinese(b.text)) return chinese ? -1 : 1;
  const { compare } = chinese ? BY_PINYIN : BY_LETTERS;
  return byNames(a.authors, b.authors, compare) || a.year.localeCompare(b.year) || compare(a.title, b.title);
}

/** Name by name, and letters before initials: Brown, J. before Browning, A. R.; one author before the same with others. */
function byNames(a: string, b: string, compare: (x: string, y: string) => number): number {
  const names = (text: string): string[] => text.split(/[,，、&]+/).map((part) => part.trim());
  const [left, right] = [names(a), names(b)].map((list) => list.filter((part) => part !== ''));
  for (let i = 0; i < Math.max(left?.length ?? 0, right?.length ?? 0); i += 1) {
    const order = compare(left?.[i] ?? '', right?.[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
