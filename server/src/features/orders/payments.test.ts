import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import {
  buyerStage,
  cashier,
  deliver,
  expectBalanced,
  notice,
  orderNo,
  paymentsOf,
  refundsOf,
  state,
} from '../../testing/money.ts';

const DAY = 86_400_000;
const on = buyerStage();
const { me, list, until } = on;

test('the cashier’s buttons work in a browser: its own origin, plain form, page again; another origin is refused', async () => {
  const no = await orderNo(on.world, on.person);
  const url = `/sandbox/cashier/${no}`;
  const page = await call(on.world, null, 'GET', url, undefined, { accept: 'text/html' });
  // A page without a referrer would send `Origin: null`.
  expect(page.headers['referrer-policy']).toBe('same-origin');
  const press = (origin: string) =>
    call(on.world, null, 'POST', url, 'act=pay', {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      host: 'hengxi.example',
      origin,
    });
  expect(await press('https://elsewhere.example')).toMatchObject({ status: 403, body: { err_code: 30092 } });
  expect((await press('http://hengxi.example')).text).toContain('已付款。');
  expect(await state(on.world, on.person, no)).toMatchObject({ state: 'paid' });
});

describe('a payment', () => {
  test('told many times is applied once', async () => {
    const no = await orderNo(on.world, on.person);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => notice(on.world, { order_no: no, amount: 3900 })),
    );
    for (const reply of replies) expect(reply).toMatchObject({ status: 200, text: '{"code":"SUCCESS"}' });
    expect(await paymentsOf(on.world)).toMatchObject([{ outcome: 'applied' }]);
    expect(Math.abs((await until()) - Date.now() - 31 * DAY)).toBeLessThan(60_000);
    await expectBalanced(on.world);
  });

  test('made twice: the second goes back with a number fixed before, the order stays', async () => {
    const no = await orderNo(on.world, on.person);
    await cashier(on.world, no, 'twice');
    expect(await paymentsOf(on.world)).toMatchObject([{ outcome: 'applied' }, { outcome: 'duplicate' }]);
    await deliver(on.world);
    expect(await refundsOf(on.world)).toEqual([{ order_no: no, amount: 3900, kind: 'duplicate', state: 'refunded' }]);
    expect(await rowsOf(on.world.db, sql`SELECT amount FROM sandbox_refunds`)).toEqual([{ amount: 3900 }]);
    expect(await state(on.world, on.person, no)).toMatchObject({ state: 'paid' });
  });

  test('with a wrong signature, too old, or of no known shape, is not believed', async () => {
    const no = await orderNo(on.world, on.person);
    const forged = await notice(on.world, { order_no: no, amount: 3900 }, '00'.repeat(32));
    expect(forged).toMatchObject({ status: 401, text: '{"code":"FAIL"}' });
    const old = Math.floor(Date.now() / 1000) - 360;
    expect(await notice(on.world, { order_no: no, amount: 3900, timestamp: old })).toMatchObject({ status: 401 });
    expect(await notice(on.world, { order_no: no, amount: '39.00' })).toMatchObject({ status: 401 });
    expect(await state(on.world, on.person, no)).toMatchObject({ state: 'created' });
    expect(await paymentsOf(on.world)).toEqual([]);
    expect(await rowsOf(on.world.db, sql`SELECT verified, outcome FROM notices`)).toEqual([
      { verified: false, outcome: 'signature' },
      { verified: false, outcome: 'signature' },
      { verified: false, outcome: 'signature' },
    ]);
  });

  test.each([
    ['amount', { amount: 1 }],
    ['amount', { amount: 3901 }],
    ['order', { amount: 3900, order_no: `HX${'0'.repeat(22)}` }],
  ])('genuine with a wrong %s is kept for the desk and grants nothing', async (why, facts) => {
    const no = await orderNo(on.world, on.person);
    expect(await notice(on.world, { order_no: no, ...facts })).toMatchObject({ status: 200 });
    expect(await paymentsOf(on.world)).toMatchObject([{ outcome: 'anomaly', why: expect.stringContaining(why) }]);
    expect(await state(on.world, on.person, no)).toMatchObject({ state: 'created' });
    expect((await me()).is_vip).toBe(false);
    const [{ id }] = await rowsOf(on.world.db, sql`SELECT id FROM payments`);
    await on.world.db.transaction((tx) => on.world.money.orders.refunds.sendBackAnomaly(tx, id, '金额不符', 1));
    await deliver(on.world);
    expect(await refundsOf(on.world)).toMatchObject([{ kind: 'anomaly', state: 'refunded' }]);
  });

  test('a notice that is no notice, for a provider that is not there', async () => {
    expect((await call(on.world, null, 'POST', '/v1/payments/notify/wechat', '{}')).status).toBe(404);
    expect((await call(on.world, null, 'POST', '/v1/payments/notify/nobody', '{}')).status).toBe(400);
  });

  test('late, after the order was closed, is applied', async () => {
    const no = await orderNo(on.world, on.person);
    await call(on.world, on.person, 'PATCH', '/v1/user/orders', { order_no: no, state: 'closed' });
    await cashier(on.world, no);
    expect(await state(on.world, on.person, no)).toMatchObject({ state: 'paid' });
    expect((await me()).is_vip).toBe(true);
    await expectBalanced(on.world);
  });

  test('late for a replaced order: applied, and its open successor is closed; paid as well, that goes back', async () => {
    const [a, b] = [await orderNo(on.world, on.person), await orderNo(on.world, on.person, { subscription_id: 22 })];
    const c = await orderNo(on.world, on.person, { subscription_id: 23 });
    await cashier(on.world, a);
    expect(await state(on.world, on.person, a)).toMatchObject({ state: 'paid' });
    expect(await state(on.world, on.person, c)).toMatchObject({ state: 'closed' });
    await cashier(on.world, c);
    await cashier(on.world, b);
    expect((await paymentsOf(on.world)).map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate', 'duplicate']);
    await deliver(on.world);
    expect(await refundsOf(on.world)).toMatchObject([
      { order_no: c, state: 'refunded' },
      { order_no: b, state: 'refunded' },
    ]);
    expect((await list()).list.map((one: any) => one.order_no)).toEqual([a]);
    await expectBalanced(on.world);
  });

  test('late for a replaced order whose successor is paid goes back', async () => {
    const [a, b] = [await orderNo(on.world, on.person), await orderNo(on.world, on.person, { subscription_id: 22 })];
    await cashier(on.world, b);
    await cashier(on.world, a);
    expect((await paymentsOf(on.world)).map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate']);
    expect(await state(on.world, on.person, a)).toMatchObject({ state: 'closed' });
  });

  test('for days after a lifetime was bought goes back', async () => {
    const days = await orderNo(on.world, on.person);
    const grant = { userId: on.person.id, source: 'ops', ref: 'x', days: null, lifetime: true } as const;
    await on.world.db.transaction((tx) => on.world.money.membership.grants.grant(tx, grant));
    await cashier(on.world, days);
    await deliver(on.world);
    expect(await refundsOf(on.world)).toMatchObject([{ kind: 'duplicate', state: 'refunded' }]);
    expect(await state(on.world, on.person, days)).toMatchObject({ state: 'closed' });
    await expectBalanced(on.world);
  });
});
