/**
 * Who is next. The engine is given little more than it can work on; what waits, waits here, where owners take turns and
 * in an enterprise its members do: nobody's hundred runs stand before another's first. Knows nothing of runs but this.
 */

/** How much may work at once; null: as much as there is room for. */
export interface Room {
  owner: number | null;
  member: number | null;
}

/** What one owner may have at once: working (of all, of one member) and waiting. */
export interface RunRoom extends Room {
  waiting: number;
}
export const PERSONAL: RunRoom = { owner: null, member: null, waiting: 5 };

export interface Waiter {
  id: number;
  owner: string;
  member: number;
  room: Room;
  go: () => void;
}

export class Line {
  /** In order of arrival. */
  readonly #waiting: Waiter[] = [];
  readonly #working = new Map<number, Waiter>();
  /** When an owner, and a member of one, last had a turn; forgotten with the last run of theirs. */
  readonly #served = new Map<string, number>();
  #turn = 0;
  #most: number;
  #isHeld = false;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** How many may work at once, of all owners together. */
  set most(most: number) {
    this.#most = most;
    this.#next();
  }

  /** While it is held nobody's turn comes; who enters and finds room goes all the same. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#next();
  }

  /** True when it goes at once, which is the caller's to do; else `go` is called when its turn comes. */
  enter(waiter: Waiter): boolean {
    if (this.#working.size < this.#most && this.#hasRoom(waiter)) {
      this.#serve(waiter);
      return true;
    }
    this.#waiting.push(waiter);
    return false;
  }

  /** It ended, waiting or working; whoever is next goes. */
  leave(id: number): void {
    const at = this.#waiting.findIndex((one) => one.id === id);
    const gone = this.#working.get(id) ?? this.#waiting[at];
    if (!gone) return;
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#working.delete(id);
    const others = [...this.#working.values(), ...this.#waiting];
    for (const key of keysOf(gone)) if (!others.some((one) => keysOf(one).includes(key))) this.#served.delete(key);
    this.#next();
  }

  holds(id: number): boolean {
    return this.#waiting.some((one) => one.id === id);
  }

  /** Those who wait, in the order of their turns as it looks now. */
  ids(): number[] {
    return this.#waiting.toSorted((a, b) => this.#compare(a, b)).map(({ id }) => id);
  }

  #next(): void {
    while (!this.#isHeld && this.#working.size < this.#most) {
      const [first] = this.#waiting.filter((one) => this.#hasRoom(one)).toSorted((a, b) => this.#compare(a, b));
      if (!first) return;
      this.#waiting.splice(this.#waiting.indexOf(first), 1);
      this.#serve(first);
      first.go();
    }
  }

  #serve(waiter: Waiter): void {
    this.#turn += 1;
    for (const key of keysOf(waiter)) this.#served.set(key, this.#turn);
    this.#working.set(waiter.id, waiter);
  }

  #hasRoom({ owner, member, room }: Waiter): boolean {
    const same = [...this.#working.values()].filter((one) => one.owner === owner);
    const own = same.filter((one) => one.member === member);
    return (room.owner === null || same.length < room.owner) && (room.member === null || own.length < room.member);
  }

  /** Who had a turn longest ago, the owner first; sorting keeps the order of arrival. */
  #compare(a: Waiter, b: Waiter): number {
    const [first, second] = [keysOf(a), keysOf(b)].map((keys) => keys.map((key) => this.#served.get(key) ?? 0));
    return (first?.[0] ?? 0) - (second?.[0] ?? 0) || (first?.[1] ?? 0) - (second?.[1] ?? 0);
  }
}

const keysOf = ({ owner, member }: Waiter): string[] => [owner, `${owner} ${member}`];
