/** Which values of a column stand for a missing answer: single ones, and ranges of numbers. */
interface Coded {
  missing: {
    values: readonly (string | number | boolean)[];
    /** null: without end. Both ends belong to it. */
    ranges: readonly { low: number | null; high: number | null }[];
  };
}

export function isCode(value: unknown, { missing: { values, ranges } }: Coded): boolean {
  if (values.some((code) => code === value)) return true;
  if (typeof value !== 'number') return false;
  return ranges.some(({ low, high }) => value >= (low ?? -Infinity) && value <= (high ?? Infinity));
}
