import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayOf } from '../../lib/clock.ts';
import { rowsOf } from '../../testing/build.ts';
import { deskOf, deskTools, enter, makeOperator } from '../../testing/desk.ts';
import { MONTH, cashier, deliver, expectBalanced, orderNo, paymentsOf, state } from '../../testing/money.ts';
import { personStage } from '../../testing/stages.ts';
import { differ } from './bills.ts';
import type { OwnLine } from './bills.ts';

const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const today = dayOf(new Date());
const compare = () => world.money.orders.bills.compare('sandbox', today);
const open = async () => (await world.money.orders.bills.differences({ page: 1, page_size: 20, state: 'open' })).list;

describe('our books against a bill', () => {
  test('agree after payments, second payments and refunds', async () => {
    await cashier(world, await orderNo(world, person), 'twice');
    await deliver(world);
    expect(await compare()).toBe('done');
    expect(await open()).toEqual([]);
    expect((await world.money.orders.bills.days({ page: 1, page_size: 20 })).list).toMatchObject([
      { provider: 'sandbox', day: today, payments: 2, paid: 7800, refunds: 1, refunded: 3900, differences: 0 },
    ]);
  });

  test('a payment whose notices were lost is found by the bill, asked about and applied', async () => {
    const no = await orderNo(world, person);
    await world.db.execute(
      sql`INSERT INTO sandbox_trades (transaction_id, order_no, amount) VALUES ('LOST1', ${no}, 3900)`,
    );
    await compare();
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
    expect(await open()).toEqual([]);
    await expectBalanced(world);
  });

  test('a payment for an order nobody knows becomes an anomaly, not a silent line', async () => {
    await world.db.execute(
      sql`INSERT INTO sandbox_trades (transaction_id, order_no, amount) VALUES ('ODD1', ${`HX${'0'.repeat(22)}`}, 100)`,
    );
    await compare();
    expect(await paymentsOf(world)).toMatchObject([{ outcome: 'anomaly', why: 'order' }]);
    expect(await open()).toEqual([]);
  });

  test('another amount, or a payment they do not know, stands at the desk until it is gone', async () => {
    const no = await orderNo(world, person);
    await cashier(world, no);
    const other = await orderNo(world, person, { subscription_id: MONTH });
    await cashier(world, other);
    await world.db.execute(sql`UPDATE sandbox_trades SET amount = 3800 WHERE order_no = ${no}`);
    await world.db.execute(sql`DELETE FROM sandbox_trades WHERE order_no = ${other}`);
    const told = async () => (await world.deps.metrics.payAnomalies.get()).values[0]?.value ?? 0;
    const before = await told();
    await compare();
    await compare();
    // Told once, however often the same is found.
    expect((await told()) - before).toBe(1);
    const found = await open();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'payment', orderNo: no, ours: 3900, theirs: 3800 }),
        expect.objectContaining({ kind: 'payment', orderNo: other, ours: 3900, theirs: null }),
      ]),
    );
    await world.db.execute(sql`UPDATE sandbox_trades SET amount = 3900`);
    await world.db.execute(
      sql`INSERT INTO sandbox_trades (transaction_id, order_no, amount, paid_at)
          SELECT transaction_id, order_no, amount, paid_at FROM payments WHERE order_no = ${other}`,
    );
    await compare();
    expect(await open()).toEqual([]);
    expect((await world.money.orders.bills.differences({ page: 1, page_size: 20, state: 'settled' })).total).toBe(2);
  });

  test('every day is asked for once, and again each day while it differs', async () => {
    const letters = () => rowsOf(world.db, sql`SELECT dedupe_key FROM outbox WHERE topic = 'bill' ORDER BY id`);
    await world.money.orders.bills.plan();
    await world.money.orders.bills.plan();
    expect(await letters()).toHaveLength(3);
    await cashier(world, await orderNo(world, person));
    await world.db.execute(sql`UPDATE sandbox_trades SET amount = 1`);
    await compare();
    await world.money.orders.bills.plan();
    await world.money.orders.bills.plan();
    expect((await letters()).at(-1)).toEqual({ dedupe_key: `bill:sandbox:${today}:${today}` });
    expect(await letters()).toHaveLength(4);
  });
});

test('finance sees days and differences at the desk; who has nothing to do with money sees neither', async () => {
  const no = await orderNo(world, person);
  await cashier(world, no);
  await world.db.execute(sql`UPDATE sandbox_trades SET amount = 3800`);
  await compare();
  const { list } = deskTools(() => world);
  const finance = await enter(world, await makeOperator(world, ['财务']));
  expect((await list(finance, 'bills')).list).toMatchObject([
    { cells: { day: today, provider: '沙箱', kind: '付款', order_no: no, ours: 3900, theirs: 3800, state: '未消除' } },
  ]);
  expect(await list(finance, 'bills', '?state=settled')).toMatchObject({ total: 0, list: [] });
  expect((await list(finance, 'bill_days')).list).toMatchObject([
    { id: `sandbox-${today}`, cells: { payments: 1, paid: 3800, differences: 1 } },
  ]);
  const editor = await enter(world, await makeOperator(world, ['内容']));
  for (const name of ['bills', 'bill_days'])
    expect(await deskOf(world, editor)('GET', `/v1/ops/${name}`)).toMatchObject({ status: 404 });
});

test('differ: what stands on one side only, or with another amount', () => {
  const line = (reference: string, amount: number, expected = true): OwnLine => ({
    kind: 'payment',
    reference,
    order_no: 'HX1',
    amount,
    expected,
  });
  const same = { kind: 'payment' as const, order_no: 'HX1' };
  expect(differ([], [])).toEqual([]);
  expect(differ([line('a', 1)], [{ ...same, reference: 'a', amount: 1 }])).toEqual([]);
  // May stand on the bill of another day.
  expect(differ([line('a', 1, false)], [])).toEqual([]);
  expect(differ([line('a', 1, false)], [{ ...same, reference: 'a', amount: 2 }])).toEqual([
    { ...same, reference: 'a', ours: 1, theirs: 2 },
  ]);
  expect(differ([line('a', 1)], [{ ...same, kind: 'refund', reference: 'a', amount: 1 }])).toEqual([
    { ...same, reference: 'a', ours: 1, theirs: null },
    { ...same, kind: 'refund', reference: 'a', ours: null, theirs: 1 },
  ]);
});
