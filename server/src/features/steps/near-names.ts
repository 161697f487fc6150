/** Names that are written almost alike: 性别 and 性 别, 总分 and 总得分. */

const SHOWN = 3;
const LEAST = 0.4;
/** Beyond so many names nobody reads proposals any more. */
const ASKED_MOST = 100;

const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-–—.·。、，,:：()[\]【】“”"']+/gu, '');

/** Characters and pairs of neighbours: pairs alone would not see that a letter was put between. */
function piecesOf(name: string): Set<string> {
  const letters = Array.from(plain(name));
  return new Set([...letters, ...letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`)]);
}

interface Candidate {
  id: string;
  name: string;
  label: string | null;
}

/** For each name the candidates nearest to it by name or label, nearest first; the first hundred names only. */
export function nearNames<C extends Candidate>(names: readonly string[], candidates: readonly C[]): Map<string, C[]> {
  const sizes = new Map<number, number>();
  const holders = new Map<string, number[]>();
  const words = candidates.flatMap((candidate, at) =>
    [candidate.name, candidate.label ?? ''].filter(Boolean).map((word) => ({ at, word })),
  );
  words.forEach(({ word }, place) => {
    const pieces = piecesOf(word);
    sizes.set(place, pieces.size);
    for (const piece of pieces) {
      const places = holders.get(piece);
      if (places) places.push(place);
      else holders.set(piece, [place]);
    }
  });
  return new Map(
    names.slice(0, ASKED_MOST).map((name) => {
      const pieces = piecesOf(name);
      const shared = new Map<number, number>();
      for (const piece of pieces)
        for (const place of holders.get(piece) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
      const likeness = new Map<number, number>();
      for (const [place, common] of shared) {
        const at = words[place]?.at ?? 0;
        const alike = (2 * common) / (pieces.size + (sizes.get(place) ?? 0));
        likeness.set(at, Math.max(alike, likeness.get(at) ?? 0));
      }
      const near = [...likeness]
        .filter(([, alike]) => alike >= LEAST)
        .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, SHOWN);
      return [name, near.flatMap(([at]) => candidates[at] ?? [])];
    }),
  );
}
