import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Limiter } from '../../lib/limits.ts';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { post } from '../../testing/sign-in.ts';
import { banUser } from '../accounts/service.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

const get = (url: string, headers: Record<string, string> = {}): Promise<Reply> =>
  call(world, null, 'GET', url, undefined, headers);
/** All cookies of an answer, ready to be sent back. */
const cookies = (reply: Reply): { cookie: string } => ({
  cookie: [reply.headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .map((line) => line.split(';')[0])
    .join('; '),
});
const ticket = async () => (await get('/v1/login/weixin/ticket')).data;
const poll = (scene: string) => get(`/v1/login/token?scene=${scene}`);
const scan = (code: string, act: 'confirm' | 'refuse', who = '李雷') =>
  post(world, `/sandbox/wechat/${code}`, { act, who });

describe('WeChat', () => {
  test('a code is scanned, confirmed and redeemed once, by the holder of the scene', async () => {
    const code = await ticket();
    expect(code).toMatchObject({ expire_in: 120, ticket: expect.stringMatching(/^[\w-]{22}$/) });
    expect(new URL(code.url).pathname).toBe(`/sandbox/wechat/${code.ticket}`);
    expect((await poll(code.scene)).data).toEqual({ status: 0 });
    const page = await get(`/sandbox/wechat/${code.ticket}`, { 'user-agent': 'x' });
    expect(page.text).toContain('沙箱');
    for (const word of ['浏览器', '127.0.0.*', '确认登录', '取消']) expect(page.text).toContain(word);
    // Under no-referrer a browser sends the form with `Origin: null`, which is refused as foreign.
    expect(page.headers['referrer-policy']).toBe('same-origin');
    expect((await poll(code.scene)).data).toEqual({ status: 2 });
    expect((await poll(code.ticket)).data).toEqual({ status: 4 });
    expect((await scan(code.ticket, 'confirm')).text).toContain('已确认登录');
    const signedIn = await poll(code.scene);
    expect(signedIn.data).toMatchObject({ status: 1, token: expect.any(String), co_token: null, tokens: [] });
    expect((await poll(code.scene)).data).toEqual({ status: 4 });
    const me = await call(world, signedIn.data, 'GET', '/v1/user');
    expect(me.data).toMatchObject({ nickname: '李雷', phone: null, ways: ['wechat'] });
  });

  test('the same person is the same account; another is another', async () => {
    const ids: number[] = [];
    for (const who of ['李雷', '李雷', '韩梅梅']) {
      const code = await ticket();
      await scan(code.ticket, 'confirm', who);
      const { data } = await poll(code.scene);
      ids.push((await call(world, data, 'GET', '/v1/user')).data.id);
    }
    expect(ids).toEqual([1, 1, 2]);
  });

  test('refused, too old, confirmed too late, twice: nobody is signed in', async () => {
    const refused = await ticket();
    await scan(refused.ticket, 'refuse');
    expect((await poll(refused.scene)).data).toEqual({ status: 3 });
    expect((await scan(refused.ticket, 'confirm')).status).toBe(410);
    const old = await ticket();
    await world.db.execute(
      sql`UPDATE wechat_tickets SET ends_at = now() - interval '1 minute' WHERE state = 'waiting'`,
    );
    expect((await poll(old.scene)).data).toEqual({ status: 4 });
    expect((await scan(old.ticket, 'confirm')).text).toContain('二维码已过期');
    expect((await get(`/sandbox/wechat/${old.ticket}`)).status).toBe(410);
    const late = await ticket();
    await scan(late.ticket, 'confirm');
    await world.db.execute(sql`UPDATE wechat_tickets SET ends_at = now() - interval '1 minute'`);
    expect((await poll(late.scene)).data).toEqual({ status: 4 });
    expect((await poll('nobody')).data).toEqual({ status: 4 });
  });

  test('a clock that went backwards revives no code', async () => {
    const code = await ticket();
    await world.db.execute(
      sql`UPDATE wechat_tickets SET created_at = now() + interval '1 day', ends_at = now() + interval '2 days'`,
    );
    expect((await scan(code.ticket, 'confirm')).status).toBe(410);
    expect((await poll(code.scene)).data).toEqual({ status: 4 });
  });

  test('of two screens that ask at once one gets the sign-in', async () => {
    const code = await ticket();
    await scan(code.ticket, 'confirm');
    const replies = await Promise.all([poll(code.scene), poll(code.scene), poll(code.scene)]);
    expect(replies.map(({ data }) => data.status).sort()).toEqual([1, 4, 4]);
  });

  test('a banned person gets 20023 and no token', async () => {
    const first = await ticket();
    await scan(first.ticket, 'confirm');
    await poll(first.scene);
    await banUser(world.db, 1, '违规', null);
    const code = await ticket();
    await scan(code.ticket, 'confirm');
    expect((await poll(code.scene)).body).toMatchObject({ err_code: 20023, data: { reason: '违规' } });
  });

  test('what somebody calls themselves is text, cut to a nickname', async () => {
    const code = await ticket();
    await scan(code.ticket, 'confirm', `<img src=x>${'长'.repeat(25)}`);
    const { data } = await poll(code.scene);
    expect((await call(world, data, 'GET', '/v1/user')).data.nickname).toBe(`<img src=x>${'长'.repeat(9)}`);
  });
});

describe('the research platform', () => {
  const sign = (href = 'http://localhost:80/analysis/index?x=1') => post(world, '/v1/zw/oauth/sign', { href });
  async function come(who = '研究者') {
    const signed = await sign();
    const { appid, noncestr, signature, timestamp, url } = signed.data;
    const query = new URLSearchParams({
      appid,
      noncestr,
      signature,
      timestamp: String(timestamp),
      href: 'http://localhost/analysis/index?x=1',
    });
    const page = await get(`${url}?${query.toString()}`);
    const back = await post(world, `${url}?${query.toString()}`, { act: 'login', who });
    const address = new URL(String(back.headers['location']));
    const claim = {
      openid: address.searchParams.get('openId')!,
      nickname: address.searchParams.get('nickName')!,
      noncestr: address.searchParams.get('noncestr')!,
      signature: address.searchParams.get('signature')!,
    };
    return { page, address, claim, cookie: cookies(signed) };
  }
  const login = (claim: Record<string, string>, headers = {}) =>
    call(world, null, 'POST', '/v1/zw/oauth/login?v=1', claim, headers);

  test('signs, leads away and back, and signs in by the confirmed claim, once', async () => {
    const { page, address, claim, cookie } = await come();
    expect(page.text).toContain('沙箱');
    expect(address.pathname + address.search.slice(0, 4)).toBe('/analysis/index?x=1');
    const done = await login(claim, cookie);
    expect(done.data).toMatchObject({ token: expect.any(String) });
    expect((await call(world, done.data, 'GET', '/v1/user')).data).toMatchObject({
      nickname: '研究者',
      ways: ['research'],
    });
    expect((await login(claim, cookie)).body).toMatchObject({
      err_code: 30007,
      msg: '无法确认科研平台的登录信息，请重新登录',
    });
  });

  test('a made up openid, another openid, no visit, another browser, a visit too old: no sign-in', async () => {
    expect((await login({ openid: 'anything' })).body.err_code).toBe(30007);
    const other = await come();
    expect((await login({ ...other.claim, openid: 'somebody-else' }, other.cookie)).body.err_code).toBe(30007);
    const foreign = await come();
    expect((await login(foreign.claim)).body.err_code).toBe(30007);
    const late = await come();
    await world.db.execute(sql`UPDATE oauth_flows SET created_at = now() - interval '11 minutes'`);
    expect((await login(late.claim, late.cookie)).body.err_code).toBe(30007);
    expect(await rowsOf(world.db, sql`SELECT id FROM users`)).toEqual([]);
  });

  test('comes back to own pages only, and the sandbox page needs our signature', async () => {
    for (const href of ['https://evil.example/', '//evil.example/x', 'javascript:alert(1)'])
      expect((await sign(href)).status).toBe(400);
    expect((await get('/sandbox/research?appid=a&noncestr=n&timestamp=1&signature=x&href=/')).status).toBe(404);
  });
});

describe('academic search', () => {
  async function begin(query = 'confirm_login=1') {
    const begun = await get(`/v1/baidu/oauth/login?${query}`);
    return { address: String(begun.headers['location']), cookie: cookies(begun) };
  }
  const answer = async (address: string, act: 'login' | 'refuse') =>
    String((await post(world, address, { act, who: '读者' })).headers['location']);
  const back = (address: string, headers: Record<string, string>) => {
    const url = new URL(address);
    return get(url.pathname + url.search, headers);
  };

  test('leads there and back to /oauth/login with a hand-off ticket that signs this browser in, once', async () => {
    const { address, cookie } = await begin('confirm_login=1&next=/mydata/index&utm_source=x');
    expect(address).toMatch(/^\/sandbox\/academic\?/);
    expect((await get(address)).text).toContain('学术搜索登录');
    const done = await back(await answer(address, 'login'), cookie);
    const target = new URL(String(done.headers['location']), 'http://x');
    expect(target.pathname).toBe('/oauth/login');
    expect(target.searchParams.get('next')).toBe('/mydata/index');
    const url = `/api/oauth/authorize?token=${target.searchParams.get('token')}`;
    const signedIn = await call(world, null, 'POST', url, undefined, cookie);
    expect((await call(world, signedIn.data, 'GET', '/v1/user')).data).toMatchObject({
      nickname: '读者',
      ways: ['academic'],
    });
    expect(await rowsOf(world.db, sql`SELECT utm_source FROM users`)).toEqual([{ utm_source: 'x' }]);
    expect((await call(world, null, 'POST', url, undefined, cookie)).body.err_code).toBe(30003);
  });

  test('a state that is missing, used, too old, foreign or made up ends with a message', async () => {
    const text = encodeURIComponent('登录链接已失效，请重新登录');
    const visit = await begin();
    const address = await answer(visit.address, 'login');
    expect((await back(address, {})).headers['location']).toBe(`/oauth/login?error_msg=${text}`);
    expect((await back(address, visit.cookie)).headers['location']).toBe(`/oauth/login?error_msg=${text}`);
    expect(
      (await back('http://x/v1/baidu/oauth/callback?code=c&state=made-up', visit.cookie)).headers['location'],
    ).toBe(`/oauth/login?error_msg=${text}`);
    const late = await begin();
    const old = await answer(late.address, 'login');
    await world.db.execute(sql`UPDATE oauth_flows SET created_at = now() - interval '11 minutes'`);
    expect((await back(old, late.cookie)).headers['location']).toBe(`/oauth/login?error_msg=${text}`);
    expect(await rowsOf(world.db, sql`SELECT id FROM users`)).toEqual([]);
  });

  test('a refusal and a forged code sign nobody in; a foreign page to return to is dropped', async () => {
    const visit = await begin('next=//evil.example');
    const refused = await back(await answer(visit.address, 'refuse'), visit.cookie);
    expect(decodeURIComponent(String(refused.headers['location']))).toBe('/oauth/login?error_msg=已取消登录');
    const forged = await begin('next=//evil.example');
    const address = new URL(await answer(forged.address, 'login'));
    address.searchParams.set('code', 'forged.code');
    const denied = await back(address.href, forged.cookie);
    expect(decodeURIComponent(String(denied.headers['location']))).toContain('无法确认学术搜索的登录信息');
    const good = await begin('next=/\\evil.example');
    const done = await back(await answer(good.address, 'login'), good.cookie);
    expect(String(done.headers['location'])).not.toContain('evil');
  });

  test('its sandbox leads back to ourselves only', async () => {
    const elsewhere = await post(world, '/sandbox/academic?client_id=a&state=s&redirect_uri=https://evil.example/', {
      act: 'login',
      who: 'x',
    });
    expect(elsewhere.status).toBe(404);
  });
});

test('one code may be asked about forty times a minute, one network a hundred and twenty codes', async () => {
  const strict = await build({ limiter: new Limiter(() => 0) });
  const at = (url: string) => call(strict, null, 'GET', url);
  const { data } = await at('/v1/login/weixin/ticket');
  for (let i = 0; i < 40; i += 1) expect((await at(`/v1/login/token?scene=${data.scene}`)).status).toBe(200);
  expect(await at(`/v1/login/token?scene=${data.scene}`)).toMatchObject({ status: 429, body: { err_code: 30001 } });
  for (let i = 1; i < 120; i += 1) await at('/v1/login/weixin/ticket');
  expect((await at('/v1/login/weixin/ticket')).status).toBe(429);
  await strict.close();
});

test('a way in that is switched off does not exist', async () => {
  const off = await build({ env: { HENGXI_WECHAT: 'off', HENGXI_RESEARCH: 'off', HENGXI_ACADEMIC: 'off' } });
  for (const url of ['/v1/login/weixin/ticket', '/v1/baidu/oauth/login', '/sandbox/wechat/x', '/sandbox/academic'])
    expect((await call(off, null, 'GET', url)).status).toBe(404);
  expect((await call(off, null, 'GET', '/v1/site')).data).toMatchObject({
    wechat: false,
    research: false,
    academic: false,
  });
  await off.close();
});
