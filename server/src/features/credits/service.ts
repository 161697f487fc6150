/** Credits: what the ledger of a person says. Quests, campaigns and the mall will write to it. */
import { and, desc, eq, lte } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { slice } from '../../lib/paging.ts';
import type { CreditAccount, CreditQuery, CreditRecord, CreditRecords } from './schema.ts';
import { creditAccounts, creditEntries } from './tables.ts';
import type { CreditEntry } from './tables.ts';

const wire = (row: CreditEntry): CreditRecord => ({
  id: row.id,
  created_at: row.at.toISOString(),
  kind: row.kind,
  title: row.title,
  amount: row.amount,
  balance_after: row.balanceAfter,
  ref: row.ref,
});

export type Credits = ReturnType<typeof createCredits>;

export function createCredits({ db }: { db: Db }) {
  async function find(executor: Db, userId: number) {
    const [row] = await executor.select().from(creditAccounts).where(eq(creditAccounts.userId, userId));
    return row ?? { balance: 0, lastSeq: 0, heldReason: null };
  }

  return {
    async account(executor: Db, userId: number): Promise<CreditAccount> {
      const { balance, heldReason } = await find(executor, userId);
      return { total_amount: balance, pending: 0, expiring: [], held_reason: heldReason };
    },

    /** Newest first. Sequence numbers have no gaps, so a page far back is found as fast as the first. */
    async records(userId: number, page: CreditQuery): Promise<CreditRecords> {
      const { lastSeq: total } = await find(db, userId);
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(creditEntries)
        .where(and(eq(creditEntries.userId, userId), lte(creditEntries.seq, total - offset)))
        .orderBy(desc(creditEntries.seq))
        .limit(limit);
      return { total, list: rows.map(wire) };
    },

    /** For the archive of the account, oldest first. */
    async everything(userId: number): Promise<CreditRecord[]> {
      const rows = await db
        .select()
        .from(creditEntries)
        .where(eq(creditEntries.userId, userId))
        .orderBy(creditEntries.seq);
      return rows.map(wire);
    },
  };
}
