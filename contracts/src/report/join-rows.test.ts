import { expect, test } from 'vitest';

import { MAIN } from '../testing/reports.ts';
import { joinRows } from './join-rows.ts';

test('a page goes to the end of the table; totals and marks move with their rows', () => {
  const table = { ...MAIN, rows: MAIN.rows.slice(0, 1), depth: [], totals: [], marks: { '0,1': 'a' } };
  const page = { rows: MAIN.rows.slice(1), depth: MAIN.rows.slice(1).map(() => 1), totals: [0], marks: { '0,2': 'b' } };
  const joined = joinRows(table, page);
  expect(joined.rows).toEqual(MAIN.rows);
  expect(joined.depth).toEqual([0, ...page.depth]);
  expect(joined.totals).toEqual([1]);
  expect(joined.marks).toEqual({ '0,1': 'a', '1,2': 'b' });
  expect(joinRows(joined, { rows: [], depth: [], totals: [], marks: {} })).toEqual(joined);
});
