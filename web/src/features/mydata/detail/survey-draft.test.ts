import { expect, test } from 'vitest';

import { changedDimension, draftFault, plainOf, withDimension, withMatrix } from './survey-draft.ts';

const A = { id: 'd1', name: '维度1', columns: ['c1', 'c2', 'c3'], reversed: ['c3'], low: 1, high: 5 };
const KEPT = { dimensions: [A], matrices: [], background: ['c9'] };

test('a new dimension has a number and a name of its own', () => {
  const next = withDimension({ ...KEPT, dimensions: [{ ...A, id: 'd2' }] }, ['c7', 'c8']);
  expect(next.dimensions.at(-1)).toEqual({
    id: 'd1',
    name: '维度2',
    columns: ['c7', 'c8'],
    reversed: [],
    low: 1,
    high: 5,
  });
  expect(withMatrix(KEPT, []).matrices).toEqual([{ id: 'm1', name: '矩阵题1', columns: [] }]);
});

test('an item taken out is reversed no more', () => {
  expect(changedDimension(KEPT, 'd1', { columns: ['c1', 'c2'] }).dimensions[0]?.reversed).toEqual([]);
});

test('what was proposed is kept without its reasons', () => {
  const proposed = { ...KEPT, dimensions: [{ ...A, against: [{ column: 'c3', r: -0.2 }] }] };
  expect(plainOf(proposed)).toEqual(KEPT);
});

test.each([
  ['没有名称', { ...KEPT, dimensions: [{ ...A, name: ' ' }] }],
  ['都叫“维度1”', { ...KEPT, dimensions: [A, { ...A, id: 'd2' }] }],
  ['至少要有 2 题', { ...KEPT, matrices: [{ id: 'm1', name: '评价', columns: ['c1'] }] }],
  ['必须小于', { ...KEPT, dimensions: [{ ...A, low: 5 }] }],
])('cannot be saved: %s', (words, draft) => {
  expect(draftFault(draft)).toContain(words);
  expect(draftFault(KEPT)).toBeNull();
});
