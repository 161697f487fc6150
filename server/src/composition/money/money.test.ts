import { expect, test } from 'vitest';
import { throttledTo } from './money.ts';

test('what nobody waits for takes a tenth of the time, and never rests for long', async () => {
  let now = 0;
  const rests: number[] = [];
  const rest = throttledTo(
    () => now,
    async (ms) => {
      rests.push(ms);
      now += ms;
    },
  );
  for (const took of [2, 5, 40]) {
    now += took;
    await rest();
  }
  expect(rests).toEqual([18, 45, 100]);
});
