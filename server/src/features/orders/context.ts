/** What the parts of orders share: products by kind, providers, the lock of a buyer, numbers. */
import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import { compactDay } from '../../lib/clock.ts';
import { digits } from '../../lib/codes.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Logger } from '../../lib/log.ts';
import type { PackageKind, Vip } from '../membership/schema.ts';
import type { Changed, PackageRow, Membership } from '../membership/service.ts';
import type { Cashiers } from './providers/cashiers.ts';
import type { RefundOffer } from './schema.ts';
import { moneySettings } from './tables.ts';
import type { MoneySettings, OrderRow, Snapshot } from './tables.ts';

/** The picture is renewed after this; the order itself stays open for longer. */
export const QR_SECONDS = 300;
/** How long a bank transfer may take. */
export const TRANSFER_DAYS = 30;

/** Who buys: a person, or an enterprise through one. */
export interface Buyer {
  userId: number;
  enterpriseId: number | null;
}

/** What a kind of package is; orders knows no product, app.ts hands them in. */
export interface Product {
  /** Refuses what this buyer may not buy (30204, 30206 …). */
  check(tx: Tx, buyer: Buyer, pack: PackageRow, quantity: number): Promise<void>;
  /** Gives what was paid for; false when it cannot be given any more, so that the money goes back. */
  apply(tx: Tx, order: OrderRow): Promise<boolean>;
  /** Takes it back when the order is refunded. */
  revoke(tx: Tx, order: OrderRow): Promise<void>;
  /** What the rules offer for a refund. */
  offer(executor: Db, order: OrderRow, at: { now: Date; refundDays: number }): Promise<RefundOffer>;
}

export interface Holdings {
  vip: Vip;
  user_ai_point: number;
}

export interface Context {
  db: Db;
  clock: Clock;
  keys: Keys;
  log: Logger;
  membership: Membership;
  products: Partial<Record<PackageKind, Product>>;
  cashiers: Cashiers;
  hasPhone: (executor: Db, userId: number) => Promise<boolean>;
  holdings: (userId: number) => Promise<Holdings>;
  onAnomaly: () => void;
}

/** One buyer's orders change one after the other; taken before any row. */
export const lockBuyer = async (tx: Tx, userId: number): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(7205760, ${userId})`);
};

export const orderNumber = (now: Date): string => `HX${compactDay(now)}${digits(14)}`;
export const refundNumber = (now: Date): string => `RF${compactDay(now)}${digits(14)}`;

export async function settingsOf(executor: Db): Promise<MoneySettings> {
  const [row] = await executor.select().from(moneySettings);
  if (!row) throw new Error('The settings of money are missing');
  return row;
}

/** Desk. */
export async function changeSettings(
  tx: Tx,
  version: number,
  change: Partial<Omit<MoneySettings, 'id' | 'version'>>,
): Promise<Changed<MoneySettings>> {
  const [before] = await tx.select().from(moneySettings).for('update');
  if (!before) throw new Error('The settings of money are missing');
  if (before.version !== version) throw new Fault(30309);
  const [after] = await tx
    .update(moneySettings)
    .set({ ...change, version: version + 1 })
    .where(eq(moneySettings.id, 1))
    .returning();
  if (!after) throw new Error('UPDATE gave no row');
  return { before, after };
}

/** 1 days, 2 lifetime, 3 points, 4 both. */
export function calculateType({ points, lifetime, valid_vip_days: days }: Snapshot): 1 | 2 | 3 | 4 {
  if (points !== null) return lifetime || days !== null ? 4 : 3;
  return lifetime ? 2 : 1;
}
