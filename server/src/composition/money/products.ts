/** What each kind of package is: how it is checked, given, taken back, and what the rules offer for a refund. */
import { DAY_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../../features/membership/service.ts';
import type { OrderRow, Product } from '../../features/orders/service.ts';
import type { Points } from '../../features/points/service.ts';

type Kinds = Record<'vip' | 'edu' | 'combo' | 'point', Product>;

const DESK = '由客服核定';

export function createProducts({ membership, points }: { membership: Membership; points: Points }): Kinds {
  const { grants, education, usage } = membership;
  const ownerOf = (order: OrderRow): Owner => ({ kind: 'user', id: order.userId });
  const pointKey = (order: OrderRow): string => `order:${order.orderNo}`;

  const giveDays = async (...[tx, order]: Parameters<Product['apply']>): Promise<boolean> => {
    const { valid_vip_days: days, lifetime } = order.snapshot;
    const { lifetime: isForLife } = await grants.standing(tx, order.userId);
    // Bought before, paid after a lifetime: there is nothing to extend.
    if (isForLife) return false;
    const total = lifetime ? null : (days ?? 0) * order.quantity;
    await grants.grant(tx, { userId: order.userId, source: 'order', ref: order.orderNo, days: total, lifetime });
    return true;
  };

  const givePoints = async (...[tx, order]: Parameters<Product['apply']>): Promise<boolean> => {
    const paid = (order.snapshot.points ?? 0) * order.quantity;
    const { title } = order.snapshot;
    await points.add(tx, ownerOf(order), { paid }, { kind: 'order', key: pointKey(order), title, ref: order.orderNo });
    return true;
  };

  const takePoints: Product['revoke'] = async (tx, order) => {
    await points.takeBack(tx, ownerOf(order), pointKey(order), '退款扣回');
  };

  const takeDays: Product['revoke'] = async (tx, order) => {
    await grants.revoke(tx, 'order', order.orderNo);
  };

  const days: Product = {
    check: async (tx, buyer, pack, quantity) => {
      const { lifetime } = await grants.standing(tx, buyer.userId);
      if (lifetime) throw new Fault(30204);
      if (pack.lifetime && quantity !== 1) {
        const fault = new Fault(30209);
        throw new Fault(30209, {}, { fields: [{ field: 'quantity', code: 'quantity', text: fault.message }] });
      }
    },
    apply: giveDays,
    revoke: takeDays,
    offer: async (executor, order, { now, refundDays }) => {
      const grant = await grants.findByRef(executor, 'order', order.orderNo);
      if (!grant || grant.revokedAt) return { amount: null, note: DESK };
      const paidAt = order.paidAt ?? now;
      const isEarly = now.getTime() - paidAt.getTime() < refundDays * DAY_MS;
      const isBegun = grant.startsAt !== null && grant.startsAt < now;
      const isUsed = isBegun && (await usage.usedSince(executor, order.userId, grant.startsAt ?? paidAt));
      if (isEarly && !isUsed) return { amount: order.total, note: `付款 ${refundDays} 日内且未使用，全额退款` };
      if (grant.days === null) return { amount: null, note: DESK };
      const begun = isBegun && grant.startsAt ? Math.ceil((now.getTime() - grant.startsAt.getTime()) / DAY_MS) : 0;
      const kept = Math.ceil((order.total * Math.min(begun, grant.days)) / grant.days);
      return { amount: order.total - kept, note: `已使用 ${Math.min(begun, grant.days)} 天，按剩余天数退款` };
    },
  };

  const onlyPoints: Product = {
    check: async () => undefined,
    apply: givePoints,
    revoke: takePoints,
    offer: async (executor, order) => {
      const bought = (order.snapshot.points ?? 0) * order.quantity;
      const left = await points.unspent(executor, ownerOf(order), pointKey(order));
      return { amount: Math.floor((order.total * left) / bought), note: `剩余 ${left} 点，按未使用点数退款` };
    },
  };

  return {
    vip: days,
    edu: {
      ...days,
      check: async (tx, buyer, pack, quantity) => {
        await days.check(tx, buyer, pack, quantity);
        if ((await education.status(tx, buyer.userId)) !== 1) throw new Fault(30206);
      },
    },
    combo: {
      check: days.check,
      apply: async (tx, order) => (await giveDays(tx, order)) && givePoints(tx, order),
      revoke: async (tx, order) => {
        await takeDays(tx, order);
        await takePoints(tx, order);
      },
      offer: async (executor, order, at) => {
        const whole = await days.offer(executor, order, at);
        const left = await points.unspent(executor, ownerOf(order), pointKey(order));
        const isWhole = whole.amount === order.total && left === (order.snapshot.points ?? 0) * order.quantity;
        return isWhole ? whole : { amount: null, note: DESK };
      },
    },
    point: onlyPoints,
  };
}
