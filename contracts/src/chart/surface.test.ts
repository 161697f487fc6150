import { describe, expect, test } from 'vitest';

import { clipped } from './surface.ts';

describe('a cell cut at a level', () => {
  test('whole, empty, and half', () => {
    const square = (a: number, b: number, c: number, d: number) =>
      clipped(
        [
          [0, 0, a],
          [1, 0, b],
          [1, 1, c],
          [0, 1, d],
        ],
        0,
      );
    expect(square(1, 1, 1, 1)).toHaveLength(4);
    expect(square(-1, -1, -1, -1)).toEqual([]);
    expect(square(1, -1, -1, 1)).toEqual([
      [0, 0],
      [0.5, 0],
      [0.5, 1],
      [0, 1],
    ]);
  });
});
