/**
 * Throttles writes of run states. Most runs end within 150 ms: that they waited, began or progressed is written only
 * when they last longer, since many short runs at once would cost a database write each that nobody reads.
 */
import type { EngineEvent } from '../../lib/engine-client.ts';

const DELAY_MS = 150;

interface PendingWrite {
  event: EngineEvent;
  /** When it began to work, by the process' clock. */
  began: number | null;
  timer: NodeJS.Timeout;
}

export class ThrottledWrites {
  readonly #pending = new Map<number, PendingWrite>();
  readonly #write: (event: EngineEvent) => void;

  /** `write` is called with the newest event of a run, 150 ms after the first one that was held back. */
  constructor(write: (event: EngineEvent) => void) {
    this.#write = write;
  }

  /** For events of a run that waits, or whose start is not written yet. */
  schedule(event: EngineEvent): void {
    const { run_id: id, state } = event;
    const pending = this.#pending.get(id);
    const began = pending?.began ?? (state === 'running' ? performance.now() : null);
    if (pending) {
      Object.assign(pending, { event, began });
      return;
    }
    const flush = (): void => {
      const newest = this.#pending.get(id);
      this.#pending.delete(id);
      if (newest) this.#write(newest.event);
    };
    this.#pending.set(id, { event, began, timer: setTimeout(flush, DELAY_MS).unref() });
  }

  /** Cancels the pending write since something newer is written. Seconds the run has run meanwhile; null: it has not started. */
  cancel(id: number): number | null {
    const pending = this.#pending.get(id);
    if (!pending) return null;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    return pending.began === null ? null : (performance.now() - pending.began) / 1000;
  }

  /** Runs that are running already, though the database still says waiting. */
  begun(): number[] {
    return [...this.#pending].flatMap(([id, { began }]) => (began === null ? [] : [id]));
  }

  clear(): void {
    for (const id of this.#pending.keys()) this.cancel(id);
  }
}
