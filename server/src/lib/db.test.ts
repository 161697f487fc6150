import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf as rowsFrom, testDatabase } from '../testing/build.ts';
import { isCrowded, migrationFiles, violates } from './db.ts';
import type { Database } from './db.ts';
import { lockFolder } from './folder-lock.ts';
import { networkOf } from './limits.ts';
import { maskNetwork, maskPhone } from './log.ts';

let database: Database;
const folder = mkdtempSync(join(tmpdir(), 'hengxi-lock-'));
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const rowsOf = (statement: ReturnType<typeof sql>): Promise<any[]> => rowsFrom(database.db, statement);

test('every migration was applied once, in order', async () => {
  const applied = await rowsOf(sql`SELECT name, hash FROM migrations ORDER BY name`);
  expect(applied).toEqual(migrationFiles().map(({ name, hash }) => ({ name, hash })));
});

test('counts are numbers and times are told in UTC', async () => {
  const [row] = await rowsOf(sql`SELECT count(*) AS n, current_setting('TimeZone') AS zone FROM migrations`);
  expect(row.n).toBe(migrationFiles().length);
  expect(row.zone).toBe('UTC');
});

test('a violated constraint is recognised by its name', async () => {
  const user = await rowsOf(sql`INSERT INTO users (nickname) VALUES ('甲') RETURNING id`);
  const session = sql`INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at) VALUES (${user[0].id}, 'pri', 'd', 'n', 'n', 'a', now())`;
  await database.db.execute(session);
  const error: unknown = await database.db.execute(session).then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(violates(error, 'sessions_one_live')).toBe(true);
  expect(violates(error, 'users_phone_digest_key')).toBe(false);
  expect(violates(new Error('other'), 'sessions_one_live')).toBe(false);
});

test('that no connection came in time is told from a fault: come back later', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const pool = new Pool({ host: '127.0.0.1', port, max: 1, connectionTimeoutMillis: 20 });
  // The first waits for the database, the second for the first.
  const tried = await Promise.allSettled([pool.connect(), pool.connect()]);
  const reasons = tried.map((one) => (one.status === 'rejected' ? one.reason : null));
  expect(reasons.map(isCrowded)).toEqual([true, true]);
  expect(isCrowded(new Error('Failed query', { cause: reasons[1] }))).toBe(true);
  expect(isCrowded(new Error('other'))).toBe(false);
  silent.close();
  for (const socket of sockets) socket.destroy();
});

test('a transaction that fails leaves nothing', async () => {
  const failing = database.db.transaction(async (tx) => {
    await tx.execute(sql`INSERT INTO users (nickname) VALUES ('乙')`);
    throw new Error('stop');
  });
  await expect(failing).rejects.toThrow('stop');
  expect(await rowsOf(sql`SELECT 1 FROM users WHERE nickname = '乙'`)).toEqual([]);
});

test('a folder is locked by one living process; the lock of a dead one is taken over', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`进程号 ${process.pid}`);
  await unlock();
  for (const stale of [
    JSON.stringify({ pid: process.pid, started: '1' }),
    JSON.stringify({ pid: 2 ** 22 + 1, started: '5' }),
    '{"pi',
    '',
  ]) {
    writeFileSync(join(folder, 'lock'), stale);
    await (
      await lockFolder(folder)
    )();
  }
});

test('a network is an IPv4 address or an IPv6 /56, and is shown shortened', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(networkOf('2001:db8:1:2233:4:5:6:7')).toBe(networkOf('2001:db8:1:22ff::1'));
  // Whoever left a stream has no address by the time it is logged.
  expect(maskNetwork(undefined)).toBe('gone');
  expect(networkOf('2001:db8:1:2233::1')).not.toBe(networkOf('2001:db8:1:3333::1'));
  expect(networkOf('::1')).toBe('0000:0000:0000:0000::/56');
  expect(maskNetwork('203.0.113.7')).toBe('203.0.113.*');
  expect(maskNetwork('2001:db8:1:2233::1')).toBe('2001:0db8:0001:*');
  expect(maskPhone('13800138000')).toBe('138****8000');
});
