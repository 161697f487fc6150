/** A list of numbers as typed: commas, blanks, full-width signs, and `0:0.1:1` for a series. */
import { halfWidth, readNumber } from '../number/read-number.ts';

const MOST = 1000;

function series(text: string): number[] | null {
  const parts = text.split(':').map(readNumber);
  if (parts.some((part) => part === null)) return null;
  const [from, second, third] = parts.map((part) => part ?? 0);
  if (from === undefined || second === undefined) return null;
  const step = third === undefined ? 1 : second;
  const to = third ?? second;
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (step === 0 || count < 1 || count > MOST) return null;
  return Array.from({ length: count }, (_, at) => Number((from + at * step).toPrecision(12)));
}

/** null: some part is not a number. */
export function readNumbers(typed: string): number[] | null {
  const parts = halfWidth(typed)
    .split(/[\s,;、，；]+/u)
    .filter((part) => part !== '');
  const numbers: number[] = [];
  for (const part of parts) {
    const read = part.includes(':') ? series(part) : [readNumber(part)];
    if (read === null) return null;
    for (const one of read) {
      if (one === null) return null;
      numbers.push(one);
    }
  }
  return numbers;
}
