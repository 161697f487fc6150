/**
 * AI points: a ledger that is only written to, and its sums. Gifts are spent before what was paid for. A movement has a
 * key of its own and happens once, however often it is asked for; what was given back is a movement too.
 */
import { and, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { slice } from '../../lib/paging.ts';
import type { PointAccount, PointKind, PointQuery, PointRecord, PointRecords } from './schema.ts';
import { pointAccounts, pointEntries } from './tables.ts';
import type { PointAccountRow, PointEntry } from './tables.ts';

/** Why points move. */
export interface Occasion {
  kind: PointKind;
  /** Unique over all movements, e.g. `order:HX…`. */
  key: string;
  title: string;
  ref?: string;
  /** The operator, when one did it. */
  actor?: number | null;
}

export interface Moved {
  entry: PointEntry;
  before: PointAccount;
  after: PointAccount;
  /** False when the key had moved before: nothing changed now. */
  isNew: boolean;
}

const sums = ({ gift, paid }: { gift: number; paid: number }): PointAccount => ({
  user_ai_point: gift + paid,
  gift,
  paid,
});

const wire = (row: PointEntry): PointRecord => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  title: row.title,
  points: row.gift + row.paid,
  gift: row.gift,
  paid: row.paid,
  balance: row.balance,
  ref: row.ref,
});

export type Points = ReturnType<typeof createPoints>;

export function createPoints({ db }: { db: Db }) {
  const entriesOf = (owner: Owner) => and(eq(pointEntries.ownerKind, owner.kind), eq(pointEntries.ownerId, owner.id));

  async function lock(tx: Tx, owner: Owner): Promise<PointAccountRow> {
    await tx.insert(pointAccounts).values({ ownerKind: owner.kind, ownerId: owner.id }).onConflictDoNothing();
    const [row] = await tx.select().from(pointAccounts).where(owned(pointAccounts, owner)).for('update');
    if (!row) throw new Error('The account that was just made is missing');
    return row;
  }

  async function known(executor: Db, key: string): Promise<PointEntry | null> {
    const [row] = await executor.select().from(pointEntries).where(eq(pointEntries.key, key));
    return row ?? null;
  }

  /** One movement under the account's lock; `split` decides from the balance how much of either kind. */
  async function move(
    tx: Tx,
    owner: Owner,
    occasion: Occasion,
    split: (account: PointAccountRow) => Promise<{ gift: number; paid: number }> | { gift: number; paid: number },
  ): Promise<Moved | null> {
    const account = await lock(tx, owner);
    const before = sums(account);
    // Looked up under the lock: of two equal requests the later one finds the earlier's row.
    const old = await known(tx, occasion.key);
    if (old) return { entry: old, before, after: before, isNew: false };
    const { gift, paid } = await split(account);
    if (gift === 0 && paid === 0) return null;
    const after = { gift: account.gift + gift, paid: account.paid + paid };
    const seq = account.lastSeq + 1;
    await tx
      .update(pointAccounts)
      .set({ ...after, lastSeq: seq })
      .where(owned(pointAccounts, owner));
    const [entry] = await tx
      .insert(pointEntries)
      .values({
        ownerKind: owner.kind,
        ownerId: owner.id,
        seq,
        gift,
        paid,
        balance: after.gift + after.paid,
        kind: occasion.kind,
        key: occasion.key,
        ref: occasion.ref ?? '',
        title: occasion.title,
        actor: occasion.actor ?? null,
      })
      .returning();
    if (!entry) throw new Error('INSERT gave no row');
    return { entry, before, after: sums(after), isNew: true };
  }

  /** How many of the points that an order paid for are unspent; the oldest paid ones are spent first. */
  async function unspent(executor: Db, owner: Owner, orderKey: string): Promise<number> {
    const bought = await known(executor, orderKey);
    if (!bought) return 0;
    const [account] = await executor.select().from(pointAccounts).where(owned(pointAccounts, owner));
    // Later purchases and what was taken back of them, so that only their remainder stands before this one's.
    const later = await executor
      .select({ key: pointEntries.key, paid: pointEntries.paid })
      .from(pointEntries)
      .where(and(entriesOf(owner), gt(pointEntries.seq, bought.seq), eq(pointEntries.kind, 'order')));
    const back = await executor
      .select({ ref: pointEntries.ref, paid: pointEntries.paid })
      .from(pointEntries)
      .where(and(entriesOf(owner), gt(pointEntries.seq, bought.seq), eq(pointEntries.kind, 'refund')));
    const remains = later.map(({ key, paid }) => paid + (back.find(({ ref }) => ref === key)?.paid ?? 0));
    const after = remains.reduce((sum, n) => sum + n, 0);
    return Math.max(0, Math.min(bought.paid, (account?.paid ?? 0) - after));
  }

  /** The points of a gift of which nothing has been spent; 0 where something has. */
  async function wholeGift(executor: Db, owner: Owner, giftKey: string): Promise<number> {
    const given = await known(executor, giftKey);
    if (!given) return 0;
    const [account] = await executor.select().from(pointAccounts).where(owned(pointAccounts, owner));
    const [later] = await executor
      .select({ n: sql<number>`coalesce(sum(${pointEntries.gift}), 0)::int` })
      .from(pointEntries)
      .where(
        and(
          entriesOf(owner),
          gt(pointEntries.seq, given.seq),
          or(gt(pointEntries.gift, 0), eq(pointEntries.kind, 'refund')),
        ),
      );
    return (account?.gift ?? 0) - (later?.n ?? 0) >= given.gift ? given.gift : 0;
  }

  return {
    async account(executor: Db, owner: Owner): Promise<PointAccount> {
      const [row] = await executor.select().from(pointAccounts).where(owned(pointAccounts, owner));
      return sums(row ?? { gift: 0, paid: 0 });
    },

    /** Adds points; `paid` for bought ones. */
    async add(tx: Tx, owner: Owner, amount: { gift?: number; paid?: number }, occasion: Occasion): Promise<Moved> {
      const { gift = 0, paid = 0 } = amount;
      if (gift < 0 || paid < 0 || gift + paid === 0) throw new RangeError('Points are added in whole positive numbers');
      const moved = await move(tx, owner, occasion, () => ({ gift, paid }));
      if (!moved) throw new Error('An addition moves something');
      return moved;
    },

    /** Takes points, gifts first; 30101 when there are not enough. */
    async spend(tx: Tx, owner: Owner, n: number, occasion: Occasion): Promise<Moved> {
      if (!Number.isInteger(n) || n <= 0) throw new RangeError('Points are spent in whole positive numbers');
      const moved = await move(tx, owner, occasion, (account) => {
        if (account.gift + account.paid < n) throw new Fault(30101);
        const gift = Math.min(account.gift, n);
        return { gift: -gift, paid: -(n - gift) };
      });
      if (!moved) throw new Error('Spending moves something');
      return moved;
    },

    /** Gives back what was spent under `spentKey`, of the same kinds, once; null when nothing was. */
    async giveBack(tx: Tx, owner: Owner, spentKey: string, title: string): Promise<Moved | null> {
      const occasion: Occasion = { kind: 'return', key: `return:${spentKey}`, title, ref: spentKey };
      return move(tx, owner, occasion, async () => {
        const spent = await known(tx, spentKey);
        const isMine = spent?.ownerKind === owner.kind && spent.ownerId === owner.id;
        return spent && isMine ? { gift: -spent.gift, paid: -spent.paid } : { gift: 0, paid: 0 };
      });
    },

    unspent,

    /** Takes back the unspent points of an order that is refunded; never more than there are. */
    takeBack: (tx: Tx, owner: Owner, orderKey: string, title: string): Promise<Moved | null> =>
      move(tx, owner, { kind: 'refund', key: `refund:${orderKey}`, title, ref: orderKey }, async () => ({
        gift: 0,
        paid: -(await unspent(tx, owner, orderKey)),
      })),

    /** Whether nothing of a gift has been spent; later gifts are spent after it. */
    isGiftWhole: async (executor: Db, owner: Owner, giftKey: string): Promise<boolean> =>
      (await wholeGift(executor, owner, giftKey)) > 0,

    /** Takes a gift back as a whole; null when some of it has been spent. */
    takeGift: (tx: Tx, owner: Owner, giftKey: string, title: string): Promise<Moved | null> =>
      move(tx, owner, { kind: 'refund', key: `refund:${giftKey}`, title, ref: giftKey }, async () => ({
        gift: -(await wholeGift(tx, owner, giftKey)),
        paid: 0,
      })),

    /** For the archive of the account, oldest first. */
    async everything(owner: Owner): Promise<PointRecord[]> {
      return (await db.select().from(pointEntries).where(entriesOf(owner)).orderBy(pointEntries.seq)).map(wire);
    },

    /** Newest first. Sequence numbers have no gaps, so a page far back is found as fast as the first. */
    async records(owner: Owner, page: PointQuery): Promise<PointRecords> {
      const [account] = await db.select().from(pointAccounts).where(owned(pointAccounts, owner));
      const total = account?.lastSeq ?? 0;
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(pointEntries)
        .where(and(entriesOf(owner), lte(pointEntries.seq, total - offset)))
        .orderBy(desc(pointEntries.seq))
        .limit(limit);
      return { total, list: rows.map(wire) };
    },
  };
}
