/** A mutex for each key: work on one key runs one after the other, in order of arrival. Per process. */
export class KeyedMutex {
  readonly #last = new Map<number, Promise<unknown>>();

  async run<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    // How the previous one ended concerns its own caller only.
    const turn = before.then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
