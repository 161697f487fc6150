import { describe, expect, test } from 'vitest';

import { all, moveBy, NOTHING, pick } from './selection.ts';

describe('selecting', () => {
  const order = ['a', 'b', 'c', 'd'];
  test('Ctrl adds, Shift extends from the anchor, always in the order of the list', () => {
    const first = pick(NOTHING, order, 'c', 'only');
    expect(pick(first, order, 'a', 'toggle').ids).toEqual(['a', 'c']);
    expect(pick(first, order, 'a', 'range').ids).toEqual(['a', 'b', 'c']);
    expect(pick(pick(first, order, 'a', 'range'), order, 'd', 'range').ids).toEqual(['c', 'd']);
  });
  test('arrows', () => {
    expect(moveBy(NOTHING, order, 1, false).ids).toEqual(['a']);
    expect(moveBy(pick(NOTHING, order, 'b', 'only'), order, 1, true).ids).toEqual(['b', 'c']);
    expect(moveBy(pick(NOTHING, order, 'd', 'only'), order, 1, false).ids).toEqual(['d']);
    expect(all(order).ids).toEqual(order);
  });
});
