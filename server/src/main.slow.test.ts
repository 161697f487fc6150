import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runs } from './features/runs/tables.ts';
import { openDatabase } from './lib/db.ts';
import { emptyPostgres, rowsOf, until } from './testing/build.ts';
import { FakeEngine } from './testing/fake-engine.ts';

const data = mkdtempSync(join(tmpdir(), 'hengxi-main-'));
const engine = new FakeEngine();
const started: ChildProcess[] = [];
let port = 0;

beforeAll(async () => {
  await engine.start();
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  ({ port } = probe.address() as AddressInfo);
  await new Promise((resolve) => probe.close(resolve));
});
afterEach(async () => {
  for (const child of started.splice(0)) await killed(child);
});
afterAll(async () => {
  await engine.stop();
  rmSync(data, { recursive: true, force: true });
});

interface Server {
  child: ChildProcess;
  out: () => string;
  exit: Promise<number | null>;
}

function start(more: NodeJS.ProcessEnv = {}): Server {
  const { DATABASE_URL: _, ...kept } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'main.ts')], {
    env: {
      ...kept,
      PORT: String(port),
      HENGXI_DATA: data,
      HENGXI_ENGINE: `http://127.0.0.1:${engine.port}`,
      HENGXI_ENGINE_SECRET: engine.secret,
      HENGXI_SAMPLE: 'off',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
  return { child, out: () => text, exit: new Promise((resolve) => child.once('exit', (code) => resolve(code))) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

const ready = (server: Server): Promise<void> => until(() => server.out().includes('衡析已就绪'), 60_000);

async function call(method: string, path: string, token = '', body?: unknown): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...(token ? { authorization: token } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.json();
}

async function signIn(phone: string): Promise<string> {
  await call('POST', '/v1/login/phone/captcha', '', { phone, ticket: 'sandbox', rand: '' });
  const { verify_key } = (await call('POST', '/v1/login/phone/verify-code', '', { phone })).data;
  const [{ code }] = (await call('GET', `/sandbox/sms?phone=${phone}`)).data.list;
  return (await call('POST', '/v1/login/phone', '', { phone, verify_code: code, verify_key })).data.token;
}

test('after kill -9 the next start finds everything and marks interrupted runs', async () => {
  const first = start();
  await ready(first);
  expect(first.out()).toBe(`衡析已就绪：http://127.0.0.1:${port}\n`);
  const token = await signIn('13800138000');
  const second = start({ PORT: '0' });
  expect(await second.exit).toBe(1);
  expect(second.out()).toContain(`正在被另一个服务进程使用（进程号 ${first.child.pid}）`);
  await killed(first.child);

  const database = await openDatabase({ url: null, folder: join(data, 'db') });
  await database.db
    .insert(runs)
    .values({ ownerKind: 'user', ownerId: 1, userId: 1, kind: 'analysis', state: 'running', payload: {} });
  await database.close();

  const third = start();
  await ready(third);
  expect((await call('GET', '/v1/user', token)).data).toMatchObject({ id: 1, phone: '138****8000' });
  await until(async () => (await call('GET', '/v1/runs/1', token)).data.state === 'lost');
  third.child.kill('SIGTERM');
  expect(await third.exit).toBe(0);
  expect(existsSync(join(data, 'db/lock'))).toBe(false);
}, 180_000);

test('killed with SIGKILL it leaves no engine behind', async () => {
  const python = join(data, 'python');
  writeFileSync(python, `#!/bin/sh\necho $$ > ${data}/engine.pid\nexec cat > /dev/null\n`);
  chmodSync(python, 0o755);
  const server = start({ HENGXI_ENGINE: '', HENGXI_ENGINE_SECRET: '', HENGXI_ENGINE_PYTHON: python });
  await until(
    () => existsSync(join(data, 'engine.pid')) && readFileSync(join(data, 'engine.pid'), 'utf8').trim() !== '',
    60_000,
  );
  const pid = readFileSync(join(data, 'engine.pid'), 'utf8').trim();
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  await killed(server.child);
  await until(() => !existsSync(`/proc/${pid}`));
}, 180_000);

test('a fault of configuration is one sentence, not a stack', async () => {
  const server = start({ HENGXI_ENV: 'production' });
  expect(await server.exit).toBe(1);
  expect(server.out()).toMatch(/^生产环境缺少配置：.*HENGXI_SESSION_KEYS/);
  expect(server.out()).not.toContain('    at ');
}, 30_000);

const postgres = process.env['TEST_DATABASE_URL'] ?? '';

test.runIf(postgres)(
  'two servers share a database and a folder; half of either is refused with the reason',
  async () => {
    const { url, drop } = await emptyPostgres(postgres);
    const shared = { DATABASE_URL: url, HENGXI_DATA: join(data, 'shared') };
    const first = start(shared);
    await ready(first);
    const [second, elsewhere, embedded] = [
      start({ ...shared, PORT: '0' }),
      start({ ...shared, PORT: '0', HENGXI_DATA: join(data, 'elsewhere') }),
      start({ ...shared, PORT: '0', DATABASE_URL: '' }),
    ];
    await ready(second);
    expect([await elsewhere.exit, await embedded.exit]).toEqual([1, 1]);
    expect(elsewhere.out()).toContain(`这个数据库的表存放在另一个数据目录里，不在 ${join(data, 'elsewhere')}`);
    expect(embedded.out()).toContain(`数据目录 ${join(data, 'shared')} 属于另一个数据库`);

    const token = await signIn('13800138001');
    const database = await openDatabase({ url, folder: '' });
    const [one] = await rowsOf(database.db, sql`SELECT id FROM servers WHERE pid = ${first.child.pid ?? 0}`);
    await database.db
      .insert(runs)
      .values({
        ownerKind: 'user',
        ownerId: 1,
        userId: 1,
        kind: 'analysis',
        state: 'running',
        payload: {},
        serverId: one.id,
      });
    const third = start({ ...shared, PORT: '0' });
    await ready(third);
    expect((await call('GET', '/v1/runs/1', token)).data.state).toBe('running');
    await killed(first.child);
    const states = () => rowsOf(database.db, sql`SELECT state FROM runs`);
    await until(async () => (await states())[0].state === 'lost');
    await database.close();
    for (const server of [second, third]) {
      server.child.kill('SIGTERM');
      expect(await server.exit).toBe(0);
    }
    await drop();
  },
  180_000,
);

test('a port in use is told at once, before the data folder is touched', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const taken = (other.address() as AddressInfo).port;
  const untouched = join(data, 'untouched');
  const server = start({ PORT: String(taken), HENGXI_DATA: untouched });
  expect(await server.exit).toBe(1);
  other.close();
  expect(server.out()).toMatch(new RegExp(`^端口 ${taken} 已被占用.*\\n$`));
  expect(existsSync(untouched)).toBe(false);
}, 30_000);

test('folders are closed to other users; what a killed server left in the temporary folder is swept', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'hengxi-left-'));
  mkdirSync(join(temporary, 'hengxi-export-4194305-77-abcDEF/browser'), { recursive: true });
  const home = join(data, 'closed');
  const server = start({ HENGXI_DATA: home, TMPDIR: temporary });
  await ready(server);
  expect(readdirSync(temporary).filter((name) => name.startsWith('hengxi-export-'))).toEqual([]);
  const open = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isDirectory() && (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  server.child.kill('SIGTERM');
  await server.exit;
}, 180_000);

test('a request whose headers never end is closed after ten seconds', async () => {
  const server = start({ HENGXI_DATA: join(data, 'headers') });
  await ready(server);
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (part: Buffer) => (answer += part.toString()));
  socket.write('GET /v1/site HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  // Node by itself looks every thirty seconds only.
  const isLate = new Promise((resolve) => setTimeout(() => resolve('late'), 25_000).unref());
  expect(await Promise.race([new Promise((resolve) => socket.once('close', () => resolve('closed'))), isLate])).toBe(
    'closed',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  server.child.kill('SIGTERM');
  await server.exit;
}, 120_000);
