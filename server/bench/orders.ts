/**
 * Sign-in, lists and orders on the embedded database with 100,000 users, 300,000 orders and 1,000,000 movements of AI
 * points: the median of a whole call, and its ratio to the same rows fetched by hand in SQL on the same connection.
 * Aim: every call under 50 ms at the median.
 *
 *   npx tsx server/bench/orders.ts [runs]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { createApp } from '../src/app.ts';
import { signToken } from '../src/features/accounts/tokens.ts';
import { digestPhone, sealPhone } from '../src/features/accounts/phones.ts';
import { readConfig } from '../src/lib/config.ts';
import { openDatabase } from '../src/lib/db.ts';
import { EngineClient } from '../src/lib/engine-client.ts';
import { loadKeys } from '../src/lib/keys.ts';
import { Limiter } from '../src/lib/limits.ts';
import { createLog } from '../src/lib/log.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { plantSeeds } from '../src/seeds.ts';

const RUNS = Number(process.argv[2] ?? 60);
const USERS = 100_000;
const data = mkdtempSync(join(tmpdir(), 'hengxi-bench-'));
const config = readConfig({ HENGXI_DATA: data, HENGXI_LOG_LEVEL: 'silent' });
const keys = await loadKeys({ folder: join(data, 'keys'), sessionKeys: [], dataKey: null });
const database = await openDatabase({ url: process.env['DATABASE_URL'] || null, folder: join(data, 'db') });
const { db } = database;
const log = createLog('silent');

/** Both drivers answer with `rows`, which their common type does not say. */
async function rowsOf(statement: SQL): Promise<Record<string, unknown>[]> {
  const answer: unknown = await db.execute(statement);
  return (answer as { rows: Record<string, unknown>[] }).rows;
}

async function fill(): Promise<void> {
  await plantSeeds(db);
  const steps: SQL[] = [
    sql`INSERT INTO users (nickname) SELECT 'u' || n FROM generate_series(1, ${USERS}::int) n`,
    sql`INSERT INTO point_accounts (owner_kind, owner_id, gift, last_seq) SELECT 'user', id, 10, 10 FROM users`,
    sql`INSERT INTO point_entries (owner_kind, owner_id, seq, gift, paid, balance, kind, key, title)
      SELECT 'user', u.id, s, 1, 0, s, 'ops', 'bench:' || u.id || ':' || s, '赠送' FROM users u, generate_series(1, 10) s`,
    sql`INSERT INTO orders (order_no, user_id, package_id, snapshot, kind, quantity, price, total, method, state, agreement_version, expires_at, paid_at)
      SELECT 'HX20260101' || lpad((u.id * 10 + s)::text, 14, '0'), u.id, 51,
        '{"id": 51, "kind": "point", "title": "20点", "fee": 1000, "points": 20, "lifetime": false, "valid_vip_days": null, "group_qr": null}',
        'point', 1, 1000, 1000, 2, 'paid', 'x', now(), now() FROM users u, generate_series(1, 3) s`,
    sql`INSERT INTO vip_grants (user_id, source, ref, days, lifetime, starts_at, ends_at)
      SELECT id, 'ops', 'bench:' || id, 366, false, now(), now() + interval '366 days' FROM users WHERE id % 3 = 0`,
    sql`INSERT INTO vip_accounts (user_id, until) SELECT user_id, ends_at FROM vip_grants`,
  ];
  await db.transaction(async (tx) => {
    // A million look-ups of foreign keys would take longer than everything else.
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    for (const step of steps) await tx.execute(step);
  });
  await db.execute(sql`ANALYZE`);
}

await fill();
const engine = new EngineClient({ socket: null, host: '127.0.0.1', port: 9, secret: 'none' }, log);
const limiter = new Limiter(() => 0, Number.POSITIVE_INFINITY);
const { app } = await createApp({ config, db, engine, keys, limiter, log, metrics: createMetrics() });
await app.ready();

const PERSON = 66_666;
const phone = '13900066666';
await db.execute(
  sql`UPDATE users SET phone_digest = ${digestPhone(keys, phone)}, phone_sealed = ${sealPhone(keys, phone)} WHERE id = ${PERSON}`,
);
const [session] = await rowsOf(sql`
  INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at)
  VALUES (${PERSON}, 'pri', 'bench', 'bench', '127.0.0.*', 'bench', now() + interval '30 days') RETURNING id`);
const token = await signToken(
  keys,
  { oid: PERSON, nickname: 'u', avatar: null, is_vip: false, platform: 'pri', enterprise_name: null },
  Number(session?.['id']),
  new Date(Date.now() + 86_400_000),
);

// oxlint-disable-next-line typescript/no-explicit-any -- answers of many calls, read at a field or two
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const reply = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  });
  const body = reply.json();
  if (body.status_code !== 1) throw new Error(`${method} ${url}: ${reply.body.slice(0, 300)}`);
  return body.data;
}

/** What a sign-in costs after its code was checked and before its session is made: the whole of it, as pages do it. */
async function signIn(): Promise<void> {
  await db.execute(sql`UPDATE sms_codes SET sent_at = sent_at - interval '2 hours'`);
  await call('POST', '/v1/login/phone/captcha', { phone, ticket: 'sandbox', rand: '' });
  const { verify_key } = await call('POST', '/v1/login/phone/verify-code', { phone });
  const inbox = await call('GET', `/sandbox/sms?phone=${phone}`);
  pending = { phone, verify_code: inbox['list'][0].code, verify_key };
}
let pending: object = {};

async function median(
  work: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + 5; run += 1) {
    await before();
    const begun = performance.now();
    await work();
    if (run >= 5) times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

const hand = (statement: SQL) => () => db.execute(statement);
const cases: [
  name: string,
  work: () => Promise<unknown>,
  same: () => Promise<unknown>,
  before?: () => Promise<unknown>,
][] = [
  [
    'user',
    () => call('GET', '/v1/user'),
    hand(sql`SELECT u.*, v.until, v.lifetime, p.gift + p.paid AS points FROM users u LEFT JOIN vip_accounts v ON v.user_id = u.id
      LEFT JOIN point_accounts p ON p.owner_kind = 'user' AND p.owner_id = u.id WHERE u.id = ${PERSON}`),
  ],
  [
    'points: first page',
    () => call('GET', '/v1/user/point/record?page=1&page_size=20'),
    hand(
      sql`SELECT * FROM point_entries WHERE owner_kind = 'user' AND owner_id = ${PERSON} ORDER BY seq DESC LIMIT 20`,
    ),
  ],
  [
    'orders: first page',
    () => call('GET', '/v1/user/orders?page=1&page_size=20'),
    hand(
      sql`SELECT * FROM orders WHERE user_id = ${PERSON} AND close_reason IS DISTINCT FROM 'superseded' ORDER BY id DESC LIMIT 20`,
    ),
  ],
  [
    'packages',
    () => call('GET', '/v1/user/subscriptions'),
    hand(sql`SELECT * FROM packages WHERE kind = 'vip' AND on_sale ORDER BY sort, id LIMIT 99`),
  ],
  [
    'order: make (with its picture)',
    () => call('POST', '/v1/user/orders', { subscription_id: 21, quantity: 1, qr: 2 }),
    hand(sql`INSERT INTO orders (order_no, user_id, package_id, snapshot, kind, quantity, price, total, method, state, close_reason, agreement_version, expires_at)
      SELECT 'HX' || lpad((random() * 1e15)::bigint::text, 22, '0'), ${PERSON}, 21, '{}', 'vip', 1, 3900, 3900, 2, 'closed', 'superseded', 'x', now()`),
  ],
  [
    'sign-in by phone',
    () => call('POST', '/v1/login/phone', pending),
    hand(sql`INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at, ended_at, ended_reason)
      VALUES (${PERSON}, 'pri', 'bench', 'bench', 'x', 'x', now(), now(), 'logout')`),
    signIn,
  ],
];

console.log(`${database.kind}: ${USERS.toLocaleString()} users, 1,000,000 movements, 300,000 orders, ${RUNS} runs`);
let isSlow = false;
for (const [name, work, same, before] of cases) {
  const ours = await median(work, before);
  const theirs = await median(same);
  isSlow ||= ours >= 50;
  console.log(
    `${name.padEnd(32)} ${ours.toFixed(1).padStart(7)} ms   by hand ${theirs.toFixed(1).padStart(6)} ms   × ${(ours / theirs).toFixed(1)}`,
  );
}

// Every list is paged by an index: no plan may read a large table from end to end.
for (const [name, statement] of [
  [
    'points',
    sql`EXPLAIN SELECT * FROM point_entries WHERE owner_kind = 'user' AND owner_id = ${PERSON} AND seq <= 10 ORDER BY seq DESC LIMIT 20`,
  ],
  [
    'orders',
    sql`EXPLAIN SELECT * FROM orders WHERE user_id = ${PERSON} AND close_reason IS DISTINCT FROM 'superseded' ORDER BY id DESC LIMIT 20`,
  ],
  ['grants', sql`EXPLAIN SELECT * FROM vip_grants WHERE user_id = ${PERSON} ORDER BY id DESC LIMIT 20`],
] as const) {
  const text = JSON.stringify(await rowsOf(statement));
  const isScan = text.includes('Seq Scan');
  isSlow ||= isScan;
  console.log(`${name.padEnd(32)} ${isScan ? 'SEQUENTIAL SCAN' : 'by an index'}`);
}

await app.close();
await engine.close();
await database.close();
rmSync(data, { recursive: true, force: true });
process.exit(isSlow ? 1 : 0);
