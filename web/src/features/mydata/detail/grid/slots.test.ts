import { describe, expect, it } from 'vitest';

import { inSight, layoutOf, mostInSight } from './column-layout.ts';
import { mostRows, windowAt } from './scale.ts';

describe('elements that rows and columns take turns in', () => {
  it('are as many as columns can ever be in sight, wherever one scrolls to', () => {
    const layouts = [
      layoutOf([100, 100, 100, 100, 100], false),
      layoutOf([300, 48, 48, 48, 300, 90, 800, 60], false),
      layoutOf([120, 50, 50, 50, 400, 50], true),
      layoutOf([], false),
    ];
    for (const layout of layouts) {
      for (const view of [1, 49, 150, 333]) {
        const most = mostInSight(layout, view);
        const end = layout.lefts.at(-1) ?? 0;
        for (let left = 0; left <= end; left += 1) {
          const [from, to] = inSight(layout, left, view);
          expect(to - from).toBeLessThanOrEqual(most);
        }
      }
    }
    expect(mostInSight(layoutOf([100, 100, 100, 100, 100], false), 150)).toBe(3);
  });

  it('are as many as rows can ever be drawn', () => {
    for (const view of [0, 28, 29, 30, 643]) {
      const scale = { rows: 400, rowHeight: 29, view };
      for (let top = 0; top < 400 * 29; top += 7) {
        const { first, end } = windowAt(scale, top);
        expect(end - first).toBeLessThanOrEqual(mostRows(scale));
      }
    }
  });
});
