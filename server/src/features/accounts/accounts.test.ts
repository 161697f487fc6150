import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import { PHONE, age, cookieOf, login, pass, post, send } from '../../testing/sign-in.ts';
import { smsCodes } from './tables.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

describe('the slider', () => {
  const drag = (to: number, steps = 12): { x: number; y: number; t: number }[] =>
    Array.from({ length: steps + 1 }, (_, i) => ({
      x: (to * i) / steps + (i % 3 === 1 && i < steps ? 1.3 : 0),
      y: i % 2,
      t: i * 40 + (i % 4) * 3,
    }));

  async function puzzle(): Promise<{ id: string; x: number; cookie: string }> {
    const reply = await call(world, null, 'GET', '/v1/captcha/slider');
    expect(reply.data.background).toMatch(/^data:image\/webp;base64,/);
    const [row] = await rowsOf(world.db, sql`SELECT x FROM captcha_puzzles WHERE id = ${reply.data.id}`);
    return { id: reply.data.id, x: row.x, cookie: cookieOf(reply) };
  }

  test('a right drag leads over ticket and pass to a code, each used once and by this device only', async () => {
    const { id, x, cookie } = await puzzle();
    const answer = await post(world, '/v1/captcha/slider', { id, x: x + 2, track: drag(x + 2) }, { cookie });
    expect(answer.body.status_code).toBe(1);
    const given = { phone: PHONE, ...answer.data };
    const otherDevice = await post(world, '/v1/login/phone/captcha', given, {
      cookie: 'hx_device=AAAAAAAAAAAAAAAAAAAAAA',
    });
    expect(otherDevice.body).toMatchObject({ err_code: 30203, msg: expect.stringContaining('滑块验证未通过') });
    expect((await post(world, '/v1/login/phone/captcha', given, { cookie })).body.status_code).toBe(1);
    expect((await post(world, '/v1/login/phone/captcha', given, { cookie })).body.err_code).toBe(30203);
    const foreign = await post(world, '/v1/login/phone/verify-code', { phone: PHONE });
    expect(foreign.body.err_code).toBe(30203);
    const sent = await post(world, '/v1/login/phone/verify-code', { phone: PHONE }, { cookie });
    expect(sent.data.verify_key).toMatch(/^[\w-]{22}$/);
    await age(world, 2);
    expect((await post(world, '/v1/login/phone/verify-code', { phone: PHONE }, { cookie })).body.err_code).toBe(30203);
  });

  test.each([
    ['beside the hole', (x: number) => ({ x: x + 30, track: drag(x + 30) })],
    ['without a track', (x: number) => ({ x, track: [] })],
    ['with a track that ends elsewhere', (x: number) => ({ x, track: drag(x - 40) })],
    ['in one jump', (x: number) => ({ x, track: drag(x, 1) })],
    [
      'in perfectly even steps',
      (x: number) => ({ x, track: Array.from({ length: 11 }, (_, i) => ({ x: (x * i) / 10, y: 0, t: i * 20 })) }),
    ],
    ['faster than a hand', (x: number) => ({ x, track: drag(x).map((point) => ({ ...point, t: point.t / 10 })) })],
  ])('a drag %s is refused and spends the puzzle', async (_name, make) => {
    const { id, x, cookie } = await puzzle();
    const refused = await post(world, '/v1/captcha/slider', { id, ...make(x) }, { cookie });
    expect(refused.body).toMatchObject({ err_code: 30203 });
    const second = await post(world, '/v1/captcha/slider', { id, x, track: drag(x) }, { cookie });
    expect(second.body).toMatchObject({ err_code: 30203 });
  });

  test('the fallback for a puzzle that cannot load passes three times an hour per device', async () => {
    const cookie = 'hx_device=BBBBBBBBBBBBBBBBBBBBBB';
    const fallback = { phone: PHONE, ticket: 'trerror_1001', rand: '' };
    for (let i = 0; i < 3; i += 1)
      expect((await post(world, '/v1/login/phone/captcha', fallback, { cookie })).body.status_code).toBe(1);
    const refused = await post(world, '/v1/login/phone/captcha', fallback, { cookie });
    expect(refused.body.err_code).toBe(20011);
    expect(refused.headers['retry-after']).toBe('3600');
  });

  test('the fallback passes twenty times an hour per network, whatever the device', async () => {
    const fallback = { phone: PHONE, ticket: 'trerror_1001', rand: '' };
    const answers: number[] = [];
    for (let i = 0; i < 21; i += 1)
      answers.push((await post(world, '/v1/login/phone/captcha', fallback)).body.status_code);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 1), 0]);
  });
});

describe('codes', () => {
  test('a phone that is none is refused with 20010 everywhere', async () => {
    for (const phone of ['1380013800', '138001380001', '23800138000', 'abcdefghijk', ''])
      for (const [url, rest] of [
        ['/v1/login/phone/captcha', { ticket: 'sandbox', rand: '' }],
        ['/v1/login/phone/verify-code', {}],
        ['/v1/login/phone', { verify_code: '000000', verify_key: 'x' }],
      ] as const)
        expect((await post(world, url, { phone, ...rest })).body).toMatchObject({
          err_code: 20010,
          msg: '请输入正确的手机号',
        });
  });

  test('a second code within 58 seconds is refused, and the pass is kept for later', async () => {
    await send(world);
    await pass(world);
    const refused = await post(world, '/v1/login/phone/verify-code', { phone: PHONE });
    expect(refused.status).toBe(200);
    expect(refused.body.err_code).toBe(20011);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    await age(world, 1);
    expect((await post(world, '/v1/login/phone/verify-code', { phone: PHONE })).body.status_code).toBe(1);
  });

  test('of twenty parallel sends one is accepted', async () => {
    await Promise.all(Array.from({ length: 20 }, () => pass(world)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(world, '/v1/login/phone/verify-code', { phone: PHONE })),
    );
    expect(answers.filter((answer) => answer.body.status_code === 1)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.err_code === 20011)).toHaveLength(19);
  });

  test('five codes an hour, fifteen a day', async () => {
    for (let sent = 0; sent < 15; sent += 1) {
      if (sent % 5 === 0) await age(world, 61);
      await age(world, 2);
      await send(world);
      if (sent % 5 !== 4) continue;
      await age(world, 2);
      await pass(world);
      expect((await post(world, '/v1/login/phone/verify-code', { phone: PHONE })).body.err_code).toBe(20011);
    }
    await age(world, 61);
    await pass(world);
    const refused = await post(world, '/v1/login/phone/verify-code', { phone: PHONE });
    expect(refused.headers['retry-after']).toBe(String(24 * 3600));
  });

  test('wrong five times, then dead also for the right code', async () => {
    const { key, code } = await send(world);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let i = 0; i < 5; i += 1)
      expect((await login(world, PHONE, wrong, key)).body).toMatchObject({ err_code: 20013, msg: '验证码错误' });
    expect((await login(world, PHONE, code, key)).body).toMatchObject({
      err_code: 20012,
      msg: expect.stringContaining('已过期'),
    });
  });

  test('a code is used once, by its phone, with its key, before its end and before a newer one', async () => {
    const first = await send(world);
    expect((await login(world, '13900139000', first.code, first.key)).body.err_code).toBe(20012);
    expect((await login(world, PHONE, first.code, 'another-key')).body.err_code).toBe(20012);
    await age(world, 2);
    const second = await send(world);
    expect((await login(world, PHONE, first.code, first.key)).body.err_code).toBe(20012);
    expect((await login(world, PHONE, second.code, second.key)).body.status_code).toBe(1);
    expect((await login(world, PHONE, second.code, second.key)).body.err_code).toBe(20012);
    await age(world, 2);
    const third = await send(world);
    await world.db
      .update(smsCodes)
      .set({ endsAt: sql`now() - interval '1 minute'` })
      .where(eq(smsCodes.verifyKey, third.key));
    expect((await login(world, PHONE, third.code, third.key)).body.err_code).toBe(20012);
  });

  test('ten wrong tries block the phone from this network, not from another', async () => {
    for (let i = 0; i < 10; i += 1) await login(world, PHONE, '000000', 'no-such-key');
    const { key, code } = await (async () => {
      await pass(world);
      const refused = await post(world, '/v1/login/phone/verify-code', { phone: PHONE });
      expect(refused.body.err_code).toBe(20011);
      await world.db.execute(sql`UPDATE wrong_codes SET net_digest = 'another network'`);
      return send(world);
    })();
    await world.db.execute(sql`UPDATE wrong_codes SET net_digest = (SELECT net_digest FROM sms_codes LIMIT 1)`);
    const blocked = await login(world, PHONE, code, key);
    expect(blocked.body.err_code).toBe(20011);
    expect(blocked.headers['retry-after']).toBe('600');
    await world.db.execute(sql`UPDATE wrong_codes SET at = at - interval '11 minutes'`);
    expect((await login(world, PHONE, code, key)).body.status_code).toBe(1);
  });

  test('two hundred codes an hour from one address, two thousand of the whole site, whatever the phones', async () => {
    await send(world);
    const fill = (net: ReturnType<typeof sql>, most: number) =>
      world.db.execute(sql`INSERT INTO sms_codes (purpose, phone_digest, verify_key, code_digest, net_digest, ends_at)
        SELECT 'login', 'phone ' || n, 'key ' || ${most} || n, '', ${net}, now()
        FROM generate_series(1, ${most} - (SELECT count(*)::int FROM sms_codes)) n`);
    const ask = async (phone: string) => {
      await pass(world, phone);
      return post(world, '/v1/login/phone/verify-code', { phone });
    };
    await fill(sql`(SELECT net_digest FROM sms_codes LIMIT 1)`, 199);
    // However many ask at once for the last one.
    const phones = ['13711110001', '13711110005', '13711110006', '13711110007', '13711110008', '13711110009'];
    for (const phone of phones) await pass(world, phone);
    const sends = phones.map((phone) => post(world, '/v1/login/phone/verify-code', { phone }));
    expect((await Promise.all(sends)).filter(({ body }) => body.status_code === 1)).toHaveLength(1);
    const refused = await ask('13711110002');
    expect(refused.body.err_code).toBe(20011);
    expect(refused.headers['retry-after']).toBe('3600');
    // Another address is served until the whole site has sent its share.
    await world.db.execute(sql`UPDATE sms_codes SET net_digest = 'elsewhere'`);
    expect((await ask('13711110003')).body.status_code).toBe(1);
    await fill(sql`'elsewhere'`, 2000);
    expect((await ask('13711110004')).body.err_code).toBe(20011);
  });

  test('neither the code nor the phone stands in the tables in plain text', async () => {
    const { code, key } = await send(world);
    await login(world, PHONE, code, key);
    for (const table of [sql`users`, sql`sms_codes`, sql`sessions`, sql`captcha_passes`]) {
      const found = await rowsOf(world.db, sql`SELECT row_to_json(t)::text AS text FROM ${table} t`);
      const text = found.map((row) => row.text).join();
      expect(text).toContain('digest');
      expect(text).not.toContain(PHONE);
      expect(text).not.toContain(`"${code}"`);
    }
  });
});
