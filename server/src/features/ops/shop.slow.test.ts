/** The shop, content, and the system at the desk: each act, its one row of the log, and what two must agree on. */
import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import { deskStage, DONE, WAITING, deskOf, deskTools, enter, makeOperator, REASON } from '../../testing/desk.ts';
import type { Staff } from '../../testing/desk.ts';
import { LIFETIME, order } from '../../testing/money.ts';

// As in production: nobody approves the own request.
const on = deskStage({ HENGXI_SINGLE_OPERATOR: '0' });
const { act, approve, list, logged } = deskTools(() => on.world);

describe('the shop', () => {
  const price = {
    description: null,
    discount: 0,
    discount_enabled: false,
    discount_rate: 100,
    discount_description: null,
    discount_from: null,
    discount_to: null,
    per_user_limit: null,
    sort: 9,
  };

  test('packages: made off sale by one, put on sale and cheapened by two, taken off by one', async () => {
    const draft = {
      kind: 'vip',
      days: 7,
      lifetime: false,
      points: null,
      title: '周卡',
      fee: 1900,
      ...price,
      on_sale: false,
    };
    expect((await act(on.finance, 'package.make', '', { ...draft, on_sale: true })).data).toMatchObject(WAITING);
    // Nobody else is troubled with what cannot be.
    for (const wrong of [
      { days: null },
      { days: null, on_sale: true },
      { discount_from: '2030-01-02T00:00:00Z', discount_to: '2030-01-01T00:00:00Z', on_sale: true },
    ])
      expect((await act(on.finance, 'package.make', '', { ...draft, ...wrong })).body).toMatchObject({
        err_code: 30408,
      });
    expect((await act(on.finance, 'package.make', '', draft)).data).toMatchObject(DONE);
    const row = (await list(on.finance, 'packages')).list.find((one: any) => one.name === '周卡');
    const change = { title: '周卡', fee: 1900, ...price, on_sale: false };
    expect(
      (await act(on.finance, 'package.change', row.id, { ...change, on_sale: true }, row.version)).data,
    ).toMatchObject(WAITING);
    expect((await act(on.finance, 'package.change', row.id, { ...change, fee: 2000 }, row.version)).data).toMatchObject(
      DONE,
    );
    expect((await act(on.finance, 'package.change', row.id, change, row.version)).body).toMatchObject({
      err_code: 30309,
    });
    const lifetime = (await list(on.finance, 'packages')).list.find((one: any) => one.id === String(LIFETIME));
    const cheap = await act(on.finance, 'package.change', LIFETIME, { ...lifetime.values, fee: 1 }, lifetime.version);
    expect(cheap.data).toMatchObject(WAITING);
    expect((await act(on.finance, 'package.stop', LIFETIME, {}, lifetime.version)).data).toMatchObject(DONE);
    expect((await order(on.world, on.person, { subscription_id: LIFETIME })).body).toMatchObject({ err_code: 30205 });
    expect((await approve(on.second, cheap.data.request_id)).body).toMatchObject({ err_code: 30403 });
    expect((await logged()).filter((name) => name.startsWith('package.'))).toEqual([
      'package.make',
      'package.change',
      'package.stop',
    ]);
  });

  test('coupons: up to ¥5,000 of loss by one, above by two; limited and stopped', async () => {
    const coupon = {
      coupon_type: '1',
      amount: 1000,
      limit_total: 500,
      per_user: 1,
      user_id: null,
      from: null,
      to: null,
      note: null,
    };
    expect((await act(on.finance, 'coupon.make', '', { ...coupon, limit_total: 501 })).data).toMatchObject(WAITING);
    expect((await act(on.finance, 'coupon.make', '', { ...coupon, limit_total: null })).data).toMatchObject(WAITING);
    expect((await act(on.finance, 'coupon.make', '', { ...coupon, user_id: on.finance.id })).body).toMatchObject({
      err_code: 30406,
    });
    for (const nobody of [999_999, 3_000_000_000])
      expect((await act(on.finance, 'coupon.make', '', { ...coupon, user_id: nobody })).body.msg).toContain(
        '没有这个用户',
      );
    expect((await act(on.finance, 'coupon.make', '', coupon)).data).toMatchObject(DONE);
    const [row] = (await list(on.service, 'coupons')).list;
    expect(row.acts).toEqual([]);
    const code = row.name;
    expect((await call(on.world, on.person, 'GET', `/v1/coupon/vip/amount?code=${code}&coupon_type=1`)).data).toEqual({
      amount: 1000,
    });
    const limits = { limit_total: 10, per_user: 1, from: null, to: null, note: '内测' };
    expect(
      (await act(on.finance, 'coupon.limit', row.id, { ...limits, limit_total: 600 }, row.version)).data,
    ).toMatchObject(WAITING);
    expect((await act(on.finance, 'coupon.limit', row.id, limits, row.version)).data).toMatchObject(DONE);
    expect((await act(on.finance, 'coupon.stop', row.id, {}, row.version + 1)).data).toMatchObject(DONE);
    expect(
      (await call(on.world, on.person, 'GET', `/v1/coupon/vip/amount?code=${code}&coupon_type=1`)).body,
    ).toMatchObject({
      err_code: 30211,
    });
    expect((await logged()).filter((name) => name.startsWith('coupon.'))).toEqual([
      'coupon.make',
      'coupon.limit',
      'coupon.stop',
    ]);
  });
});

describe('content and system', () => {
  test('an education check is seen with its paper, approved, taken back', async () => {
    const canvas = createCanvas(60, 40);
    canvas.getContext('2d').fillRect(0, 0, 30, 20);
    const sent = await on.world.app.inject({
      method: 'POST',
      url: '/v1/user/edu-auth/proof',
      headers: { authorization: `Bearer ${on.person.token}`, 'content-type': 'application/octet-stream' },
      payload: canvas.toBuffer('image/png'),
    });
    const form = {
      kind: 'document',
      name: '李时珍',
      school: '南京大学',
      role: 'student',
      proof: sent.json().data.proof,
    };
    expect((await call(on.world, on.person, 'POST', '/v1/user/edu-auth', form)).body).toMatchObject({ status_code: 1 });
    const [row] = (await list(on.service, 'edu')).list;
    expect(row).toMatchObject({ name: '李时珍', has_proof: true, acts: ['edu.approve', 'edu.refuse'] });
    const paper = await deskOf(on.world, on.service)('GET', `/v1/ops/proofs/edu/${row.id}`);
    expect(paper.data).toMatchObject({ mime: 'image/jpeg' });
    expect((await deskOf(on.world, on.finance)('GET', `/v1/ops/proofs/edu/${row.id}`)).status).toBe(404);
    expect((await act(on.service, 'edu.approve', row.id, {}, row.version)).data).toMatchObject(DONE);
    expect((await call(on.world, on.person, 'GET', '/v1/user/edu-auth')).data).toMatchObject({ status: 1 });
    expect((await act(on.service, 'edu.refuse', row.id, {}, row.version + 1)).data).toMatchObject(DONE);
    expect((await call(on.world, on.person, 'GET', '/v1/user/edu-auth')).data).toMatchObject({
      status: 2,
      reason: REASON,
    });
    expect(await logged()).toEqual(['proof.view', 'edu.approve', 'edu.refuse']);
    expect(JSON.stringify(await rowsOf(on.world.db, sql`SELECT before, after FROM act_log`))).not.toContain('李时珍');
  });

  test('banners and broadcasts are shown at once; a link that runs is refused', async () => {
    const period = {
      starts_at: '2020-01-01T00:00:00+08:00',
      ends_at: '2099-01-01T00:00:00+08:00',
      sort: -100,
      is_on: true,
    };
    expect((await act(on.service, 'broadcast.make', '', { text: '周六维护', ...period })).data).toMatchObject(DONE);
    expect((await call(on.world, null, 'GET', '/v1/campaign/broadcasts')).data[0]).toBe('周六维护');
    const [row] = (await list(on.service, 'broadcasts')).list;
    await act(on.service, 'broadcast.change', row.id, { text: '周日维护', ...period }, row.version);
    const ad = {
      typ: '2',
      title: '开学季',
      cover: null,
      summary: null,
      body_md: null,
      url: '/price',
      position: 'header',
      label: '活动',
      ...period,
    };
    expect((await act(on.service, 'banner.make', '', { ...ad, url: 'javascript:alert(1)' })).body).toMatchObject({
      err_code: 30090,
    });
    expect((await act(on.service, 'banner.make', '', { ...ad, ends_at: period.starts_at })).body).toMatchObject({
      err_code: 30408,
    });
    for (const bad of [{ position: null }, { position: 'nowhere' }])
      expect((await act(on.service, 'banner.make', '', { ...ad, ...bad })).body.status_code).toBe(0);
    expect((await act(on.service, 'broadcast.make', '', { text: '字'.repeat(61), ...period })).body).toMatchObject({
      err_code: 30090,
    });
    expect((await act(on.service, 'broadcast.make', '', { text: '字'.repeat(60), ...period })).data).toMatchObject(
      DONE,
    );
    expect((await act(on.service, 'banner.make', '', ad)).data).toMatchObject(DONE);
    const banner = (await list(on.service, 'banners')).list.find((one: any) => one.name === '开学季');
    expect(
      (await act(on.service, 'banner.change', banner.id, { ...ad, is_on: false }, banner.version)).data,
    ).toMatchObject(DONE);
    expect(await logged()).toEqual([
      'broadcast.make',
      'broadcast.change',
      'broadcast.make',
      'banner.make',
      'banner.change',
    ]);
  });

  test('limits of an edition are changed by two', async () => {
    const approver = await enter(on.world, await makeOperator(on.world, ['运维']));
    const row = (await list(on.second, 'limits')).list.find((one: any) => one.id === 'standard');
    for (const none of [{ files: 0 }, { rows: 0 }])
      expect(
        (await act(on.second, 'limits.change', 'standard', { ...row.values, ...none }, row.version)).body,
      ).toMatchObject({
        err_code: 30090,
        msg: expect.stringContaining('至少为 1'),
      });
    const asked = await act(on.second, 'limits.change', 'standard', { ...row.values, analyses_day: 7 }, row.version);
    expect(asked.data).toMatchObject(WAITING);
    expect((await approve(on.second, asked.data.request_id)).body).toMatchObject({ err_code: 30402 });
    expect((await approve(approver, asked.data.request_id)).data).toMatchObject({ state: 'done' });
    expect((await call(on.world, on.person, 'GET', '/v1/user/membership')).data.limits).toMatchObject({
      analyses_day: 7,
    });
    const [entry] = await rowsOf(on.world.db, sql`SELECT before, after FROM act_log WHERE act = 'limits.change'`);
    expect([entry.before.analysesDay, entry.after.analysesDay]).toEqual([50, 7]);
  });

  test('health is told; a message that was given up is tried again', async () => {
    await on.world.db.execute(
      sql`INSERT INTO outbox (topic, dedupe_key, payload, attempts, dead_at) VALUES ('refund', 'k1', '{"refund_no": "R1"}', 12, now())`,
    );
    const health = (await list(on.second, 'health')).list.map((row: any) => [row.id, row.cells.state]);
    expect(health).toContainEqual(['数据库', '正常']);
    expect(health).toContainEqual(['消息投递', '异常']);
    const [row] = (await list(on.second, 'outbox')).list;
    expect((await act(on.second, 'outbox.retry', row.id)).data).toMatchObject(DONE);
    expect((await act(on.second, 'outbox.retry', row.id)).body).toMatchObject({ err_code: 30309 });
    expect((await list(on.second, 'outbox')).total).toBe(0);
    expect(await logged()).toEqual(['outbox.retry']);
  });

  test('a message that nobody needs any more is given up by two; never one that sends money', async () => {
    const approver = await enter(on.world, await makeOperator(on.world, ['运维']));
    await on.world.db.execute(
      sql`INSERT INTO outbox (topic, dedupe_key, payload, attempts, dead_at) VALUES ('notice', 'k1', '{}', 12, now()), ('refund', 'k2', '{}', 12, now())`,
    );
    const part = async () => (await list(on.second, 'health')).list.find((one: any) => one.id === '消息投递').cells;
    expect(await part()).toMatchObject({ state: '异常', note: '已放弃 2 条，请在“消息投递”中处理' });
    const [refund, told] = (await list(on.second, 'outbox')).list;
    expect((await act(on.second, 'outbox.drop', refund.id)).body).toMatchObject({ err_code: 30408 });
    const asked = await act(on.second, 'outbox.drop', told.id);
    expect(asked.data).toMatchObject(WAITING);
    expect((await approve(approver, asked.data.request_id)).data).toMatchObject({ state: 'done' });
    expect((await act(on.second, 'outbox.retry', told.id)).body).toMatchObject({ err_code: 30309 });
    expect((await list(on.second, 'outbox')).total).toBe(1);
    expect(await part()).toMatchObject({ note: '已放弃 1 条，请在“消息投递”中处理' });
    expect(await logged()).toEqual(['request.make', 'outbox.drop']);
  });
});

test('the log shows the own acts, to the auditor all', async () => {
  await act(on.service, 'broadcast.make', '', {
    text: '通知',
    starts_at: '2020-01-01T00:00:00Z',
    ends_at: '2020-01-02T00:00:00Z',
    sort: 0,
    is_on: true,
  });
  const auditor = await enter(on.world, await makeOperator(on.world, ['审计']));
  const acts = async (who: Staff) => (await list(who, 'log')).list.map((row: any) => row.cells.act);
  expect(await acts(on.finance)).toEqual(['进入后台']);
  expect(await acts(on.service)).toEqual(['新建播报', '进入后台']);
  expect(await acts(auditor)).toHaveLength(9);
});
