/** Seven days before a membership ends its owner is told, once for each end; the outbox carries the message. */
import { and, eq, exists, gt, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { DAY_MS, dayOf } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { send } from '../../lib/outbox.ts';
import { vipAccounts, vipGrants } from './tables.ts';

export const ENDING = 'membership.ending';
export const EndingLetter = z.strictObject({ user_id: z.number(), until: z.string() });

export const NOTICE_DAYS = 7;
const BATCH = 200;
/** Messages are sent by day, 9 to 21 o'clock in Shanghai. */
const [FROM_HOUR, TO_HOUR] = [9, 21];

/** Seconds until messages may be sent; 0 by day. */
export function untilDaytime(now: Date): number {
  const local = (now.getTime() + 8 * 3_600_000) % DAY_MS;
  const hour = local / 3_600_000;
  if (hour >= FROM_HOUR && hour < TO_HOUR) return 0;
  const wait = FROM_HOUR * 3_600_000 - local;
  return Math.ceil((wait > 0 ? wait : wait + DAY_MS) / 1000);
}

/** 11月28日 */
export const shownDay = (at: Date): string => {
  const [, month, day] = dayOf(at).split('-');
  return `${Number(month)}月${Number(day)}日`;
};

export function createEnding({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Marks who is due and hands the messages to the outbox, in one transaction. Gives how many. */
    async plan(): Promise<number> {
      const now = await clock(db);
      const soon = new Date(now.getTime() + NOTICE_DAYS * DAY_MS);
      return db.transaction(async (tx) => {
        const due = await tx
          .select({ userId: vipAccounts.userId, until: vipAccounts.until })
          .from(vipAccounts)
          .where(
            and(
              eq(vipAccounts.lifetime, false),
              isNotNull(vipAccounts.until),
              gt(vipAccounts.until, now),
              lte(vipAccounts.until, soon),
              or(isNull(vipAccounts.noticedUntil), ne(vipAccounts.noticedUntil, vipAccounts.until)),
              // Who was no member seven days before the end (a gift of three days) is not told that it ends.
              exists(
                tx
                  .select({ id: vipGrants.id })
                  .from(vipGrants)
                  .where(
                    and(
                      eq(vipGrants.userId, vipAccounts.userId),
                      isNull(vipGrants.revokedAt),
                      sql`${vipGrants.startsAt} <= ${vipAccounts.until} - make_interval(days => ${NOTICE_DAYS})`,
                    ),
                  ),
              ),
            ),
          )
          .limit(BATCH)
          .for('update', { skipLocked: true });
        for (const { userId, until } of due) {
          const end = until?.toISOString() ?? '';
          await send(tx, { topic: ENDING, key: `ending:${userId}:${end}`, payload: { user_id: userId, until: end } });
          await tx.update(vipAccounts).set({ noticedUntil: until }).where(eq(vipAccounts.userId, userId));
        }
        return due.length;
      });
    },
  };
}
