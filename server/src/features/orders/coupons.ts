/**
 * Coupons: reserved by an order, used when it is paid, released when it is closed or refunded. `uses` counts what is
 * reserved or used and never passes the limit. Guessing is limited.
 */
import { and, count, eq, ne, sql } from 'drizzle-orm';
import { shortCode } from '../../lib/codes.ts';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing, tooMany } from '../../lib/errors.ts';
import type { PackageKind } from '../membership/schema.ts';
import type { Changed } from '../membership/service.ts';
import { isRecent } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { couponMisses, couponUses, coupons } from './tables.ts';
import type { CouponRow } from './tables.ts';

const MISSES_HOUR = 10;
const CODE = /^[2-9A-HJ-NP-Z]{6}$/;

export type CouponDraft = Omit<typeof coupons.$inferInsert, 'id' | 'code' | 'uses' | 'version' | 'createdAt'>;

/** What a coupon is to be used for. */
export interface CouponUse {
  code: string;
  userId: number;
  pack: { id: number; kind: PackageKind } | null;
  /** The buy type of the dialog, for a look-up without a package. */
  type: 1 | 3 | null;
}

const TYPE_OF: Partial<Record<PackageKind, 1 | 3>> = { vip: 1, edu: 3 };

function fits(coupon: CouponRow, { pack, type }: CouponUse): boolean {
  if (!pack) return coupon.couponType === 0 || coupon.couponType === type;
  // Combos and points only when the coupon names them.
  if (coupon.packageIds) return coupon.packageIds.includes(pack.id);
  const own = TYPE_OF[pack.kind];
  return own !== undefined && (coupon.couponType === 0 || coupon.couponType === own);
}

export type Coupons = ReturnType<typeof createCoupons>;

export function createCoupons({ db, clock }: { db: Db; clock: Clock }) {
  function isLive(coupon: CouponRow, userId: number, now: Date): boolean {
    const begun = !coupon.validFrom || coupon.validFrom <= now;
    const open = !coupon.validTo || coupon.validTo > now;
    return coupon.state === 'on' && begun && open && (coupon.userId === null || coupon.userId === userId);
  }

  async function usesBy(
    executor: Db,
    couponId: number,
    userId: number,
    states: ('reserved' | 'used')[],
  ): Promise<number> {
    const [row] = await executor
      .select({ n: count() })
      .from(couponUses)
      .where(
        and(eq(couponUses.couponId, couponId), eq(couponUses.userId, userId), sql`${couponUses.state} IN ${states}`),
      );
    return row?.n ?? 0;
  }

  /**
   * A look at a typed code counts as a miss before it begins and is taken back when the code was right: so guesses made
   * at the same time do not pass the same count. The eleventh miss within an hour is not looked at.
   */
  async function guess<T>(userId: number, look: () => Promise<T>): Promise<T> {
    const id = await db.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`coupon guesses ${userId}`}))`);
      const [row] = await tx
        .select({ n: count() })
        .from(couponMisses)
        .where(and(eq(couponMisses.userId, userId), isRecent(couponMisses.at, 3600)));
      if ((row?.n ?? 0) >= MISSES_HOUR) throw tooMany(3600);
      const [miss] = await tx.insert(couponMisses).values({ userId }).returning({ id: couponMisses.id });
      return miss?.id ?? 0;
    });
    const forget = () => db.delete(couponMisses).where(eq(couponMisses.id, id));
    try {
      const found = await look();
      await forget();
      return found;
    } catch (error) {
      // Who holds a code that does not fit, or has used it, does not guess.
      if (!(error instanceof Fault) || error.code !== 30211) await forget();
      throw error;
    }
  }

  async function judge(coupon: CouponRow | undefined, use: CouponUse, now: Date): Promise<CouponRow> {
    if (!coupon || !isLive(coupon, use.userId, now)) throw new Fault(30211);
    if (!fits(coupon, use)) throw new Fault(30212);
    return coupon;
  }

  return {
    guess,

    /** What a typed code would take off; what the person's own open order holds of it does not count against them. */
    async amount(use: CouponUse): Promise<number> {
      if (!CODE.test(use.code)) throw new Fault(30211);
      const [found] = await db.select().from(coupons).where(eq(coupons.code, use.code));
      const coupon = await judge(found, use, await clock(db));
      if ((await usesBy(db, coupon.id, use.userId, ['used'])) >= coupon.perUser) throw new Fault(30213);
      const own = await usesBy(db, coupon.id, use.userId, ['reserved']);
      if (coupon.limitTotal !== null && coupon.uses - own >= coupon.limitTotal) throw new Fault(30211);
      return coupon.amount;
    },

    /** Holds the coupon for an order, under its lock; gives the fen it takes off. */
    async reserve(tx: Tx, use: CouponUse, orderNo: string): Promise<number> {
      if (!CODE.test(use.code)) throw new Fault(30211);
      const [found] = await tx.select().from(coupons).where(eq(coupons.code, use.code)).for('update');
      const coupon = await judge(found, use, await clock(tx));
      if ((await usesBy(tx, coupon.id, use.userId, ['reserved', 'used'])) >= coupon.perUser) throw new Fault(30213);
      if (coupon.limitTotal !== null && coupon.uses >= coupon.limitTotal) throw new Fault(30211);
      await tx
        .update(coupons)
        .set({ uses: coupon.uses + 1 })
        .where(eq(coupons.id, coupon.id));
      await tx.insert(couponUses).values({ couponId: coupon.id, orderNo, userId: use.userId, state: 'reserved' });
      return coupon.amount;
    },

    /** The order was closed or refunded. */
    async release(tx: Tx, orderNo: string): Promise<void> {
      const [use] = await tx.select().from(couponUses).where(eq(couponUses.orderNo, orderNo));
      if (!use || use.state === 'released') return;
      await tx.select({ id: coupons.id }).from(coupons).where(eq(coupons.id, use.couponId)).for('update');
      await tx
        .update(couponUses)
        .set({ state: 'released', updatedAt: sql`now()` })
        .where(eq(couponUses.id, use.id));
      await tx
        .update(coupons)
        .set({ uses: sql`${coupons.uses} - 1` })
        .where(eq(coupons.id, use.couponId));
    },

    /** The order was paid in time. */
    async use(tx: Tx, orderNo: string): Promise<void> {
      await tx
        .update(couponUses)
        .set({ state: 'used', updatedAt: sql`now()` })
        .where(and(eq(couponUses.orderNo, orderNo), eq(couponUses.state, 'reserved')));
    },

    /** The order was paid late: true when there was no coupon or it is still to be had. Its end does not count. */
    async useAgain(tx: Tx, orderNo: string): Promise<boolean> {
      const [use] = await tx.select().from(couponUses).where(eq(couponUses.orderNo, orderNo));
      if (!use) return true;
      const [coupon] = await tx.select().from(coupons).where(eq(coupons.id, use.couponId)).for('update');
      if (!coupon || coupon.state !== 'on') return false;
      if (coupon.limitTotal !== null && coupon.uses >= coupon.limitTotal) return false;
      if ((await usesBy(tx, coupon.id, use.userId, ['reserved', 'used'])) >= coupon.perUser) return false;
      await tx
        .update(coupons)
        .set({ uses: coupon.uses + 1 })
        .where(eq(coupons.id, coupon.id));
      await tx
        .update(couponUses)
        .set({ state: 'used', updatedAt: sql`now()` })
        .where(eq(couponUses.id, use.id));
      return true;
    },

    async find(executor: Db, code: string): Promise<CouponRow | null> {
      const [row] = await executor.select().from(coupons).where(eq(coupons.code, code));
      return row ?? null;
    },

    /** Desk, and campaigns. */
    async make(tx: Tx, draft: CouponDraft): Promise<Changed<CouponRow>> {
      for (let tries = 0; ; tries += 1)
        try {
          const after = await tx.transaction(async (inner) => {
            const [row] = await inner
              .insert(coupons)
              .values({ ...draft, code: shortCode(6) })
              .returning();
            return row;
          });
          if (!after) throw new Error('INSERT gave no row');
          return { before: null, after };
        } catch (error) {
          // One of 2^30 codes was drawn twice.
          if (tries >= 4 || !violates(error, 'coupons_code_key')) throw error;
        }
    },

    /** Desk: limits, or stops (`state: stopped`). */
    async change(
      tx: Tx,
      id: number,
      version: number,
      change: Partial<Pick<CouponRow, 'limitTotal' | 'perUser' | 'validFrom' | 'validTo' | 'state' | 'note'>>,
    ): Promise<Changed<CouponRow>> {
      const [before] = await tx.select().from(coupons).where(eq(coupons.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30309);
      const limit = change.limitTotal;
      if (limit !== undefined && limit !== null && limit < before.uses)
        throw new Fault(30408, { detail: `已使用 ${before.uses} 次，上限不能更低` });
      const [after] = await tx
        .update(coupons)
        .set({ ...change, version: version + 1 })
        .where(eq(coupons.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },

    async tidy(): Promise<void> {
      await db.delete(couponMisses).where(sql`${couponMisses.at} < now() - interval '1 day'`);
    },

    /** Uses that are not released, for reconciliation with `uses`. */
    async live(couponId: number): Promise<number> {
      const [row] = await db
        .select({ n: count() })
        .from(couponUses)
        .where(and(eq(couponUses.couponId, couponId), ne(couponUses.state, 'released')));
      return row?.n ?? 0;
    },
  };
}
