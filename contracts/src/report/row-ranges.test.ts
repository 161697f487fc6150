import { expect, test } from 'vitest';

import { POINT_ROWS, rowRanges, rowsCondition, rowsConditionText, rowsText } from './row-ranges.ts';

test('neighbouring rows are one range, in any order and however often they are named', () => {
  expect(rowRanges([7, 3, 6, 5, 5])).toEqual([
    [3, 3],
    [5, 7],
  ]);
  expect(rowsText([7, 3, 6, 5])).toBe('第 3、5–7 行');
  expect(rowsText([12])).toBe('第 12 行');
});

test('a condition says the same rows, and is read again as words', () => {
  const condition = rowsCondition([3, 9, 56, 57, 58]);
  expect(condition).toBe('rownum() in (3, 9) or between(rownum(), 56, 58)');
  expect(rowsConditionText(condition)).toBe('第 3、9、56–58 行');
  expect(rowsConditionText(rowsCondition([4]))).toBe('第 4 行');
  expect(rowsConditionText('missing({c1})')).toBeNull();
});

test('of very many rows the first are named and the words say that there are others', () => {
  const rows = Array.from({ length: POINT_ROWS + 1 }, (_, i) => i + 1);
  expect(rowsText(rows)).toBe(`第 1–${POINT_ROWS} 行等`);
  expect(rowsCondition(rows)).toBe(`between(rownum(), 1, ${POINT_ROWS})`);
});
