/** Credits: the ledger, what an account shows of it, its ending, objections. */
import { and, asc, desc, eq, gt, inArray, lt, lte, ne, sql } from 'drizzle-orm';
import { DAY_MS, databaseClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { slice } from '../../lib/paging.ts';
import { createAppeals } from './appeals.ts';
import { createDesk } from './desk.ts';
import { createEnding } from './ending.ts';
import { createLedger } from './ledger.ts';
import type { ChangeFilter, ChangeQuery, CreditAccount, CreditChange, CreditChanges } from './schema.ts';
import { creditAccounts, creditAppeals, creditEntries, creditLots } from './tables.ts';
import type { CreditEntry } from './tables.ts';

export { CREDITS_ENDING, CreditsEndingLetter } from './ending.ts';
export { MOVEMENT_MAX } from './ledger.ts';
export type { AppealRow, CreditAccountRow, CreditEntry } from './tables.ts';

const EXPIRING_DAYS = 90;

export type Credits = ReturnType<typeof createCredits>;

export function createCredits(deps: {
  db: Db;
  clock?: Clock;
  lastSeen: (executor: Db, userId: number) => Promise<Date | null>;
}) {
  const { db, clock = databaseClock, lastSeen } = deps;
  const ledger = createLedger({ db, clock });
  const entriesOf = (userId: number) => eq(creditEntries.userId, userId);

  const narrowed = (kind: ChangeFilter | undefined) =>
    kind === undefined
      ? undefined
      : kind === 'earned'
        ? gt(creditEntries.amount, 0)
        : kind === 'expired'
          ? eq(creditEntries.kind, 'expire')
          : and(lt(creditEntries.amount, 0), ne(creditEntries.kind, 'expire'));

  async function wire(rows: readonly CreditEntry[]): Promise<CreditChange[]> {
    const ids = rows.map(({ id }) => id);
    const lots = ids.length > 0 ? await db.select().from(creditLots).where(inArray(creditLots.entryId, ids)) : [];
    const ends = new Map(lots.map(({ entryId, expiresAt }) => [entryId, expiresAt.toISOString()]));
    return rows.map((row) => ({
      id: row.id,
      created_at: row.at.toISOString(),
      kind: row.kind,
      title: row.title,
      amount: row.amount,
      balance_after: row.balanceAfter,
      expires_at: ends.get(row.id) ?? null,
      ref: row.ref,
    }));
  }

  return {
    ledger,
    ending: createEnding({ db, clock, ledger, lastSeen }),
    appeals: createAppeals({ db, clock }),
    desk: createDesk({ db, clock }),

    /** What can be spent now; what is due has been taken out. */
    async balance(userId: number): Promise<number> {
      await ledger.expire(userId);
      const [row] = await db
        .select({ balance: creditAccounts.balance })
        .from(creditAccounts)
        .where(eq(creditAccounts.userId, userId));
      return row?.balance ?? 0;
    },

    async account(userId: number): Promise<CreditAccount> {
      await ledger.expire(userId);
      const [row] = await db.select().from(creditAccounts).where(eq(creditAccounts.userId, userId));
      const now = await clock(db);
      const expiring = await db
        .select({ amount: sql<number>`sum(${creditLots.remaining})::int`, at: creditLots.expiresAt })
        .from(creditLots)
        .where(
          and(
            eq(creditLots.userId, userId),
            gt(creditLots.remaining, 0),
            lte(creditLots.expiresAt, new Date(now.getTime() + EXPIRING_DAYS * DAY_MS)),
          ),
        )
        .groupBy(creditLots.expiresAt)
        .orderBy(asc(creditLots.expiresAt));
      return {
        total_amount: row?.balance ?? 0,
        // Orders give no credits, so that nothing can wait for the end of a refund window.
        pending: 0,
        expiring: expiring.map(({ amount, at }) => ({ amount, at: at.toISOString() })),
        held_reason: row?.heldReason ?? null,
      };
    },

    /** Newest first. */
    async changes(userId: number, query: ChangeQuery): Promise<CreditChanges> {
      const { limit, offset } = slice(query);
      const where = and(entriesOf(userId), narrowed(query.kind));
      const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.userId, userId));
      // Sequence numbers have no gaps: all of them need no counting, and a page far back is found like the first.
      const isAll = query.kind === undefined;
      const total = isAll ? (account?.lastSeq ?? 0) : await db.$count(creditEntries, where);
      const rows = await db
        .select()
        .from(creditEntries)
        .where(isAll ? and(where, lte(creditEntries.seq, total - offset)) : where)
        .orderBy(desc(creditEntries.seq))
        .limit(limit)
        .offset(isAll ? 0 : offset);
      return { total, list: await wire(rows) };
    },

    /** For the archive of the account, oldest first. */
    async everything(userId: number): Promise<unknown> {
      const rows = await db.select().from(creditEntries).where(entriesOf(userId)).orderBy(asc(creditEntries.seq));
      const appeals = await db.select().from(creditAppeals).where(eq(creditAppeals.userId, userId));
      return { movements: await wire(rows), appeals };
    },

    /** What somebody wrote goes with the account; the movements stay under a number that is nobody's. */
    async forget(tx: Tx, userId: number): Promise<void> {
      await tx.delete(creditAppeals).where(eq(creditAppeals.userId, userId));
    },
  };
}
