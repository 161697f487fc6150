/** What each kind of item gives, whether it is untouched, and how it is taken back. */
import { DAY_MS } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../membership/service.ts';
import type { Points } from '../points/service.ts';
import type { Granted } from './schema.ts';
import type { ItemRow, OrderRow } from './tables.ts';

export const MALL = 'mall';

/** The maker of coupons, handed in: the mall knows orders of money as little as they know it. */
export interface CouponMaker {
  make(
    tx: Tx,
    coupon: { amount: number; coupon_type: 0 | 1 | 3; userId: number; validTo: Date; note: string },
  ): Promise<string>;
  /** Whether it has been used, or is held by an open order. */
  isUsed(executor: Db, code: string): Promise<boolean>;
  /** Stops it; false when it was used meanwhile. */
  stop(tx: Tx, code: string): Promise<boolean>;
}

export interface MethodFacts {
  title: string;
  tier: string;
}

export interface FulfilmentDependencies {
  membership: Membership;
  points: Points;
  coupons: CouponMaker;
  method: (path: string) => MethodFacts | null;
  /** Whether any method asks for membership: else there is nothing to unlock. */
  hasLockedMethods: () => boolean;
}

const personal = (id: number): Owner => ({ kind: 'user', id });
const pointsKey = (no: string): string => `${MALL}:${no}`;

/** What of a span lies ahead, in whole days. */
export function daysLeft({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }, now: Date): number {
  return Math.max(0, Math.floor((endsAt.getTime() - Math.max(now.getTime(), startsAt.getTime())) / DAY_MS));
}

export function createFulfilment({ membership, points, coupons, method }: FulfilmentDependencies) {
  const { grants, unlocks, editions } = membership;

  /** An unlock is for a method that asks for membership, and for whoever is no member. */
  async function demandUnlockable(tx: Tx, userId: number, path: string): Promise<MethodFacts> {
    const facts = method(path);
    if (!facts) throw new Fault(30093);
    const { member_methods: hasAll } = await editions.limitsOf(tx, personal(userId));
    if (facts.tier !== 'member' || hasAll) throw new Fault(31107);
    return facts;
  }

  return {
    titleOf: (path: string): string => method(path)?.title ?? path,

    /** Gives what an order bought. */
    async give(tx: Tx, item: ItemRow, order: OrderRow, now: Date): Promise<Granted> {
      const { userId, orderNo: no, quantity } = order;
      const kind = item.grantKind;
      const value = item.grantValue * quantity;
      const bare: Granted = { kind, value, until: null, method: null, codes: [] };
      switch (kind) {
        case 'vip_days': {
          const { before } = await grants.grant(tx, { userId, source: MALL, ref: no, days: value, lifetime: false });
          if (before.lifetime) throw new Fault(30204);
          return bare;
        }
        case 'ai_points':
          await points.add(
            tx,
            personal(userId),
            { gift: value },
            { kind: MALL, key: pointsKey(no), title: item.title, ref: no },
          );
          return bare;
        case 'algorithm': {
          if (order.method === null) throw new Fault(30090, { detail: '请选择要解锁的方法' });
          const path = order.method;
          const { title } = await demandUnlockable(tx, userId, path);
          const row = await unlocks.grant(tx, { userId, method: path, source: MALL, ref: no, days: value });
          return { ...bare, until: row.endsAt.toISOString(), method: { path, title } };
        }
        case 'coupon': {
          const validTo = new Date(now.getTime() + (item.validDays ?? 0) * DAY_MS);
          const coupon = { amount: item.grantValue, coupon_type: item.couponType ?? 0, userId, validTo, note: no };
          const codes: string[] = [];
          for (let n = 0; n < quantity; n += 1) codes.push(await coupons.make(tx, coupon));
          return { ...bare, value: item.grantValue, until: validTo.toISOString(), codes };
        }
      }
    },

    /** Why one click does not give it back; null: it does. Told before; `takeBack` decides. */
    async whyNot(executor: Db, order: OrderRow): Promise<string | null> {
      const { grantKind, orderNo: no, granted } = order;
      if (grantKind === 'vip_days') return '会员天数请联系客服退回';
      if (grantKind === 'algorithm')
        return (await unlocks.find(executor, MALL, no))?.usedAt === null ? null : '解锁的方法已使用';
      if (grantKind === 'coupon') {
        for (const code of granted?.codes ?? []) if (await coupons.isUsed(executor, code)) return '优惠码已使用';
        return null;
      }
      return (await points.isGiftWhole(executor, personal(order.userId), pointsKey(no))) ? null : '点数已使用';
    },

    /** Takes back something untouched, whole; refused (31109) when it was used. */
    async takeBack(tx: Tx, order: OrderRow): Promise<void> {
      const { grantKind, orderNo: no, userId, granted } = order;
      const used = (reason: string): Fault => new Fault(31109, { reason });
      if (grantKind === 'vip_days') throw used('会员天数请联系客服退回');
      if (grantKind === 'algorithm') {
        if ((await unlocks.find(tx, MALL, no))?.usedAt !== null) throw used('解锁的方法已使用');
        await unlocks.revoke(tx, MALL, no);
        return;
      }
      if (grantKind === 'coupon') {
        for (const code of granted?.codes ?? []) if (!(await coupons.stop(tx, code))) throw used('优惠码已使用');
        return;
      }
      const moved = await points.takeGift(tx, personal(userId), pointsKey(no), `${order.title}退回`);
      if (!moved) throw used('点数已使用');
    },

    /** Takes back what is left of days; gives how many of how many whole days that was. */
    async takeRest(tx: Tx, order: OrderRow, now: Date): Promise<{ left: number; of: number }> {
      const { grantKind, orderNo: no } = order;
      const of = order.grantValue * order.quantity;
      if (grantKind === 'algorithm') {
        const row = await unlocks.find(tx, MALL, no);
        const isGone = !row || !(await unlocks.revoke(tx, MALL, no));
        return { left: isGone ? 0 : daysLeft(row, now), of };
      }
      const row = await grants.findByRef(tx, MALL, no);
      if (!row || row.revokedAt) return { left: 0, of };
      const { startsAt, endsAt } = row;
      await grants.revoke(tx, MALL, no);
      // Days behind a lifetime have not begun.
      return { left: startsAt && endsAt ? daysLeft({ startsAt, endsAt }, now) : of, of };
    },
  };
}
export type Fulfilment = ReturnType<typeof createFulfilment>;
