/** Money at the desk: each act, its one row of the log, and what two operators must agree on. */
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { verifyLog } from '../../lib/act-log.ts';
import { rowsOf } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import { deskStage, DONE, WAITING, deskOf, deskTools, REASON } from '../../testing/desk.ts';
import {
  cashier,
  deliver,
  expectBalanced,
  notice,
  order,
  orderNo,
  pass,
  refundsOf,
  LIFETIME,
} from '../../testing/money.ts';

// As in production: nobody approves the own request.
const on = deskStage({ HENGXI_SINGLE_OPERATOR: '0' });
const { act, approve, list, logged } = deskTools(() => on.world);
const bought = async (body: Record<string, unknown> = {}, who = on.person): Promise<string> => {
  const no = await orderNo(on.world, who, body);
  await cashier(on.world, no);
  return no;
};
describe('refunds', () => {
  const ask = (no: string) => call(on.world, on.person, 'POST', `/v1/user/orders/${no}/refund`, { reason: '不想要了' });

  test('below the threshold by one, once', async () => {
    const no = await bought();
    await ask(no);
    const [row] = (await list(on.finance, 'refunds', '?state=asked')).list;
    expect(row).toMatchObject({ acts: ['refund.refuse', 'refund.agree'], values: { amount: 3900 } });
    expect((await act(on.finance, 'refund.agree', row.id, { amount: 3900 }, 99)).body).toMatchObject({
      err_code: 30309,
    });
    expect((await act(on.finance, 'refund.agree', row.id, { amount: 3901 }, row.version)).body).toMatchObject({
      err_code: 30408,
    });
    expect((await act(on.finance, 'refund.agree', row.id, { amount: 3900 }, row.version)).data).toMatchObject(DONE);
    expect((await act(on.finance, 'refund.agree', row.id, { amount: 3900 }, row.version)).body).toMatchObject({
      err_code: 30309,
    });
    await deliver(on.world);
    expect(await refundsOf(on.world)).toEqual([{ order_no: no, amount: 3900, kind: 'asked', state: 'refunded' }]);
    expect(await logged()).toEqual(['refund.agree']);
    await expectBalanced(on.world);
  });

  test('above ¥500 by two: not by who asked, not without a fresh code, on the same version, once', async () => {
    const no = await bought({ subscription_id: LIFETIME });
    const asked = await act(on.finance, 'order.refund', no, { amount: 99_900 });
    expect(asked.data).toMatchObject(WAITING);
    expect(await refundsOf(on.world)).toEqual([]);
    const id = asked.data.request_id;
    expect((await approve(on.finance, id)).body).toMatchObject({ err_code: 30402, msg: '不能审批自己提交的申请' });
    expect((await approve(on.service, id)).body).toMatchObject({ err_code: 30305 });
    await on.world.db.execute(sql`UPDATE sessions SET proved_at = NULL WHERE id = ${on.second.sessionId}`);
    expect((await approve(on.second, id)).body).toMatchObject({ err_code: 30002 });
    await on.world.db.execute(sql`UPDATE sessions SET proved_at = now() WHERE id = ${on.second.sessionId}`);
    const [shown] = (await list(on.second, 'requests', '?state=waiting')).list;
    expect(shown).toMatchObject({
      name: `退款 ${no}`,
      acts: ['refuse', 'approve'],
      detail: { before: { state: 'paid' }, after: { amount: 99_900 } },
    });
    expect((await approve(on.second, id)).data).toMatchObject({ state: 'done' });
    expect((await approve(on.second, id)).body).toMatchObject({ err_code: 30403 });
    await deliver(on.world);
    expect(await refundsOf(on.world)).toEqual([{ order_no: no, amount: 99_900, kind: 'asked', state: 'refunded' }]);
    expect(await logged()).toEqual(['request.make', 'order.refund']);
    const [row] = await rowsOf(
      on.world.db,
      sql`SELECT actor, request_id, reason FROM act_log WHERE act = 'order.refund'`,
    );
    expect(row).toEqual({ actor: on.second.id, request_id: id, reason: REASON });
    await expectBalanced(on.world);
  });

  test('more than was paid is refused before a second operator is asked', async () => {
    const no = await bought({ subscription_id: LIFETIME });
    expect((await act(on.service, 'order.refund', no, { amount: 99_901 })).body).toMatchObject({
      err_code: 30408,
      msg: '退款金额超出实付金额',
    });
    expect(
      (
        await act(on.finance, 'order.refund', await orderNo(on.world, on.person, { subscription_id: 51 }), {
          amount: 1,
        })
      ).body,
    ).toMatchObject({
      err_code: 30241,
      msg: '不能退款：订单未支付',
    });
    expect((await list(on.finance, 'requests')).total).toBe(0);
  });

  test('older than 30 days by two; customer service only asks; refused with a reason', async () => {
    const no = await bought();
    await pass(on.world, 31 * 86_400);
    expect((await act(on.finance, 'order.refund', no, { amount: 100 })).data).toMatchObject(WAITING);
    const young = await bought({ subscription_id: 22 });
    const asked = await act(on.service, 'order.refund', young, { amount: 100 });
    expect(asked.data).toMatchObject(WAITING);
    const refuse = (reason: string) =>
      deskOf(on.world, on.finance)('POST', `/v1/ops/requests/${asked.data.request_id}/refuse`, { reason });
    expect((await refuse('不')).body).toMatchObject({ err_code: 30405 });
    expect((await refuse('材料不齐，请补充')).data).toMatchObject({ msg: '已驳回' });
    expect((await approve(on.second, asked.data.request_id)).body).toMatchObject({ err_code: 30403 });
    expect(await logged()).toEqual(['request.make', 'request.make', 'request.refuse']);
  });

  test('what changed meanwhile is not carried out; a day later it is too late', async () => {
    const no = await bought();
    await ask(no);
    await pass(on.world, 31 * 86_400);
    const [row] = (await list(on.finance, 'refunds')).list;
    const asked = await act(on.finance, 'refund.agree', row.id, { amount: 100 }, row.version);
    expect(asked.data).toMatchObject(WAITING);
    expect((await act(on.finance, 'refund.agree', row.id, { amount: 100 }, row.version)).body).toMatchObject({
      err_code: 30408,
    });
    await act(on.second, 'refund.refuse', row.id, {}, row.version);
    expect((await approve(on.second, asked.data.request_id)).body).toMatchObject({
      err_code: 30403,
      msg: '目标已变化，申请失效',
    });
    expect((await list(on.second, 'requests', '?state=moved')).total).toBe(1);
    expect(await logged()).toEqual(['request.make', 'refund.refuse', 'request.moved']);
    const late = await act(on.service, 'grant.days', on.person.id, { days: 1 });
    await on.world.db.execute(
      sql`UPDATE ops_requests SET ends_at = now() - interval '1 minute' WHERE state = 'waiting'`,
    );
    expect((await approve(on.second, late.data.request_id)).body).toMatchObject({ err_code: 30403 });
    expect((await list(on.second, 'requests', '?state=expired')).total).toBe(1);
  });

  test('what was paid twice and went back by itself is no refund of the buyer; what an operator sent back is', async () => {
    const twice = await orderNo(on.world, on.person);
    await cashier(on.world, twice, 'twice');
    await deliver(on.world);
    expect(await refundsOf(on.world)).toMatchObject([{ order_no: twice, kind: 'duplicate', state: 'refunded' }]);
    expect((await act(on.finance, 'order.refund', twice, { amount: 100 })).data).toMatchObject(DONE);
    const odd = await orderNo(on.world, on.person, { subscription_id: 22 });
    await notice(on.world, { order_no: odd, amount: 1 });
    const [anomaly] = (await list(on.finance, 'anomalies')).list;
    await act(on.finance, 'anomaly.refund', anomaly.id);
    await cashier(on.world, odd);
    expect((await act(on.finance, 'order.refund', odd, { amount: 100 })).data).toMatchObject(WAITING);
    expect((await list(on.finance, 'requests')).list[0].cells.why).toBe('该订单已有退款');
    await expectBalanced(on.world);
  });

  test('the own order is refused, as asker and as approver', async () => {
    const no = await bought({ subscription_id: LIFETIME }, on.second);
    expect((await act(on.second, 'order.refund', no, { amount: 100 })).body).toMatchObject({ err_code: 30406 });
    const asked = await act(on.finance, 'order.refund', no, { amount: 99_900 });
    expect((await approve(on.second, asked.data.request_id)).body).toMatchObject({ err_code: 30406 });
  });

  test('one that fails is sent again or done by hand', async () => {
    const no = await bought();
    await act(on.finance, 'order.refund', no, { amount: 3900 });
    await on.world.db.execute(sql`UPDATE refunds SET state = 'failed'`);
    const [row] = (await list(on.finance, 'refunds')).list;
    expect(row.acts).toEqual(['refund.retry', 'refund.done']);
    expect((await act(on.finance, 'refund.retry', row.id, {}, row.version)).data).toMatchObject(DONE);
    await on.world.db.execute(sql`UPDATE refunds SET state = 'failed'`);
    const [again] = (await list(on.finance, 'refunds')).list;
    expect((await act(on.finance, 'refund.done', again.id, {}, again.version)).data).toMatchObject(DONE);
    expect(await logged()).toEqual(['order.refund', 'refund.retry', 'refund.done']);
  });
});

test('an order is asked about at its provider', async () => {
  const no = await orderNo(on.world, on.person);
  await on.world.db.execute(
    sql`INSERT INTO sandbox_trades (transaction_id, order_no, amount) VALUES ('LOST1', ${no}, 3900)`,
  );
  expect((await list(on.service, 'orders', `?order_no=${no}`)).list).toMatchObject([{ acts: ['order.query'] }]);
  expect((await act(on.service, 'order.query', no)).data).toMatchObject(DONE);
  expect((await list(on.service, 'orders', `?order_no=${no}`)).list).toMatchObject([
    { cells: { state: '已支付' }, acts: ['order.refund'] },
  ]);
  expect(await logged()).toEqual(['order.query']);
});

test('anomalies are attached to the right order or go back', async () => {
  const no = await orderNo(on.world, on.person);
  await notice(on.world, { order_no: 'HX2026112100000000000000', transaction_id: 'A1', amount: 3900 });
  await notice(on.world, { order_no: no, transaction_id: 'A2', amount: 1 });
  const [small, whole] = (await list(on.finance, 'anomalies')).list;
  expect(small).toMatchObject({
    cells: { why: '金额不符：实付 0.01 元，应付 39 元' },
    acts: ['anomaly.attach', 'anomaly.refund'],
  });
  expect((await act(on.finance, 'anomaly.attach', small.id, { order_no: no })).body).toMatchObject({ err_code: 30408 });
  expect((await act(on.finance, 'anomaly.attach', whole.id, { order_no: no })).data).toMatchObject(DONE);
  expect((await act(on.finance, 'anomaly.attach', whole.id, { order_no: no })).body).toMatchObject({ err_code: 30309 });
  expect((await act(on.finance, 'anomaly.refund', small.id)).data).toMatchObject(DONE);
  expect((await act(on.finance, 'anomaly.refund', small.id)).body).toMatchObject({ err_code: 30241 });
  expect((await list(on.finance, 'payments', `?order_no=${no}`)).list.map((row: any) => row.cells.outcome)).toContain(
    '已入账',
  );
  expect(await logged()).toEqual(['anomaly.attach', 'anomaly.refund']);
});

test('a bank transfer is matched by one and confirmed by two, to the fen, each reference once', async () => {
  const made = await order(on.world, on.person, { qr: 4 });
  const no = made.data.order.order_no;
  const [row] = (await list(on.finance, 'transfers')).list;
  expect((await act(on.finance, 'transfer.match', row.id, {}, row.version)).data).toMatchObject(DONE);
  const confirm = (amount: number) =>
    act(on.finance, 'transfer.confirm', row.id, { bank_ref: 'B20261121', amount }, row.version + 1);
  // Known at once to be wrong: nobody else is troubled with it.
  expect((await confirm(3899)).body).toMatchObject({
    err_code: 30321,
    msg: '到账金额与订单不一致（应收39.00元，实收38.99元）',
  });
  const right = await confirm(3900);
  expect((await approve(on.finance, right.data.request_id)).body).toMatchObject({ err_code: 30402 });
  expect((await approve(on.second, right.data.request_id)).data).toMatchObject({ state: 'done' });
  expect(await rowsOf(on.world.db, sql`SELECT state, confirmed_by, approved_by FROM bank_transfers`)).toEqual([
    { state: 'confirmed', confirmed_by: on.finance.id, approved_by: on.second.id },
  ]);
  expect((await call(on.world, on.person, 'GET', `/v1/user/orders/${no}`)).data).toMatchObject({ state: 'paid' });
  const other = await order(on.world, on.person, { qr: 4, subscription_id: 22 });
  expect(other.body).toMatchObject({ status_code: 1 });
  const [next] = (await list(on.finance, 'transfers', '?state=waiting')).list;
  await act(on.finance, 'transfer.match', next.id, {}, next.version);
  const amount = next.cells.amount;
  const reused = await act(
    on.finance,
    'transfer.confirm',
    next.id,
    { bank_ref: 'B20261121', amount },
    next.version + 1,
  );
  expect(reused.body).toMatchObject({ err_code: 30322, msg: '该银行流水号已使用' });
  expect((await act(on.finance, 'transfer.return', next.id, {}, next.version + 1)).data).toMatchObject(DONE);
  expect(await verifyLog(on.world.db)).toMatchObject({ broken: null });
});

test('an invoice is issued with its pdf, refused, voided by two; the log keeps no title and no file', async () => {
  const no = await bought();
  const body = { order_no: no, kind: 'person', title: '张三丰', email: 'zhang@nju.edu.cn' };
  await call(on.world, on.person, 'POST', '/v1/user/orders/invoice', body);
  const [row] = (await list(on.finance, 'invoices', '?state=pending')).list;
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64');
  const issue = (payload: Record<string, unknown>) => act(on.finance, 'invoice.issue', row.id, payload, row.version);
  expect(
    (await issue({ number: '12345678', pdf: Buffer.from('<html>renamed</html>').toString('base64') })).body,
  ).toMatchObject({ err_code: 30408 });
  expect((await issue({ number: 'x', pdf })).body).toMatchObject({
    msg: '请求格式有误：发票号码为 8–20 位数字',
  });
  expect((await issue({ number: '12345678', pdf })).data).toMatchObject(DONE);
  const voided = await act(on.finance, 'invoice.void', row.id, {}, row.version + 1);
  expect(voided.data).toMatchObject(WAITING);
  expect((await approve(on.second, voided.data.request_id)).data).toMatchObject({ state: 'done' });
  const again = await call(on.world, on.person, 'POST', '/v1/user/orders/invoice', body);
  expect((await act(on.finance, 'invoice.refuse', again.data.id, {}, 1)).data).toMatchObject(DONE);
  expect(await logged()).toEqual(['invoice.issue', 'request.make', 'invoice.void', 'invoice.refuse']);
  const text =
    JSON.stringify(await rowsOf(on.world.db, sql`SELECT * FROM act_log`)) +
    JSON.stringify(await rowsOf(on.world.db, sql`SELECT * FROM ops_requests`));
  expect(text).not.toMatch(/张三丰|zhang@|JVBERi/);
});

test('the account for transfers is set by two, told to buyers at once, and never by half', async () => {
  const no = (await order(on.world, on.person, { qr: 4 })).data.order.order_no;
  const [row] = (await list(on.finance, 'settings')).list;
  const change = (more: Record<string, unknown>) =>
    act(on.finance, 'settings.change', row.id, { ...row.values, bank: '工商银行海淀支行', ...more }, row.version);
  expect((await change({ bank_account: 'x' })).body).toMatchObject({
    msg: '请求格式有误：银行账号为 8–30 位数字，可以有空格',
  });
  expect((await change({ invoice_days: 0 })).body).toMatchObject({ msg: '请求格式有误：开票天数不能小于 1' });
  const asked = await change({ bank_account: '6222 0200 0000 0000' });
  expect(asked.data).toMatchObject(WAITING);
  expect((await approve(on.finance, asked.data.request_id)).body).toMatchObject({ err_code: 30402 });
  expect((await approve(on.second, asked.data.request_id)).data).toMatchObject({ state: 'done' });
  expect((await call(on.world, on.person, 'GET', `/v1/user/orders/${no}/transfer`)).data).toMatchObject({
    bank: '工商银行海淀支行',
    bank_account: '6222 0200 0000 0000',
  });
  const [entry] = await rowsOf(on.world.db, sql`SELECT before, after FROM act_log WHERE act = 'settings.change'`);
  expect([entry.before.bank, entry.after.bank]).toEqual(['示例银行（未设置）', '工商银行海淀支行']);
});

test('a list says no more than that there are more rows than it counts', async () => {
  await on.world.db.execute(sql`INSERT INTO payments (order_no, provider, transaction_id, amount, outcome, paid_at)
    SELECT 'HX', 'sandbox', 'T' || n, 1, 'anomaly', now() FROM generate_series(1, 10010) n`);
  expect(await list(on.finance, 'payments')).toMatchObject({ total: 10_001 });
  const csv = await deskOf(on.world, on.finance)('POST', '/v1/ops/export', { list: 'payments', reason: REASON });
  expect(csv.body).toMatchObject({ err_code: 30408, msg: '超过 10000 行，请先筛选' });
});
