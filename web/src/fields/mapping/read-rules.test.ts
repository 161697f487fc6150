import { expect, test } from 'vitest';

import { insertColumn } from '../formula/formula-field.tsx';
import { readRules, readValues, reversed, writeRules } from './read-rules.ts';

const WIRE = [
  { old: 3, new: 1, label: '低' },
  { old: [1, '乙'], new: 'x' },
  { old: { low: null, high: 5, open: 'high' }, new: null },
  { old: { missing: true }, new: { copy: true } },
];

test('rules travel as the contract has them', () => expect(writeRules(readRules(WIRE))).toEqual(WIRE));

test('typed values', () => expect(readValues('1，２、甲')).toEqual([1, 2, '甲']));

test('reverse scoring', () => {
  expect(writeRules(reversed([1, 2, 5]))).toEqual([
    { old: 1, new: 5 },
    { old: 2, new: 4 },
    { old: 5, new: 1 },
  ]);
});

test('a column is put where the cursor is', () => {
  expect(insertColumn('2*', 2, 'c3')).toBe('2*{c3}');
  expect(insertColumn('{c1}', 4, 'c3')).toBe('{c1} {c3}');
});
