/** 录入频数表: how large a table of counts typed by hand may be; the engine's `typed_counts.py` has the last word. */
export const TYPED_COUNTS = {
  factors: 3,
  levels: 200,
  cells: 4000,
  count: 1_000_000_000,
  name: 60,
  level: 100,
} as const;

/** What the column of counts is called, and the version is weighted by. */
export const COUNT_NAME = '频数';
