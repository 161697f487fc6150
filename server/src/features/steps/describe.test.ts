import { expect, test } from 'vitest';
import type { Column } from '../files/schema.ts';
import { cellsStep } from './describe.ts';

const column = (id: string, clock?: string) =>
  ({ id, name: id, missing: { values: [99], ranges: [] }, ...(clock ? { clock } : {}) }) as unknown as Column;

test('cells of times are told as times, codes for a missing answer and other numbers as they are', () => {
  const cells = [
    { row: 1, column: 't', old: 30_675, new: 32_700 },
    { row: 2, column: 't', old: 99, new: null },
    { row: 3, column: 'n', old: 60, new: 61 },
  ];
  expect(cellsStep(cells, [column('t', 'TIME8'), column('n')], {}).changes).toEqual([
    '第 2 行“t”由 08:31:15 改为 09:05:00',
    '第 3 行“t”由 99 改为 缺失',
    '第 4 行“n”由 60 改为 61',
  ]);
});
