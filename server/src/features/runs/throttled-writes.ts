/**
 * Most runs are over within a moment. That one waited, at which place, that it began and how far it came at first is
 * written only where it lasts: of many short runs at once each would be a write of its own, and nobody could read it.
 */
import type { EngineEvent } from '../../lib/engine-client.ts';

const MOMENT_MS = 150;

interface Moment {
  event: EngineEvent;
  /** When it began to work, by the process' clock. */
  began: number | null;
  timer: NodeJS.Timeout;
}

export class Moments {
  readonly #kept = new Map<number, Moment>();
  readonly #write: (event: EngineEvent) => void;

  /** `write` is told the newest event of a run, a moment after the first one that was kept back. */
  constructor(write: (event: EngineEvent) => void) {
    this.#write = write;
  }

  /** For events of a run that waits, or of which nobody has been told yet that it works. */
  keep(event: EngineEvent): void {
    const { run_id: id, state } = event;
    const known = this.#kept.get(id);
    const began = known?.began ?? (state === 'running' ? performance.now() : null);
    if (known) {
      Object.assign(known, { event, began });
      return;
    }
    const pass = (): void => {
      const now = this.#kept.get(id);
      this.#kept.delete(id);
      if (now) this.#write(now.event);
    };
    this.#kept.set(id, { event, began, timer: setTimeout(pass, MOMENT_MS).unref() });
  }

  /** Something newer is written: seconds it has worked while it was kept back; null: it has not begun here. */
  drop(id: number): number | null {
    const known = this.#kept.get(id);
    if (!known) return null;
    clearTimeout(known.timer);
    this.#kept.delete(id);
    return known.began === null ? null : (performance.now() - known.began) / 1000;
  }

  /** Runs that work already, though what is written says that they wait. */
  begun(): number[] {
    return [...this.#kept].flatMap(([id, { began }]) => (began === null ? [] : [id]));
  }

  clear(): void {
    for (const id of this.#kept.keys()) this.drop(id);
  }
}
