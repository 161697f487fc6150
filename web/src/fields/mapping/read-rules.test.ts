import { expect, test } from 'vitest';

import { column } from '../testing/harness.tsx';
import { unmapped, valuesOf } from './old-values.ts';
import { isFinished, readRules, readValues, reversed, writeRules } from './read-rules.ts';

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

test('old values are those that occur, of numbers as long as all are known; what no rule takes is told', () => {
  const top = [
    { value: 2, count: 3 },
    { value: 1, count: 5 },
  ];
  const score = column('c1', '得分', '定量', { profile: { n: 8, missing: 0, distinct: 2, top } });
  const wide = column('c2', '收入', '定量', { profile: { n: 80, missing: 0, distinct: 60, top } });
  expect(valuesOf([score]).map(({ value, count }) => [value, count])).toEqual([
    [1, 5],
    [2, 3],
  ]);
  expect(valuesOf([wide])).toEqual([]);
  const rules = readRules([{ old: { low: 2, high: null, open: 'low' }, new: 9 }]);
  expect(unmapped(rules, valuesOf([score])).map(({ value }) => value)).toEqual([1, 2]);
  expect(unmapped(readRules([{ old: [1, 2], new: 9 }]), valuesOf([score]))).toEqual([]);
});

test('a line just added takes nothing yet', () => {
  const [line] = readRules(writeRules([{ old: { is: 'values', values: [] }, new: { is: 'missing' }, label: '' }]));
  expect(line?.old).toEqual({ is: 'values', values: [] });
  expect([isFinished(line!), isFinished({ ...line!, old: { is: 'missing' } })]).toEqual([false, true]);
});
