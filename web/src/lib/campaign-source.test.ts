import { afterEach, expect, test } from 'vitest';

import { forgetSource, keepSource, queryWithSource } from './campaign-source.ts';

afterEach(() => forgetSource());

test('a visit without a source adds nothing to an address', () => {
  expect(queryWithSource('?a=1')).toBeNull();
});

test('the source of a visit is added where it is missing and never doubled', () => {
  keepSource('zhihu');
  expect(queryWithSource('?a=1')).toBe('?a=1&utm_source=zhihu');
  expect(queryWithSource('?utm_source=other')).toBeNull();
  forgetSource();
  expect(queryWithSource('')).toBeNull();
});
