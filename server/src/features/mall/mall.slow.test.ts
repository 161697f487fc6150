import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';
import { rowsOf } from '../../testing/build.ts';
import { creditStage } from '../../testing/credits.ts';
import { call, makeMember, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { deliver } from '../../testing/money.ts';
import type { ItemRow } from './tables.ts';
import { createMall } from './service.ts';
import type { CouponMaker } from './service.ts';

/** A Sunday in Shanghai, ten in the morning. */
const on = creditStage('2026-11-22T02:00:00Z');
const LOCKED = 'hypothesis_test/welch';
let clicks = 0;

const item = async (kind: string): Promise<ItemRow> =>
  (await on.world.money.centre.mall.desk.items()).find(({ grantKind }) => grantKind === kind)!;
const buy = async (kind: string, more: Record<string, unknown> = {}, who: Person = on.person) => {
  const { id, priceCredits } = await item(kind);
  clicks += 1;
  const body = { item_id: id, quantity: 1, expect_credits: priceCredits, request_id: `r${clicks}`, ...more };
  return call(on.world, who, 'POST', '/v1/mall/purchase', body);
};
/** A crowd may find the database without a free connection, and is told to come again: the same click then. */
async function patiently(request: { request_id: string }, who: Person = on.person): ReturnType<typeof buy> {
  const reply = await buy('ai_points', request, who);
  return reply.body.err_code === 30098 ? patiently(request, who) : reply;
}
const refund = (no: string, who: Person = on.person) => call(on.world, who, 'POST', `/v1/mall/orders/${no}/refund`, {});
const set = (kind: string, change: ReturnType<typeof sql>) =>
  on.world.db.execute(sql`UPDATE mall_items SET ${change} WHERE grant_kind = ${kind}`);
const later = (ms: number): void => on.at(new Date(on.now.getTime() + ms).toISOString());

/** The same mall where one made-up method asks for membership. */
const locked = () => {
  const { membership, points, centre } = on.world.money;
  const none: CouponMaker = {
    make: () => Promise.reject(new Error('no coupons here')),
    isUsed: async () => false,
    stop: async () => false,
  };
  return createMall({
    db: on.world.db,
    clock: async () => on.now,
    credits: centre.credits,
    membership,
    points,
    coupons: none,
    method: (path) => (path === LOCKED ? { title: '某方法', tier: 'member' } : { title: '免费', tier: 'standard' }),
    hasLockedMethods: () => true,
  }).purchases;
};
const unlock = async (days: 7 | 30 = 7, method = LOCKED, quantity = 1) => {
  const row = (await on.world.money.centre.mall.desk.items()).find(
    (one) => one.grantKind === 'algorithm' && one.grantValue === days,
  )!;
  clicks += 1;
  const request = { item_id: row.id, quantity, expect_credits: row.priceCredits, request_id: `u${clicks}`, method };
  return locked().purchase(on.person.id, request);
};
const judge = () =>
  on.world.money.membership.usage.judge({
    owner: on.person.owner,
    method: { path: LOCKED, title: '某方法', tier: 'member' },
    table: null,
    limitsRows: true,
    counts: true,
  });

describe('what is shown', () => {
  test('to a visitor the items without a balance; to a person what is missing', async () => {
    const seen = await on.get('/v1/mall/items', null);
    expect(seen).toMatchObject({ total: 5 });
    expect(new Set(seen.list.map(({ can_buy: can }: any) => can))).toEqual(new Set([false]));
    expect(seen.list.find((one: any) => one.grant_kind === 'coupon')).toMatchObject({ reason: '登录后可兑换' });
    await on.gives(60);
    const own = (await on.get('/v1/mall/items')).list;
    const of = (kind: string) => own.find((one: any) => one.grant_kind === kind);
    expect(of('ai_points')).toMatchObject({ can_buy: true, reason: null, price_credits: 50, quantity_max: 10 });
    expect(of('coupon')).toMatchObject({ can_buy: false, reason: '积分不足，还差 40' });
    // Some methods ask for membership: there is something to unlock.
    expect(of('algorithm')).toMatchObject({ can_buy: true, reason: null });
  });

  test('true stock from twenty down, what is sold out, what this month was bought', async () => {
    await on.gives(1000);
    const shown = async () => on.get(`/v1/mall/items/${(await item('ai_points')).id}`);
    await set('ai_points', sql`stock_total = 21, stock_left = 21`);
    expect((await shown()).stock_left).toBeNull();
    await buy('ai_points');
    expect((await shown()).stock_left).toBe(20);
    await set('ai_points', sql`per_user_limit = 1`);
    expect(await shown()).toMatchObject({ can_buy: false, reason: '本月已兑 1/1', bought: 1 });
    on.at('2026-11-30T16:00:00Z');
    expect(await shown()).toMatchObject({ can_buy: true, bought: 0 });
    await set('ai_points', sql`stock_total = 1, stock_left = 0`);
    expect(await shown()).toMatchObject({ can_buy: false, reason: '已兑完' });
  });

  test('an item outside its time, taken off or unknown is not found', async () => {
    const { id } = await item('coupon');
    const status = async () => (await call(on.world, null, 'GET', `/v1/mall/items/${id}`)).status;
    await set('coupon', sql`on_at = ${on.now}, off_at = ${new Date(on.now.getTime() + 1000)}`);
    expect(await status()).toBe(200);
    later(1000);
    expect(await status()).toBe(404);
    expect((await call(on.world, null, 'GET', '/v1/mall/items/999999')).status).toBe(404);
  });
});

describe('buying', () => {
  test('gives what it says: points, days, a coupon of the own', async () => {
    await on.gives(1000);
    expect((await buy('ai_points', { quantity: 2 })).data).toMatchObject({
      state: 'done',
      total_amount: 900,
      granted: { kind: 'ai_points', value: 20 },
    });
    const days = (await buy('vip_days', { quantity: 3 })).data;
    expect(days).toMatchObject({ total_amount: 660, granted: { kind: 'vip_days', value: 3 } });
    expect(await on.get('/v1/user')).toMatchObject({ user_ai_point: 20, is_vip: true, total_amount: 660 });
    const { granted } = (await buy('coupon', { quantity: 2 })).data;
    expect(granted).toMatchObject({ value: 500, until: '2027-02-20T02:00:00.000Z' });
    expect(granted.codes).toHaveLength(2);
    expect(await on.get(`/v1/coupon/vip/amount?code=${granted.codes[0]}&coupon_type=1`)).toMatchObject({ amount: 500 });
    expect((await on.get('/v1/mall/orders')).total).toBe(3);
    await on.agrees();
  });

  test('the same request is one purchase with one answer; with other wishes it is refused', async () => {
    await on.gives(1000);
    const first = await buy('ai_points', { request_id: 'same' });
    const again = await buy('ai_points', { request_id: 'same' });
    expect(again.data).toEqual(first.data);
    expect((await buy('ai_points', { request_id: 'same', quantity: 2 })).body.err_code).toBe(30011);
    const both = await Promise.all(Array.from({ length: 6 }, () => buy('coupon', { request_id: 'twice' })));
    expect(new Set(both.map(({ data }) => data.order_no)).size).toBe(1);
    expect(await on.balance()).toBe(850);
    await on.agrees();
  });

  test('is refused in words: credits, price, stock, limit, off the shelf, held', async () => {
    expect((await buy('ai_points')).body).toMatchObject({ err_code: 31001, msg: '积分不足，还差 50' });
    await on.gives(1000);
    expect((await buy('ai_points', { expect_credits: 49 })).body).toMatchObject({
      err_code: 31104,
      msg: '价格已更新为 50 积分，请确认后再兑换',
    });
    await set('ai_points', sql`stock_total = 1, stock_left = 1`);
    expect((await buy('ai_points', { quantity: 2 })).body).toMatchObject({ err_code: 31102 });
    await set('ai_points', sql`stock_total = NULL, stock_left = NULL, per_user_limit = 1`);
    expect((await buy('ai_points', { quantity: 2 })).body).toMatchObject({ err_code: 31103, msg: '每人限兑 1 件' });
    await set('ai_points', sql`off_at = ${on.now}`);
    expect((await buy('ai_points')).body).toMatchObject({ err_code: 31101 });
    await set('ai_points', sql`off_at = NULL, state = 'off'`);
    expect((await buy('ai_points')).body).toMatchObject({ err_code: 31101 });
    await on.world.db.transaction((tx) => on.world.money.centre.credits.ledger.hold(tx, on.person.id, '核对中'));
    expect((await buy('coupon')).body).toMatchObject({ err_code: 31005 });
    expect((await buy('coupon', { quantity: 11 })).status).toBe(400);
    expect((await buy('coupon', { method: LOCKED })).status).toBe(400);
    expect((await buy('coupon', { item_id: 999_999 })).status).toBe(404);
    // Nothing of what did not go through is left.
    expect(await on.balance()).toBe(1000);
    expect(await rowsOf(on.world.db, sql`SELECT * FROM mall_orders`)).toEqual([]);
    await on.agrees();
  });

  test('a lifetime member buys no days', async () => {
    await on.gives(100);
    const gift = { userId: on.person.id, source: 'ops', ref: 'life', days: null, lifetime: true } as const;
    await on.world.db.transaction((tx) => on.world.money.membership.grants.grant(tx, gift));
    expect((await buy('vip_days')).body.err_code).toBe(30204);
    expect(await on.balance()).toBe(100);
    await on.agrees();
  });

  test('thirty people at once and seven pieces: seven are sold, and the books agree', async () => {
    await set('ai_points', sql`stock_total = 7, stock_left = 7`);
    const people = await Promise.all(Array.from({ length: 30 }, () => makePerson(on.world)));
    await Promise.all(people.map((who) => on.gives(60, who)));
    const replies = await Promise.all(people.map((who) => patiently({ request_id: `p${who.id}` }, who)));
    expect(replies.filter(({ body }) => body.status_code === 1)).toHaveLength(7);
    expect(new Set(replies.flatMap(({ body }) => (body.status_code === 0 ? [body.err_code] : [])))).toEqual(
      new Set([31102]),
    );
    expect((await item('ai_points')).stockLeft).toBe(0);
    await on.agrees();
  });

  test('one person with twenty clicks at once buys what the credits and the limit allow', async () => {
    await on.gives(170);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => patiently({ request_id: `q${n}` })));
    expect(replies.filter(({ body }) => body.status_code === 1)).toHaveLength(3);
    expect(await on.balance()).toBe(20);
    await set('coupon', sql`per_user_limit = 1, price_credits = 1`);
    const limited = await Promise.all(Array.from({ length: 10 }, () => buy('coupon')));
    expect(limited.filter(({ body }) => body.status_code === 1)).toHaveLength(1);
    await on.agrees();
  });
});

describe('giving back', () => {
  test('within 24 hours, untouched, whole: credits, stock and what was given', async () => {
    await set('ai_points', sql`stock_total = 5, stock_left = 5`);
    await on.gives(200);
    const points = (await buy('ai_points')).data.order_no;
    const coupon = (await buy('coupon')).data;
    later(DAY_MS - 1);
    expect(await on.get(`/v1/mall/orders/${points}`)).toMatchObject({ can_refund: true, refund_reason: null });
    expect((await refund(points)).data).toMatchObject({ state: 'refunded', amount: 50, total_amount: 100 });
    expect((await refund(points)).data).toMatchObject({ state: 'refunded', amount: 50, total_amount: 100 });
    expect((await refund(coupon.order_no)).data.total_amount).toBe(200);
    expect((await item('ai_points')).stockLeft).toBe(5);
    expect(await on.get('/v1/user')).toMatchObject({ user_ai_point: 0 });
    expect(
      (await call(on.world, on.person, 'GET', `/v1/coupon/vip/amount?code=${coupon.granted.codes[0]}&coupon_type=1`))
        .body.status_code,
    ).toBe(0);
    await on.agrees();
  });

  test('not after 24 hours, not what was used, not days, not somebody else’s', async () => {
    await on.gives(400);
    const points = (await buy('ai_points')).data.order_no;
    const used = (await buy('ai_points')).data.order_no;
    const days = (await buy('vip_days')).data.order_no;
    const coupon = (await buy('coupon')).data;
    await on.world.db.transaction((tx) =>
      on.world.money.points.spend(tx, on.person.owner, 15, { kind: 'use', key: 'x', title: '解读' }),
    );
    // The older gift is spent first.
    expect((await refund(points)).body).toMatchObject({ err_code: 31109, msg: '不能退回：点数已使用' });
    expect((await refund(used)).body.err_code).toBe(31109);
    expect((await refund(days)).body.msg).toContain('请联系客服');
    await on.world.db.execute(sql`UPDATE coupons SET uses = 1 WHERE code = ${coupon.granted.codes[0]}`);
    expect((await refund(coupon.order_no)).body).toMatchObject({ err_code: 31109, msg: '不能退回：优惠码已使用' });
    expect(await on.get(`/v1/mall/orders/${coupon.order_no}`)).toMatchObject({
      can_refund: false,
      refund_reason: '优惠码已使用',
    });
    await on.world.db.execute(sql`UPDATE coupons SET uses = 0`);
    const other = await makePerson(on.world);
    expect((await refund(points, other)).status).toBe(404);
    expect((await call(on.world, other, 'GET', `/v1/mall/orders/${points}`)).status).toBe(404);
    later(DAY_MS);
    expect((await refund(coupon.order_no)).body).toMatchObject({ err_code: 31108, msg: '已过退回期限' });
    await on.agrees();
  });

  test('the desk gives back what is left of membership days', async () => {
    await on.gives(800);
    await buy('vip_days', { quantity: 4 });
    later(1.5 * DAY_MS);
    const [{ id }] = await rowsOf(on.world.db, sql`SELECT id FROM mall_orders`);
    const { mall } = on.world.money.centre;
    const { after } = await on.world.db.transaction((tx) => mall.purchases.refundByDesk(tx, id, 1, on.person.id));
    // Two of four days were whole.
    expect(after).toMatchObject({ state: 'returned', returnedCredits: 160 });
    expect(await on.balance()).toBe(640);
    expect(await on.get('/v1/user')).toMatchObject({ is_vip: false });
    await on.agrees();
  });
});

describe('unlocking a method', () => {
  test('opens this one method for its days, behind those that are there', async () => {
    await on.gives(1000);
    expect(await judge()).toMatchObject({ allowed: false, reason: 'method' });
    const first = await unlock();
    expect(first.granted).toMatchObject({
      until: '2026-11-29T02:00:00.000Z',
      method: { path: LOCKED, title: '某方法' },
    });
    expect(await judge()).toMatchObject({ allowed: true, reason: 'unlocked', until: '2026-11-29T02:00:00.000Z' });
    const second = await unlock(30);
    expect(second.granted.until).toBe('2026-12-29T02:00:00.000Z');
    on.at('2026-12-29T01:59:59Z');
    expect(await judge()).toMatchObject({ allowed: true });
    on.at('2026-12-29T02:00:00Z');
    expect(await judge()).toMatchObject({ allowed: false });
    await on.agrees();
  });

  test('is refused for a free method, for a member, without a method, twice at once', async () => {
    await on.gives(1000);
    await expect(unlock(7, 'descriptive/frequency')).rejects.toMatchObject({ code: 31107 });
    await expect(unlock(7, LOCKED, 2)).rejects.toMatchObject({ code: 30090 });
    expect((await buy('algorithm')).body.err_code).toBe(30090);
    // Of the product itself no method is locked.
    expect((await buy('algorithm', { method: 'descriptive/frequency' })).body.err_code).toBe(31107);
    expect((await buy('algorithm', { method: 'no/such_method' })).status).toBe(404);
    await makeMember(on.world, on.person);
    await expect(unlock()).rejects.toMatchObject({ code: 31107 });
    expect(await on.balance()).toBe(1000);
    await on.agrees();
  });

  test('goes back within 24 hours without a run; the one behind it moves forward', async () => {
    await on.gives(1000);
    const first = await unlock();
    await unlock(30);
    expect(await locked().refund(on.person.id, first.order_no)).toMatchObject({ amount: 60 });
    expect(await judge()).toMatchObject({ allowed: true, until: '2026-12-22T02:00:00.000Z' });
    await on.world.money.membership.unlocks.use(on.person.owner, LOCKED);
    const [{ order_no: no }] = await rowsOf(on.world.db, sql`SELECT order_no FROM mall_orders WHERE state = 'done'`);
    await expect(locked().refund(on.person.id, no)).rejects.toMatchObject({ code: 31109 });
    await on.agrees();
  });

  test('becoming a member gives back what is left: whole days, of a used one too', async () => {
    await on.gives(1000);
    const used = await unlock();
    await on.world.money.membership.unlocks.use(on.person.owner, LOCKED);
    later(2.5 * DAY_MS);
    await unlock(30);
    await makeMember(on.world, on.person);
    await deliver(on.world);
    const orders = await rowsOf(
      on.world.db,
      sql`SELECT order_no, state, returned_credits FROM mall_orders ORDER BY id`,
    );
    // floor(60 × 4 / 7); the other was bought just now and not begun: whole.
    expect(orders).toMatchObject([
      { order_no: used.order_no, state: 'returned', returned_credits: 34 },
      { state: 'refunded', returned_credits: 200 },
    ]);
    expect(await on.balance()).toBe(974);
    await deliver(on.world);
    await on.agrees();
  });
});

describe('a campaign and its page', () => {
  test('shows the quests and items that belong to it', async () => {
    await on.world.db.execute(sql`UPDATE mall_items SET campaign_id = 2 WHERE grant_kind = 'coupon'`);
    const { list } = await on.get('/v1/campaign/advertisements?typ=1', null);
    const detail = await on.get(`/v1/campaign/advertisements/${list[0].id}`, null);
    expect(detail.quests).toMatchObject([{ title: '邀请好友并完成分析', bonus: 30 }]);
    expect(detail.items).toMatchObject([{ title: '会员优惠码 5 元', price_credits: 100 }]);
  });
});

test('dying between any two statements of a purchase leaves no trace; its repetition is one purchase', async () => {
  await on.gives(500);
  const { membership, points, centre } = on.world.money;
  const parts = { membership, points, credits: centre.credits, method: () => null, hasLockedMethods: () => false };
  const { id, priceCredits } = await item('ai_points');
  const body = { item_id: id, quantity: 1, expect_credits: priceCredits, request_id: 'dies' };
  let isDone = false;
  let died = 0;
  for (let at = 1; !isDone; at += 1) {
    let left = at;
    /** A connection that breaks at its n-th statement. */
    const dying = (tx: any): any =>
      new Proxy(tx, {
        get(target, name) {
          if (['insert', 'update', 'select', 'execute'].includes(String(name))) {
            left -= 1;
            if (left === 0) throw new Error('the power is gone');
          }
          const value = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const db: any = new Proxy(on.world.db, {
      get: (target, name) =>
        name === 'transaction'
          ? (work: any) => target.transaction((tx) => work(dying(tx)))
          : Reflect.get(target, name).bind(target),
    });
    const coupons = { make: async () => '', isUsed: async () => false, stop: async () => false };
    const mall = createMall({ ...parts, db, clock: async () => on.now, coupons });
    isDone = await mall.purchases.purchase(on.person.id, body).then(
      () => true,
      () => false,
    );
    if (!isDone) died += 1;
    expect(await on.balance()).toBe(isDone ? 450 : 500);
    await on.agrees();
  }
  expect(died).toBeGreaterThan(10);
  expect((await buy('ai_points', { request_id: 'dies' })).data.total_amount).toBe(450);
});
