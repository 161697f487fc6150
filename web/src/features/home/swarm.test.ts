import { describe, expect, it } from 'vitest';

import { swarm, ticks } from './swarm.ts';

describe('the swarm', () => {
  it('covers no dot with another and keeps every value where it is', () => {
    const ys = Array.from({ length: 120 }, (_, at) => 100 + ((at * 37) % 23));
    const dots = swarm(ys, 2);
    expect(dots.map((dot) => dot.y)).toEqual(ys.toSorted((a, b) => a - b));
    for (const [at, a] of dots.entries()) {
      for (const b of dots.slice(at + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('ticks', () => {
  it.each([
    [11.03, 14.83, [12, 13, 14]],
    [0, 1.64, [0, 0.5, 1, 1.5]],
    [-7.5, 0.2, [-6, -4, -2, 0]],
  ])('between %d and %d are round', (low, high, marks) => expect(ticks(low, high)).toEqual(marks));
});
