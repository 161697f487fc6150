import { tableText } from '@hengxi/contracts/table-text';
import { column, table } from '@hengxi/contracts/testing/reports';
import { expect, test } from 'vitest';
import { planParts, ROOM } from './docx-table.ts';

function parts(columns: number) {
  const keys = Array.from({ length: columns }, (_, i) => column(`统计量${i}`));
  const rows = [0, 1].map((r) => [`行${r}`, ...keys.map((_, i) => 10_000.5 + r + i / 8)]);
  return planParts(tableText(table('t', [column('组别', 'text'), ...keys], rows)));
}

test('a table that fits no page stands in parts whose numbers have the room they need', () => {
  expect(parts(6)).toHaveLength(1);
  const many = parts(40);
  expect(many.length).toBeGreaterThan(1);
  for (const { grid, plan } of many) {
    expect(plan).toMatchObject({ size: 7.5 });
    expect(plan.columns).toHaveLength(grid.columns);
    expect(plan.columns.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(ROOM);
    // "10000.50" in 7.5 points is about 30 points wide; twenty twips are a point.
    expect(Math.min(...plan.columns.slice(1))).toBeGreaterThan(30 * 20);
  }
});
