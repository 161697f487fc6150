/** What the desk sees of credits: movements, accounts that are held, what is owed by month of expiry. */
import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { countSome, slice } from '../../lib/paging.ts';
import { creditAccounts, creditEntries, creditLots } from './tables.ts';
import type { CreditAccountRow, CreditEntry } from './tables.ts';

export function createDesk({ db, clock }: { db: Db; clock: Clock }) {
  return {
    async find(executor: Db, userId: number): Promise<CreditAccountRow | null> {
      const [row] = await executor.select().from(creditAccounts).where(eq(creditAccounts.userId, userId));
      return row ?? null;
    },

    /** Newest first, of one person where asked. */
    async entries(query: {
      page: number;
      page_size: number;
      user_id?: number | undefined;
    }): Promise<{ total: number; list: CreditEntry[] }> {
      const where = query.user_id === undefined ? undefined : eq(creditEntries.userId, query.user_id);
      const { limit, offset } = slice(query);
      const list = await db
        .select()
        .from(creditEntries)
        .where(where)
        .orderBy(desc(creditEntries.id))
        .limit(limit)
        .offset(offset);
      return { total: await countSome(db, creditEntries, where), list };
    },

    async accounts(query: {
      page: number;
      page_size: number;
      user_id?: number | undefined;
      held: boolean;
    }): Promise<{ total: number; list: CreditAccountRow[] }> {
      const where = and(
        query.user_id === undefined ? undefined : eq(creditAccounts.userId, query.user_id),
        query.held ? isNotNull(creditAccounts.heldReason) : undefined,
      );
      const { limit, offset } = slice(query);
      const list = await db
        .select()
        .from(creditAccounts)
        .where(where)
        .orderBy(desc(creditAccounts.userId))
        .limit(limit)
        .offset(offset);
      return { total: await countSome(db, creditAccounts, where), list };
    },

    /** What can still be spent, by the Shanghai month it ends in. */
    async liability(): Promise<{ month: string; amount: number; people: number }[]> {
      const now = await clock(db);
      // A lot ends with the first instant of the next month.
      const month = sql<string>`to_char(${creditLots.expiresAt} AT TIME ZONE 'Asia/Shanghai' - interval '1 second', 'YYYY-MM')`;
      return db
        .select({
          month,
          amount: sql<number>`sum(${creditLots.remaining})::int`,
          people: sql<number>`count(DISTINCT ${creditLots.userId})::int`,
        })
        .from(creditLots)
        .where(and(gt(creditLots.remaining, 0), gt(creditLots.expiresAt, now)))
        .groupBy(sql`1`)
        .orderBy(sql`1`);
    },
  };
}
