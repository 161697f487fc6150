import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { POINTS, orderNo } from '../../testing/money.ts';
import { makeFile, teachEngine } from '../../testing/tables.ts';
import { personStage } from '../../testing/stages.ts';

const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const get = async (url: string, who: Person | null = null) => (await call(world, who, 'GET', url)).data;
const run = (statement: ReturnType<typeof sql>) => world.db.execute(statement);

describe('what is shown', () => {
  test('broadcasts are at most five strings of now', async () => {
    expect(await get('/v1/campaign/broadcasts')).toEqual([
      '邀请好友一起用，双方各得 3 天会员',
      '每个方法都有示例数据，点一下就能跑通',
    ]);
    await run(
      sql`INSERT INTO broadcasts (text, starts_at, ends_at, sort) SELECT 't' || n, now() - interval '1 day', now() + interval '1 day', n FROM generate_series(3, 9) n`,
    );
    await run(
      sql`INSERT INTO broadcasts (text, starts_at, ends_at) VALUES ('over', now() - interval '2 days', now() - interval '1 minute'), ('not yet', now() + interval '1 minute', now() + interval '1 day')`,
    );
    const list = await get('/v1/campaign/broadcasts');
    expect(list).toHaveLength(5);
    expect(list).not.toContain('over');
    expect(list).not.toContain('not yet');
  });

  test('a banner stands at its place and says what it is; activities have their rules', async () => {
    expect(await get('/v1/ads/banner?position=header')).toMatchObject({
      text: '师生认证后享教育价',
      label: '活动',
      url: '/member/package',
    });
    expect(await get('/v1/ads/banner?position=nowhere')).toBeNull();
    const list = await get('/v1/campaign/advertisements?typ=1&page=1&page_size=10');
    expect(list).toMatchObject({ total: 1, list: [{ status: 'running' }] });
    expect(await get(`/v1/campaign/advertisements/${list.list[0].id}`)).toMatchObject({
      body_md: expect.stringContaining('怎么参加'),
    });
    expect((await call(world, null, 'GET', '/v1/campaign/advertisements/999999')).status).toBe(404);
    await run(sql`UPDATE advertisements SET is_on = false`);
    expect(await get('/v1/ads/banner?position=header')).toBeNull();
  });

  test('a price campaign is there while it runs', async () => {
    expect(await get('/v1/campaign/promo')).toBeNull();
    await run(sql`UPDATE campaigns SET state = 'running', ends_at = now() + interval '1 day' WHERE id = 3`);
    expect(await get('/v1/campaign/promo')).toMatchObject({ id: 3, title: '毕业季优惠' });
  });

  test('the desk changes with the version it saw', async () => {
    const { shows } = world.money.campaigns;
    const day = 86_400_000;
    const draft = {
      text: '新消息',
      startsAt: new Date(Date.now() - day),
      endsAt: new Date(Date.now() + day),
      sort: -1,
    };
    const { after } = await world.db.transaction((tx) => shows.putBroadcast(tx, null, 0, draft));
    expect((await get('/v1/campaign/broadcasts'))[0]).toBe('新消息');
    await world.db.transaction((tx) => shows.putBroadcast(tx, after.id, 1, { ...draft, isOn: false }));
    await expect(world.db.transaction((tx) => shows.putBroadcast(tx, after.id, 1, draft))).rejects.toMatchObject({
      code: 30309,
    });
    expect(await get('/v1/campaign/broadcasts')).not.toContain('新消息');
  });
});

describe('the welcome gift', () => {
  const welcome = (id = person.id) => world.db.transaction((tx) => world.money.campaigns.welcome(tx, id));

  test('is given once while its campaign runs; a page learns it from here alone', async () => {
    expect(await get('/v1/campaign/lucky', person)).toBeNull();
    expect(await welcome()).toBe(1);
    expect(await welcome()).toBe(0);
    expect(await get('/v1/campaign/lucky', person)).toMatchObject({ title: '欢迎礼', days: 0, points: 10 });
    expect(await get('/v1/user', person)).toMatchObject({ user_ai_point: 10, is_vip: false });
  });

  test('may be days of membership', async () => {
    await run(sql`UPDATE campaigns SET gift = '{"vip_days": 3}' WHERE id = 1`);
    await welcome();
    expect(await get('/v1/user', person)).toMatchObject({ is_vip: true });
  });

  test.each([
    ['paused', sql`UPDATE campaigns SET state = 'paused' WHERE id = 1`],
    ['over', sql`UPDATE campaigns SET ends_at = now() - interval '1 minute' WHERE id = 1`],
    ['not begun', sql`UPDATE campaigns SET starts_at = now() + interval '1 hour' WHERE id = 1`],
    ['out of budget', sql`UPDATE campaigns SET budget_left = 0 WHERE id = 1`],
  ])('is not given when the campaign is %s, and nothing of it is left', async (_name, change) => {
    await run(change);
    expect(await welcome()).toBe(0);
    expect(await get('/v1/user', person)).toMatchObject({ user_ai_point: 0, is_vip: false });
    expect(await rowsOf(world.db, sql`SELECT * FROM campaign_grants`)).toEqual([]);
  });
});

describe('a coupon of a campaign', () => {
  const claim = (who = person, id = 9) => call(world, who, 'POST', `/v1/campaign/${id}/coupon`, { request_id: 'r1' });
  beforeEach(() =>
    run(sql`INSERT INTO campaigns (id, code, title, kind, starts_at, ends_at, gift, budget_total, budget_left, state)
      VALUES (9, 'autumn', '秋季', 'coupon', now() - interval '1 day', now() + interval '1 day',
        '{"coupon": {"amount": 500, "coupon_type": 1, "days": 7}}', 2, 2, 'running')`),
  );

  test('is bound to the account, and asked again the same one', async () => {
    const { data } = await claim();
    expect(data).toMatchObject({
      code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{6}$/),
      amount: 500,
      valid_to: expect.any(String),
    });
    expect((await claim()).data.code).toBe(data.code);
    const other = await makePerson(world);
    const amount = (who: Person) => call(world, who, 'GET', `/v1/coupon/vip/amount?code=${data.code}&coupon_type=1`);
    expect((await amount(person)).data).toEqual({ amount: 500 });
    expect((await amount(other)).body.err_code).toBe(30211);
  });

  test('ends with the budget, the campaign, or a pause', async () => {
    const people = [person, await makePerson(world), await makePerson(world)];
    const replies = await Promise.all(people.map((who) => claim(who)));
    expect(replies.filter(({ body }) => body.status_code === 1)).toHaveLength(2);
    expect(replies.find(({ body }) => body.status_code === 0)?.body).toMatchObject({
      err_code: 31202,
      msg: '名额已领完',
    });
    await run(sql`UPDATE campaigns SET budget_left = 1, budget_total = 3, state = 'paused' WHERE id = 9`);
    expect((await claim(await makePerson(world))).body).toMatchObject({ err_code: 31201, msg: '活动未开始或已结束' });
    expect((await claim(person, 1)).status).toBe(404);
  });
});

describe('an invitation of a friend', () => {
  const page = (who = person) => get('/v1/campaign/2/register-invitation', who);
  const invite = async (device: string): Promise<Person> => {
    const { invitation_link: link } = await page();
    const friend = await makePerson(world, '用户K3ABCD');
    const source = new URL(link).searchParams.get('utm_source');
    await run(sql`UPDATE users SET utm_source = ${source} WHERE id = ${friend.id}`);
    await run(sql`UPDATE sessions SET device_id = ${device} WHERE user_id = ${friend.id}`);
    await world.db.transaction((tx) => world.money.campaigns.welcome(tx, friend.id));
    return friend;
  };
  const analyse = async (who: Person): Promise<void> => {
    teachEngine(world);
    const { vid } = await makeFile(world, who);
    await call(world, who, 'POST', `/algorithm/descriptive/frequency?vid=${vid}`, { variables: ['c1'] });
  };

  test('gives both three days once the friend has analysed data of their own; the friend stays unseen', async () => {
    const friend = await invite('another device');
    expect(await page()).toMatchObject({
      invite_count: 1,
      ticket: { total_days: 0 },
      records: [{ masked: '用户K3****', state: 'open' }],
    });
    expect(await get('/v1/user', friend)).toMatchObject({ is_vip: false });
    await analyse(friend);
    await analyse(friend);
    expect(await page()).toMatchObject({ ticket: { total_days: 3 }, records: [{ state: 'rewarded', days: 3 }] });
    expect(await get('/v1/user', friend)).toMatchObject({ is_vip: true });
    expect(await get('/v1/user', person)).toMatchObject({ is_vip: true });
    expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM vip_grants WHERE source = 'invite'`)).toEqual([
      { n: 2 },
    ]);
  });

  test('from the same device is looked at first', async () => {
    const friend = await invite('device');
    await analyse(friend);
    expect(await page()).toMatchObject({ records: [{ state: 'held', days: 0 }] });
    expect(await get('/v1/user', friend)).toMatchObject({ is_vip: false });
    const decided = await world.db.transaction((tx) => world.money.campaigns.friends.decide(tx, friend.id, true, ''));
    expect(decided).toMatchObject({ before: { state: 'held' }, after: { state: 'rewarded', days: 3 } });
    expect(await get('/v1/user', friend)).toMatchObject({ is_vip: true });
  });

  test.each([
    ['one payer is looked at first', 'p1', { state: 'held', days: 0 }],
    ['another payer is rewarded', 'p2', { state: 'rewarded', days: 3 }],
  ])('paid for by %s', async (_name, payer, record) => {
    const friend = await invite('another device');
    for (const [who, by] of [
      [person, 'p1'],
      [friend, payer],
    ] as const)
      await call(world, null, 'POST', `/sandbox/cashier/${await orderNo(world, who, { subscription_id: POINTS })}`, {
        act: 'pay',
        payer: by,
      });
    await analyse(friend);
    expect(await page()).toMatchObject({ records: [record] });
    const rows = await rowsOf(world.db, sql`SELECT reason FROM friend_invitations`);
    expect(rows).toEqual([{ reason: record.state === 'held' ? '同一付款人' : null }]);
    // What a provider calls its payer is kept as a digest only.
    const kept = await rowsOf(world.db, sql`SELECT payer_digest FROM payments`);
    for (const { payer_digest: digest } of kept) expect(digest).toMatch(/^[\w+/=-]{20,}$/);
  });

  test('counts within 14 days, and the inviter gets at most 60 a year', async () => {
    const late = await invite('d1');
    await run(sql`UPDATE friend_invitations SET linked_at = now() - interval '15 days'`);
    await analyse(late);
    expect(await page()).toMatchObject({ records: [{ state: 'void' }] });
    await run(sql`UPDATE friend_invitations SET days = 59, rewarded_at = now()`);
    const next = await invite('d2');
    await analyse(next);
    expect((await page()).records[0]).toMatchObject({ state: 'rewarded', days: 1 });
    const last = await invite('d3');
    await analyse(last);
    expect((await page()).records[0]).toMatchObject({ state: 'rewarded', days: 0 });
    expect(await get('/v1/user', last)).toMatchObject({ is_vip: true });
  });

  test('by one’s own link is none', async () => {
    const { invitation_link: link } = await page();
    const source = new URL(link).searchParams.get('utm_source');
    await run(sql`UPDATE users SET utm_source = ${source} WHERE id = ${person.id}`);
    await world.db.transaction((tx) => world.money.campaigns.welcome(tx, person.id));
    expect(await page()).toMatchObject({ invite_count: 0 });
  });
});
