/** Work on one thing goes one after the other, in order of arrival, however many ask at once. Per process. */
export class Turns {
  readonly #last = new Map<number, Promise<unknown>>();

  async take<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    // What the one before ended with is its own caller's business.
    const turn = before.then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
