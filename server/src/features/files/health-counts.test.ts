/** Suspicions in what the list tells: counted where that is quick, and never a reason to fail. */
import { expect, test } from 'vitest';
import { column } from '../../testing/tables.ts';
import type { Tables } from './engine.ts';
import { findingsOf } from './health-counts.ts';
import { Column } from './schema.ts';

const profile = { n: 90, missing: 0, distinct: 5, min: 1, max: 5 };
const columns = Array.from({ length: 12 }, (_, at) =>
  Column.parse(column(`c${at + 1}`, `Q${at + 1}`, { storage: 'int', flags: ['量表'], profile })),
);

async function told(rows: number, count: () => Promise<{ count: number; total: number }>): Promise<string[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of the engine here
  const tables = { count } as unknown as Tables;
  const findings = await findingsOf(tables, { key: 't', columns, rows, sets: [] });
  return findings.map(({ code }) => code);
}

test('a suspicion is told with its count, and not where it concerns no row', async () => {
  expect(await told(90, async () => ({ count: 3, total: 90 }))).toContain('repeated');
  expect(await told(90, async () => ({ count: 0, total: 90 }))).not.toContain('repeated');
});

test('a suspicion that cannot be counted is left out, and one of a large table is not counted', async () => {
  const proven = await told(90, async () => ({ count: 0, total: 90 }));
  expect(await told(90, () => Promise.reject(new Error('the engine is away')))).toEqual(proven);
  let asked = 0;
  const large = await told(1_000_000, async () => ({ count: (asked += 1), total: 1_000_000 }));
  expect([asked, large.includes('repeated')]).toEqual([0, false]);
});
