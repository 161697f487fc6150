/** Value labels copied from a codebook in Excel: a column of labels, or values with their labels. */
import type { Level } from '@hengxi/server/files/schema';

type Labelled = Pick<Level, 'value'> & { label: string };

const LONGEST = 500;

/** One column fills the labels from `at` down; two go to the values they name, wherever those stand. */
export function withPasted<One extends Labelled>(
  levels: readonly One[],
  at: number,
  block: readonly (readonly string[])[],
): { levels: One[]; left: number } {
  const isPaired = block.every((line) => line.length > 1);
  const places = isPaired ? new Map(levels.map((level, place) => [String(level.value), place])) : null;
  const next = [...levels];
  let left = 0;
  for (const [row, line] of block.entries()) {
    const place = places === null ? at + row : places.get((line[0] ?? '').trim());
    const level = place === undefined ? undefined : next[place];
    if (place === undefined || level === undefined) left += 1;
    else next[place] = { ...level, label: (line[isPaired ? 1 : 0] ?? '').trim().slice(0, LONGEST) };
  }
  return { levels: next, left };
}
