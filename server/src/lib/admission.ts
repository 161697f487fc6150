/**
 * Lets a few calls be worked on at once, in order of arrival. Sixteen short calls begun together would all end together,
 * at the very end; one after the other the first are answered at once and the last no later. What takes long gives its
 * place to the next, so that nobody waits for another's long work.
 */
export class Admission {
  readonly #waiting: (() => void)[] = [];
  readonly #most: number;
  readonly #patienceMs: number;
  #inside = 0;

  constructor(most: number, patienceMs: number) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  async enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      const next = this.#waiting.shift();
      // The place goes straight to the next in line: nobody who comes now can take it.
      if (next) next();
      else this.#inside -= 1;
    };
    const timer = setTimeout(leave, this.#patienceMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }
}
