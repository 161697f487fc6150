/** What accounts must ask the other features about a person. app.ts fills this in; until then nobody knows anything. */
import type { Db, Tx } from '../../lib/db.ts';

/** An enterprise the person works in: a channel of its own beside the personal one. */
export interface Channel {
  enterprise_id: number;
  enterprise_name: string;
  is_admin: boolean;
}

export interface People {
  /** Enterprises of the person, the one last used first. */
  channels: (db: Db, userId: number) => Promise<Channel[]>;
  isVip: (db: Db, userId: number) => Promise<boolean>;
  ownsEnterprise: (db: Db, userId: number) => Promise<boolean>;
  /** Called once, at the first sign-in of a new account: 1 when a campaign has granted its gift. */
  lucky: (tx: Tx, userId: number) => Promise<0 | 1>;
  /** Each tells whether the person has something of its kind: an account without anything is empty and may be merged. */
  holds: ((db: Db, userId: number) => Promise<boolean>)[];
  /** What ends at once when somebody leaves (shares). */
  onLeave: ((tx: Tx, userId: number) => Promise<void>)[];
  /** The same, outside the transaction (runs under way). */
  afterLeave: ((userId: number) => Promise<void>)[];
  /** What is removed when the seven days are over; money stays, without the person. */
  removers: ((tx: Tx, userId: number) => Promise<void>)[];
}

export const createPeople = (): People => ({
  channels: async () => [],
  isVip: async () => false,
  ownsEnterprise: async () => false,
  lucky: async () => 0,
  holds: [],
  onLeave: [],
  afterLeave: [],
  removers: [],
});

/** True when no feature knows anything of the person worth keeping. */
export async function isEmpty(people: People, db: Db, userId: number): Promise<boolean> {
  for (const holds of people.holds) if (await holds(db, userId)) return false;
  return (await people.channels(db, userId)).length === 0;
}
