/**
 * Credits do not end unseen: their owner is told 60, 30 and 7 days before, once each; whoever was not seen in those 60
 * days keeps them 90 days longer, once. What is over is taken out by a nightly round, and before every movement anyway.
 */
import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { DAY_MS } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { retried } from '../../lib/idempotency.ts';
import { send } from '../../lib/outbox.ts';
import type { Ledger } from './ledger.ts';
import { creditLots } from './tables.ts';
import type { CreditLot } from './tables.ts';

export const CREDITS_ENDING = 'credits.ending';
export const CreditsEndingLetter = z.strictObject({ user_id: z.number(), at: z.string(), days: z.number() });

/** Days before the end, the most urgent first. */
const STAGES = [7, 30, 60] as const;
const UNSEEN_DAYS = 60;
const EXTENSION_DAYS = 90;
const BATCH = 500;

const after = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);
const isOpen = gt(creditLots.remaining, 0);

interface Parts {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  /** When somebody last used the product; null: never. */
  lastSeen: (executor: Db, userId: number) => Promise<Date | null>;
}

export type Ending = ReturnType<typeof createEnding>;

export function createEnding({ db, clock, ledger, lastSeen }: Parts) {
  /** On the last day: later, whoever comes back would seem to have been there all along. */
  async function extendUnseen(now: Date): Promise<void> {
    const due = await db
      .select()
      .from(creditLots)
      .where(
        and(
          isOpen,
          eq(creditLots.extended, false),
          gt(creditLots.expiresAt, now),
          lte(creditLots.expiresAt, after(now, 1)),
        ),
      )
      .limit(BATCH);
    for (const lot of due) {
      const seen = await lastSeen(db, lot.userId);
      if (!seen || seen.getTime() < lot.expiresAt.getTime() - UNSEEN_DAYS * DAY_MS) await extend(lot);
    }
  }

  const extend = (lot: CreditLot): Promise<void> =>
    db.transaction(async (tx) => {
      const { now } = await ledger.lock(tx, lot.userId);
      await tx
        .update(creditLots)
        .set({ expiresAt: after(lot.expiresAt, EXTENSION_DAYS), extended: true, noticed: null })
        .where(and(eq(creditLots.id, lot.id), eq(creditLots.extended, false), gt(creditLots.expiresAt, now)));
    });

  /** Marks what its owner is to be told of and hands the messages to the outbox, in one transaction. */
  async function tell(now: Date): Promise<number> {
    let notified = 0;
    for (const days of STAGES)
      notified += await db.transaction(async (tx) => {
        const due = await tx
          .select()
          .from(creditLots)
          .where(
            and(
              isOpen,
              gt(creditLots.expiresAt, now),
              lte(creditLots.expiresAt, after(now, days)),
              or(isNull(creditLots.noticed), gt(creditLots.noticed, days)),
            ),
          )
          .orderBy(asc(creditLots.id))
          .limit(BATCH)
          .for('update', { skipLocked: true });
        for (const { id, userId, expiresAt } of due) {
          await tx.update(creditLots).set({ noticed: days }).where(eq(creditLots.id, id));
          const at = expiresAt.toISOString();
          // All that ends at one instant is one message.
          await send(tx, {
            topic: CREDITS_ENDING,
            key: `${CREDITS_ENDING}:${userId}:${at}:${days}`,
            payload: { user_id: userId, at, days },
          });
        }
        return due.length;
      });
    return notified;
  }

  async function expireAll(now: Date): Promise<void> {
    const due = await db
      .selectDistinct({ userId: creditLots.userId })
      .from(creditLots)
      .where(and(isOpen, lte(creditLots.expiresAt, now)))
      .limit(BATCH);
    for (const { userId } of due) await retried(() => ledger.expire(userId));
  }

  return {
    /** Run now and then. */
    async plan(): Promise<void> {
      const now = await clock(db);
      await extendUnseen(now);
      await tell(now);
      await expireAll(now);
    },

    /** What of an account ends at an instant. */
    async endingAt(userId: number, at: Date): Promise<number> {
      const [row] = await db
        .select({ n: sql<number>`coalesce(sum(${creditLots.remaining}), 0)::int` })
        .from(creditLots)
        .where(and(eq(creditLots.userId, userId), isOpen, eq(creditLots.expiresAt, at)));
      return row?.n ?? 0;
    },
  };
}
