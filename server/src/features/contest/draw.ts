/**
 * Who scores what: by lot with a stored seed, evenly, and so that all papers hang together through their judges. The first
 * two papers of the lot are scored by every judge who may, before anything else.
 */
import { randomInt } from 'node:crypto';

export interface Paper {
  id: number;
  /** Institutions of its authors and their tutor, people who must not judge it, names of its tutor. */
  schools: readonly string[];
  users: readonly number[];
  tutor: string | null;
}
export interface Judge {
  id: number;
  userId: number;
  name: string;
  school: string;
}

export const JUDGES_EACH = 3;
export const CALIBRATIONS = 2;
/** Points between the highest and the lowest score beyond which somebody else reads it, too. */
export const SPREAD = 20;
const TRIES = 200;

/** 某某 大学 and 某某大学 are one. */
export const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s·•.,，。()（）-]/g, '')
    .toLowerCase();

/** Why a judge must not score a paper; null: may. */
export function conflictOf(paper: Paper, judge: Judge): string | null {
  if (paper.users.includes(judge.userId)) return '评委是该队成员';
  if (paper.schools.some((school) => plain(school) === plain(judge.school))) return '评委与该队或其指导教师同一单位';
  if (paper.tutor !== null && plain(paper.tutor) === plain(judge.name)) return '评委是该队的指导教师';
  return null;
}

/** Mulberry32: the same seed gives the same lots on every machine. */
export function lots(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [list[at], list[other]] = [list[other] as T, list[at] as T];
  }
  return list;
}

export const newSeed = (): number => randomInt(2 ** 31);

interface Pair {
  paper: number;
  judge: number;
  isCalibration: boolean;
}

/** Whether every paper can be reached from every other one through judges they share. */
export function hangsTogether(pairs: readonly Pick<Pair, 'paper' | 'judge'>[]): boolean {
  const parent = new Map<string, string>();
  const rootOf = (node: string): string => {
    let at = node;
    for (let up = parent.get(at) ?? at; up !== at; up = parent.get(at) ?? at) at = up;
    return at;
  };
  for (const { paper, judge } of pairs) {
    const [a, b] = [rootOf(`p${paper}`), rootOf(`j${judge}`)];
    parent.set(a, b);
    if (!parent.has(b)) parent.set(b, b);
  }
  return new Set([...parent.keys()].filter((node) => node.startsWith('p')).map(rootOf)).size <= 1;
}

export class DrawFault extends Error {
  readonly paper: number;
  constructor(paper: number) {
    super('Too few judges may score a paper');
    this.paper = paper;
  }
}

function drawOnce(papers: readonly Paper[], judges: readonly Judge[], seed: number): Pair[] {
  const next = lots(seed);
  const load = new Map(judges.map(({ id }) => [id, 0]));
  const pairs: Pair[] = [];
  const give = (paper: number, judge: number, isCalibration: boolean): void => {
    pairs.push({ paper, judge, isCalibration });
    load.set(judge, (load.get(judge) ?? 0) + 1);
  };
  const order = shuffled(papers, next);
  const common = order.slice(0, CALIBRATIONS);
  for (const paper of common)
    for (const judge of judges) if (conflictOf(paper, judge) === null) give(paper.id, judge.id, true);
  const taken = new Map<number, Set<number>>();
  // One judge for every paper, then the next one: nobody is left with what the others do not want.
  for (let round = 0; round < JUDGES_EACH; round += 1)
    for (const paper of shuffled(order.slice(CALIBRATIONS), next)) {
      const own = taken.get(paper.id) ?? new Set<number>();
      const free = judges.filter((judge) => !own.has(judge.id) && conflictOf(paper, judge) === null);
      const least = Math.min(...free.map(({ id }) => load.get(id) ?? 0));
      const [judge] = shuffled(
        free.filter(({ id }) => load.get(id) === least),
        next,
      );
      if (!judge) throw new DrawFault(paper.id);
      own.add(judge.id);
      taken.set(paper.id, own);
      give(paper.id, judge.id, false);
    }
  return pairs;
}

/** Throws a DrawFault for a paper that three judges may not score. */
export function draw(
  papers: readonly Paper[],
  judges: readonly Judge[],
  seed: number,
): { pairs: Pair[]; seed: number } {
  for (const paper of papers)
    if (judges.filter((judge) => conflictOf(paper, judge) === null).length < JUDGES_EACH) throw new DrawFault(paper.id);
  let used = seed;
  for (let tries = 0; ; tries += 1) {
    const pairs = drawOnce(papers, judges, used);
    if (hangsTogether(pairs) || tries === TRIES) return { pairs, seed: used };
    used = (used + 1) >>> 0;
  }
}
