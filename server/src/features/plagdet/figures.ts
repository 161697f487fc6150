/** Every figure of a report, from what stands where and what its author says of it. One place for screen and export. */
import { LEFT_OUT } from './schema.ts';
import type { Claims, Figures, Source, StoredReport } from './schema.ts';

type Match = StoredReport['matches'][number];
interface Numbered {
  match: Match;
  no: number;
}

/** A set of characters. */
class Marks {
  readonly #at: Uint8Array;
  constructor(size: number) {
    this.#at = new Uint8Array(size);
  }
  add({ span: [, , from, to] }: { span: StoredReport['matches'][number]['span'] }): this {
    this.#at.fill(1, from, to);
    return this;
  }
  has = (place: number): boolean => this.#at[place] === 1;
}

const marksOf = (size: number, list: Iterable<{ span: Match['span'] }>): Marks => {
  const marks = new Marks(size);
  for (const one of list) marks.add(one);
  return marks;
};

function countWhere(size: number, holds: (place: number) => boolean): number {
  let n = 0;
  for (let place = 0; place < size; place += 1) if (holds(place)) n += 1;
  return n;
}

/** `living`: the documents that are still in the library. */
export function livingMatches({ matches }: StoredReport, living: ReadonlySet<number>): Numbered[] {
  return matches.map((match, no) => ({ match, no })).filter(({ match }) => living.has(match.document));
}

export function figuresOf(report: StoredReport, claims: Claims, living: ReadonlySet<number>): Figures {
  const size = report.characters;
  const found = livingMatches(report, living);
  const of = (kind: Match['kind']) => found.filter(({ match }) => match.kind === kind).map(({ match }) => match);
  const part = (kind: string) =>
    marksOf(
      size,
      report.parts.filter((one) => one.kind === kind),
    );
  const leftOut = LEFT_OUT.filter((kind) => !claims.count.includes(kind));
  const out = marksOf(
    size,
    report.parts.filter(({ kind }) => leftOut.some((one) => one === kind)),
  );
  const quoted = new Set(claims.quoted);
  const quotation = part('quotation');
  for (const { match, no } of found) if (quoted.has(no)) quotation.add(match);
  const same = marksOf(size, of('same'));
  const similar = marksOf(size, of('similar'));
  const common = marksOf(size, of('common'));
  const own = new Set(claims.own);
  const foreign = marksOf(
    size,
    of('same').filter(({ document }) => !own.has(document)),
  );
  const count = (holds: (place: number) => boolean) => countWhere(size, (place) => !out.has(place) && holds(place));
  const isSame = (place: number): boolean => same.has(place);
  const isSimilar = (place: number): boolean => similar.has(place) && !same.has(place);
  const [largest] = sourcesOf(report, claims, living, () => '');
  return {
    characters: size,
    counted: count(() => true),
    left_out: Object.fromEntries(
      leftOut.map((kind) => [kind, countWhere(size, part(kind).has)]).filter(([, n]) => n !== 0),
    ),
    same: count(isSame),
    similar: count(isSimilar),
    common: count((place) => common.has(place) && !isSame(place) && !isSimilar(place)),
    quoted: count(quotation.has),
    same_unquoted: count((place) => isSame(place) && !quotation.has(place)),
    same_foreign: count(foreign.has),
    largest: largest && largest.same > 0 ? { document: largest.document, same: largest.same } : null,
  };
}

/** By what they share; the same characters may be in several, so these do not add up. */
export function sourcesOf(
  report: StoredReport,
  claims: Claims,
  living: ReadonlySet<number>,
  nameOf: (document: number) => string,
): Source[] {
  const size = report.characters;
  const out = marksOf(
    size,
    report.parts.filter(({ kind }) => LEFT_OUT.some((one) => one === kind && !claims.count.includes(one))),
  );
  const countedBefore = new Uint32Array(size + 1);
  for (let place = 0; place < size; place += 1)
    countedBefore[place + 1] = (countedBefore[place] ?? 0) + (out.has(place) ? 0 : 1);
  const byDocument = new Map<number, Match[]>();
  for (const { match } of livingMatches(report, living)) {
    const list = byDocument.get(match.document);
    if (list) list.push(match);
    else byDocument.set(match.document, [match]);
  }
  const sources: Source[] = [];
  for (const [document, list] of byDocument) {
    const passages = list.filter(({ kind }) => kind !== 'common');
    if (passages.length === 0) continue;
    const same = reach(
      list.filter(({ kind }) => kind === 'same'),
      countedBefore,
    );
    sources.push({
      document,
      name: nameOf(document),
      same,
      // Those that are not the same anyway.
      similar: reach(passages, countedBefore) - same,
      passages: new Set(passages.map(({ chain }) => chain)).size,
      is_own: claims.own.includes(document),
    });
  }
  return sources.toSorted((a, b) => b.same - a.same || b.similar - a.similar || a.document - b.document);
}

/** How many characters that count some passages cover together. */
function reach(list: readonly Match[], countedBefore: Uint32Array): number {
  let [sum, reached] = [0, 0];
  for (const { span } of list.toSorted((a, b) => a.span[2] - b.span[2])) {
    const [from, to] = [Math.max(span[2], reached), span[3]];
    if (to <= from) continue;
    sum += (countedBefore[to] ?? 0) - (countedBefore[from] ?? 0);
    reached = to;
  }
  return sum;
}
