/** Seats are bought over HTTP: new ones, more of them midway, and the contract that goes with the order. */
import { expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { clockStage } from '../../testing/stages.ts';

const DAY = 86_400_000;
const stage = clockStage();

const get = (who: { token: string } | null, url: string): Promise<Reply> => call(stage.world, who, 'GET', url);
const pay = (orderNo: string): Promise<Reply> =>
  call(stage.world, null, 'POST', `/sandbox/cashier/${orderNo}`, 'act=pay', {
    'content-type': 'application/x-www-form-urlencoded',
  });

test('bought, added midway by calendar days, seen and filled into the contract; sums agree', async () => {
  const owner = await makePerson(stage.world, '甲');
  const { id: eid } = (await call(stage.world, owner, 'POST', '/v1/enterprise', { name: '买席位的企业' })).data;
  const url = `/v1/enterprise/${eid}/orders`;
  expect((await call(stage.world, owner, 'POST', url, { plan: 'new', seats: 2 })).body.fields[0].field).toBe('seats');
  const first = await call(stage.world, owner, 'POST', url, { plan: 'new', seats: 3, qr: 2 });
  expect(first.data).toMatchObject({ price: 3 * 59900, total_fee: 3 * 59900, coupon: 0 });
  await pay(first.data.order.order_no);
  expect((await get(owner, `/v1/enterprise/${eid}`)).data).toMatchObject({ state: 'active', seats: 3 });
  stage.now = new Date(Date.now() + 100 * DAY);
  const more = await call(stage.world, owner, 'POST', url, { plan: 'more', seats: 2, qr: 2 });
  // 265 of 365 days are left.
  expect(more.data.total_fee).toBe(Math.floor((59900 * 2 * 265) / 365));
  await pay(more.data.order.order_no);
  expect((await get(owner, `/v1/enterprise/${eid}`)).data).toMatchObject({ seats: 5 });
  const orders = await get(owner, url);
  expect(orders.data.total).toBe(2);
  const state = await get(owner, `/v1/user/orders/payment/state?order_no=${more.data.order.order_no}&qr=2`);
  expect(state.status).toBe(200);
  const stranger = await makePerson(stage.world, '乙');
  const foreign = await get(stranger, `/v1/user/orders/payment/state?order_no=${more.data.order.order_no}&qr=2`);
  expect(foreign.status).toBe(404);
  const template = '/v1/enterprise/corporate-transfer/template';
  for (const [who, query] of [
    [null, ''],
    [owner, `?order_no=${first.data.order.order_no}`],
  ] as const) {
    const file = await get(who, template + query);
    expect(file.status).toBe(200);
    expect(file.text.startsWith('PK')).toBe(true);
  }
  expect((await get(stranger, `${template}?order_no=${first.data.order.order_no}`)).status).toBe(404);
});
