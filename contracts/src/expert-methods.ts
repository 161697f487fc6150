/** The methods that expert questionnaires are made for: the answers of a panel become a table that these read. */
export const EXPERT_METHODS = { delphi: 'evaluation/delphi', ahp: 'evaluation/ahp_pro' } as const;

/** From so many things on a regular design compares only a part. */
const MANY = 7;

/**
 * Whether two of n things are compared. A regular design compares each with its two neighbours on either side of a ring: 2n
 * comparisons, each thing in four of them, and all connected.
 */
export function isCompared(design: 'full' | 'regular', n: number, i: number, j: number): boolean {
  const apart = Math.abs(i - j);
  return design === 'full' || n < MANY || Math.min(apart, n - apart) <= 2;
}
