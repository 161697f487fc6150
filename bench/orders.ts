/**
 * Sign-in, orders, the lists of a person, an enterprise and the operator's desk, with 100,000 users, 300,000 orders and
 * 1,000,000 movements of AI points: the median of a whole call, and its ratio to the same rows fetched by hand in SQL on
 * the same connection. Aims: every call under 50 ms at the median on the embedded database, and none of its queries
 * reads a large table from end to end.
 *
 *   npx tsx bench/orders.ts [runs]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../server/src/app.ts';
import { signToken } from '../server/src/features/accounts/tokens.ts';
import { digestPhone, sealPhone } from '../server/src/features/accounts/phones.ts';
import { ROLES } from '../server/src/features/ops/schema.ts';
import { setOperator } from '../server/src/features/ops/service.ts';
import { readConfig } from '../server/src/lib/config.ts';
import { openDatabase } from '../server/src/lib/db.ts';
import { EngineClient } from '../server/src/lib/engine-client.ts';
import { loadKeys } from '../server/src/lib/keys.ts';
import { Limiter } from '../server/src/lib/limits.ts';
import { createLog } from '../server/src/lib/log.ts';
import { createMetrics } from '../server/src/lib/metrics.ts';
import { plantSeeds } from '../server/src/composition/seeds/seeds.ts';

const RUNS = Number(process.argv[2] ?? 60);
const USERS = 100_000;
const data = mkdtempSync(join(tmpdir(), 'hengxi-bench-'));
const config = readConfig({ HENGXI_DATA: data, HENGXI_LOG_LEVEL: 'silent' });
const keys = await loadKeys({ folder: join(data, 'keys'), sessionKeys: [], dataKey: null });
const database = await openDatabase({ url: process.env['DATABASE_URL'] || null, folder: join(data, 'db') });
const { db } = database;
const log = createLog('silent');

/** Both drivers answer with `rows`, which their common type does not say. */
async function rowsOf(statement: string): Promise<Record<string, unknown>[]> {
  const answer: unknown = await db.execute(statement);
  return (answer as { rows: Record<string, unknown>[] }).rows;
}

async function fill(): Promise<void> {
  await plantSeeds(db);
  const steps: string[] = [
    `INSERT INTO users (nickname) SELECT 'u' || n FROM generate_series(1, ${USERS}::int) n`,
    `INSERT INTO point_accounts (owner_kind, owner_id, gift, last_seq) SELECT 'user', id, 10, 10 FROM users`,
    `INSERT INTO point_entries (owner_kind, owner_id, seq, gift, paid, balance, kind, key, title)
      SELECT 'user', u.id, s, 1, 0, s, 'ops', 'bench:' || u.id || ':' || s, '赠送' FROM users u, generate_series(1, 10) s`,
    `INSERT INTO orders (order_no, user_id, package_id, snapshot, kind, quantity, price, total, method, state, agreement_version, expires_at, paid_at)
      SELECT 'HX20260101' || lpad((u.id * 10 + s)::text, 14, '0'), u.id, 51,
        '{"id": 51, "kind": "point", "title": "20点", "fee": 1000, "points": 20, "lifetime": false, "valid_vip_days": null, "group_qr": null}',
        'point', 1, 1000, 1000, 2, 'paid', 'x', now(), now() FROM users u, generate_series(1, 3) s`,
    `INSERT INTO vip_grants (user_id, source, ref, days, lifetime, starts_at, ends_at)
      SELECT id, 'ops', 'bench:' || id, 366, false, now(), now() + interval '366 days' FROM users WHERE id % 3 = 0`,
    `INSERT INTO vip_accounts (user_id, until) SELECT user_id, ends_at FROM vip_grants`,
    `INSERT INTO payments (order_no, provider, transaction_id, amount, outcome, paid_at)
      SELECT order_no, 'sandbox', 'T' || order_no, total, CASE WHEN id % 20000 = 0 THEN 'duplicate' ELSE 'applied' END, now() FROM orders`,
    `INSERT INTO invoices (order_no, user_id, kind, title, email, amount, state, number, issued_at)
      SELECT order_no, user_id, 'person', '个人', 'a@b.cn', total, 'issued', '12345678', now() FROM orders WHERE id % 3 = 0`,
    `INSERT INTO coupons (code, coupon_type, amount, per_user, user_id)
      SELECT 'B' || translate(lpad(to_hex(id), 5, '0'), '01abcdef', 'XYABCDEF'), 0, 500, 1, id FROM users`,
    `UPDATE orders SET enterprise_id = 7 WHERE id % 3000 = 0`,
  ];
  await db.transaction(async (tx) => {
    // A million look-ups of foreign keys would take longer than everything else.
    await tx.execute(`SET LOCAL session_replication_role = replica`);
    await tx.execute(`SET LOCAL statement_timeout = 0`);
    for (const step of steps) await tx.execute(step);
  });
  await db.execute(`ANALYZE`);
}

await fill();
const engine = new EngineClient({ socket: null, host: '127.0.0.1', port: 9, secret: 'none' }, log);
const limiter = new Limiter(() => 0, Number.POSITIVE_INFINITY);
const application = await createApp({ config, db, engine, keys, limiter, log, metrics: createMetrics() });
const { app } = application;
await app.ready();

const PERSON = 66_666;
const phone = '13900066666';
await db.execute(
  `UPDATE users SET phone_digest = '${digestPhone(keys, phone)}', phone_sealed = '${sealPhone(keys, phone)}' WHERE id = ${PERSON}`,
);
const [session] = await rowsOf(`
  INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at)
  VALUES (${PERSON}, 'pri', 'bench', 'bench', '127.0.0.*', 'bench', now() + interval '30 days') RETURNING id`);
let token = await signToken(
  keys,
  { oid: PERSON, nickname: 'u', avatar: null, is_vip: false, platform: 'pri', enterprise_name: null },
  Number(session?.['id']),
  new Date(Date.now() + 86_400_000),
);
let cookie = '';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of many calls, read at a field or two
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, ...(cookie ? { cookie } : {}) };
  const reply = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const body = reply.json();
  if (body.status_code !== 1) throw new Error(`${method} ${url}: ${reply.body.slice(0, 300)}`);
  const cookies = [reply.headers['set-cookie']].flat().map((one) => String(one).split(';')[0]);
  cookie = cookies.find((one) => one?.startsWith('hx_ops=')) ?? cookie;
  return body.data;
}

async function newestCode(): Promise<string> {
  return (await call('GET', `/sandbox/sms?phone=${phone}`)).list[0].code;
}

/** Codes of an hour ago do not count against the limit of the next one. */
const forgetCodes = () => db.execute(`UPDATE sms_codes SET sent_at = sent_at - interval '2 hours'`);

let pending: object = {};
/** What a person does before the call that signs in. */
async function beforeSignIn(): Promise<void> {
  await forgetCodes();
  await call('POST', '/v1/login/phone/captcha', { phone, ticket: 'sandbox', rand: '' });
  const { verify_key } = await call('POST', '/v1/login/phone/verify-code', { phone });
  pending = { phone, verify_code: await newestCode(), verify_key };
}
async function signIn(): Promise<void> {
  token = (await call('POST', '/v1/login/phone', pending)).token;
}

/** The person is an operator as well, and enters the desk. */
async function enterDesk(): Promise<void> {
  await setOperator(db, PERSON, [...ROLES], 'bench');
  await forgetCodes();
  const { verify_key } = await call('POST', '/v1/ops/session/code');
  await call('POST', '/v1/ops/session', { verify_key, verify_code: await newestCode() });
}

type Work = () => Promise<unknown>;
interface Case {
  name: string;
  work: Work;
  /** The same rows, fetched or written by hand. */
  same: string;
  before?: Work;
}

const list = (name: string, url: string, same: string): Case => ({ name, work: () => call('GET', url), same });
const mine = `user_id = ${PERSON}`;
const newest = (table: string, where: string) => `SELECT * FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 20`;

const CASES: Case[] = [
  list(
    'user',
    '/v1/user',
    `SELECT u.*, v.until, v.lifetime, p.gift + p.paid AS points FROM users u LEFT JOIN vip_accounts v ON v.user_id = u.id
      LEFT JOIN point_accounts p ON p.owner_kind = 'user' AND p.owner_id = u.id WHERE u.id = ${PERSON}`,
  ),
  list(
    'points: first page',
    '/v1/user/point/record?page=1&page_size=20',
    `SELECT * FROM point_entries WHERE owner_kind = 'user' AND owner_id = ${PERSON} ORDER BY seq DESC LIMIT 20`,
  ),
  list(
    'orders: first page',
    '/v1/user/orders?page=1&page_size=20',
    newest('orders', `${mine} AND close_reason IS DISTINCT FROM 'superseded'`),
  ),
  list('orders: recent', '/v1/user/orders/recently', newest('orders', mine)),
  list('invoices', '/v1/user/orders/invoice', newest('invoices', mine)),
  list('grants of days', '/v1/user/membership/grants', newest('vip_grants', mine)),
  list(
    'packages',
    '/v1/user/subscriptions',
    `SELECT * FROM packages WHERE kind = 'vip' AND on_sale ORDER BY sort, id LIMIT 99`,
  ),
  {
    name: 'order: make (with its picture)',
    work: () => call('POST', '/v1/user/orders', { subscription_id: 21, quantity: 1, qr: 2 }),
    same: `INSERT INTO orders (order_no, user_id, package_id, snapshot, kind, quantity, price, total, method, state, close_reason, agreement_version, expires_at)
      SELECT 'HX' || lpad((random() * 1e15)::bigint::text, 22, '0'), ${PERSON}, 21, '{}', 'vip', 1, 3900, 3900, 2, 'closed', 'superseded', 'x', now()`,
  },
  {
    name: 'sign-in by phone',
    before: beforeSignIn,
    work: signIn,
    same: `INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at, ended_at, ended_reason)
      VALUES (${PERSON}, 'pri', 'bench', 'bench', 'x', 'x', now(), now(), 'logout')`,
  },
  {
    name: 'orders of an enterprise',
    work: () => application.money.orders.buying.listOf(7, { page: 1, page_size: 20 }),
    same: newest('orders', 'enterprise_id = 7'),
  },
];
const DESK: Case[] = [
  list('desk: orders', '/v1/ops/orders', newest('orders', 'true')),
  list('desk: orders of a person', `/v1/ops/orders?user_id=${PERSON}`, newest('orders', mine)),
  list('desk: closed orders', '/v1/ops/orders?state=closed', newest('orders', `state = 'closed'`)),
  list('desk: payments', '/v1/ops/payments', newest('payments', 'true')),
  list('desk: double payments', '/v1/ops/payments?state=duplicate', newest('payments', `outcome = 'duplicate'`)),
  list('desk: anomalies', '/v1/ops/anomalies', newest('payments', `outcome = 'anomaly'`)),
  list('desk: invoices of an order', '/v1/ops/invoices?order_no=HX20260101x', newest('invoices', `order_no = 'x'`)),
  list('desk: invoices to issue', '/v1/ops/invoices?state=pending', newest('invoices', `state = 'pending'`)),
  list('desk: coupons', '/v1/ops/coupons', newest('coupons', 'true')),
  list('desk: stopped coupons', '/v1/ops/coupons?state=stopped', newest('coupons', `state = 'stopped'`)),
  list('desk: a person', `/v1/ops/users?phone=${phone}`, `SELECT * FROM users WHERE id = ${PERSON}`),
  list('desk: log', '/v1/ops/log', `SELECT * FROM act_log WHERE scope = 'ops' ORDER BY seq DESC LIMIT 20`),
];

interface Cost {
  /** Milliseconds of the clock, and of the processor: the embedded database works in this process. */
  wall: number;
  processor: number;
}

const middle = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function median(work: Work, before: Work = async () => undefined): Promise<Cost> {
  const walls: number[] = [];
  const processors: number[] = [];
  for (let run = 0; run < RUNS + 5; run += 1) {
    await before();
    const begun = performance.now();
    const used = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(used);
    if (run < 5) continue;
    walls.push(performance.now() - begun);
    processors.push((user + system) / 1000);
  }
  return { wall: middle(walls), processor: middle(processors) };
}

interface Asked {
  text: string;
  values: unknown[];
}
type Query = (text: string | { text: string; values?: unknown[] }, values?: unknown[], ...more: unknown[]) => unknown;

/** The very queries of a call. */
async function queriesOf(work: Work): Promise<Asked[]> {
  // The client of either driver, which their common type does not have.
  const { $client: client } = db as unknown as { $client: { query: Query } };
  const asked: Asked[] = [];
  const real = client.query;
  client.query = (text, values, ...more) => {
    asked.push({ text: typeof text === 'string' ? text : text.text, values: values ?? [] });
    return real.call(client, text, values, ...more);
  };
  await work().finally(() => {
    client.query = real;
  });
  return asked.filter(({ text }) => /^\s*select/i.test(text));
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
/** More rows than this, read in the order they lie in, are a table read for want of an index. */
const MANY = 20_000;

function scansIn(plan: Plan): string[] {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const isScan = plan['Node Type'] === 'Seq Scan' && rows > MANY;
  return [...(isScan ? [plan['Relation Name'] ?? ''] : []), ...(plan.Plans ?? []).flatMap(scansIn)];
}

/** Tables that one of the queries of a call reads from end to end. */
async function scansOf(work: Work): Promise<string[]> {
  const { $client: client } = db as unknown as { $client: { query: Query } };
  const scans: string[] = [];
  for (const { text, values } of await queriesOf(work)) {
    const { rows } = (await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)) as {
      rows: { 'QUERY PLAN': { Plan: Plan }[] }[];
    };
    scans.push(...(rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => scansIn(plan)));
  }
  return [...new Set(scans)];
}

console.log(
  `${database.kind}: ${USERS.toLocaleString()} users, 1,000,000 movements, 300,000 orders, ${RUNS} runs; medians, the processor's in brackets`,
);
let isBad = false;
async function measure(cases: Case[]): Promise<void> {
  for (const { name, work, same, before } of cases) {
    const ours = await median(work, before);
    const theirs = await median(() => db.execute(same));
    const scans = before || name.includes('make') ? [] : await scansOf(work);
    // Other work on the machine counts in the clock; what a call costs is told by the processor.
    isBad ||= Math.min(ours.wall, ours.processor) >= 50 || scans.length > 0;
    const ms = (value: number) => value.toFixed(1).padStart(6);
    console.log(
      `${name.padEnd(32)} ${ms(ours.wall)} ms (${ms(ours.processor)})   by hand ${ms(theirs.wall)} (${ms(theirs.processor)})   × ${ms(ours.wall / theirs.wall)}   ${scans.length > 0 ? `READS ALL OF ${scans.join(', ')}` : ''}`,
    );
  }
}
await measure(CASES);
await enterDesk();
await measure(DESK);

await app.close();
await engine.close();
await database.close();
rmSync(data, { recursive: true, force: true });
process.exit(isBad ? 1 : 0);
