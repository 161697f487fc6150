import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import {
  cashier,
  deliver,
  expectBalanced,
  meOf,
  notice,
  orderNo,
  ordersOf,
  paymentsOf,
  refundsOf,
  state,
  untilOf,
} from '../../testing/money.ts';

const DAY = 86_400_000;
let world: World;
let person: Person;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  person = await makePerson(world);
});
afterAll(() => world.close());

const me = () => meOf(world, person);
const list = () => ordersOf(world, person);
const until = () => untilOf(world, person);

test('the cashier’s buttons work in a browser: its own origin, plain form, page again; another origin is refused', async () => {
  const no = await orderNo(world, person);
  const url = `/sandbox/cashier/${no}`;
  const page = await call(world, null, 'GET', url, undefined, { accept: 'text/html' });
  // A page without a referrer would send `Origin: null`.
  expect(page.headers['referrer-policy']).toBe('same-origin');
  const press = (origin: string) =>
    call(world, null, 'POST', url, 'act=pay', {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      host: 'hengxi.example',
      origin,
    });
  expect(await press('https://elsewhere.example')).toMatchObject({ status: 403, body: { err_code: 30092 } });
  expect((await press('http://hengxi.example')).text).toContain('已付款。');
  expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
});

describe('a payment', () => {
  test('told many times is applied once', async () => {
    const no = await orderNo(world, person);
    const replies = await Promise.all(Array.from({ length: 20 }, () => notice(world, { order_no: no, amount: 3900 })));
    for (const reply of replies) expect(reply).toMatchObject({ status: 200, text: '{"code":"SUCCESS"}' });
    expect(await paymentsOf(world)).toMatchObject([{ outcome: 'applied' }]);
    expect(Math.abs((await until()) - Date.now() - 31 * DAY)).toBeLessThan(60_000);
    await expectBalanced(world);
  });

  test('made twice: the second goes back with a number fixed before, the order stays', async () => {
    const no = await orderNo(world, person);
    await cashier(world, no, 'twice');
    expect(await paymentsOf(world)).toMatchObject([{ outcome: 'applied' }, { outcome: 'duplicate' }]);
    await deliver(world);
    expect(await refundsOf(world)).toEqual([{ order_no: no, amount: 3900, kind: 'duplicate', state: 'refunded' }]);
    expect(await rowsOf(world.db, sql`SELECT amount FROM sandbox_refunds`)).toEqual([{ amount: 3900 }]);
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
  });

  test('with a wrong signature, or too old, is not believed', async () => {
    const no = await orderNo(world, person);
    const forged = await notice(world, { order_no: no, amount: 3900 }, '00'.repeat(32));
    expect(forged).toMatchObject({ status: 401, text: '{"code":"FAIL"}' });
    const old = Math.floor(Date.now() / 1000) - 301;
    expect(await notice(world, { order_no: no, amount: 3900, timestamp: old })).toMatchObject({ status: 401 });
    expect(await state(world, person, no)).toMatchObject({ state: 'created' });
    expect(await paymentsOf(world)).toEqual([]);
    expect(await rowsOf(world.db, sql`SELECT verified, outcome FROM notices`)).toEqual([
      { verified: false, outcome: 'signature' },
      { verified: false, outcome: 'signature' },
    ]);
  });

  test.each([
    ['amount', { amount: 1 }],
    ['amount', { amount: 3901 }],
    ['order', { amount: 3900, order_no: `HX${'0'.repeat(22)}` }],
  ])('genuine with a wrong %s is kept for the desk and grants nothing', async (why, facts) => {
    const no = await orderNo(world, person);
    expect(await notice(world, { order_no: no, ...facts })).toMatchObject({ status: 200 });
    expect(await paymentsOf(world)).toMatchObject([{ outcome: 'anomaly', why: expect.stringContaining(why) }]);
    expect(await state(world, person, no)).toMatchObject({ state: 'created' });
    expect((await me()).is_vip).toBe(false);
    const [{ id }] = await rowsOf(world.db, sql`SELECT id FROM payments`);
    await world.db.transaction((tx) => world.money.orders.refunds.sendBackAnomaly(tx, id, '金额不符', 1));
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([{ kind: 'anomaly', state: 'refunded' }]);
  });

  test('a notice that is no notice, for a provider that is not there', async () => {
    expect((await call(world, null, 'POST', '/v1/payments/notify/wechat', '{}')).status).toBe(404);
    expect((await call(world, null, 'POST', '/v1/payments/notify/nobody', '{}')).status).toBe(400);
  });

  test('late, after the order was closed, is applied', async () => {
    const no = await orderNo(world, person);
    await call(world, person, 'PATCH', '/v1/user/orders', { order_no: no, state: 'closed' });
    await cashier(world, no);
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
    expect((await me()).is_vip).toBe(true);
    await expectBalanced(world);
  });

  test('late for a replaced order: applied, and its open successor is closed; paid as well, that goes back', async () => {
    const [a, b] = [await orderNo(world, person), await orderNo(world, person, { subscription_id: 22 })];
    const c = await orderNo(world, person, { subscription_id: 23 });
    await cashier(world, a);
    expect(await state(world, person, a)).toMatchObject({ state: 'paid' });
    expect(await state(world, person, c)).toMatchObject({ state: 'closed' });
    await cashier(world, c);
    await cashier(world, b);
    expect((await paymentsOf(world)).map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate', 'duplicate']);
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([
      { order_no: c, state: 'refunded' },
      { order_no: b, state: 'refunded' },
    ]);
    expect((await list()).list.map((one: any) => one.order_no)).toEqual([a]);
    await expectBalanced(world);
  });

  test('late for a replaced order whose successor is paid goes back', async () => {
    const [a, b] = [await orderNo(world, person), await orderNo(world, person, { subscription_id: 22 })];
    await cashier(world, b);
    await cashier(world, a);
    expect((await paymentsOf(world)).map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate']);
    expect(await state(world, person, a)).toMatchObject({ state: 'closed' });
  });

  test('for days after a lifetime was bought goes back', async () => {
    const days = await orderNo(world, person);
    const grant = { userId: person.id, source: 'ops', ref: 'x', days: null, lifetime: true } as const;
    await world.db.transaction((tx) => world.money.membership.grants.grant(tx, grant));
    await cashier(world, days);
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([{ kind: 'duplicate', state: 'refunded' }]);
    expect(await state(world, person, days)).toMatchObject({ state: 'closed' });
    await expectBalanced(world);
  });
});
