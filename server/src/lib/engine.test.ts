import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../testing/build.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { readConfig } from './config.ts';
import { pauseBefore, startEngine } from './engine-child.ts';
import type { EngineChild } from './engine-child.ts';
import { EngineClient } from './engine-client.ts';
import { EngineFault, Fault } from './errors.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';

const log = createLog('silent');

describe('calls', () => {
  const engine = new FakeEngine();
  let client: EngineClient;
  beforeAll(async () => {
    await engine.start();
    client = new EngineClient({ socket: null, host: '127.0.0.1', port: engine.port, secret: engine.secret }, log);
  });
  afterAll(async () => {
    await client.close();
    await engine.stop();
  });

  test('give checked answers', async () => {
    engine.on('POST', '/draft', (body) => ({ body: { key: `k-${body.path}` } }));
    expect(await client.call('POST', '/draft', { path: 'a/b' }, z.object({ key: z.string() }))).toEqual({
      key: 'k-a/b',
    });
  });

  test("pass the engine's own words and fields on", async () => {
    const fields = [
      { field: 'group', code: 'role.levels', text: '“性别”只有 1 组', remedies: [{ title: '换一个变量' }] },
    ];
    engine.on('POST', '/draft', () => ({
      status: 422,
      body: { error: { code: 'form', text: '参数不合适', facts: { n: 1 } }, fields },
    }));
    const error = await client.call('POST', '/draft', {}, z.unknown()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EngineFault);
    expect(error).toMatchObject({ status: 422, code: 'form', message: '参数不合适', facts: { n: 1 }, fields });
  });

  test.each([
    ['fails', () => ({ status: 500, body: {} })],
    ['answers too much', () => ({ body: 'x'.repeat(2000) })],
    ['is too slow', () => new Promise<never>(() => undefined)],
    ['declines without words', () => ({ status: 404, body: 'no' })],
  ])('an engine that %s is unavailable', async (_name, handler) => {
    engine.on('GET', '/tables/t', handler);
    const error = await client
      .call('GET', '/tables/t', undefined, z.unknown(), { timeoutMs: 150, maxBytes: 1000 })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Fault);
    expect(error).toMatchObject({ code: 30095, message: '分析服务暂不可用，请稍后再试' });
  });

  test('an answer of the wrong shape is a bug, not an answer', async () => {
    engine.on('GET', '/tables/t', () => ({ body: { rows: 'many' } }));
    await expect(client.call('GET', '/tables/t', undefined, z.object({ rows: z.number() }))).rejects.toThrow(
      z.ZodError,
    );
  });

  test('a wrong secret is refused', async () => {
    const thief = new EngineClient({ socket: null, host: '127.0.0.1', port: engine.port, secret: 'guess' }, log);
    await expect(thief.health()).rejects.toMatchObject({ code: 30095 });
    await thief.close();
  });
});

describe('the child', () => {
  const data = mkdtempSync(join(tmpdir(), 'hengxi-child-'));
  const python = join(data, 'python');
  const about = { modelKey: 'f'.repeat(64), server: '01234567-89ab', living: ['fedcba98-7654'] };
  let child: EngineChild | null = null;
  let deaths = 0;
  afterEach(async () => {
    await child?.stop(1000);
    child = null;
  });
  afterAll(() => rmSync(data, { recursive: true }));

  /** Stands in for Python: writes down how it was started, then runs the given shell line. */
  async function start(line: string): Promise<void> {
    writeFileSync(
      python,
      `#!/bin/sh\nenv > ${data}/env\necho "$@" > ${data}/args\necho start >> ${data}/starts\n${line}\n`,
    );
    chmodSync(python, 0o755);
    writeFileSync(join(data, 'starts'), '');
    deaths = 0;
    const config = readConfig({ HENGXI_DATA: data, HENGXI_ENGINE_PYTHON: python });
    child = await startEngine(config, log, createMetrics(), about, () => (deaths += 1));
  }
  const starts = (): number => readFileSync(join(data, 'starts'), 'utf8').split('\n').length - 1;
  const isAlive = (pid: number): boolean =>
    existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

  test('gets socket and secret, and neither database nor keys', async () => {
    process.env['DATABASE_URL'] = 'postgres://secret';
    process.env['HENGXI_DATA_KEY'] = 'key';
    await start('cat > /dev/null');
    delete process.env['DATABASE_URL'];
    delete process.env['HENGXI_DATA_KEY'];
    await until(() => starts() === 1 && existsSync(join(data, 'args')));
    const env = readFileSync(join(data, 'env'), 'utf8');
    expect(readFileSync(join(data, 'args'), 'utf8')).toBe('-m hengxi.main\n');
    expect(env).toContain(`HENGXI_ENGINE_SOCKET=${data}/run/engine-01234567.sock`);
    expect(env).toMatch(/HENGXI_ENGINE_SECRET=[0-9a-f]{64}/);
    expect(env).toContain(`HENGXI_DATA=${data}`);
    expect(env).not.toMatch(/DATABASE_URL|HENGXI_DATA_KEY/);
  });

  test('that dies is waited with so briefly that the next one is ready within ten seconds, also after many deaths', () => {
    let due = 100;
    const pauses = Array.from({ length: 7 }, () => {
      const pause = pauseBefore(due, 50);
      due = pause * 2;
      return pause;
    });
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
    expect(pauseBefore(due, 31_000)).toBe(100);
  });

  test('that dies is started again, and its death is told', async () => {
    await start('exit 3');
    await until(() => starts() >= 2);
    expect(deaths).toBeGreaterThanOrEqual(1);
  });

  test('ends when asked, and is killed when it does not listen', async () => {
    await start('cat > /dev/null');
    await until(() => starts() === 1);
    const polite = child?.pid() ?? 0;
    await child?.stop(5000);
    expect(isAlive(polite)).toBe(false);
    expect(deaths).toBe(0);
    await start('trap "" TERM\nwhile true; do sleep 0.05; done');
    await until(() => starts() === 1);
    const deaf = child?.pid() ?? 0;
    await child?.stop(200);
    expect(isAlive(deaf)).toBe(false);
  });

  test('without its Python says what to do', async () => {
    const config = readConfig({ HENGXI_DATA: data, HENGXI_ENGINE_PYTHON: join(data, 'absent') });
    await expect(startEngine(config, log, createMetrics(), about, () => undefined)).rejects.toThrow('npm run setup');
  });
});
