import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Limiter } from '../lib/limits.ts';
import { build, until } from '../testing/build.ts';
import type { World } from '../testing/build.ts';
import { call, makePerson } from '../testing/makers.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

describe('rate limits', () => {
  test('a window lets its number through, says when to come back, and then lets more through', () => {
    let now = 0;
    const limiter = new Limiter(() => now);
    for (let i = 0; i < 60; i += 1) expect(limiter.take('a', 60, 60)).toBe(0);
    expect(limiter.take('a', 60, 60)).toBeGreaterThan(0);
    expect(limiter.take('b', 60, 60)).toBe(0);
    now = 90_000;
    let passed = 0;
    while (limiter.take('a', 60, 60) === 0) passed += 1;
    expect(passed).toBe(30);
  });

  test('sixty people behind one address can work; each has limits of their own; visitors share theirs', async () => {
    const limited = await build({ limiter: new Limiter(() => performance.now(), 0.1) });
    const people = await Promise.all(Array.from({ length: 10 }, (_, i) => makePerson(limited, `学生${i}`)));
    for (let round = 0; round < 50; round += 1)
      for (const person of people.slice(0, 4))
        expect((await call(limited, person, 'GET', '/v1/user')).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(limited, people[0] ?? null, 'GET', '/v1/user')),
    );
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.body).toMatchObject({
      err_code: 30001,
      msg: expect.stringMatching(/^请求过于频繁，请 \d+ 秒后再试$/),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(limited, people[9] ?? null, 'GET', '/v1/user')).status).toBe(200);
    const writes = await Promise.all(
      Array.from({ length: 20 }, () => call(limited, null, 'POST', '/api/oauth/authorize')),
    );
    expect(writes.filter((answer) => answer.status === 429)).toHaveLength(8);
    await limited.close();
  });
});

describe('the address of a caller', () => {
  test("is the socket's, or a trusted proxy's word", async () => {
    const logTo: string[] = [];
    const proxied = await build({ logTo, config: { trustProxy: ['10.0.0.0/8'] } });
    const from = (remoteAddress: string) =>
      proxied.app.inject({ url: '/v1/site', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.7' } });
    await from('10.1.2.3');
    await from('192.0.2.9');
    await proxied.close();
    const nets = logTo.filter((line) => line.includes('/v1/site')).map((line) => JSON.parse(line).net);
    expect(nets).toEqual(['203.0.113.*', '192.0.2.*']);
  });
});

describe('pages', () => {
  test('every other path is a page of the web application, files are files', async () => {
    const web = mkdtempSync(join(tmpdir(), 'hengxi-web-'));
    mkdirSync(join(web, 'assets'));
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>衡析</title>');
    writeFileSync(join(web, 'assets/index-abc123.js'), 'export {};');
    writeFileSync(join(web, 'theme.js'), '0');
    const site = await build({ config: { web } });
    for (const path of [
      '/',
      '/index',
      '/analysis/operation/7?method=a/b',
      '/help/t-test/',
      '/s/AbCdEfGhIjKlMnOpQrStUv',
    ]) {
      const page = await call(site, null, 'GET', path);
      expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    }
    const secret = await call(site, null, 'GET', '/s/AbCdEfGhIjKlMnOpQrStUv');
    expect(secret.headers['referrer-policy']).toBe('no-referrer');
    const script = await call(site, null, 'GET', '/assets/index-abc123.js');
    expect(script.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await call(site, null, 'GET', '/theme.js')).headers['cache-control']).toBe('no-cache');
    for (const path of [
      '/assets/gone.js',
      '/v1/nothing',
      '/algorithm',
      '/..%2f..%2fpackage.json',
      '/assets/..%2f..%2f..%2fetc/passwd.txt',
      '/%ff.js',
    ]) {
      const reply = await call(site, null, 'GET', path);
      expect(`${path} ${reply.status} ${reply.text.includes('doctype')}`).toMatch(/ (?:404|403|400) false$/);
      // A script that is missing while a new version is being put in place must not stay missing for a year.
      expect([path, reply.headers['cache-control'] ?? 'no-store']).toEqual([path, 'no-store']);
    }
    expect((await site.app.inject({ method: 'HEAD', url: '/index' })).statusCode).toBe(200);
    // A reload: the headers of a 304 replace those the browser has stored, so the data policy there would sandbox the page.
    const etag = String((await call(site, null, 'GET', '/index')).headers['etag']);
    const again = await call(site, null, 'GET', '/index', undefined, { 'if-none-match': etag });
    expect([again.status, again.headers['content-security-policy']]).toEqual([304, undefined]);
    await site.close();
    rmSync(web, { recursive: true });
  });
});

describe('machines', () => {
  test('live answers, ready tells what is missing', async () => {
    expect((await call(world, null, 'GET', '/health/live')).body).toEqual({ ok: true });
    const ready = await call(world, null, 'GET', '/health/ready');
    expect([ready.status, ready.body]).toEqual([
      200,
      { ok: true, database: 'ok', engine: 'ok', disk: 'ok', running: 'ok' },
    ]);
    world.engine.on('GET', '/health', () => ({
      body: { ok: true, toy_at: new Date(Date.now() - 61_000).toISOString() },
    }));
    const stale = await call(world, null, 'GET', '/health/ready');
    expect([stale.status, stale.body.engine]).toEqual([503, 'no worker answered within a minute']);
  });

  test('ready is 503 while the engine is away', async () => {
    const alone = await build();
    await alone.engine.stop();
    await until(() => !alone.deps.engine.isConnected);
    const ready = await call(alone, null, 'GET', '/health/ready');
    expect([ready.status, ready.body.ok, ready.body.database]).toEqual([503, false, 'ok']);
    await alone.close();
  });

  test('metrics are for loopback or the token', async () => {
    const metrics = await world.app.inject({ url: '/metrics' });
    expect(metrics.body).toContain('hengxi_http_request_seconds_bucket');
    expect(metrics.body).toContain('hengxi_runs_total');
    const proxied = await call(world, null, 'GET', '/metrics', undefined, { 'x-forwarded-for': '203.0.113.9' });
    expect(proxied.status).toBe(404);
    const elsewhere = await world.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' });
    expect(elsewhere.statusCode).toBe(404);
  });
});
