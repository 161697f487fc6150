/** Which key gives which code: digits first, then the letters above the home row; the three fixed codes have their own. */
import type { Code } from '@hengxi/server/answer-coding/schema';

const PLAIN = [...'1234567890qwertyuiop'];
const FIXED = { other: 'b', unclear: 'n', invalid: 'm' } as const;

/** Codes in use in the order they are shown: by heading as it first comes, the fixed ones last. */
export function shownCodes(codes: readonly Code[]): Code[] {
  const used = codes.filter(({ gone }) => !gone);
  const plain = used.filter(({ kind }) => kind === 'plain');
  const groups = [...new Set(plain.map(({ group }) => group))];
  return [
    ...groups.flatMap((group) => plain.filter((one) => one.group === group)),
    ...used.filter(({ kind }) => kind !== 'plain'),
  ];
}

/** Code → key; codes beyond the keys have none. */
export function keysOf(codes: readonly Code[]): Map<number, string> {
  const keys = new Map<number, string>();
  let next = 0;
  for (const { id, kind } of shownCodes(codes)) {
    const key = kind === 'plain' ? PLAIN[next++] : FIXED[kind];
    if (key !== undefined) keys.set(id, key);
  }
  return keys;
}
