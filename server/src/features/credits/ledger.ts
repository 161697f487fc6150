/**
 * The ledger of credits. Every movement is one immutable entry under the account's lock, with the lots it fills or
 * takes from; the balance is their sum and never falls below 0. A key moves once, however often it is asked for. What
 * is due expires first, so that nothing that has ended is ever spent.
 */
import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { DAY_MS, dayOf } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { CreditKind } from './schema.ts';
import { creditAccounts, creditEntries, creditLotUses, creditLots } from './tables.ts';
import type { CONTRAS, CreditAccountRow, CreditEntry, CreditLot } from './tables.ts';

export const MOVEMENT_MAX = 100_000;
const LIFE_MONTHS = 24;
/** What is given back after its lot has ended lives on for so long. */
const REFUND_DAYS = 30;

/** Why credits move. */
export interface Cause {
  kind: Exclude<CreditKind, 'expire'>;
  /** Unique over all movements, e.g. `quest:17`. */
  key: string;
  title: string;
  ref?: string;
  /** The operator, when one did it. */
  actor?: number | null;
}

export interface Moved {
  entry: CreditEntry;
  /** False when the key had moved before: nothing changed now. */
  isNew: boolean;
}

const CONTRA: Record<CreditKind, (typeof CONTRAS)[number]> = {
  quest: 'sys:quest',
  clawback: 'sys:quest',
  campaign: 'sys:campaign',
  mall: 'sys:mall',
  refund: 'sys:mall',
  expire: 'sys:expired',
  adjust: 'sys:desk',
};

/** The end of the month 24 months on, in Shanghai: what is earned on 22 November 2026 can be spent on 30 November 2028. */
export function endOfLife(now: Date): Date {
  const [year = 0, month = 0] = dayOf(now).split('-').map(Number);
  const ahead = year * 12 + (month - 1) + LIFE_MONTHS + 1;
  const first = `${Math.floor(ahead / 12)}-${String((ahead % 12) + 1).padStart(2, '0')}-01`;
  return new Date(`${first}T00:00:00+08:00`);
}

/** A change of an account that is held under this transaction's lock. */
interface Change {
  kind: CreditKind;
  amount: number;
  key: string;
  title: string;
  ref?: string | undefined;
  reverses?: number | undefined;
  actor?: number | null | undefined;
}

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger({ db, clock }: { db: Db; clock: Clock }) {
  const openLots = (tx: Tx, userId: number, due?: SQL): Promise<CreditLot[]> =>
    tx
      .select()
      .from(creditLots)
      .where(and(eq(creditLots.userId, userId), gt(creditLots.remaining, 0), due))
      .orderBy(asc(creditLots.expiresAt), asc(creditLots.id));

  async function known(executor: Db, key: string): Promise<CreditEntry | null> {
    const [row] = await executor.select().from(creditEntries).where(eq(creditEntries.idemKey, key));
    return row ?? null;
  }

  /** One entry and the new balance; the caller sees to the lots. */
  async function write(tx: Tx, account: CreditAccountRow, change: Change, now: Date): Promise<CreditEntry> {
    const { kind, amount, key, title, ref, reverses, actor } = change;
    if (!Number.isInteger(amount) || amount === 0 || Math.abs(amount) > MOVEMENT_MAX)
      throw new RangeError(`A movement of ${amount} credits`);
    account.balance += amount;
    account.lastSeq += 1;
    const { userId, balance, lastSeq } = account;
    await tx.update(creditAccounts).set({ balance, lastSeq }).where(eq(creditAccounts.userId, userId));
    const [entry] = await tx
      .insert(creditEntries)
      .values({
        userId,
        seq: lastSeq,
        amount,
        balanceAfter: balance,
        kind,
        contra: CONTRA[kind],
        idemKey: key,
        ref: ref ?? '',
        title,
        reversesId: reverses ?? null,
        actor: actor ?? null,
        at: now,
      })
      .returning();
    if (!entry) throw new Error('INSERT gave no row');
    return entry;
  }

  /** Moves between a lot and an entry: positive takes from the lot, negative gives back to it. */
  async function use(tx: Tx, entryId: number, lot: CreditLot, amount: number): Promise<void> {
    lot.remaining -= amount;
    await tx.update(creditLots).set({ remaining: lot.remaining }).where(eq(creditLots.id, lot.id));
    await tx.insert(creditLotUses).values({ entryId, lotId: lot.id, amount });
  }

  async function fill(tx: Tx, entry: CreditEntry, amount: number, expiresAt: Date, noticed?: number): Promise<void> {
    const { userId, id: entryId } = entry;
    await tx
      .insert(creditLots)
      .values({ userId, entryId, amount, remaining: amount, expiresAt, noticed: noticed ?? null });
  }

  async function expireDue(tx: Tx, account: CreditAccountRow, now: Date): Promise<void> {
    for (const lot of await openLots(tx, account.userId, lte(creditLots.expiresAt, now))) {
      const { id, remaining, generation } = lot;
      const change: Change = { kind: 'expire', amount: -remaining, key: `exp:${id}:${generation}`, title: '积分到期' };
      const entry = await write(tx, account, change, now);
      await use(tx, entry.id, lot, remaining);
      await tx
        .update(creditLots)
        .set({ generation: generation + 1 })
        .where(eq(creditLots.id, id));
    }
  }

  /** The account under its lock, with what is due already expired. */
  async function lock(tx: Tx, userId: number): Promise<{ account: CreditAccountRow; now: Date }> {
    await tx.insert(creditAccounts).values({ userId }).onConflictDoNothing();
    const [account] = await tx.select().from(creditAccounts).where(eq(creditAccounts.userId, userId)).for('update');
    if (!account) throw new Error('The account that was just made is missing');
    // Read under the lock: whoever got it later also has the later time.
    const now = await clock(tx);
    await expireDue(tx, account, now);
    return { account, now };
  }

  /** Soonest-expiring first. */
  async function takeFromLots(tx: Tx, entry: CreditEntry): Promise<void> {
    let left = -entry.amount;
    for (const lot of await openLots(tx, entry.userId)) {
      if (left === 0) break;
      const amount = Math.min(left, lot.remaining);
      await use(tx, entry.id, lot, amount);
      left -= amount;
    }
    if (left > 0) throw new Error(`The lots of user ${entry.userId} hold less than the balance`);
  }

  async function take(tx: Tx, account: CreditAccountRow, amount: number, cause: Cause, now: Date) {
    const entry = await write(tx, account, { ...cause, amount: -amount }, now);
    await takeFromLots(tx, entry);
    return entry;
  }

  return {
    lock,
    known,

    /** Adds credits to a new lot of 24 months. */
    async earn(tx: Tx, userId: number, amount: number, cause: Cause): Promise<Moved> {
      if (amount <= 0) throw new RangeError('Credits are earned in whole positive numbers');
      const { account, now } = await lock(tx, userId);
      const old = await known(tx, cause.key);
      if (old) return { entry: old, isNew: false };
      const entry = await write(tx, account, { ...cause, amount }, now);
      await fill(tx, entry, amount, endOfLife(now));
      return { entry, isNew: true };
    },

    /** Takes credits; 31001 when there are not enough. */
    async spend(tx: Tx, userId: number, amount: number, cause: Cause): Promise<Moved> {
      if (amount <= 0) throw new RangeError('Credits are spent in whole positive numbers');
      const { account, now } = await lock(tx, userId);
      const old = await known(tx, cause.key);
      if (old) return { entry: old, isNew: false };
      if (account.balance < amount) throw new Fault(31001, { n: amount - account.balance });
      return { entry: await take(tx, account, amount, cause, now), isNew: true };
    },

    /** Takes as much of it as there is; what is missing was spent and is never a debt. */
    async takeBack(
      tx: Tx,
      userId: number,
      amount: number,
      cause: Cause,
    ): Promise<{ taken: number; shortfall: number }> {
      const { account, now } = await lock(tx, userId);
      const old = await known(tx, cause.key);
      const taken = old ? -old.amount : Math.min(amount, account.balance);
      if (!old && taken > 0) await take(tx, account, taken, cause, now);
      return { taken, shortfall: amount - taken };
    },

    /** Gives back what an entry took, all or a part, into the lots it was taken from: the longest-living first. */
    async giveBack(tx: Tx, spent: CreditEntry, amount: number, cause: Cause): Promise<Moved> {
      if (amount <= 0 || amount > -spent.amount) throw new RangeError('Only what was taken is given back');
      const { account, now } = await lock(tx, spent.userId);
      const old = await known(tx, cause.key);
      if (old) return { entry: old, isNew: false };
      const entry = await write(tx, account, { ...cause, amount, reverses: spent.id }, now);
      const used = await tx
        .select({ lot: creditLots, amount: creditLotUses.amount })
        .from(creditLotUses)
        .innerJoin(creditLots, eq(creditLots.id, creditLotUses.lotId))
        .where(eq(creditLotUses.entryId, spent.id))
        .orderBy(desc(creditLots.expiresAt), desc(creditLots.id));
      let left = amount;
      let ended = 0;
      for (const { lot, amount: taken } of used) {
        const back = Math.min(left, taken);
        if (back === 0) break;
        left -= back;
        if (lot.expiresAt > now) await use(tx, entry.id, lot, -back);
        else ended += back;
      }
      // Told of by the answer already; the message a week before its end is the one that is left.
      if (ended > 0) await fill(tx, entry, ended, new Date(now.getTime() + REFUND_DAYS * DAY_MS), REFUND_DAYS);
      return { entry, isNew: true };
    },

    /** Expires what is due of one account, where anything is. */
    async expire(userId: number): Promise<void> {
      const now = await clock(db);
      const [due] = await db
        .select({ id: creditLots.id })
        .from(creditLots)
        .where(and(eq(creditLots.userId, userId), gt(creditLots.remaining, 0), lte(creditLots.expiresAt, now)))
        .limit(1);
      if (due) await db.transaction((tx) => lock(tx, userId));
    },

    /** Desk: why an account may neither earn nor spend; null lets it again and remembers that it was looked at. */
    async hold(tx: Tx, userId: number, reason: string | null): Promise<{ before: string | null }> {
      const { account } = await lock(tx, userId);
      await tx
        .update(creditAccounts)
        .set({ heldReason: reason, ...(reason === null ? { clearedAt: sql`now()` } : { clearedAt: null }) })
        .where(eq(creditAccounts.userId, userId));
      return { before: account.heldReason };
    },

    /** Looked at and found good. */
    async clear(tx: Tx, userId: number): Promise<void> {
      await tx
        .update(creditAccounts)
        .set({ clearedAt: sql`now()` })
        .where(eq(creditAccounts.userId, userId));
    },

    /** Refuses while the account is held (31005). */
    demandFree({ heldReason }: Pick<CreditAccountRow, 'heldReason'>): void {
      if (heldReason !== null) throw new Fault(31005, { reason: heldReason });
    },
  };
}
