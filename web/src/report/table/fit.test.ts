import { expect, test } from 'vitest';

import { fitOf } from './fit.ts';

/** A table whose columns need so much at each step. */
function table(clientWidth: number, wants: readonly number[]) {
  const room = { clientWidth, scrollWidth: 0 };
  let step = -1;
  const apply = (next: number): void => {
    step = next;
    room.scrollWidth = Math.max(clientWidth, wants[next] ?? 0);
  };
  return { fit: fitOf(room, apply), step };
}

test.each([
  ['room enough', 786, [700, 650, 600, 550, 500], 0],
  ['closer columns do', 786, [830, 780, 700, 650, 600], 1],
  ['heads over several lines do', 686, [830, 780, 640, 620, 600], 2],
  ['nothing does', 686, [2000, 1900, 1800, 1700, 1600], 0],
  ['a phone swipes', 350, [830, 300, 300, 300, 300], 0],
])('%s', (_, width, wants, step) => {
  // What is reported is what stands: the last step tried.
  expect(table(width, wants)).toEqual({ fit: step, step });
});
