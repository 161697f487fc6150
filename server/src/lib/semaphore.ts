/** A semaphore: at most `limit` pieces of work at once; the rest wait in order of arrival (FIFO). */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore(limit: number): Semaphore {
  let active = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    // A finished one passes its slot on directly, so that no newcomer takes it.
    if (active < limit) active += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    }
  };
}
