import { expect, it } from 'vitest';

import { vidOf } from './entries.ts';

it('reads the version out of the address; 0 stands for a method without data and names none', () => {
  expect(vidOf('/mydata/detail/12')).toBe(12);
  expect(vidOf('/analysis/operation/7')).toBe(7);
  expect(vidOf('/analysis/operation/0')).toBeNull();
  expect(vidOf('/analysis/index')).toBeNull();
});
