/** So many at once; the rest wait in the order they came. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate(atOnce: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    // Who leaves hands its place on, so that nobody comes in between.
    if (inside < atOnce) inside += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
