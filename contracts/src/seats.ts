/** What seats of an enterprise cost, in whole fen, and the check character of a unified social credit code. */

/** Seats of one order. */
export const SEATS_MIN = 3;
export const SEATS_MAX = 2000;

const DAY_MS = 86_400_000;
const OFFSET_MS = 8 * 3_600_000;

/** Number of the calendar day in China. */
function dayNumber(at: Date): number {
  return Math.floor((at.getTime() + OFFSET_MS) / DAY_MS);
}

/** Calendar days from one instant to another, counted in UTC+8; today to tomorrow is 1. */
export function calendarDays(from: Date, to: Date): number {
  return dayNumber(to) - dayNumber(from);
}

export interface Term {
  from: Date;
  to: Date;
}

/**
 * Seats added in the middle of a term: floor(fee * seats * days left / days of the term).
 * `fee` is fen for one seat and one term. Throws RangeError outside the term or for numbers that are not whole.
 */
export function priceOfMoreSeats(fee: number, seats: number, term: Term, now: Date): number {
  const [days, left] = [calendarDays(term.from, term.to), calendarDays(now, term.to)];
  if (![fee, seats].every(Number.isInteger) || fee < 0 || fee > 100_000_000 || seats < 1 || seats > SEATS_MAX)
    throw new RangeError(`fee ${fee}, seats ${seats}`);
  if (days < 1 || left < 0 || left > days) throw new RangeError(`${left} of ${days} days`);
  // At most 10^8 * 2000 * 366, below 2^53: the remainder is exact where a quotient would be rounded.
  const product = fee * seats * left;
  return (product - (product % days)) / days;
}

const ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** Whether a text is a unified social credit code: 18 characters, the last of which checks the others (GB 32100-2015). */
export function isCreditCode(text: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{18}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * ALPHABET.indexOf(text[i] ?? ''), 0);
  return ALPHABET[(31 - (sum % 31)) % 31] === text[17];
}
