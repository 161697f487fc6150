import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('so many at once, in the order they came; what fails frees its place', async () => {
  const gate = createSemaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: 5 }, (_, n) =>
    gate(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 0) throw new Error('0');
      return n;
    }),
  );
  const settled = Promise.allSettled(results);
  for (let n = 0; n < 5; n += 1) {
    // All that may run has begun: nothing is left in the queue of promises.
    await new Promise(setImmediate);
    expect(begun).toEqual(Array.from({ length: Math.min(5, n + 2) }, (__, at) => at));
    ends[n]?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    ...Array.from({ length: 4 }, () => 'fulfilled'),
  ]);
  expect(await gate(async () => 'again')).toBe('again');
});
