import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Limiter } from '../../lib/limits.ts';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson, makeSession } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { deliver } from '../../testing/money.ts';
import { PHONE, cookieOf, post, signIn } from '../../testing/sign-in.ts';
import { insertDemo } from './store.ts';
import { users } from './tables.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

interface Someone {
  token: string;
  headers: Record<string, string>;
}
/** Somebody who came by WeChat and has no phone. */
async function byWechat(who = '李雷'): Promise<Someone> {
  const { data } = await call(world, null, 'GET', '/v1/login/weixin/ticket');
  await post(world, `/sandbox/wechat/${data.ticket}`, { act: 'confirm', who });
  const done = await call(world, null, 'GET', `/v1/login/token?scene=${data.scene}`);
  return { token: done.data.token, headers: { cookie: cookieOf(done) } };
}
const as = (
  who: Someone,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: Record<string, unknown>,
): Promise<Reply> => call(world, who, method, url, body, who.headers);
const me = async (token: string) => (await call(world, { token }, 'GET', '/v1/user')).data;
const newest = async (phone: string) => (await call(world, null, 'GET', `/sandbox/sms?phone=${phone}`)).data.list[0];

async function bind(who: Someone, phone: string): Promise<Reply> {
  await world.db.execute(sql`UPDATE sms_codes SET sent_at = sent_at - interval '2 minutes'`);
  const sent = await as(who, 'POST', '/v1/user/mobile/verify', { phone });
  if (sent.body.status_code !== 1) return sent;
  const { code } = await newest(phone);
  return as(who, 'POST', '/v1/user/mobile/bind', { phone, verify_code: code, verify_key: sent.data.verify_key });
}
/** A file is enough for an account not to be empty. */
const giveFile = (id: number) =>
  world.db.execute(sql`INSERT INTO files (owner_kind, owner_id, name, format) VALUES ('user', ${id}, '数据', 'csv')`);

describe('binding a phone', () => {
  test('gives an account without one a second way to sign in', async () => {
    const who = await byWechat();
    expect((await bind(who, PHONE)).body).toEqual({ status_code: 1, data: null });
    expect(await me(who.token)).toMatchObject({ phone: '138****8000', ways: ['phone', 'wechat'] });
    const again = await signIn(world);
    expect((await me(again.data.token)).id).toBe(1);
  });

  test('tells what is wrong with phone and code, and forgives no sixth try', async () => {
    const who = await byWechat();
    expect((await as(who, 'POST', '/v1/user/mobile/verify', { phone: '123' })).body.err_code).toBe(20010);
    const sent = await as(who, 'POST', '/v1/user/mobile/verify', { phone: PHONE });
    const { code } = await newest(PHONE);
    const wrong = code === '000000' ? '111111' : '000000';
    const attempt = (verify_code: string) =>
      as(who, 'POST', '/v1/user/mobile/bind', { phone: PHONE, verify_code, verify_key: sent.data.verify_key });
    for (let i = 0; i < 5; i += 1) expect((await attempt(wrong)).body.err_code).toBe(20013);
    expect((await attempt(code)).body.err_code).toBe(20012);
    expect((await as(who, 'POST', '/v1/user/mobile/verify', { phone: PHONE })).body.err_code).toBe(20011);
  });

  test('a code for signing in does not bind, and one for binding does not sign in', async () => {
    const who = await byWechat();
    const sent = await as(who, 'POST', '/v1/user/mobile/verify', { phone: PHONE });
    const { code } = await newest(PHONE);
    const body = { phone: PHONE, verify_code: code, verify_key: sent.data.verify_key };
    expect((await post(world, '/v1/login/phone', body)).body.err_code).toBe(20012);
  });

  test('that it is taken is told after a right code only', async () => {
    await makePerson(world);
    const [holder] = await world.db.select().from(users);
    const phone = '13900000001';
    expect(holder).toBeTruthy();
    const who = await byWechat();
    const free = await as(who, 'POST', '/v1/user/mobile/verify', { phone: '13711112222' });
    const taken = await as(who, 'POST', '/v1/user/mobile/verify', { phone });
    expect(Object.keys(taken.data)).toEqual(Object.keys(free.data));
  });

  test('another phone than before needs a step-up, ends the other sessions and is told to the old phone', async () => {
    const person = await makePerson(world);
    const next = { token: person.token, headers: {} };
    const refused = await as(next, 'POST', '/v1/user/mobile/verify', { phone: PHONE });
    expect(refused).toMatchObject({
      status: 403,
      body: { err_code: 30002, data: { phone: `139****${person.phone.slice(-4)}` } },
    });
    await prove(next, person.phone);
    expect((await bind(next, PHONE)).body.status_code).toBe(1);
    await deliver(world);
    expect((await newest(person.phone)).text).toContain('138****8000');
    expect((await me(person.token)).phone).toBe('138****8000');
  });

  test('one account sends ten codes an hour, whatever the phones', async () => {
    const strict = await build({ limiter: new Limiter(() => 0) });
    const person = await makePerson(strict);
    await strict.db.execute(sql`UPDATE users SET phone_digest = NULL, phone_sealed = NULL`);
    for (let i = 0; i < 10; i += 1) {
      const sent = await call(strict, person, 'POST', '/v1/user/mobile/verify', { phone: `1370000000${i}` });
      expect(sent.body.status_code).toBe(1);
    }
    const more = await call(strict, person, 'POST', '/v1/user/mobile/verify', { phone: '13711111111' });
    expect(more.body.err_code).toBe(20011);
    await strict.close();
  });

  test('visitors of the demo account bind nothing', async () => {
    await insertDemo(world.db, '演示账号');
    const { data } = await post(world, '/v1/login/demo', {});
    for (const url of ['/v1/user/mobile/verify', '/v1/user/mobile/bind', '/v1/user/step-up/code', '/v1/user/export'])
      expect(
        (await call(world, data, 'POST', url, { phone: PHONE, verify_code: '1', verify_key: 'x' })).status,
      ).not.toBe(200);
    expect((await call(world, data, 'DELETE', '/v1/user/me')).status).toBe(403);
  });
});

/** Proves a person anew by a code to their phone. */
async function prove(who: Someone, phone: string): Promise<void> {
  const sent = await as(who, 'POST', '/v1/user/step-up/code');
  const { code } = await newest(phone);
  const done = await as(who, 'POST', '/v1/user/step-up', { verify_code: code, verify_key: sent.data.verify_key });
  expect(done.body.status_code).toBe(1);
}

describe('a phone of another account', () => {
  test('an empty account hands over its way in, after a clear choice, and signs in there', async () => {
    const holder = await makePerson(world, '韩梅梅');
    await giveFile(holder.id);
    const who = await byWechat();
    const refused = await bind(who, holder.phone);
    expect(refused.body).toMatchObject({
      err_code: 30251,
      msg: '手机号属于另一个账号“韩梅梅”',
      data: { nickname: '韩梅梅', keep: 'phone', ticket: expect.any(String) },
    });
    expect(await me(who.token)).toMatchObject({ phone: null });
    const merged = await as(who, 'POST', '/v1/user/mobile/merge', { ticket: refused.body.data.ticket });
    const { token } = merged.data.sign_in;
    expect(await me(token)).toMatchObject({ id: holder.id, nickname: '韩梅梅', ways: ['phone', 'wechat'] });
    expect((await call(world, { token: who.token }, 'GET', '/v1/user')).status).toBe(401);
    const byLink = await byWechat();
    expect((await me(byLink.token)).id).toBe(holder.id);
    const again = await call(
      world,
      { token: byLink.token },
      'POST',
      '/v1/user/mobile/merge',
      { ticket: refused.body.data.ticket },
      who.headers,
    );
    expect(again.body.err_code).toBe(30003);
  });

  test('an empty account ends in the present one, which keeps everything', async () => {
    const holder = await makePerson(world, '空号');
    const who = await byWechat();
    const { id } = await me(who.token);
    await giveFile(id);
    const refused = await bind(who, holder.phone);
    expect(refused.body.data).toMatchObject({ nickname: '空号', keep: 'this' });
    const merged = await as(who, 'POST', '/v1/user/mobile/merge', { ticket: refused.body.data.ticket });
    expect(merged.data).toEqual({ sign_in: null });
    expect(await me(who.token)).toMatchObject({ id, ways: ['phone', 'wechat'] });
    expect((await call(world, holder, 'GET', '/v1/user')).status).toBe(401);
  });

  test('two accounts with data are never merged', async () => {
    const holder = await makePerson(world);
    const who = await byWechat();
    await giveFile(holder.id);
    await giveFile((await me(who.token)).id);
    expect((await bind(who, holder.phone)).body).toMatchObject({
      err_code: 30252,
      msg: '两个账号都有数据，请联系客服合并',
    });
  });

  test('the choice is worth nothing in other hands, too late, or once the account is no longer empty', async () => {
    const holder = await makePerson(world);
    const who = await byWechat();
    const first = (await bind(who, holder.phone)).body.data;
    const stranger = await makePerson(world);
    const foreign = await call(world, stranger, 'POST', '/v1/user/mobile/merge', { ticket: first.ticket }, who.headers);
    expect(foreign.body.err_code).toBe(30003);
    const second = (await bind(who, holder.phone)).body.data;
    const otherBrowser = await call(world, who, 'POST', '/v1/user/mobile/merge', { ticket: second.ticket });
    expect(otherBrowser.body.err_code).toBe(30003);
    const third = (await bind(who, holder.phone)).body.data;
    await world.db.execute(sql`UPDATE account_tickets SET created_at = now() - interval '11 minutes'`);
    expect((await as(who, 'POST', '/v1/user/mobile/merge', { ticket: third.ticket })).body.err_code).toBe(30003);
    const fourth = (await bind(who, holder.phone)).body.data;
    await giveFile((await me(who.token)).id);
    expect((await as(who, 'POST', '/v1/user/mobile/merge', { ticket: fourth.ticket })).body.err_code).toBe(30252);
    expect(await rowsOf(world.db, sql`SELECT id FROM users WHERE removed_at IS NOT NULL`)).toEqual([]);
  });

  test('a banned or leaving account is not a way around its ban', async () => {
    const holder = await makePerson(world);
    await world.db
      .update(users)
      .set({ bannedAt: sql`now()`, banReason: 'x' })
      .where(eq(users.id, holder.id));
    expect((await bind(await byWechat(), holder.phone)).body.err_code).toBe(30252);
  });
});

describe('step-up', () => {
  test('is good for ten minutes of this session, whatever the clock does', async () => {
    const person = await makePerson(world);
    const who = { token: person.token, headers: {} };
    const leave = () => as(who, 'DELETE', '/v1/user/me');
    expect((await leave()).body).toMatchObject({ err_code: 30002, msg: '操作需要短信验证' });
    const sent = await as(who, 'POST', '/v1/user/step-up/code');
    const wrong = await as(who, 'POST', '/v1/user/step-up', { verify_code: 'x', verify_key: sent.data.verify_key });
    expect(wrong.body.err_code).toBe(20013);
    expect((await leave()).body.err_code).toBe(30002);
    await world.db.execute(sql`UPDATE sms_codes SET sent_at = sent_at - interval '2 minutes'`);
    await prove(who, person.phone);
    await world.db.execute(sql`UPDATE sessions SET proved_at = now() - interval '11 minutes'`);
    expect((await leave()).body.err_code).toBe(30002);
    await world.db.execute(sql`UPDATE sessions SET proved_at = now() + interval '1 day'`);
    expect((await leave()).body.err_code).toBe(30002);
    await world.db.execute(sql`UPDATE sessions SET proved_at = now()`);
    const other = await makeSession(world, person.id);
    expect((await call(world, other, 'DELETE', '/v1/user/me')).body.err_code).toBe(30002);
  });

  test('an account without a phone proves itself by having signed in just now', async () => {
    const who = await byWechat();
    await world.db.execute(sql`UPDATE sessions SET created_at = now() - interval '11 minutes'`);
    expect((await as(who, 'DELETE', '/v1/user/me')).body).toMatchObject({ err_code: 30002, data: { phone: null } });
    const fresh = await byWechat();
    expect((await as(fresh, 'DELETE', '/v1/user/me')).body.status_code).toBe(1);
  });
});
