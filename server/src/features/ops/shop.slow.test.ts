/** The shop, content, and the system at the desk: each act, its one row of the log, and what two must agree on. */
import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { DONE, WAITING, deskOf, deskTools, enter, makeOperator, REASON } from '../../testing/desk.ts';
import type { Staff } from '../../testing/desk.ts';
import { LIFETIME, order } from '../../testing/money.ts';

let world: World;
let person: Person;
let finance: Staff;
let second: Staff;
let service: Staff;

beforeAll(async () => {
  world = await build({ env: { HENGXI_SINGLE_OPERATOR: '0' } });
});
beforeEach(async () => {
  await world.reset();
  person = await makePerson(world);
  finance = await enter(world, await makeOperator(world, ['财务']));
  second = await enter(world, await makeOperator(world, ['财务', '运维']));
  service = await enter(world, await makeOperator(world, ['客服', '内容']));
});
afterAll(() => world.close());

const { act, approve, list, logged } = deskTools(() => world);

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
    expect((await act(finance, 'package.make', '', { ...draft, on_sale: true })).data).toMatchObject(WAITING);
    expect((await act(finance, 'package.make', '', { ...draft, days: null })).body).toMatchObject({ err_code: 30090 });
    expect((await act(finance, 'package.make', '', draft)).data).toMatchObject(DONE);
    const row = (await list(finance, 'packages')).list.find((one: any) => one.name === '周卡');
    const change = { title: '周卡', fee: 1900, ...price, on_sale: false };
    expect(
      (await act(finance, 'package.change', row.id, { ...change, on_sale: true }, row.version)).data,
    ).toMatchObject(WAITING);
    expect((await act(finance, 'package.change', row.id, { ...change, fee: 2000 }, row.version)).data).toMatchObject(
      DONE,
    );
    expect((await act(finance, 'package.change', row.id, change, row.version)).body).toMatchObject({ err_code: 30309 });
    const lifetime = (await list(finance, 'packages')).list.find((one: any) => one.id === String(LIFETIME));
    const cheap = await act(finance, 'package.change', LIFETIME, { ...lifetime.values, fee: 1 }, lifetime.version);
    expect(cheap.data).toMatchObject(WAITING);
    expect((await act(finance, 'package.stop', LIFETIME, {}, lifetime.version)).data).toMatchObject(DONE);
    expect((await order(world, person, { subscription_id: LIFETIME })).body).toMatchObject({ err_code: 30205 });
    expect((await approve(second, cheap.data.request_id)).body).toMatchObject({ err_code: 30403 });
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
    expect((await act(finance, 'coupon.make', '', { ...coupon, limit_total: 501 })).data).toMatchObject(WAITING);
    expect((await act(finance, 'coupon.make', '', { ...coupon, limit_total: null })).data).toMatchObject(WAITING);
    expect((await act(finance, 'coupon.make', '', { ...coupon, user_id: finance.id })).body).toMatchObject({
      err_code: 30406,
    });
    expect((await act(finance, 'coupon.make', '', coupon)).data).toMatchObject(DONE);
    const [row] = (await list(service, 'coupons')).list;
    expect(row.acts).toEqual([]);
    const code = row.name;
    expect((await call(world, person, 'GET', `/v1/coupon/vip/amount?code=${code}&coupon_type=1`)).data).toEqual({
      amount: 1000,
    });
    const limits = { limit_total: 10, per_user: 1, from: null, to: null, note: '内测' };
    expect(
      (await act(finance, 'coupon.limit', row.id, { ...limits, limit_total: 600 }, row.version)).data,
    ).toMatchObject(WAITING);
    expect((await act(finance, 'coupon.limit', row.id, limits, row.version)).data).toMatchObject(DONE);
    expect((await act(finance, 'coupon.stop', row.id, {}, row.version + 1)).data).toMatchObject(DONE);
    expect((await call(world, person, 'GET', `/v1/coupon/vip/amount?code=${code}&coupon_type=1`)).body).toMatchObject({
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
    const sent = await world.app.inject({
      method: 'POST',
      url: '/v1/user/edu-auth/proof',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
      payload: canvas.toBuffer('image/png'),
    });
    const form = {
      kind: 'document',
      name: '李时珍',
      school: '南京大学',
      role: 'student',
      proof: sent.json().data.proof,
    };
    expect((await call(world, person, 'POST', '/v1/user/edu-auth', form)).body).toMatchObject({ status_code: 1 });
    const [row] = (await list(service, 'edu')).list;
    expect(row).toMatchObject({ name: '李时珍', has_proof: true, acts: ['edu.approve', 'edu.refuse'] });
    const paper = await deskOf(world, service)('GET', `/v1/ops/proofs/edu/${row.id}`);
    expect(paper.data).toMatchObject({ mime: 'image/jpeg' });
    expect((await deskOf(world, finance)('GET', `/v1/ops/proofs/edu/${row.id}`)).status).toBe(404);
    expect((await act(service, 'edu.approve', row.id, {}, row.version)).data).toMatchObject(DONE);
    expect((await call(world, person, 'GET', '/v1/user/edu-auth')).data).toMatchObject({ status: 1 });
    expect((await act(service, 'edu.refuse', row.id, {}, row.version + 1)).data).toMatchObject(DONE);
    expect((await call(world, person, 'GET', '/v1/user/edu-auth')).data).toMatchObject({ status: 2, reason: REASON });
    expect(await logged()).toEqual(['proof.view', 'edu.approve', 'edu.refuse']);
    expect(JSON.stringify(await rowsOf(world.db, sql`SELECT before, after FROM act_log`))).not.toContain('李时珍');
  });

  test('banners and broadcasts are shown at once; a link that runs is refused', async () => {
    const period = {
      starts_at: '2020-01-01T00:00:00+08:00',
      ends_at: '2099-01-01T00:00:00+08:00',
      sort: -100,
      is_on: true,
    };
    expect((await act(service, 'broadcast.make', '', { text: '周六维护', ...period })).data).toMatchObject(DONE);
    expect((await call(world, null, 'GET', '/v1/campaign/broadcasts')).data[0]).toBe('周六维护');
    const [row] = (await list(service, 'broadcasts')).list;
    await act(service, 'broadcast.change', row.id, { text: '周日维护', ...period }, row.version);
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
    expect((await act(service, 'banner.make', '', { ...ad, url: 'javascript:alert(1)' })).body).toMatchObject({
      err_code: 30090,
    });
    expect((await act(service, 'banner.make', '', { ...ad, ends_at: period.starts_at })).body).toMatchObject({
      err_code: 30090,
    });
    expect((await act(service, 'banner.make', '', ad)).data).toMatchObject(DONE);
    const banner = (await list(service, 'banners')).list.find((one: any) => one.name === '开学季');
    expect(
      (await act(service, 'banner.change', banner.id, { ...ad, is_on: false }, banner.version)).data,
    ).toMatchObject(DONE);
    expect(await logged()).toEqual(['broadcast.make', 'broadcast.change', 'banner.make', 'banner.change']);
  });

  test('limits of an edition are changed by two', async () => {
    const approver = await enter(world, await makeOperator(world, ['运维']));
    const row = (await list(second, 'limits')).list.find((one: any) => one.id === 'standard');
    const asked = await act(second, 'limits.change', 'standard', { ...row.values, analyses_day: 7 }, row.version);
    expect(asked.data).toMatchObject(WAITING);
    expect((await approve(second, asked.data.request_id)).body).toMatchObject({ err_code: 30402 });
    expect((await approve(approver, asked.data.request_id)).data).toMatchObject({ state: 'done' });
    expect((await call(world, person, 'GET', '/v1/user/membership')).data.limits).toMatchObject({ analyses_day: 7 });
    const [entry] = await rowsOf(world.db, sql`SELECT before, after FROM act_log WHERE act = 'limits.change'`);
    expect([entry.before.analysesDay, entry.after.analysesDay]).toEqual([50, 7]);
  });

  test('health is told; a message that was given up is tried again', async () => {
    await world.db.execute(
      sql`INSERT INTO outbox (topic, dedupe_key, payload, attempts, dead_at) VALUES ('refund', 'k1', '{"refund_no": "R1"}', 12, now())`,
    );
    const health = (await list(second, 'health')).list.map((row: any) => [row.id, row.cells.state]);
    expect(health).toContainEqual(['数据库', '正常']);
    expect(health).toContainEqual(['消息投递', '异常']);
    const [row] = (await list(second, 'outbox')).list;
    expect((await act(second, 'outbox.retry', row.id)).data).toMatchObject(DONE);
    expect((await act(second, 'outbox.retry', row.id)).body).toMatchObject({ err_code: 30309 });
    expect((await list(second, 'outbox')).total).toBe(0);
    expect(await logged()).toEqual(['outbox.retry']);
  });
});

test('the log shows the own acts, to the auditor all', async () => {
  await act(service, 'broadcast.make', '', {
    text: '通知',
    starts_at: '2020-01-01T00:00:00Z',
    ends_at: '2020-01-02T00:00:00Z',
    sort: 0,
    is_on: true,
  });
  const auditor = await enter(world, await makeOperator(world, ['审计']));
  const acts = async (who: Staff) => (await list(who, 'log')).list.map((row: any) => row.cells.act);
  expect(await acts(finance)).toEqual(['进入后台']);
  expect(await acts(service)).toEqual(['新建播报', '进入后台']);
  expect(await acts(auditor)).toHaveLength(9);
});
