/** What becomes of the marks of one answer: plain rules, no database. */
import type { Code } from './schema.ts';
import type { AnswerRow, Marks } from './tables.ts';

export type Marked = Pick<AnswerRow, 'at' | 'codes' | 'byHand' | 'rejected' | 'suggested' | 'likely'>;

export interface Change {
  on: readonly number[];
  off: readonly number[];
  /** Suggestions at this probability or more are taken; null: none. */
  accept: number | null;
}

export const marksOf = ({ at, codes, byHand, rejected }: Marked): Marks => [at, codes, byHand, rejected];

/** Codes in use that stand alone: who gave one has decided on every other. */
export const loneIn = (codes: Iterable<Code>): number[] =>
  [...codes].flatMap(({ id, kind, gone }) => (!gone && (kind === 'unclear' || kind === 'invalid') ? [id] : []));

/** Suggestions nobody has decided on, of codes that are in use. */
export function openSuggestions(answer: Marked, book: ReadonlyMap<number, Code>): { code: number; p: number }[] {
  // A suggestion never puts out what a person has said.
  const lone = loneIn(book.values());
  if (answer.codes.some((id) => lone.includes(id))) return [];
  return answer.suggested.flatMap((code, i) => {
    const isDecided = answer.codes.includes(code) || answer.rejected.includes(code);
    return isDecided || (book.get(code)?.gone ?? true) ? [] : [{ code, p: answer.likely[i] ?? 0 }];
  });
}

const without = (list: readonly number[], gone: readonly number[]): number[] => list.filter((id) => !gone.includes(id));
const union = (list: readonly number[], more: readonly number[]): number[] =>
  [...new Set([...list, ...more])].toSorted((a, b) => a - b);

/** 无法归类 and 无效 stand alone: one of them takes all others away, and any other takes them away. */
function alone(codes: number[], added: readonly number[], book: ReadonlyMap<number, Code>): number[] {
  const isLone = (id: number): boolean => ['unclear', 'invalid'].includes(book.get(id)?.kind ?? 'plain');
  const lone = added.findLast(isLone);
  if (lone !== undefined) return codes.filter((id) => id === lone || (book.get(id)?.gone ?? true));
  return added.length > 0 ? codes.filter((id) => !isLone(id)) : codes;
}

/** The marks afterwards; null where nothing changes. */
export function changed(answer: Marked, { on, off, accept }: Change, book: ReadonlyMap<number, Code>): Marks | null {
  const open = openSuggestions(answer, book);
  const taken = accept === null ? [] : open.filter(({ p }) => p >= accept - 1e-6).map(({ code }) => code);
  const added = without([...on, ...taken], off);
  const codes = alone(without(union(answer.codes, added), off), added, book);
  const fresh = without(on, [...answer.codes, ...answer.suggested]);
  const byHand = union(answer.byHand, fresh).filter((id) => codes.includes(id));
  const refused = off.filter((id) => answer.suggested.includes(id));
  const rejected = without(union(answer.rejected, refused), added);
  const next: Marks = [answer.at, codes, byHand, rejected];
  return JSON.stringify(next) === JSON.stringify(marksOf(answer)) ? null : next;
}

/** Every mark of `from` becomes one of `into`. */
export function merged(answer: Marked, from: number, into: number): Marks {
  const swap = (list: readonly number[]): number[] =>
    union(
      [],
      list.map((id) => (id === from ? into : id)),
    );
  const codes = swap(answer.codes);
  return [answer.at, codes, swap(answer.byHand), swap(answer.rejected).filter((id) => !codes.includes(id))];
}
