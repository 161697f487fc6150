import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person, Reply } from '../../testing/makers.ts';
import { deliver } from '../../testing/money.ts';
import { cookieOf } from '../../testing/sign-in.ts';

let world: World;
let person: Person;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  person = await makePerson(world);
  await prove(person);
});
afterAll(() => world.close());

/** As if the code of a step-up had just been given. */
const prove = (who: Person) => world.db.execute(sql`UPDATE sessions SET proved_at = now() WHERE id = ${who.sessionId}`);
const ways = async (who = person): Promise<string[]> => (await call(world, who, 'GET', '/v1/user')).data.ways;
const scan = (ticket: string, who = '张三') =>
  call(world, null, 'POST', `/sandbox/wechat/${ticket}`, { act: 'confirm', who });
const begin = async (who = person): Promise<Reply> => call(world, who, 'POST', '/v1/user/links/wechat');
const poll = (scene: string, who: Person | null = person): Promise<Reply> =>
  call(world, who, 'GET', who ? `/v1/user/links/wechat?scene=${scene}` : `/v1/login/token?scene=${scene}`);

/** Signs somebody in by WeChat, as the login dialog does. */
async function byWechat(who = '张三'): Promise<Reply> {
  const { data } = await call(world, null, 'GET', '/v1/login/weixin/ticket');
  await scan(data.ticket, who);
  return poll(data.scene, null);
}
async function addWechat(who = '张三'): Promise<Reply> {
  const { data } = await begin();
  await scan(data.ticket, who);
  return poll(data.scene);
}

describe('WeChat added to an account', () => {
  test('after a fresh proof; from then on it signs in to this account', async () => {
    await world.db.execute(sql`UPDATE sessions SET proved_at = NULL`);
    expect((await begin()).body).toMatchObject({ err_code: 30002 });
    await prove(person);
    const { data } = await begin();
    expect(data).toMatchObject({ expire_in: 120, qrcode: expect.stringMatching(/^data:image\/png/) });
    expect((await poll(data.scene)).data).toEqual({ status: 0 });
    // The phone is told what it agrees to.
    const page = await call(world, null, 'GET', `/sandbox/wechat/${data.ticket}`);
    expect(page.text).toContain('绑定到衡析账号“测试者”');
    expect((await poll(data.scene)).data).toEqual({ status: 2 });
    expect((await scan(data.ticket)).text).toContain('已确认绑定');
    expect((await poll(data.scene)).data).toEqual({ status: 1 });
    expect((await poll(data.scene)).data).toEqual({ status: 4 });
    expect(await ways()).toEqual(['phone', 'wechat']);
    await deliver(world);
    expect(await rowsOf(world.db, sql`SELECT text FROM sandbox_sms`)).toMatchObject([
      { text: expect.stringContaining('已添加微信登录方式') },
    ]);
    const signedIn = await byWechat();
    expect((await call(world, { token: signedIn.data.token }, 'GET', '/v1/user')).data.id).toBe(person.id);
  });

  test('its code signs nobody in, and a code of the login dialog adds nothing', async () => {
    const { data } = await begin();
    await scan(data.ticket);
    expect((await poll(data.scene, null)).data).toEqual({ status: 4 });
    const other = await makePerson(world);
    expect((await poll(data.scene, other)).data).toEqual({ status: 4 });
    const login = (await call(world, null, 'GET', '/v1/login/weixin/ticket')).data;
    await scan(login.ticket);
    expect((await poll(login.scene)).data).toEqual({ status: 4 });
    expect(await ways()).toEqual(['phone']);
  });

  test('that is the way of an empty account offers to end that one in this; nothing happens silently', async () => {
    await byWechat();
    const { data } = await begin();
    await scan(data.ticket);
    const refused = await poll(data.scene);
    expect(refused.body).toMatchObject({ err_code: 30253, data: { nickname: '张三', keep: 'this' } });
    expect(await ways()).toEqual(['phone']);
    const { ticket } = refused.data;
    const cookie = { cookie: cookieOf(refused) };
    const merged = await call(world, person, 'POST', '/v1/user/mobile/merge', { ticket }, cookie);
    expect(merged.data).toEqual({ sign_in: null });
    expect(await ways()).toEqual(['phone', 'wechat']);
  });

  test('that is the way of an account with something in it is refused without an offer', async () => {
    const theirs = await byWechat();
    const { data } = await call(world, { token: theirs.data.token }, 'GET', '/v1/user');
    const gift = { userId: data.id, source: 'ops', ref: 'x', days: 3, lifetime: false } as const;
    await world.db.transaction((tx) => world.money.membership.grants.grant(tx, gift));
    await world.db.execute(sql`UPDATE users SET phone_sealed = 'x', phone_digest = 'x' WHERE id = ${data.id}`);
    expect((await addWechat()).body).toMatchObject({
      err_code: 30253,
      msg: '这个微信账号已经是账号“张三”的登录方式',
      data: { ticket: null },
    });
  });

  test('once; another WeChat wants the first one gone', async () => {
    expect((await addWechat()).data).toEqual({ status: 1 });
    expect((await addWechat()).data).toEqual({ status: 1 });
    expect((await addWechat('李四')).body).toMatchObject({
      err_code: 30255,
      msg: '已绑定另一个微信账号，请先解除绑定',
    });
  });
});

describe('a way taken away', () => {
  const remove = (provider: string, who = person) => call(world, who, 'DELETE', `/v1/user/links/${provider}`);

  test('signs in no more; asked again it is simply gone', async () => {
    await addWechat();
    await world.db.execute(sql`UPDATE sessions SET proved_at = NULL`);
    expect((await remove('wechat')).body).toMatchObject({ err_code: 30002 });
    await prove(person);
    expect((await remove('wechat')).body.status_code).toBe(1);
    expect((await remove('wechat')).body.status_code).toBe(1);
    expect(await ways()).toEqual(['phone']);
    const signedIn = await byWechat();
    expect((await call(world, { token: signedIn.data.token }, 'GET', '/v1/user')).data.id).not.toBe(person.id);
    expect((await remove('nobody')).status).toBe(400);
  });

  test('is never the last one, also when two go at once', async () => {
    await addWechat();
    await world.db.execute(sql`UPDATE users SET phone_sealed = NULL, phone_digest = NULL WHERE id = ${person.id}`);
    expect((await remove('wechat')).body).toMatchObject({ err_code: 30254 });
    await world.db.execute(
      sql`INSERT INTO identity_links (provider, subject_digest, user_id) VALUES ('academic', 's', ${person.id})`,
    );
    const both = await Promise.all([remove('wechat'), remove('academic')]);
    expect(both.map(({ body }) => body.status_code).sort()).toEqual([0, 1]);
    expect(await ways()).toHaveLength(1);
  });
});

describe('the platforms', () => {
  /** Follows a visit to a sandbox platform and back; gives the query it came back with. */
  async function visit(reply: Reply, url: string, who: string): Promise<{ query: URLSearchParams; cookie: string }> {
    const cookie = cookieOf(reply);
    const at = new URL(url, 'http://localhost');
    const back = await call(world, null, 'POST', at.pathname + at.search, `act=login&who=${encodeURIComponent(who)}`, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    let location = new URL(String(back.headers['location']), 'http://localhost');
    if (location.pathname.startsWith('/v1/')) {
      const called = await call(world, null, 'GET', location.pathname + location.search, undefined, { cookie });
      location = new URL(String(called.headers['location']), 'http://localhost');
    }
    return { query: location.searchParams, cookie };
  }

  test('academic search comes back with a ticket that only this account and this browser can use, once', async () => {
    const begun = await call(world, person, 'POST', '/v1/user/links/academic', undefined, { host: 'localhost' });
    const { query, cookie } = await visit(begun, begun.data.url, '读者');
    expect(query.get('link')).toBe('academic');
    const ticket = query.get('ticket') ?? '';
    const other = await makePerson(world);
    const put = (who: Person, headers: Record<string, string> = { cookie }) =>
      call(world, who, 'PUT', '/v1/user/links/academic', { ticket }, headers);
    expect((await put(person)).body.status_code).toBe(1);
    expect((await put(person)).body).toMatchObject({ err_code: 30003 });
    expect((await put(other)).body).toMatchObject({ err_code: 30003 });
    expect(await ways()).toEqual(['phone', 'academic']);
  });

  test('the research platform’s claim is confirmed before it counts, and adds where it was asked for only', async () => {
    const href = 'http://localhost/member?link=research';
    const begun = await call(world, person, 'POST', '/v1/user/links/research', { href }, { host: 'localhost' });
    const { url, ...facts } = begun.data;
    const address = `${url}?${new URLSearchParams({ ...facts, timestamp: String(facts.timestamp), href }).toString()}`;
    const { query, cookie } = await visit(begun, address, '研究者');
    const claim = {
      openid: query.get('openId') ?? '',
      nickname: query.get('nickName') ?? '',
      noncestr: query.get('noncestr') ?? '',
      signature: query.get('signature') ?? '',
    };
    const put = (body: Record<string, unknown>) =>
      call(world, person, 'PUT', '/v1/user/links/research', body, { cookie });
    // Neither by a changed name nor as a sign-in; the visit is spent by the first try.
    const login = await call(world, null, 'POST', '/v1/zw/oauth/login?v=1', claim, { cookie });
    expect(login.body).toMatchObject({ err_code: 30007 });
    expect((await put(claim)).body).toMatchObject({ err_code: 30007 });
    const again = await call(world, person, 'POST', '/v1/user/links/research', { href }, { host: 'localhost', cookie });
    const { url: next, ...more } = again.data;
    const second = await visit(
      again,
      `${next}?${new URLSearchParams({ ...more, timestamp: String(more.timestamp), href }).toString()}`,
      '研究者',
    );
    const right = Object.fromEntries(
      (['openId', 'nickName', 'noncestr', 'signature'] as const).map((name) => [
        { openId: 'openid', nickName: 'nickname', noncestr: 'noncestr', signature: 'signature' }[name],
        second.query.get(name) ?? '',
      ]),
    );
    const done = await call(world, person, 'PUT', '/v1/user/links/research', right, { cookie: second.cookie });
    expect(done.body).toMatchObject({ status_code: 1 });
    expect(await ways()).toEqual(['phone', 'research']);
  });
});
