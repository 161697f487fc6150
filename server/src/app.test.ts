import { request as httpRequest } from 'node:http';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installGuard } from './lib/guard.ts';
import { build } from './testing/build.ts';
import type { World } from './testing/build.ts';
import { call, makePerson } from './testing/makers.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  access: string;
  body: any;
}

async function operations(): Promise<Operation[]> {
  const { body } = await call(world, null, 'GET', '/openapi.json');
  return Object.entries<any>(body.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Operation['method'],
      path: path.replace(/\{\w+\}/g, '1'),
      access: operation['x-access'],
      body: operation.requestBody?.content?.['application/json']?.schema,
    })),
  );
}

describe('rights', () => {
  test('a route without access stops the application from starting', async () => {
    const app = Fastify();
    installGuard(
      app,
      async () => null,
      async () => undefined,
    );
    expect(() => app.get('/v1/planted', async () => 'x')).toThrow('Route GET /v1/planted declares no access');
    await app.close();
  });

  test('openapi.json lists every route with the right to call it', async () => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(25);
    const { body } = await call(world, null, 'GET', '/openapi.json');
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
    for (const { method, path, access } of all)
      expect(`${method} ${path} ${access}`).toMatch(/ (?:visitor|session|capability|sandbox|machine|operator)$/);
    expect(all).toContainEqual(expect.objectContaining({ method: 'POST', path: '/v1/login/phone', access: 'visitor' }));
  });

  test('a visitor is asked to sign in by every route that needs it', async () => {
    for (const { method, path, access } of await operations()) {
      if (access !== 'session') continue;
      const reply = await call(world, null, method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
      expect(`${method} ${path} ${reply.status} ${reply.body.err_code}`).toBe(`${method} ${path} 401 30091`);
    }
  });

  test('bodies are closed: an unknown key is refused', async () => {
    const person = await makePerson(world);
    const reply = await call(world, person, 'POST', '/v1/user/config', { fill_nan_adjusted: 1, role: 'admin' });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ status_code: 0, err_code: 30090, msg: expect.stringContaining('role') });
  });

  test('every body with named keys is closed', async () => {
    const open = (await operations()).filter(({ body }) => body?.properties && body.additionalProperties !== false);
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describe('what reaches a handler', () => {
  test.each([
    ['text/plain', '{"phone":"13800138000"}'],
    ['application/x-www-form-urlencoded', 'phone=13800138000'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
    ['application/jsonx', '{}'],
  ])('a body of type %s is refused', async (type, payload) => {
    const reply = await call(world, null, 'POST', '/v1/login/phone/verify-code', payload, { 'content-type': type });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ err_code: 30090, msg: expect.stringContaining('不支持的内容类型') });
  });

  test('broken JSON, __proto__, too deep, NUL and too large are refused', async () => {
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    for (const [payload, status, text] of [
      ['{"phone":', 400, 'JSON'],
      ['{"__proto__":{"x":1},"phone":"13800138000"}', 400, '请求格式有误'],
      [deep, 400, '嵌套过深'],
      ['{"phone":"1\\u0000"}', 400, '空字符'],
      [JSON.stringify({ phone: 'x'.repeat(1_100_000) }), 413, '请求内容过大'],
      ['', 400, '请求格式有误'],
    ] as const) {
      const reply = await call(world, null, 'POST', '/v1/login/phone/verify-code', payload);
      expect([reply.status, reply.body.msg]).toEqual([status, expect.stringContaining(text)]);
    }
  });

  test('an empty character in an address is refused before anything looks for it', async () => {
    for (const url of ['/v1/ads/banner?position=%00', '/v1/index/statistics?%00=1', '/v1/help/a%00b']) {
      const refused = await call(world, null, 'GET', url);
      expect([url, refused.status]).toEqual([url, 400]);
      expect(refused.body.msg).toContain('参数含有空字符');
    }
  });

  test('a doubled query key is refused, an unknown one is ignored', async () => {
    expect((await call(world, null, 'GET', '/v1/index/statistics?_rid=0.1&from=x')).status).toBe(200);
    const doubled = await call(world, null, 'GET', '/v1/index/statistics?a=1&a=2');
    expect(doubled.status).toBe(400);
    expect(doubled.body.msg).toContain('参数 a 重复');
  });

  test('ids that are none are refused', async () => {
    const person = await makePerson(world);
    for (const id of ['0', '-1', 'x', '1.5', '99999999999999'])
      expect((await call(world, person, 'GET', `/v1/runs/${id}`)).status).toBe(400);
  });

  test('an unknown call is 404, a wrong method 405, both in the envelope', async () => {
    const unknown = await call(world, null, 'GET', '/v1/nothing');
    expect([unknown.status, unknown.body]).toEqual([404, { status_code: 0, err_code: 30093, msg: '未找到该资源' }]);
    const method = await call(world, null, 'PUT', '/v1/runs/1');
    expect([method.status, method.body]).toEqual([405, { status_code: 0, err_code: 30096, msg: '请求方法未允许' }]);
    expect((await call(world, null, 'POST', '/analysis/index', {})).status).toBe(404);
  });

  test('a bug shows an id and nothing else', async () => {
    const logTo: string[] = [];
    const broken = await build({ logTo });
    const person = await makePerson(broken);
    broken.deps.engine.cancel = async () => undefined;
    broken.runs.list = () => {
      throw new Error('secret detail of the inside');
    };
    const reply = await call(broken, person, 'GET', '/v1/runs');
    await broken.close();
    expect(reply.status).toBe(500);
    const id = /^服务器端出错（编号 (\w{8})）$/.exec(reply.body.msg)?.[1] ?? 'none';
    expect(reply.text).not.toContain('secret detail');
    expect(logTo.find((line) => line.includes(id))).toContain('secret detail of the inside');
  });
});

describe('headers', () => {
  const common = {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
  };

  test('of calls', async () => {
    const { headers } = await call(world, null, 'GET', '/v1/index/statistics');
    expect(headers).toMatchObject({
      ...common,
      'content-security-policy': "default-src 'none'; sandbox",
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('of errors and of what is not there', async () => {
    for (const url of ['/v1/nothing', '/v1/user', '/v1/index/statistics?a=1&a=1'])
      expect((await call(world, null, 'GET', url)).headers).toMatchObject({ ...common, 'cache-control': 'no-store' });
  });

  test('of pages: the exact policy', async () => {
    const page = await call(world, null, 'GET', '/sandbox/sms', undefined, { accept: 'text/html' });
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; media-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; report-uri /v1/csp-report",
    );
  });

  test('over https: HSTS and __Host- cookies', async () => {
    const secure = await build({ config: { publicUrl: new URL('https://hengxi.example') } });
    const reply = await call(secure, null, 'GET', '/v1/captcha/slider');
    const foreign = await call(secure, null, 'POST', '/v1/user/logout', {}, { origin: 'http://hengxi.example' });
    await secure.close();
    expect(reply.headers['strict-transport-security']).toMatch(/max-age=31536000/);
    expect(String(reply.headers['set-cookie'])).toMatch(/^__Host-hx_device=.*; Secure; SameSite=Lax$/);
    expect(foreign.status).toBe(403);
  });

  test('a foreign origin may not write, our own may', async () => {
    const person = await makePerson(world);
    const from = (origin: string) =>
      call(world, person, 'POST', '/v1/user/config', { fill_nan_adjusted: 1 }, { origin, host: 'localhost:3000' });
    for (const origin of ['https://evil.example', 'http://localhost:3001', 'null'])
      expect((await from(origin)).body).toMatchObject({ err_code: 30092 });
    expect((await from('http://localhost:3000')).status).toBe(200);
  });
});

describe('the log', () => {
  test('holds the fields of a request and never phone, code, token or address', async () => {
    const logTo: string[] = [];
    const logged = await build({ logTo });
    const phone = '13812345678';
    await call(logged, null, 'POST', '/v1/login/phone/captcha', { phone, ticket: 'sandbox', rand: '' });
    const sent = await call(logged, null, 'POST', '/v1/login/phone/verify-code', { phone });
    const { data } = await call(logged, null, 'GET', `/sandbox/sms?phone=${phone}`);
    const [{ code }] = data.list;
    const signedIn = await call(logged, null, 'POST', '/v1/login/phone', {
      phone,
      verify_code: code,
      verify_key: sent.data.verify_key,
    });
    await call(logged, { token: signedIn.data.token }, 'GET', '/v1/runs/77?_rid=0.123abc');
    await logged.close();
    const all = logTo.join('');
    for (const secret of [phone, code, signedIn.data.token, sent.data.verify_key, '127.0.0.1'])
      expect(all).not.toContain(secret);
    const line = JSON.parse(logTo.find((entry) => entry.includes('0.123abc')) ?? '{}');
    expect(line).toMatchObject({
      level: 'info',
      event: 'request',
      rid: '0.123abc',
      route: 'GET /v1/runs/:id',
      status: 404,
      uid: 1,
      sid8: 1,
      net: '127.0.0.*',
      err_code: 30093,
    });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(line.ms).toBeGreaterThan(0);
  });
});

describe('writes repeated with an Idempotency-Key', () => {
  test('are done once and answered alike; another body is refused; another person has keys of their own', async () => {
    const [one, two] = [await makePerson(world), await makePerson(world)];
    world.engine.onRun = () => null;
    const key = { 'idempotency-key': 'a-1' };
    const set = (who: typeof one, nickname: string) => call(world, who, 'PATCH', '/v1/user', { nickname }, key);
    const first = await set(one, '甲');
    await call(world, one, 'PATCH', '/v1/user', { nickname: '乙' });
    const again = await set(one, '甲');
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await call(world, one, 'GET', '/v1/user')).data.nickname).toBe('乙');
    const other = await set(one, '丙');
    expect([other.status, other.body.err_code]).toEqual([409, 30011]);
    expect((await set(two, '丙')).body.status_code).toBe(1);
    expect((await call(world, one, 'PATCH', '/v1/user', { nickname: '丁' }, { 'idempotency-key': 'x y' })).status).toBe(
      400,
    );
  });

  test('of parallel ones with one key only one works', async () => {
    const person = await makePerson(world);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call(world, person, 'PATCH', '/v1/user', { nickname: '甲' }, { 'idempotency-key': 'p' }),
      ),
    );
    const working = answers.filter((answer) => answer.status === 409);
    expect(working.every((answer) => answer.body.err_code === 30012)).toBe(true);
    expect(answers.filter((answer) => answer.status === 200 && !answer.headers['idempotency-replayed'])).toHaveLength(
      1,
    );
  });

  test('a refusal by shape is repeated too, an unavailable engine is not', async () => {
    const person = await makePerson(world);
    const stop = () => call(world, person, 'POST', '/v1/runs/5/stop', undefined, { 'idempotency-key': 's' });
    expect((await stop()).headers['idempotency-replayed']).toBeUndefined();
    expect((await stop()).headers['idempotency-replayed']).toBe('true');
  });
});

test('a request smuggled with two lengths does not reach a handler', async () => {
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = new URL(address);
  const status = await new Promise<number>((resolve) => {
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/v1/login/phone',
      headers: { 'content-length': '5', 'transfer-encoding': 'chunked' },
    });
    request.on('response', (response) => resolve(response.statusCode ?? 0));
    request.on('error', () => resolve(0));
    request.end('{"phone":"1"}');
  });
  expect([0, 400]).toContain(status);
});
