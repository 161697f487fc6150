/** What comes after a payment: refunds, invoices; and bank transfers. The desk's functions are called as it calls them. */
import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import {
  LIFETIME,
  POINTS,
  cashier,
  deliver,
  expectBalanced,
  orderNo,
  pass,
  refundsOf,
  state,
} from '../../testing/money.ts';
import { personStage } from '../../testing/stages.ts';
import { invoiceUntil } from './serialize.ts';

const DAY = 86_400_000;
const OPERATOR = 77;
const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const bought = async (body: Record<string, unknown> = {}): Promise<string> => {
  const no = await orderNo(world, person, body);
  await cashier(world, no);
  return no;
};
const me = async () => (await call(world, person, 'GET', '/v1/user')).data;
const offer = async (no: string) => (await call(world, person, 'GET', `/v1/user/orders/${no}/refund`)).data;
const ask = (no: string, who = person) =>
  call(world, who, 'POST', `/v1/user/orders/${no}/refund`, { reason: '不想要了' });
const one = async (statement: ReturnType<typeof sql>): Promise<any> => (await rowsOf(world.db, statement))[0];
/** The clock of the machine may be set back between a payment and what follows it. */
const begunAMinuteAgo = () => world.db.execute(sql`UPDATE vip_grants SET starts_at = starts_at - interval '1 minute'`);
const asked = () => one(sql`SELECT id, version, amount FROM refunds WHERE state = 'asked'`);
const agree = async (amount?: number) => {
  const row = await asked();
  return world.db.transaction((tx) =>
    world.money.orders.refunds.agree(tx, row.id, row.version, {
      amount: amount ?? row.amount,
      answer: '同意',
      by: OPERATOR,
    }),
  );
};

describe('a refund', () => {
  test('of unused days is whole; agreed, the days go, what came later moves forward, the money follows', async () => {
    const [first, second] = [await bought(), await bought({ subscription_id: 22 })];
    expect(await offer(first)).toEqual({ amount: 3900, note: '付款 7 日内且未使用，全额退款' });
    expect((await ask(first)).data).toMatchObject({ state: 'asked', amount: 3900 });
    expect((await ask(first)).body).toMatchObject({ err_code: 30241, msg: '不能退款：退款申请正在处理' });
    const changed = await agree();
    expect(changed).toMatchObject({ before: { state: 'asked' }, after: { state: 'agreed', decidedBy: OPERATOR } });
    expect(await state(world, person, first)).toMatchObject({ state: 'refunded' });
    const end = new Date((await me()).vip.invalid_at).getTime();
    expect(Math.abs(end - Date.now() - 93 * DAY)).toBeLessThan(60_000);
    await deliver(world);
    expect(await refundsOf(world)).toEqual([{ order_no: first, amount: 3900, kind: 'asked', state: 'refunded' }]);
    expect((await ask(first)).body).toMatchObject({ err_code: 30241, msg: '不能退款：订单已退款' });
    expect((await call(world, person, 'GET', `/v1/user/orders/${second}`)).data).toMatchObject({ state: 'paid' });
    await expectBalanced(world);
  });

  test('of days that were used is for the rest of them', async () => {
    const no = await bought();
    await world.db.execute(
      sql`UPDATE vip_grants SET starts_at = starts_at - interval '9 days 1 hour', ends_at = ends_at - interval '9 days 1 hour'`,
    );
    await pass(world, 9 * 86_400);
    // Ten days begun of 31: 3900 − ⌈3900 × 10 / 31⌉.
    expect(await offer(no)).toEqual({ amount: 3900 - 1259, note: '已使用 10 天，按剩余天数退款' });
    await ask(no);
    await agree();
    expect((await me()).is_vip).toBe(false);
    expect(await one(sql`SELECT refunded FROM orders`)).toEqual({ refunded: 2641 });
  });

  test('within seven days counts as used once an analysis was counted', async () => {
    const no = await bought();
    await begunAMinuteAgo();
    await world.db.transaction((tx) => world.money.membership.usage.count(tx, person.owner, 1, null));
    expect(await offer(no)).toMatchObject({ amount: 3900 - Math.ceil(3900 / 31) });
  });

  test('of a lifetime that was used is for the desk', async () => {
    const no = await bought({ subscription_id: LIFETIME });
    expect(await offer(no)).toMatchObject({ amount: 99_900 });
    await begunAMinuteAgo();
    await world.db.transaction((tx) => world.money.membership.usage.count(tx, person.owner, 1, null));
    expect(await offer(no)).toEqual({ amount: null, note: '由客服核定' });
    await ask(no);
    await agree(50_000);
    expect(await me()).toMatchObject({ is_vip: false, vip: { lifetime: false } });
  });

  test('of points is for the unspent paid ones, in the order they were bought', async () => {
    const { points } = world.money;
    const gift = { kind: 'ops', key: 'g', title: '赠送' } as const;
    await world.db.transaction((tx) => points.add(tx, person.owner, { gift: 5 }, gift));
    const [first, second] = [await bought({ subscription_id: POINTS }), await bought({ subscription_id: POINTS })];
    const use = { kind: 'use', key: 'u1', title: 'AI解读' } as const;
    await world.db.transaction((tx) => points.spend(tx, person.owner, 12, use));
    // Five gifts first, then seven of the first twenty.
    expect(await offer(first)).toMatchObject({ amount: 650 });
    expect(await offer(second)).toMatchObject({ amount: 1000 });
    await ask(second);
    await agree();
    expect(await offer(first)).toMatchObject({ amount: 650 });
    await ask(first);
    await agree();
    expect((await me()).user_ai_point).toBe(0);
    await expectBalanced(world);
  });

  test('refused says why; asked again is a new one', async () => {
    const no = await bought();
    await ask(no);
    const row = await asked();
    await world.db.transaction((tx) =>
      world.money.orders.refunds.refuse(tx, row.id, row.version, '已超过期限', OPERATOR),
    );
    const { data } = await call(world, person, 'GET', `/v1/user/orders/${no}`);
    expect(data).toMatchObject({ refund: { state: 'refused', answer: '已超过期限' }, can: { refund: true } });
    expect((await ask(no)).data).toMatchObject({ state: 'asked' });
  });

  test('is decided once, with the version that was seen, and never above what was paid', async () => {
    const no = await bought();
    await ask(no);
    const row = await asked();
    await expect(agree(3901)).rejects.toMatchObject({ code: 30408, message: '退款金额超出实付金额' });
    await agree(1000);
    const again = world.db.transaction((tx) =>
      world.money.orders.refunds.agree(tx, row.id, row.version, { amount: 1000, answer: '', by: OPERATOR }),
    );
    await expect(again).rejects.toMatchObject({ code: 30309 });
  });

  test('that the provider will not do stays with the desk', async () => {
    const no = await bought();
    await ask(no);
    const provider = world.money.orders.cashiers.sandbox!;
    const { refund } = provider;
    provider.refund = async () => 'refused';
    await agree();
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([{ state: 'failed' }]);
    provider.refund = refund;
    const row = await one(sql`SELECT id, version FROM refunds`);
    await world.db.transaction((tx) => world.money.orders.refunds.retry(tx, row.id, row.version));
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([{ state: 'refunded' }]);
  });

  test('needs a payment', async () => {
    const open = await orderNo(world, person);
    expect((await ask(open)).body).toMatchObject({ err_code: 30241, msg: '不能退款：订单未支付' });
    await world.db.execute(sql`UPDATE packages SET fee = 0`);
    const free = await orderNo(world, person);
    expect((await ask(free)).body).toMatchObject({ err_code: 30241, msg: '不能退款：订单没有付款' });
  });
});

describe('an invoice', () => {
  const COMPANY = { kind: 'company', title: '某某大学', tax_no: '12100000400000000A', email: 'cw@example.edu.cn' };
  const apply = (no: string, parts: Record<string, unknown> = {}) =>
    call(world, person, 'POST', '/v1/user/orders/invoice', { order_no: no, ...COMPANY, ...parts });
  const change = (id: number, parts: Record<string, unknown> = {}) =>
    call(world, person, 'PUT', `/v1/user/orders/invoice/${id}`, { ...COMPANY, ...parts });
  const desk = () => world.money.orders.invoices;
  const PDF = new TextEncoder().encode('%PDF-1.7\n1 0 obj\n%%EOF\n');

  test('is asked for, corrected, refused with a reason, asked again, issued, downloaded, voided', async () => {
    const no = await bought();
    const made = await apply(no);
    expect(made.data).toMatchObject({ state: 'pending', amount: 3900, tax_no: '12100000400000000A', has_file: false });
    const { id } = made.data;
    expect((await apply(no)).body).toMatchObject({ err_code: 30232, msg: '该订单已申请发票' });
    expect((await change(id, { title: '另一所大学' })).data).toMatchObject({ title: '另一所大学', state: 'pending' });
    const { after: refused } = await world.db.transaction((tx) => desk().refuse(tx, id, 2, '税号与名称不符'));
    expect((await call(world, person, 'GET', `/v1/user/orders/invoice/${id}`)).data).toMatchObject({
      state: 'refused',
      reason: '税号与名称不符',
    });
    expect((await change(id)).data).toMatchObject({ state: 'pending', reason: null });
    await world.db.transaction((tx) =>
      desk().issue(tx, id, refused.version + 1, { number: '24312000000012345678', pdf: PDF }),
    );
    expect((await change(id)).body).toMatchObject({ err_code: 30234, msg: '发票已开具，不能修改' });
    const { data: list } = await call(world, person, 'GET', '/v1/user/orders/invoice');
    expect(list).toMatchObject({
      total: 1,
      list: [{ state: 'issued', number: '24312000000012345678', has_file: true, is_sample: false }],
    });
    const link = await call(world, person, 'POST', '/v1/downloads', { kind: 'invoice', id });
    const file = await call(world, null, 'GET', link.data.url);
    expect(file.headers['content-type']).toBe('application/pdf');
    expect(file.text.startsWith('%PDF-')).toBe(true);
    expect((await ask(no)).body).toMatchObject({ err_code: 30241, msg: '不能退款：发票已开具，请先联系客服红冲' });
    await world.db.transaction((tx) => desk().void(tx, id, 5, '退货'));
    expect((await apply(no)).body.status_code).toBe(1);
    const other = await makePerson(world);
    expect((await call(world, other, 'POST', '/v1/downloads', { kind: 'invoice', id })).status).toBe(404);
    expect((await call(world, other, 'GET', `/v1/user/orders/invoice/${id}`)).status).toBe(404);
  });

  test('may be asked for to the end of the 30th day in China', async () => {
    const paid = new Date('2026-11-21T04:00:00Z');
    expect(invoiceUntil(paid, 30).toISOString()).toBe('2026-12-21T16:00:00.000Z');
    const late = await bought();
    await world.db.execute(sql`UPDATE orders SET paid_at = now() - interval '32 days'`);
    expect((await apply(late)).body).toMatchObject({ err_code: 30231, msg: '已超过开票期限（购买后30天）' });
    await world.db.execute(sql`UPDATE orders SET paid_at = now() - interval '29 days 23 hours'`);
    expect((await apply(late)).body.status_code).toBe(1);
  });

  test('is for what was paid', async () => {
    const open = await orderNo(world, person);
    expect((await apply(open)).body).toMatchObject({ err_code: 30233 });
    await world.db.execute(sql`UPDATE packages SET fee = 0`);
    const free = await orderNo(world, person);
    expect((await apply(free)).body).toMatchObject({ err_code: 30233, msg: '该订单不能开票（金额为0或已退款）' });
  });

  test.each([['1'.repeat(14)], ['1'.repeat(16)], ['1'.repeat(19)], ['1'.repeat(21)], ['12345678901234567！'], ['']])(
    'tax number %j is none',
    async (tax_no) => {
      expect(await apply(`HX${'0'.repeat(22)}`, { tax_no })).toMatchObject({ status: 400, body: { err_code: 30090 } });
    },
  );

  test('of a person has no tax number', async () => {
    const no = await bought();
    expect((await apply(no, { kind: 'person', title: '张三', tax_no: null })).data).toMatchObject({
      kind: 'person',
      tax_no: null,
    });
  });

  test('takes only a pdf', async () => {
    const { data } = await apply(await bought());
    const html = new TextEncoder().encode('<html>%%EOF');
    await expect(
      world.db.transaction((tx) => desk().issue(tx, data.id, 1, { number: '1', pdf: html })),
    ).rejects.toMatchObject({ code: 30408, message: '请上传 5 MB 以内的 PDF 发票' });
  });
});

describe('a bank transfer', () => {
  const transfer = async (no: string) => (await call(world, person, 'GET', `/v1/user/orders/${no}/transfer`)).data;
  const picture = (): Buffer => createCanvas(40, 30).toBuffer('image/png');
  const prove = async (no: string, bytes: Buffer, who = person) => {
    const reply = await world.app.inject({
      method: 'POST',
      url: `/v1/user/orders/${no}/transfer-proof?payer=${encodeURIComponent('某某大学')}`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
      payload: bytes,
    });
    return { status: reply.statusCode, body: reply.json() };
  };
  const confirm = async (parts: Record<string, unknown> = {}) => {
    const row = await one(sql`SELECT id, version FROM bank_transfers ORDER BY id DESC LIMIT 1`);
    const found = { bankRef: 'B1', amount: 3900, by: OPERATOR, approvedBy: 78, ...parts };
    return world.db.transaction((tx) => world.money.orders.transfers.confirm(tx, row.id, row.version, found as never));
  };

  test('has an account, a remark, a proof; confirmed with the equal amount it pays the order once', async () => {
    const no = await orderNo(world, person, { qr: 4 });
    const told = await transfer(no);
    expect(told).toMatchObject({
      amount: 3900,
      state: 'waiting',
      remark: expect.stringMatching(/^[2-9A-HJ-NP-Z]{6}$/),
    });
    expect((await prove(no, picture())).body.data).toMatchObject({
      state: 'proof',
      payer: '某某大学',
      has_proof: true,
    });
    const [{ id, mime }] = await rowsOf(world.db, sql`SELECT id, mime FROM proofs`);
    expect(mime).toBe('image/jpeg');
    expect((await world.money.membership.proofs.open(id))?.bytes.subarray(0, 2).toString('hex')).toBe('ffd8');
    const cancel = await call(world, person, 'PATCH', '/v1/user/orders', { order_no: no, state: 'closed' });
    expect(cancel.body).toMatchObject({ err_code: 30242, msg: '已上传转账凭证，请等待核对' });
    await expect(confirm({ amount: 3899 })).rejects.toMatchObject({
      code: 30321,
      message: '到账金额与订单不一致（应收39.00元，实收38.99元）',
    });
    expect(await confirm()).toMatchObject({
      after: { state: 'confirmed', bankRef: 'B1', confirmedBy: OPERATOR, approvedBy: 78 },
    });
    expect(await state(world, person, no)).toMatchObject({ state: 'paid' });
    const second = await orderNo(world, person, { qr: 4 });
    await expect(confirm()).rejects.toMatchObject({ code: 30322 });
    expect(await state(world, person, second)).toMatchObject({ state: 'created' });
    await expectBalanced(world);
  });

  test('given back says why, and another proof may follow', async () => {
    const no = await orderNo(world, person, { qr: 4 });
    await prove(no, Buffer.from('%PDF-1.4\n%%EOF'));
    const row = await one(sql`SELECT id, version FROM bank_transfers`);
    await world.db.transaction((tx) => world.money.orders.transfers.giveBack(tx, row.id, row.version, '金额不足'));
    expect(await transfer(no)).toMatchObject({ state: 'returned', reason: '金额不足' });
    expect((await prove(no, picture())).body.data).toMatchObject({ state: 'proof', reason: null });
  });

  test.each([
    ['a web page', Buffer.from('<html><body>x</body></html>')],
    [
      'a png that claims to be gigantic',
      Buffer.concat([picture().subarray(0, 16), Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]), picture().subarray(24)]),
    ],
    ['nothing', Buffer.alloc(0)],
  ])('%s is no proof', async (_name, bytes) => {
    const no = await orderNo(world, person, { qr: 4 });
    const { body } = await prove(no, bytes);
    expect(body.err_code).toBe(30263);
  });

  test('waits 30 days, longer when a proof has been sent', async () => {
    const [no, other] = [
      await orderNo(world, person, { qr: 4 }),
      await orderNo(world, person, { qr: 4, subscription_id: POINTS }),
    ];
    await prove(other, picture());
    await pass(world, 30 * 86_400 + 5);
    await deliver(world);
    expect(await state(world, person, no)).toMatchObject({ state: 'closed' });
    expect(await transfer(no)).toMatchObject({ state: 'closed' });
    expect(await state(world, person, other)).toMatchObject({ state: 'created' });
  });

  test('refunded, the money goes back by hand', async () => {
    const no = await orderNo(world, person, { qr: 4 });
    await confirm();
    await ask(no);
    await agree();
    await deliver(world);
    expect(await refundsOf(world)).toMatchObject([{ state: 'agreed' }]);
    const row = await one(sql`SELECT id, version FROM refunds`);
    await world.db.transaction((tx) => world.money.orders.refunds.markDone(tx, row.id, row.version));
    expect(await refundsOf(world)).toMatchObject([{ state: 'refunded' }]);
  });
});

test('the desk lists what waits for it', async () => {
  const { desk } = world.money.orders;
  const no = await bought();
  await ask(no);
  const page = { page: 1, page_size: 20 };
  expect(await desk.refunds({ ...page, state: 'asked' })).toMatchObject({ total: 1, list: [{ orderNo: no }] });
  expect(await desk.orders({ ...page, user_id: person.id })).toMatchObject({
    total: 1,
    list: [{ orderNo: no, state: 'paid' }],
  });
  expect(await desk.orders({ ...page, state: 'created' })).toEqual({ total: 0, list: [] });
  expect(await desk.payments({ ...page, state: 'anomaly' })).toEqual({ total: 0, list: [] });
  expect(await desk.payments({ ...page, order_no: no })).toMatchObject({ total: 1, list: [{ outcome: 'applied' }] });
  expect(await world.money.membership.packages.all()).toHaveLength(12);
  expect(await world.money.membership.education.queue(0, page)).toEqual({ total: 0, list: [] });
});
