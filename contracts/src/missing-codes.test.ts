import { expect, test } from 'vitest';
import { isCode } from './missing-codes.ts';

test('a value is a code by itself or in a range with both ends, texts by themselves only', () => {
  const missing = {
    values: [9, '拒答', '5'],
    ranges: [
      { low: null, high: -1 },
      { low: 97, high: 99 },
    ],
  };
  const codes = [9, '拒答', '5', -1, -100, 97, 98.5, 99];
  expect(codes.filter((value) => isCode(value, { missing }))).toEqual(codes);
  const answers = [5, '9', '98', 0, 96.9, 99.1, null, undefined, Number.NaN, true];
  expect(answers.filter((value) => isCode(value, { missing }))).toEqual([]);
});
