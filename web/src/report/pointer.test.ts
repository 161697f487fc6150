import { expect, test } from 'vitest';

import { createPointer, isAbout } from './pointer.ts';

const row = { from: 'row' as const, table: 'result', row: 1, words: ['专业', '文学'] };

test('a mark is about a row when it comes from it, or when all its words stand in it', () => {
  expect(isAbout(row, 'result', 1, [])).toBe(true);
  expect(isAbout(row, 'bars', 7, ['文学', '专业'])).toBe(true);
  expect(isAbout(row, 'bars', 1, ['文学', '年级'])).toBe(false);
  expect(isAbout(row, 'bars', undefined, [])).toBe(false);
});

test('listeners hear of changes until they leave', () => {
  const pointer = createPointer();
  let heard = 0;
  const leave = pointer.subscribe(() => {
    heard += 1;
  });
  pointer.set(row);
  pointer.set(row);
  expect(heard).toBe(1);
  leave();
  pointer.set(null);
  expect(heard).toBe(1);
  expect(pointer.get()).toBeNull();
});
