/**
 * Every operation of the openapi document, as everybody an enterprise knows: what belongs to another space is as absent
 * as what does not exist, a role below the one asked for is told so, and nobody who left finds anything.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { invite, join, makeEnterprise, openChannel } from '../../testing/enterprises.ts';
import type { Tenant } from '../../testing/enterprises.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { plant } from '../../testing/fixtures.ts';
import type { Ids } from '../../testing/fixtures.ts';

interface Operation {
  method: any;
  path: string;
  access: string;
}

const ABSENT = '999999';
let world: World;
let operations: Operation[];
let tenant: Tenant;
let stranger: Tenant;
let member: Awaited<ReturnType<typeof join>>;
let admin: Awaited<ReturnType<typeof join>>;
let left: Awaited<ReturnType<typeof join>>;
let owned: Ids;

/** Of the shape of a code that invites a second coder; it belongs to whoever holds it, not to an enterprise. */
const ABSENT_CODE = 'A'.repeat(22);

/** The id in a path means what the words before it say. */
function fill(path: string, ids: Ids): string {
  const of = (name: string): string => ids[name] ?? ABSENT;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (path.startsWith('/v1/enterprise')) return of(name === 'id' ? 'invite' : name);
    if (path.startsWith('/v1/text-analysis/second-codings')) return ABSENT_CODE;
    if (name !== 'id') return of(name);
    if (path.startsWith('/v1/runs')) return of('run');
    if (path.startsWith('/v1/analysis/models')) return of('model');
    if (path.includes('/uploads/')) return of('upload');
    return path.startsWith('/v1/analysis/project/') ? of('pid') : ABSENT;
  });
}

const bodyFor = (method: string): Record<string, unknown> | undefined =>
  method === 'GET' || method === 'DELETE' ? undefined : {};

beforeAll(async () => {
  world = await build();
  tenant = await makeEnterprise(world, '甲企业');
  stranger = await makeEnterprise(world, '乙企业');
  member = await join(world, tenant, '成员');
  admin = await join(world, tenant, '管理员');
  left = await join(world, tenant, '已离开');
  const base = `/v1/enterprise/${tenant.eid}/members`;
  await call(world, tenant.owner, 'PATCH', `${base}/${admin.mid}`, { version: 1, role: 'admin' });
  await call(world, tenant.owner, 'DELETE', `${base}/${left.mid}?version=1`);
  const code = await invite(world, tenant, 1);
  const [open] = await rowsOf(world.db, sql`SELECT id FROM enterprise_invites ORDER BY id DESC LIMIT 1`);
  const colleague = await join(world, tenant, '同事');
  owned = {
    ...(await plant(world, { kind: 'enterprise', id: tenant.eid }, tenant.owner.id)),
    eid: String(tenant.eid),
    mid: String(colleague.mid),
    invite: String(open.id),
    code,
  };
  const { paths } = (await call(world, null, 'GET', '/openapi.json')).body as {
    paths: Record<string, Record<string, { 'x-access': string }>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({
      method: method.toUpperCase(),
      path,
      access: about['x-access'],
    })),
  );
}, 240_000);
afterAll(() => world.close());

const content = (): Operation[] =>
  operations.filter(
    ({ path, access }) =>
      access === 'session' &&
      path.includes('{') &&
      !path.startsWith('/v1/enterprise') &&
      !path.startsWith('/algorithm/') &&
      !path.startsWith('/v1/user/orders'),
  );

test('content of an enterprise is absent for its other members, for other tenants, and on personal channels', async () => {
  expect(content().length).toBeGreaterThan(35);
  const others: [who: string, token: { token: string }][] = [
    ['a member', member.channel],
    ['an admin', admin.channel],
    ['another tenant', stranger.channel],
    ['the owner on the personal channel', tenant.owner],
    ['who left', left.person],
  ];
  for (const { method, path } of content())
    for (const [who, token] of others) {
      const foreign = await call(world, token, method, fill(path, owned), bodyFor(method));
      const absent = await call(world, token, method, fill(path, {}), bodyFor(method));
      const place = `${who}: ${method} ${path}`;
      expect([foreign.status, foreign.body.err_code, foreign.body.msg], place).toEqual([
        absent.status,
        absent.body.err_code,
        absent.body.msg,
      ]);
      expect(foreign.body.status_code, place).toBe(0);
    }
  for (const path of [`/v1/user/file/${owned['fid']}`, `/v1/runs/${owned['run']}`])
    expect((await call(world, tenant.channel, 'GET', path)).status, path).toBe(200);
}, 240_000);

test('who left finds nothing: the channel is over, and its enterprise is as absent as one that never was', async () => {
  for (const { method, path, access } of operations) {
    if (access !== 'session') continue;
    const gone = await call(world, left.channel, method, fill(path, owned), bodyFor(method));
    expect([gone.status, gone.body.status_code], `${method} ${path}`).toEqual([401, 0]);
  }
});

/** The least role of every call on one enterprise: 0 member, 1 admin, 2 owner. `self`: the rest is judged inside. */
const LEAST: Record<string, 0 | 1 | 2 | 'self'> = {
  'GET /v1/enterprise/{eid}': 0,
  'PATCH /v1/enterprise/{eid}': 1,
  'DELETE /v1/enterprise/{eid}': 2,
  'POST /v1/enterprise/{eid}/export': 2,
  'GET /v1/enterprise/{eid}/usage': 1,
  'GET /v1/enterprise/{eid}/log': 1,
  'GET /v1/enterprise/{eid}/log.csv': 1,
  'GET /v1/enterprise/{eid}/orders': 1,
  'POST /v1/enterprise/{eid}/orders': 2,
  'POST /v1/enterprise/{eid}/orders/quote': 2,
  'GET /v1/enterprise/{eid}/contracts': 1,
  'POST /v1/enterprise/{eid}/contracts/{id}/signed': 2,
  'GET /v1/enterprise/{eid}/members': 1,
  'GET /v1/enterprise/{eid}/members/{mid}/holdings': 1,
  'PATCH /v1/enterprise/{eid}/members/{mid}': 1,
  'DELETE /v1/enterprise/{eid}/members/{mid}': 'self',
  'GET /v1/enterprise/{eid}/invites': 1,
  'POST /v1/enterprise/{eid}/invites': 1,
  'DELETE /v1/enterprise/{eid}/invites/{id}': 1,
  'POST /v1/enterprise/{eid}/transfer': 2,
  'DELETE /v1/enterprise/{eid}/transfer': 2,
  'GET /v1/enterprise/{eid}/content': 0,
  'PATCH /v1/enterprise/{eid}/content': 0,
  'POST /v1/enterprise/{eid}/content/reassign': 1,
  'GET /v1/enterprise/{eid}/shares': 0,
  'DELETE /v1/enterprise/{eid}/shares/{code}': 'self',
  'POST /v1/enterprise/{eid}/copies': 0,
};

/** Bodies that pass the form, so that the role is what is judged. */
const BODIES: Record<string, Record<string, unknown>> = {
  'PATCH /v1/enterprise/{eid}': { version: 99, contact: '李四' },
  'POST /v1/enterprise/{eid}/orders': { plan: 'new', seats: 3 },
  'POST /v1/enterprise/{eid}/orders/quote': { plan: 'new', seats: 3 },
  'PATCH /v1/enterprise/{eid}/members/{mid}': { version: 99, state: 'suspended' },
  'POST /v1/enterprise/{eid}/transfer': { member_id: 999_999 },
  'PATCH /v1/enterprise/{eid}/content': { visibility: 'all' },
  'POST /v1/enterprise/{eid}/content/reassign': { from_member: 1, to_member: 2, reason: '离职交接工作' },
  'POST /v1/enterprise/{eid}/copies': { to: 'enterprise' },
};

async function ask(who: Pick<Person, 'token'>, key: string, ids: Ids) {
  const [method, path] = key.split(' ') as [any, string];
  const url = fill(path, ids) + (key.startsWith('DELETE') && path.endsWith('{mid}') ? '?version=99' : '');
  if (path.endsWith('/signed')) {
    const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' };
    const answer = await world.app.inject({ method: 'POST', url, headers, payload: Buffer.from('x') });
    return { status: answer.statusCode, code: answer.json().err_code as number };
  }
  const { status, body } = await call(world, who, method, url, BODIES[key] ?? bodyFor(method));
  return { status, code: (body?.err_code ?? 0) as number };
}

test('every call on an enterprise: absent for strangers and who left, 30305 below the role it asks for', async () => {
  const stated = operations
    .filter(({ path }) => path.startsWith('/v1/enterprise/{eid}'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(stated.toSorted()).toEqual(Object.keys(LEAST).toSorted());
  const nobody = await makePerson(world, '路人');
  // Whoever has proved who it is: nothing is told before the role is judged.
  await world.db.execute(sql`UPDATE sessions SET proved_at = now()`);
  const roles = [member.person, admin.person];
  for (const [key, least] of Object.entries(LEAST)) {
    for (const who of [stranger.owner, stranger.channel, left.person, nobody]) {
      const foreign = await ask(who, key, owned);
      const absent = await ask(who, key, { ...owned, eid: ABSENT });
      expect([key, foreign]).toEqual([key, absent]);
      expect([key, foreign.status]).toEqual([key, 404]);
    }
    for (const [rank, who] of roles.entries()) {
      const { code } = await ask(who, key, owned);
      if (least === 'self') continue;
      expect([key, rank, code === 30305]).toEqual([key, rank, rank < least]);
    }
  }
}, 240_000);

test('the own enterprise channel never shows the personal space, nor buys for it', async () => {
  const { owner, channel } = tenant;
  await call(world, owner, 'POST', '/v1/user/file/uploads', { name: 'a.csv', size: 10 });
  expect((await call(world, owner, 'GET', '/v1/analysis/project')).data.total).toBe(0);
  expect((await call(world, channel, 'GET', '/v1/analysis/project')).data.total).toBe(1);
  const reply = await call(world, channel, 'GET', '/v1/user/point');
  expect(reply.body).toMatchObject({ err_code: 30201 });
  // Orders of the channel are the enterprise's: a member who did not order sees none of them.
  await call(world, owner, 'POST', `/v1/enterprise/${tenant.eid}/orders`, { plan: 'new', seats: 3, qr: 2 });
  expect((await call(world, owner, 'GET', `/v1/enterprise/${tenant.eid}/orders`)).data.total).toBe(1);
  expect((await call(world, member.channel, 'GET', '/v1/user/orders')).data.total).toBe(0);
  const again = await openChannel(world, owner, tenant.eid);
  expect((await call(world, again, 'GET', '/v1/user')).data.identity).toBe(2);
});
