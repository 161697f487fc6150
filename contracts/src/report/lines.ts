/** Words broken where they hold a new line; lines of nothing are left out. */
import type { Token } from '../format.ts';

export function linesOf(words: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]];
  for (const token of words)
    for (const [i, text] of token.text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...token, text });
    }
  return lines.filter((line) => line.some((token) => token.text.trim() !== ''));
}
