import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson, makeSession } from '../../testing/makers.ts';
import { PHONE, login, post, send, signIn } from '../../testing/sign-in.ts';
import { digestPhone } from './phones.ts';
import { banUser, insertDemo, issueHandoff, unbanUser } from './service.ts';
import { sessions, users } from './tables.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

describe('signing in', () => {
  test('a new phone becomes an account with a nickname; the answer has every key', async () => {
    const { data } = await signIn(world);
    expect(data).toEqual({ token: expect.any(String), co_token: null, tokens: [], lucky: 1, warning: false });
    const payload = JSON.parse(Buffer.from(data.token.split('.')[1], 'base64url').toString());
    expect(payload).toMatchObject({
      oid: 1,
      nickname: expect.stringMatching(/^用户\w{6}$/),
      avatar: null,
      is_vip: false,
      platform: 'pri',
      enterprise_name: null,
      aud: 'hengxi:session',
    });
    const me = await call(world, { token: data.token }, 'GET', '/v1/user');
    expect(me.data).toMatchObject({
      id: 1,
      phone: '138****8000',
      identity: 1,
      ways: ['phone'],
      config: { fill_nan_adjusted: 0, analytics: 0 },
      demo: false,
    });
    expect((await call(world, { token: data.token }, 'GET', '/v1/user/identity')).data).toMatchObject({
      identity: 1,
      co: null,
      tokens: [],
    });
  });

  test('a bare token is accepted too', async () => {
    const { token } = await makePerson(world);
    expect((await call(world, null, 'GET', '/v1/user', undefined, { authorization: token })).status).toBe(200);
  });

  test('a newer sign-in ends the older session, whose next call gets 401 with 20021', async () => {
    const first = await signIn(world);
    const second = await signIn(world);
    const old = await call(world, { token: first.data.token }, 'GET', '/v1/user');
    expect(old.status).toBe(401);
    expect(old.body).toMatchObject({ err_code: 20021, msg: '当前账号已在其他地方，请重新登录' });
    expect((await call(world, { token: second.data.token }, 'GET', '/v1/user')).status).toBe(200);
  });

  test('what ends a session through one server holds at the next call to another: nothing of it is remembered', async () => {
    const { app } = await createApp({ ...world.deps, metrics: createMetrics() });
    const elsewhere = async (token: string) =>
      (await app.inject({ url: '/v1/user', headers: { authorization: `Bearer ${token}` } })).json().err_code ?? 0;
    const first = await signIn(world);
    expect(await elsewhere(first.data.token)).toBe(0);
    const second = await signIn(world);
    expect(await elsewhere(first.data.token)).toBe(20021);
    expect(await elsewhere(second.data.token)).toBe(0);
    await banUser(world.db, 1, '测试', null);
    expect(await elsewhere(second.data.token)).toBe(20023);
    await app.close();
  });

  test('two first sign-ins at once give one account and one live session', async () => {
    const one = await send(world);
    const [a, b] = await Promise.all([login(world, PHONE, one.code, one.key), login(world, PHONE, one.code, one.key)]);
    expect([a.body.status_code, b.body.status_code].sort()).toEqual([0, 1]);
    expect(await world.db.select().from(users)).toHaveLength(1);
  });

  test('logout ends the session on the server', async () => {
    const person = await makePerson(world);
    expect((await call(world, person, 'POST', '/v1/user/logout')).body.status_code).toBe(1);
    const after = await call(world, person, 'GET', '/v1/user');
    expect(after.status).toBe(401);
    expect(after.body).toMatchObject({ err_code: 30089, msg: '登录已过期，请重新登录' });
  });

  test('tokens that are not ours are worth nothing', async () => {
    const person = await makePerson(world);
    const [head, body, signature] = person.token.split('.') as [string, string, string];
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('"oid":1', '"oid":2')).toString(
      'base64url',
    );
    const other = await build();
    const foreign = await makePerson(other);
    await other.close();
    for (const token of [
      `${none}.${body}.`,
      `${head}.${forged}.${signature}`,
      foreign.token,
      'nonsense',
      `${head}.${body}`,
    ]) {
      const reply = await call(world, { token }, 'GET', '/v1/user');
      expect(reply.status).toBe(401);
      expect(reply.body.err_code).toBe(30089);
    }
  });

  test('a session ends after thirty days by the database', async () => {
    const person = await makePerson(world);
    const [row] = await world.db.select().from(sessions);
    expect((row!.endsAt.getTime() - row!.createdAt.getTime()) / 86_400_000).toBeCloseTo(30, 1);
    await world.db.update(sessions).set({ endsAt: sql`now() - interval '1 minute'` });
    expect((await call(world, person, 'GET', '/v1/user')).status).toBe(401);
  });

  test('a banned account gets 20023 with reason on every call and at sign-in, until the ban ends', async () => {
    const first = await signIn(world);
    const person = { token: first.data.token };
    await banUser(world.db, 1, '发布违规内容', null);
    for (const url of ['/v1/user', '/v1/runs']) {
      const reply = await call(world, person, 'GET', url);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        status_code: 0,
        err_code: 20023,
        data: { reason: '发布违规内容', until: null },
      });
    }
    const again = await signIn(world);
    expect(again.body).toMatchObject({ err_code: 20023 });
    await unbanUser(world.db, 1);
    expect((await call(world, person, 'GET', '/v1/user')).status).toBe(401);
    expect((await signIn(world)).body.status_code).toBe(1);
  });

  test('more than three new devices within a day are told as an abnormal sign-in', async () => {
    const warnings: boolean[] = [];
    for (const letter of 'abcd') {
      const reply = await signIn(world, PHONE, { cookie: `hx_device=${letter.repeat(22)}` });
      warnings.push(reply.data.warning);
    }
    expect(warnings).toEqual([false, false, false, true]);
  });

  test('the device cookie is HttpOnly, Lax and lasts 400 days', async () => {
    const reply = await call(world, null, 'GET', '/v1/captcha/slider');
    const cookie = String(reply.headers['set-cookie']);
    expect(cookie).toMatch(/^hx_device=[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});

describe('sessions', () => {
  test('are listed with device and shortened network, and can be ended', async () => {
    const person = await makePerson(world);
    const { data } = await call(world, person, 'GET', '/v1/user/sessions');
    expect(data).toMatchObject({
      total: 1,
      list: [{ id: person.sessionId, current: true, device: 'Chrome · Linux', net: '127.0.0.*' }],
    });
    expect((await call(world, person, 'DELETE', `/v1/user/sessions/${person.sessionId}`)).body.status_code).toBe(1);
    expect((await call(world, person, 'GET', '/v1/user')).status).toBe(401);
  });

  test('of others and absent ones are not told apart and not ended', async () => {
    const person = await makePerson(world);
    const stranger = await makePerson(world);
    const foreign = await call(world, person, 'DELETE', `/v1/user/sessions/${stranger.sessionId}`);
    const absent = await call(world, person, 'DELETE', '/v1/user/sessions/999999');
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(absent.body);
    expect((await call(world, stranger, 'GET', '/v1/user')).status).toBe(200);
  });

  test('ending all others leaves the present one', async () => {
    const person = await makePerson(world);
    expect((await call(world, person, 'DELETE', '/v1/user/sessions')).data).toEqual({ ended: 0 });
    expect((await call(world, person, 'GET', '/v1/user')).status).toBe(200);
  });
});

describe('settings', () => {
  test('the nickname has 1 to 20 characters', async () => {
    const person = await makePerson(world);
    expect((await call(world, person, 'PATCH', '/v1/user', { nickname: '  李雷 ' })).body.status_code).toBe(1);
    expect((await call(world, person, 'GET', '/v1/user')).data.nickname).toBe('李雷');
    for (const nickname of ['', '   ', '字'.repeat(21)]) {
      const refused = await call(world, person, 'PATCH', '/v1/user', { nickname });
      expect(refused.status).toBe(400);
      expect(refused.body.msg).toContain('昵称为 1–20 个字');
    }
  });

  test('a picture is drawn anew at 128 pixels and served under an unguessable name', async () => {
    const person = await makePerson(world);
    const { createCanvas, loadImage } = await import('@napi-rs/canvas');
    const picture = createCanvas(300, 200).toDataURL('image/png');
    expect((await call(world, person, 'PATCH', '/v1/user', { avatar: picture })).body.status_code).toBe(1);
    const { avatar } = (await call(world, person, 'GET', '/v1/user')).data;
    const served = await world.app.inject({ url: avatar });
    expect(served.headers['content-type']).toBe('image/png');
    const image = await loadImage(served.rawPayload);
    expect([image.width, image.height]).toEqual([128, 128]);
    const refused = await call(world, person, 'PATCH', '/v1/user', { avatar: 'data:image/svg+xml;base64,AAAA' });
    expect(refused.body.msg).toContain('头像须为 png、jpeg 或 webp 图片');
    const broken = await call(world, person, 'PATCH', '/v1/user', {
      avatar: `data:image/png;base64,${Buffer.alloc(64).toString('base64')}`,
    });
    expect(broken.body.msg).toContain('头像图片无法读取');
    await call(world, person, 'PATCH', '/v1/user', { avatar: null });
    expect((await call(world, person, 'GET', '/v1/user')).data.avatar).toBeNull();
    expect((await world.app.inject({ url: avatar })).statusCode).toBe(404);
  });

  test('fill_nan_adjusted is 0 or 1', async () => {
    const person = await makePerson(world);
    expect((await call(world, person, 'POST', '/v1/user/config', { fill_nan_adjusted: 1 })).data).toEqual({
      fill_nan_adjusted: 1,
      analytics: 0,
    });
    expect((await call(world, person, 'GET', '/v1/user')).data.config).toEqual({ fill_nan_adjusted: 1, analytics: 0 });
    expect((await call(world, person, 'POST', '/v1/user/config', { fill_nan_adjusted: 2 })).status).toBe(400);
    expect((await call(world, person, 'POST', '/v1/user/config', {})).status).toBe(400);
    expect((await call(world, person, 'POST', '/v1/user/config', { analytics: 1 })).data).toEqual({
      fill_nan_adjusted: 1,
      analytics: 1,
    });
  });
});

describe('hand-off', () => {
  test('a ticket signs the browser in that began, once', async () => {
    const person = await makePerson(world);
    const ticket = await issueHandoff(world.deps, person.id, 'flow-cookie-value');
    const stolen = await issueHandoff(world.deps, person.id, 'flow-cookie-value');
    const foreign = await call(world, null, 'POST', `/api/oauth/authorize?token=${stolen}`, undefined, {
      cookie: 'hx_flow=other',
    });
    expect(foreign.body).toMatchObject({ err_code: 30003, msg: '登录链接已失效，请重新登录' });
    const cookie = { cookie: 'hx_flow=flow-cookie-value' };
    const redeemed = await call(world, null, 'POST', `/api/oauth/authorize?token=${ticket}`, undefined, cookie);
    expect(redeemed.data.token).toEqual(expect.any(String));
    const again = await call(world, null, 'POST', `/api/oauth/authorize?token=${ticket}`, undefined, cookie);
    expect(again.body.err_code).toBe(30003);
    const late = await issueHandoff(world.deps, person.id, 'flow-cookie-value');
    await world.db.execute(sql`UPDATE handoffs SET created_at = now() - interval '2 minutes'`);
    expect(
      (await call(world, null, 'POST', `/api/oauth/authorize?token=${late}`, undefined, cookie)).body.err_code,
    ).toBe(30003);
  });
});

describe('the sandbox', () => {
  test('its inbox is a page with a visible mark, or JSON', async () => {
    await send(world);
    const page = await call(world, null, 'GET', `/sandbox/sms?phone=${PHONE}`, undefined, { accept: 'text/html' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('沙箱');
    expect(page.text).toContain('138****8000');
    const json = await call(world, null, 'GET', '/sandbox/sms?phone=13900139000');
    expect(json.data).toEqual({ total: 0, list: [] });
  });

  test('what was typed is text in the page', async () => {
    const page = await call(
      world,
      null,
      'GET',
      `/sandbox/sms?phone=${encodeURIComponent('"><img src=x>')}`,
      undefined,
      { accept: 'text/html' },
    );
    expect(page.text).not.toContain('<img');
  });

  test('does not start in production', async () => {
    await expect(build({ config: { isProduction: true } })).rejects.toThrow('沙箱短信不能用于生产环境');
  });

  test('visitors of the demo account do not end one another', async () => {
    expect((await post(world, '/v1/login/demo', {})).status).toBe(404);
    await insertDemo(world.db, '演示账号');
    expect((await call(world, null, 'GET', '/v1/site')).data).toMatchObject({
      sandbox: true,
      demo: true,
      wechat: true,
      research: true,
      academic: true,
      captcha_app: null,
      company: { name: null },
    });
    const one = await call(world, null, 'POST', '/v1/login/demo');
    const two = await call(world, null, 'POST', '/v1/login/demo');
    for (const { data } of [one, two]) {
      const me = await call(world, { token: data.token }, 'GET', '/v1/user');
      expect(me.data).toMatchObject({ nickname: '演示账号', demo: true, platform: 'pri' });
    }
    const visitor = { token: one.data.token };
    const seen = await call(world, visitor, 'GET', '/v1/user/sessions');
    expect(seen.data).toMatchObject({ total: 1, list: [{ current: true }] });
    for (const [method, url, body] of [
      ['PATCH', '/v1/user', { nickname: '改名' }],
      ['DELETE', '/v1/user/sessions', undefined],
      ['DELETE', '/v1/user/sessions/2', undefined],
    ] as const)
      expect((await call(world, visitor, method, url, body)).status).toBe(403);
    expect((await call(world, visitor, 'POST', '/v1/user/logout')).body.status_code).toBe(1);
    expect((await call(world, { token: two.data.token }, 'GET', '/v1/user')).status).toBe(200);
  });
});

test('the same phone is found again by its digest', async () => {
  const person = await makePerson(world);
  await makeSession(world, person.id);
  const [row] = await world.db
    .select()
    .from(users)
    .where(eq(users.phoneDigest, digestPhone(world.deps.keys, person.phone)));
  expect(row?.id).toBe(person.id);
});
