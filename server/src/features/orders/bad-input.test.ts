/** What goes wrong around money: providers that are down, clocks that jump, two hands on one button, other people's numbers. */
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
  order,
  orderNo,
  paymentsOf,
  refundsOf,
  state,
  untilOf,
} from '../../testing/money.ts';
import type { Sandbox } from './providers/sandbox.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 21, 4);
let now = START;
let world: World;
let person: Person;
let sandbox: Sandbox;
let whole: Sandbox;

beforeAll(async () => {
  world = await build({ clock: async () => new Date(now) });
  sandbox = world.money.orders.cashiers.sandbox!;
  whole = { ...sandbox };
});
beforeEach(async () => {
  now = START;
  Object.assign(sandbox, whole);
  await world.reset();
  person = await makePerson(world);
});
afterAll(() => world.close());

describe('two hands', () => {
  test('on the pay button at once: one payment counts, every other goes back', async () => {
    const no = await orderNo(world, person);
    await Promise.all(Array.from({ length: 4 }, () => cashier(world, no)));
    await deliver(world);
    expect((await paymentsOf(world)).map(({ outcome }) => outcome).sort()).toEqual([
      'applied',
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
    expect(await refundsOf(world)).toEqual(
      Array.from({ length: 3 }, () => ({ order_no: no, amount: 3900, kind: 'duplicate', state: 'refunded' })),
    );
    expect(await untilOf(world, person)).toBe(START + 31 * DAY);
    await expectBalanced(world);
  });

  test('one pays while the other cancels: it is paid, or closed and then paid late, never lost', async () => {
    const no = await orderNo(world, person);
    const cancel = call(world, person, 'PATCH', '/v1/user/orders', { order_no: no, state: 'closed' });
    await Promise.all([cashier(world, no), cancel]);
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
    expect((await meOf(world, person)).is_vip).toBe(true);
    await expectBalanced(world);
  });
});

describe('a clock that jumps', () => {
  test('forward by a day closes what is over; back again revives nothing', async () => {
    const no = await orderNo(world, person);
    now = START + DAY;
    await world.db.execute(sql`UPDATE outbox SET next_at = now() - interval '1 minute'`);
    await deliver(world);
    expect(await state(world, person, no)).toMatchObject({ state: 'closed' });
    now = START;
    const again = await call(world, person, 'POST', '/v1/user/orders/payment/qrcode', { order_no: no, qr: 2 });
    expect(again.body).toMatchObject({ err_code: 30222 });
  });

  test('back by a day takes no day away and gives none', async () => {
    await cashier(world, await orderNo(world, person));
    now = START - DAY;
    await cashier(world, await orderNo(world, person));
    expect(await untilOf(world, person)).toBe(START + 62 * DAY);
    // Taking one back under the wrong clock moves nothing into the past either.
    const gift = { userId: person.id, source: 'ops', ref: 'x', days: 10, lifetime: false } as const;
    await world.db.transaction((tx) => world.money.membership.grants.grant(tx, gift));
    await world.db.transaction((tx) => world.money.membership.grants.revoke(tx, 'ops', 'x'));
    now = START;
    expect(await untilOf(world, person)).toBe(START + 62 * DAY);
    await expectBalanced(world);
  });

  test('a discount counts by the clock of the order, not by the browser’s', async () => {
    await world.db.execute(
      sql`UPDATE packages SET discount = 1000, discount_enabled = true, discount_to = ${new Date(START + DAY)} WHERE id = 21`,
    );
    expect((await order(world, person)).data.total_fee).toBe(2900);
    now = START + DAY;
    expect((await order(world, person)).data.total_fee).toBe(3900);
  });
});

test('another user’s invoice and proof numbers do not exist, whatever is done to them', async () => {
  const no = await orderNo(world, person);
  await cashier(world, no);
  const asked = { order_no: no, kind: 'person', title: '某人', email: 'a@b.cn' };
  const { data: invoice } = await call(world, person, 'POST', '/v1/user/orders/invoice', asked);
  const other = await makePerson(world);
  const url = `/v1/user/orders/invoice/${invoice.id}`;
  const change = { kind: 'person', title: '别人', email: 'c@d.cn' };
  const absent = '/v1/user/orders/invoice/999999';
  for (const [method, at, body] of [
    ['GET', url, undefined],
    ['PUT', url, change],
    ['GET', absent, undefined],
    ['PUT', absent, change],
  ] as const)
    expect(await call(world, other, method, at, body)).toMatchObject({ status: 404, body: { err_code: 30093 } });
  const download = await call(world, other, 'POST', '/v1/downloads', { kind: 'invoice', id: invoice.id });
  expect(download).toMatchObject({ status: 404, body: { err_code: 30093 } });
  for (const id of ['0', '-1', '1e3', '1.5', '99999999999', 'x'])
    expect((await call(world, person, 'GET', `/v1/user/orders/invoice/${id}`)).status).toBeGreaterThanOrEqual(400);
  expect(await rowsOf(world.db, sql`SELECT title FROM invoices`)).toEqual([{ title: '某人' }]);
});

test.each([
  ['no number', { order_no: 'HX1' }],
  ['a text of SQL', { order_no: `HX' OR '1'='1` }],
  ['a list', { order_no: ['HX'] }],
  ['an unknown key', { order_no: `HX${'1'.repeat(22)}`, total: 0 }],
  ['another state', { order_no: `HX${'1'.repeat(22)}`, state: 'paid' }],
])('an order cannot be changed by %s', async (_name, body) => {
  const reply = await call(world, person, 'PATCH', '/v1/user/orders', { state: 'closed', ...body });
  expect(reply.status).toBe(400);
  expect(reply.body.msg).toMatch(/[\u4e00-\u9fff]/);
});

// Last: after its failures a provider is left alone for a while.
describe('a provider', () => {
  test('that is down: the order stands, says so in words, and a later click makes its picture', async () => {
    sandbox.open = () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1'));
    const reply = await order(world, person);
    expect(reply.body).toMatchObject({ err_code: 30223, msg: '支付通道繁忙，请稍后刷新' });
    expect(reply.text).not.toContain('ECONNREFUSED');
    const { order_no: no } = reply.data;
    expect(await state(world, person, no)).toMatchObject({ state: 'created', paid: null });
    sandbox.open = whole.open;
    const again = await call(world, person, 'POST', '/v1/user/orders/payment/qrcode', { order_no: no, qr: 2 });
    expect(again.data).toMatchObject({ timeout: 300, code_url: expect.stringContaining(no) });
    await cashier(world, no);
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
    await expectBalanced(world);
  });

  test('that answers nonsense grants nothing, and is asked again until it answers', async () => {
    const no = await orderNo(world, person);
    await world.db.execute(
      sql`INSERT INTO sandbox_trades (transaction_id, order_no, amount) VALUES ('T1', ${no}, 3900)`,
    );
    sandbox.query = () => Promise.reject(new Error('<html>'));
    now += 2 * 3_600_000 + 5000;
    await world.db.execute(sql`UPDATE outbox SET next_at = now() - interval '1 minute'`);
    await world.money.outbox.deliver();
    expect(await state(world, person, no)).toMatchObject({ state: 'created', paid: null });
    expect(await paymentsOf(world)).toEqual([]);
    sandbox.query = whole.query;
    // Left alone for a while after its failures; the message comes again.
    await world.money.orders.payments.settle((await whole.query(no)) as never);
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
    await expectBalanced(world);
  });
});
