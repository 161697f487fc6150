import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { BestCurve } from './best-curve.tsx';
import type { BestValue } from './run-state.ts';
import { grown } from './run-state.ts';

const told = (done: number, best?: number) => ({ done, of: 1000, text: '', ...(best === undefined ? {} : { best }) });

test('values are kept in order, without repeats, and thinned but for the last', () => {
  let curve: readonly BestValue[] = [];
  for (const progress of [told(1, 9), told(1, 8), told(2), told(3, 7)]) curve = grown(curve, progress);
  expect(curve).toEqual([
    { done: 1, best: 9 },
    { done: 3, best: 7 },
  ]);
  for (let done = 4; done < 1000; done += 1) curve = grown(curve, told(done, 1000 - done));
  expect(curve.length).toBeLessThanOrEqual(200);
  expect(curve.at(-1)).toEqual({ done: 999, best: 1 });
  expect(curve[0]).toEqual({ done: 1, best: 9 });
});

test('a line of steps with its words; nothing for one value', () => {
  const { rerender } = render(<BestCurve values={[{ done: 1, best: 9 }]} />);
  expect(screen.queryByRole('img')).toBeNull();
  rerender(
    <BestCurve
      values={[
        { done: 0, best: 10 },
        { done: 5, best: 4 },
        { done: 10, best: 4 },
      ]}
    />,
  );
  expect(screen.getByRole('img', { name: '目前最好的值从 10.0000 变到 4.00000' })).toBeTruthy();
  expect(document.querySelector('path')?.getAttribute('d')).toBe('M2.0 2.0H60.0V22.0H118.0V22.0');
});
