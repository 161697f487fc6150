import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { cashier, deliver, expectBalanced, makeCoupon, order, orderNo, pass, refundsOf } from '../../testing/money.ts';
import { personStage } from '../../testing/stages.ts';

const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const coupon = (parts: Record<string, unknown> = {}): Promise<string> => makeCoupon(world, parts);

describe('a coupon', () => {
  const amount = (code: string, query = 'coupon_type=1', who = person) =>
    call(world, who, 'GET', `/v1/coupon/vip/amount?code=${code}&${query}`);

  test('takes its fen off, is held by the order, used when paid, free again when closed', async () => {
    const code = await coupon({ limitTotal: 1 });
    expect((await amount(code.toLowerCase())).data).toEqual({ amount: 1000 });
    const first = await order(world, person, { coupon_code: code });
    expect(first.data).toMatchObject({ price: 3900, coupon: 1000, total_fee: 2900 });
    const other = await makePerson(world);
    expect((await order(world, other, { coupon_code: code })).body).toMatchObject({ err_code: 30211 });
    // The person's own next order takes it over.
    expect((await amount(code)).data).toEqual({ amount: 1000 });
    const second = await orderNo(world, person, { coupon_code: code, quantity: 2 });
    await call(world, person, 'PATCH', '/v1/user/orders', { order_no: second, state: 'closed' });
    const third = await orderNo(world, other, { coupon_code: code });
    await cashier(world, third);
    expect((await amount(code, 'coupon_type=1', other)).body).toMatchObject({
      err_code: 30213,
      msg: '您已使用过该优惠码',
    });
    // Paid late, but its coupon is gone.
    await cashier(world, second);
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([{ order_no: second, state: 'refunded' }]);
    await expectBalanced(world);
  });

  test('that makes an order free is used at once', async () => {
    const code = await coupon({ amount: 5000 });
    expect((await order(world, person, { coupon_code: code })).data).toMatchObject({
      total_fee: 0,
      order: { state: 'paid' },
    });
    expect((await order(world, person, { coupon_code: code })).body.err_code).toBe(30213);
    await expectBalanced(world);
  });

  test('is refused when unknown, over, stopped, somebody else’s, or for other packages', async () => {
    const other = await makePerson(world);
    const hour = 3_600_000;
    const codes = [
      'AAAAAA',
      await coupon({ validTo: new Date(Date.now() - hour) }),
      await coupon({ validFrom: new Date(Date.now() + hour) }),
      await coupon({ state: 'stopped' }),
      await coupon({ userId: other.id }),
    ];
    for (const code of codes) expect((await amount(code)).body).toMatchObject({ err_code: 30211 });
    const [edu, named] = [await coupon({ couponType: 3 }), await coupon({ packageIds: [23] })];
    expect((await amount(edu)).body).toMatchObject({ err_code: 30212, msg: '优惠码不适用于该套餐' });
    expect((await order(world, person, { coupon_code: named })).body.err_code).toBe(30212);
    expect((await order(world, person, { coupon_code: named, subscription_id: 23 })).body.status_code).toBe(1);
  });

  test('cannot be guessed: ten misses an hour', async () => {
    const code = await coupon();
    for (let n = 0; n < 10; n += 1) expect((await amount('ZZZZZZ')).body.err_code).toBe(30211);
    expect(await amount(code)).toMatchObject({ status: 429, body: { err_code: 30001 } });
    expect(await order(world, person, { coupon_code: code })).toMatchObject({ status: 429 });
    await pass(world, 3601);
    expect((await amount(code)).data).toEqual({ amount: 1000 });
  });

  test('cannot be guessed by asking for many at once, nor by ordering with them; what is right, or does not fit, costs nothing', async () => {
    const [code, edu] = [await coupon(), await coupon({ couponType: 3 })];
    const guesses = Array.from({ length: 30 }, (_, n) => amount(`ZZZZ${Math.floor(n / 8) + 2}${(n % 8) + 2}`));
    const orders = Array.from({ length: 10 }, () => order(world, person, { coupon_code: 'YYYYYY' }));
    const codes = (await Promise.all([...guesses, ...orders])).map(({ body }) => body.err_code as number);
    expect(codes.filter((one) => one === 30211)).toHaveLength(10);
    expect(codes.filter((one) => one === 30001)).toHaveLength(30);
    const other = await makePerson(world);
    for (let n = 0; n < 12; n += 1) {
      expect((await amount(code, 'coupon_type=1', other)).data).toEqual({ amount: 1000 });
      expect((await amount(edu, 'coupon_type=1', other)).body.err_code).toBe(30212);
    }
  });

  test('its limit holds however many ask at once', async () => {
    const code = await coupon({ limitTotal: 3 });
    const people = [];
    for (let n = 0; n < 8; n += 1) people.push(await makePerson(world));
    const replies = await Promise.all(people.map((who) => order(world, who, { coupon_code: code })));
    expect(replies.filter(({ body }) => body.status_code === 1)).toHaveLength(3);
    await expectBalanced(world);
  });
});
