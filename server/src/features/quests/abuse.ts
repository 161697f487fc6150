/** What makes a reward wait for a person's look, said to its owner in words. Whoever was cleared once is not held again. */
import { and, eq, gt } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { productEvents } from '../../lib/product-events.ts';

/** New accounts of one device or network on one day. */
const SIGNUPS_A_DAY = 5;
/** Later it no longer matters with whom an account was made. */
const NEW_DAYS = 30;
/** One every twelve seconds, for an hour. */
const DEEDS_AN_HOUR = 300;

/** What accounts know of how an account was made. */
export interface Origin {
  createdAt: Date;
  /** Accounts made on the same day from a device or a network of this one's, with itself. */
  together: () => Promise<number>;
}

export type Origins = (executor: Db, userId: number) => Promise<Origin | null>;

export async function whyHeld(executor: Db, origins: Origins, userId: number, now: Date): Promise<string | null> {
  const recent = and(
    eq(productEvents.userId, userId),
    eq(productEvents.onceOnly, false),
    gt(productEvents.at, new Date(now.getTime() - 3_600_000)),
  );
  if ((await executor.$count(productEvents, recent)) > DEEDS_AN_HOUR) return '短时间内操作过于频繁';
  const origin = await origins(executor, userId);
  if (!origin || now.getTime() - origin.createdAt.getTime() > NEW_DAYS * DAY_MS) return null;
  return (await origin.together()) > SIGNUPS_A_DAY ? '同一设备或网络当天注册的账号较多' : null;
}
