/**
 * Numbers that name a case instead of measuring something: called so, running through the table, or built like the number
 * of an account. Never what is called a quantity. What the engine is sure of at the import it marks itself
 * (engine/hengxi/data/identifiers.py, which has the signs of names).
 */
import { MEASURED, NAMED } from '@hengxi/contracts/generated/identifiers.ts';
import type { Column } from './schema.ts';

/** What is known to be something else: a code already, or how and when somebody answered. */
export const NO_IDS = ['标识', '用时', '答题时间', 'IP'];

const CASES_LEAST = 20;
/** Left out numbers of a list: people who withdrew. */
const GAPS = 1.05;
const ACCOUNT_DIGITS = 8;
const SAME_DIGITS = 3;

export function identifiers(columns: Column[]): Column[] {
  return columns.filter((column) => {
    const { n, distinct, unique, whole, min, max } = column.profile;
    if (column.measure !== '定量' || column.flags.some((flag) => NO_IDS.includes(flag)) || !whole || n < CASES_LEAST)
      return false;
    if (typeof column.clock === 'string' || (!unique && distinct < n)) return false;
    if (typeof min !== 'number' || typeof max !== 'number' || min < 0) return false;
    const name = `${column.name} ${column.label ?? ''}`;
    if (NAMED.test(name)) return true;
    return !MEASURED.test(name) && (isRunning(min, max, n) || isAccount(min, max));
  });
}

/** One after the other; the years of a series are no codes. */
const isRunning = (min: number, max: number, n: number): boolean =>
  max - min + 1 <= n * GAPS && !(min >= 1800 && max <= 2200);

/** All as long as the number of an account, and alike where such numbers are: 13912345678, 20210034, 53010211. */
function isAccount(min: number, max: number): boolean {
  const [low, high] = [String(min), String(max)];
  if (low.length !== high.length || low.length < ACCOUNT_DIGITS || !/^\d+$/.test(low)) return false;
  if (low.length === 11 && low.startsWith('1')) return true;
  const year = [low, high].every((text) => Number(text.slice(0, 4)) >= 1980 && Number(text.slice(0, 4)) <= 2050);
  return year || low.slice(0, SAME_DIGITS) === high.slice(0, SAME_DIGITS);
}
