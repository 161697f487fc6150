import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call, makeMember, makePerson } from '../../testing/makers.ts';
import {
  buyerStage,
  LIFETIME,
  MONTH,
  POINTS,
  cashier,
  deliver,
  expectBalanced,
  order,
  orderNo,
  pass,
  state,
} from '../../testing/money.ts';

const DAY = 86_400_000;
const on = buyerStage();
const { me, list, until } = on;

describe('an order', () => {
  test('has a price, a picture and five minutes; paid, it gives its days', async () => {
    const { data } = await order(on.world, on.person, { quantity: 2 });
    expect(data).toMatchObject({ price: 7800, coupon: 0, total_fee: 7800, timeout: 300, order: { state: 'created' } });
    expect(data.qrcode).toMatch(/^data:image\/png;base64,/);
    const no = data.order.order_no;
    expect(no).toMatch(/^HX\d{22}$/);
    expect(await state(on.world, on.person, no)).toMatchObject({ state: 'created', paid: null });
    const page = await call(on.world, null, 'GET', `/sandbox/cashier/${no}`);
    expect(page.text).toContain('¥78.00');
    expect((await cashier(on.world, no)).data).toEqual({ state: 'paid', told: '已付款。' });
    expect(await state(on.world, on.person, no)).toMatchObject({
      state: 'paid',
      subscription: { id: MONTH, calculate_type: 1 },
      paid: { vip: { lifetime: false }, user_ai_point: 0 },
    });
    expect(Math.abs((await until()) - Date.now() - 62 * DAY)).toBeLessThan(60_000);
    expect(await me()).toMatchObject({ is_vip: true, identity: 3 });
    await expectBalanced(on.world);
  });

  test('more days begin where the former end', async () => {
    await cashier(on.world, await orderNo(on.world, on.person));
    const first = await until();
    await cashier(on.world, await orderNo(on.world, on.person));
    expect((await until()) - first).toBe(31 * DAY);
  });

  test('a lifetime has no end, is bought once, one piece, and ends the sale of days', async () => {
    expect((await order(on.world, on.person, { subscription_id: LIFETIME, quantity: 2 })).body).toMatchObject({
      err_code: 30209,
      msg: '长期会员只需购买一次，数量为1',
    });
    const no = await orderNo(on.world, on.person, { subscription_id: LIFETIME });
    await cashier(on.world, no);
    expect(await me()).toMatchObject({ vip: { invalid_at: '2099-12-31T15:59:59Z', lifetime: true } });
    expect(await state(on.world, on.person, no)).toMatchObject({ subscription: { calculate_type: 2 } });
    expect((await order(on.world, on.person)).body).toMatchObject({ err_code: 30204, msg: '您已是长期会员，无需续费' });
    expect((await order(on.world, on.person, { subscription_id: 41 })).body.err_code).toBe(30204);
    expect((await call(on.world, on.person, 'GET', '/v1/user/subscriptions/combo/check')).data).toEqual({
      available: false,
      reason: '您已是长期会员，无需续费',
    });
    expect((await order(on.world, on.person, { subscription_id: POINTS })).body.status_code).toBe(1);
  });

  test('points and combinations give what they say', async () => {
    await cashier(on.world, await orderNo(on.world, on.person, { subscription_id: POINTS, quantity: 3 }));
    expect((await me()).user_ai_point).toBe(60);
    await cashier(on.world, await orderNo(on.world, on.person, { subscription_id: 41 }));
    expect(await me()).toMatchObject({ user_ai_point: 160, is_vip: true });
    const { data } = await call(on.world, on.person, 'GET', '/v1/user/point/record');
    expect(data).toMatchObject({
      total: 2,
      list: [
        { points: 100, balance: 160 },
        { points: 60, balance: 60, kind: 'order' },
      ],
    });
    await expectBalanced(on.world);
  });

  test.each([[0], [100], [1.5], ['9e1'], [-1], [null], ['1']])(
    'quantity %j is refused at its field',
    async (quantity) => {
      expect(await order(on.world, on.person, { quantity })).toMatchObject({
        status: 422,
        body: { err_code: 30208, fields: [{ field: 'quantity', text: '购买数量须为1到99的整数' }] },
      });
    },
  );

  test('needs a phone, a package on sale and, for education, a verification', async () => {
    await on.world.db.execute(sql`UPDATE users SET phone_sealed = NULL, phone_digest = NULL`);
    expect((await order(on.world, on.person)).body).toMatchObject({ err_code: 30202, msg: '请先绑定手机号' });
    const other = await makePerson(on.world);
    await on.world.db.execute(sql`UPDATE packages SET on_sale = false WHERE id = ${MONTH}`);
    expect((await order(on.world, other)).body.err_code).toBe(30205);
    expect((await order(on.world, other, { subscription_id: 9999 })).body.err_code).toBe(30205);
    expect((await order(on.world, other, { subscription_id: 31 })).body.err_code).toBe(30206);
  });

  test('a package may be limited a person', async () => {
    await on.world.db.execute(sql`UPDATE packages SET per_user_limit = 1 WHERE id = ${MONTH}`);
    await cashier(on.world, await orderNo(on.world, on.person));
    expect((await order(on.world, on.person)).body).toMatchObject({ err_code: 30207, msg: '该套餐每人限购1次' });
  });

  test('keeps the price of its moment', async () => {
    const no = await orderNo(on.world, on.person);
    await on.world.db.execute(sql`UPDATE packages SET fee = 99900 WHERE id = ${MONTH}`);
    await cashier(on.world, no);
    expect((await list()).list).toMatchObject([{ order_no: no, total_fee: 3900, state: 'paid' }]);
  });

  test('of total 0 is paid at once, without a picture', async () => {
    await on.world.db.execute(sql`UPDATE packages SET discount = 5000, discount_enabled = true WHERE id = ${MONTH}`);
    const { data } = await order(on.world, on.person);
    expect(data).toMatchObject({ qrcode: null, total_fee: 0, order: { state: 'paid' } });
    expect(await me()).toMatchObject({ is_vip: true });
    await expectBalanced(on.world);
  });

  test('a new one of the same kind closes the open one, which is hidden', async () => {
    const first = await orderNo(on.world, on.person);
    const points = await orderNo(on.world, on.person, { subscription_id: POINTS });
    const second = await orderNo(on.world, on.person, { subscription_id: 23 });
    expect((await list()).list.map((one: any) => one.order_no)).toEqual([second, points]);
    expect(await state(on.world, on.person, first)).toMatchObject({ state: 'closed' });
    expect((await call(on.world, on.person, 'GET', '/v1/user/orders/recently')).data).toMatchObject({
      order_no: second,
    });
  });

  test('two clicks at once leave one open order', async () => {
    await Promise.all(Array.from({ length: 6 }, () => order(on.world, on.person)));
    const open = await rowsOf(on.world.db, sql`SELECT count(*)::int AS n FROM orders WHERE state = 'created'`);
    expect(open).toEqual([{ n: 1 }]);
  });

  test('the same click sent twice with its key makes one order', async () => {
    const send = () =>
      call(
        on.world,
        on.person,
        'POST',
        '/v1/user/orders',
        { subscription_id: MONTH },
        { 'idempotency-key': 'click-1' },
      );
    const [one, two] = [await send(), await send()];
    expect(two.text).toBe(one.text);
    expect(await rowsOf(on.world.db, sql`SELECT count(*)::int AS n FROM orders`)).toEqual([{ n: 1 }]);
  });

  test('work that was committed before its answer was lost is not done again', async () => {
    const headers = { 'idempotency-key': 'click-2' };
    await call(on.world, on.person, 'POST', '/v1/user/orders', { subscription_id: MONTH }, headers);
    await on.world.db.execute(
      sql`UPDATE idempotency SET status = NULL, answer = NULL, created_at = now() - interval '2 minutes'`,
    );
    const again = await call(on.world, on.person, 'POST', '/v1/user/orders', { subscription_id: MONTH }, headers);
    expect(again).toMatchObject({ status: 409, body: { err_code: 30013 } });
    expect(await rowsOf(on.world.db, sql`SELECT count(*)::int AS n FROM orders`)).toEqual([{ n: 1 }]);
  });

  test('can be closed by its owner, and renewed while it is open', async () => {
    const no = await orderNo(on.world, on.person);
    const again = await call(on.world, on.person, 'POST', '/v1/user/orders/payment/qrcode', { order_no: no, qr: 3 });
    expect(again.data).toMatchObject({ timeout: 300, code_url: expect.stringContaining(no) });
    const closed = await call(on.world, on.person, 'PATCH', '/v1/user/orders', { order_no: no, state: 'closed' });
    expect(closed.data).toMatchObject({ state: 'closed', close_reason: 'user', can: { pay: false } });
    const late = await call(on.world, on.person, 'POST', '/v1/user/orders/payment/qrcode', { order_no: no, qr: 3 });
    expect(late.body).toMatchObject({ err_code: 30222, msg: '订单已关闭' });
    const paid = await orderNo(on.world, on.person);
    await cashier(on.world, paid);
    expect(
      (await call(on.world, on.person, 'PATCH', '/v1/user/orders', { order_no: paid, state: 'closed' })).body.err_code,
    ).toBe(30221);
  });

  test('either app by one picture: the page leads to the cashier, and says so when it is over', async () => {
    const { data } = await order(on.world, on.person, { qr: 1 });
    const path = new URL(data.code_url).pathname;
    const followed = await call(on.world, null, 'GET', path);
    expect(followed).toMatchObject({
      status: 302,
      headers: { location: expect.stringContaining('/sandbox/cashier/HX') },
    });
    await cashier(on.world, data.order.order_no);
    expect((await call(on.world, null, 'GET', path)).text).toContain('订单已支付');
    expect((await call(on.world, null, 'GET', `/v1/pay/${'A'.repeat(22)}`)).status).toBe(404);
  });

  test('ends after two hours, unless the provider knows of a payment', async () => {
    const [lost, open] = [
      await orderNo(on.world, on.person),
      await orderNo(on.world, on.person, { subscription_id: POINTS }),
    ];
    // Paid at the provider, and the notice was lost.
    await on.world.db.execute(
      sql`INSERT INTO sandbox_trades (transaction_id, order_no, amount) VALUES ('LOST1', ${lost}, 3900)`,
    );
    await pass(on.world, 2 * 3600 + 5);
    await deliver(on.world);
    expect(await state(on.world, on.person, lost)).toMatchObject({ state: 'paid' });
    expect(await state(on.world, on.person, open)).toMatchObject({ state: 'closed' });
    await expectBalanced(on.world);
  });

  test('belongs to its owner: to others it does not exist', async () => {
    const no = await orderNo(on.world, on.person);
    const other = await makePerson(on.world);
    const calls: [string, string, Record<string, unknown>?][] = [
      ['GET', `/v1/user/orders/${no}`],
      ['GET', `/v1/user/orders/payment/state?order_no=${no}`],
      ['PATCH', '/v1/user/orders', { order_no: no, state: 'closed' }],
      ['POST', '/v1/user/orders/payment/qrcode', { order_no: no, qr: 2 }],
      ['POST', '/v1/user/orders/payment/qrcode2', { order_no: no }],
      ['POST', `/v1/user/orders/${no}/refund`, { reason: '不想要了' }],
      ['GET', `/v1/user/orders/${no}/transfer`],
      ['POST', '/v1/user/orders/invoice', { order_no: no, kind: 'person', title: '某人', email: 'a@b.cn' }],
    ];
    for (const [method, url, body] of calls)
      expect(await call(on.world, other, method as never, url, body)).toMatchObject({
        status: 404,
        body: { err_code: 30093 },
      });
  });
});

test('the demo account is looked at, not bought with', async () => {
  await makeMember(on.world, on.person);
  await on.world.db.execute(sql`UPDATE users SET is_demo = true WHERE id = ${on.person.id}`);
  expect(await order(on.world, on.person)).toMatchObject({ status: 403 });
});
