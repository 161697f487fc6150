/** Powers as they are written on paper: X² instead of X^2. The engine reads both. */
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export const raised = (digits: string): string => digits.replaceAll(/\d/gu, (digit) => RAISED[Number(digit)] ?? digit);

/** What stands after typing: in power mode new digits are raised; `^` begins a power and is not written itself. */
export interface Typed {
  text: string;
  caret: number;
  power: boolean;
}

export function typed(before: string, after: string, caret: number, power: boolean): Typed {
  const grown = after.length - before.length;
  const from = caret - grown;
  const isInsert = grown > 0 && from >= 0 && after.slice(0, from) === before.slice(0, from);
  if (!isInsert) return { text: after, caret, power: grown < 0 ? power : false };
  const piece = after.slice(from, caret);
  const rest = after.slice(caret);
  const head = after.slice(0, from);
  if (piece === '^') return { text: head + rest, caret: from, power: true };
  if (!power) return { text: after, caret, power: false };
  if (/^\d+$/u.test(piece)) return { text: head + raised(piece) + rest, caret: from + piece.length, power: true };
  // A power that is no whole number is written with its sign: X^(1/2), X^0.5, X^Y.
  const isWritten = RAISED.includes(head.at(-1) ?? ' ') || !/^[\p{L}(（.]/u.test(piece);
  const made = isWritten ? piece : `^${piece}`;
  return { text: head + made + rest, caret: from + made.length, power: false };
}

/** One step of 删除: the last name, function with its bracket, number or sign before the caret. */
export function withoutLast(text: string, caret: number): { text: string; caret: number } {
  const head = text.slice(0, caret);
  const token = /(?:[\p{L}_][\p{L}\p{Nd}_]*\(?|[<>]=|\s+|.)$/u.exec(head.replace(/\s+$/u, ''))?.[0] ?? '';
  const end = head.replace(/\s+$/u, '').length - token.length;
  return { text: text.slice(0, Math.max(0, end)) + text.slice(caret), caret: Math.max(0, end) };
}
