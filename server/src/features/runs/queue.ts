/**
 * A fair queue in front of the engine's worker pool: round robin over owners and, within an enterprise, over its
 * members, so that one owner's hundred runs do not delay another's first. The engine gets little more than it can run.
 */

/** How many runs may run at once; null: no limit. */
export interface ConcurrencyLimit {
  owner: number | null;
  member: number | null;
}

/** Limits of one owner: running (all, and of one member) and waiting. */
export interface RunLimit extends ConcurrencyLimit {
  waiting: number;
}
export const PERSONAL: RunLimit = { owner: null, member: null, waiting: 5 };

export interface QueueEntry {
  id: number;
  owner: string;
  member: number;
  limit: ConcurrencyLimit;
  start: () => void;
  /** Of one lane one run of a member works at a time. */
  lane?: string | null;
}

export class FairQueue {
  /** In order of arrival. */
  readonly #waiting: QueueEntry[] = [];
  readonly #working = new Map<number, QueueEntry>();
  /** Turn at which an owner, and a member of one, was last served; dropped with their last run. */
  readonly #served = new Map<string, number>();
  #turn = 0;
  #maxRunning: number;
  #isPaused = false;

  constructor(maxRunning = Number.POSITIVE_INFINITY) {
    this.#maxRunning = maxRunning;
  }

  /** How many may run at once, all owners together. */
  set maxRunning(max: number) {
    this.#maxRunning = max;
    this.#next();
  }

  /** While paused no waiting entry starts; a new entry with a free slot still does. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#next();
  }

  /** True when the caller shall start it now; otherwise `start` is called back when its turn comes. */
  enqueue(waiter: QueueEntry): boolean {
    if (this.#working.size < this.#maxRunning && this.#isWithinLimits(waiter)) {
      this.#serve(waiter);
      return true;
    }
    this.#waiting.push(waiter);
    return false;
  }

  /** Removes an entry that ended, waiting or running, and starts the next entry. */
  remove(id: number): void {
    const at = this.#waiting.findIndex((entry) => entry.id === id);
    const removed = this.#working.get(id) ?? this.#waiting[at];
    if (!removed) return;
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#working.delete(id);
    const others = [...this.#working.values(), ...this.#waiting];
    for (const key of keysOf(removed))
      if (!others.some((entry) => keysOf(entry).includes(key))) this.#served.delete(key);
    this.#next();
  }

  isWaiting(id: number): boolean {
    return this.#waiting.some((entry) => entry.id === id);
  }

  /** Waiting entries in the order in which they would start now. */
  ids(): number[] {
    return this.#waiting.toSorted((a, b) => this.#compare(a, b)).map(({ id }) => id);
  }

  #next(): void {
    while (!this.#isPaused && this.#working.size < this.#maxRunning) {
      const [first] = this.#waiting
        .filter((entry) => this.#isWithinLimits(entry))
        .toSorted((a, b) => this.#compare(a, b));
      if (!first) return;
      this.#waiting.splice(this.#waiting.indexOf(first), 1);
      this.#serve(first);
      first.start();
    }
  }

  #serve(waiter: QueueEntry): void {
    this.#turn += 1;
    for (const key of keysOf(waiter)) this.#served.set(key, this.#turn);
    this.#working.set(waiter.id, waiter);
  }

  #isWithinLimits({ owner, member, limit: room, lane = null }: QueueEntry): boolean {
    const same = [...this.#working.values()].filter((entry) => entry.owner === owner);
    const own = same.filter((entry) => entry.member === member);
    if (lane !== null && own.some((entry) => entry.lane === lane)) return false;
    return (room.owner === null || same.length < room.owner) && (room.member === null || own.length < room.member);
  }

  /** Least recently served first, by owner, then member; the sort is stable, so order of arrival decides last. */
  #compare(a: QueueEntry, b: QueueEntry): number {
    const [first, second] = [keysOf(a), keysOf(b)].map((keys) => keys.map((key) => this.#served.get(key) ?? 0));
    return (first?.[0] ?? 0) - (second?.[0] ?? 0) || (first?.[1] ?? 0) - (second?.[1] ?? 0);
  }
}

const keysOf = ({ owner, member }: QueueEntry): string[] => [owner, `${owner} ${member}`];
