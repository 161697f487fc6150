import { expect, test } from 'vitest';
import { putsOff } from './money.ts';

test('counting gives way to a busy process, five times in a row at most', () => {
  const isPutOff = putsOff();
  expect([0.9, 0.1, 0.9].map(isPutOff)).toEqual([true, false, true]);
  expect([0.2, 1, 1, 1, 1, 1, 1, 1].map(isPutOff)).toEqual([false, true, true, true, true, true, false, true]);
});
