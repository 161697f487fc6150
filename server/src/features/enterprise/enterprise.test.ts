/** Acceptance of enterprises over HTTP: tenants apart, roles, one owner, states by the clock, seats and their prices. */
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { join, makeEnterprise, proved } from '../../testing/enterprises.ts';
import { clockStage } from '../../testing/stages.ts';

const DAY = 86_400_000;
const stage = clockStage();

const get = (who: { token: string } | null, url: string): Promise<Reply> => call(stage.world, who, 'GET', url);
const code = (reply: Reply): number => reply.body?.err_code ?? 0;

describe('making an enterprise', () => {
  test('a trial begins at once with five seats, once per credit code, with a fresh code', async () => {
    const owner = await makePerson(stage.world, '甲');
    const body = { name: '衡量科技', trial: true, credit_code: '91350100M000100Y43', contact: '张三' };
    expect(code(await call(stage.world, owner, 'POST', '/v1/enterprise', body))).toBe(30002);
    await proved(stage.world, owner);
    const made = await call(stage.world, owner, 'POST', '/v1/enterprise', body);
    expect(made.data).toMatchObject({ state: 'trial', role: 'owner', seats: 5, seats_used: 1, can: { own: true } });
    const again = { ...body, name: '另一个名字' };
    expect(code(await call(stage.world, owner, 'POST', '/v1/enterprise', again))).toBe(30311);
    const wrong = { ...again, credit_code: '91350100M000100Y44' };
    expect((await call(stage.world, owner, 'POST', '/v1/enterprise', wrong)).body.fields[0].field).toBe('credit_code');
  });

  test('without a trial it waits for an order and offers no channel', async () => {
    const owner = await makePerson(stage.world, '甲');
    const made = await call(stage.world, owner, 'POST', '/v1/enterprise', { name: '待开通的企业' });
    expect(made.data).toMatchObject({ state: 'pending', seats: 0 });
    expect((await get(owner, '/v1/user/identity')).data.co).toBeNull();
    const twice = await call(stage.world, await makePerson(stage.world), 'POST', '/v1/enterprise', {
      name: '待开通的企业',
    });
    expect(twice.body.fields[0]).toMatchObject({ field: 'name', text: '该企业名称已被使用' });
  });

  test('nobody is in more than five', async () => {
    const owner = await makePerson(stage.world, '甲');
    for (let n = 0; n < 5; n += 1) await call(stage.world, owner, 'POST', '/v1/enterprise', { name: `企业${n}` });
    expect(code(await call(stage.world, owner, 'POST', '/v1/enterprise', { name: '第六个' }))).toBe(30312);
  });
});

describe('tenants and roles', () => {
  test('content of one person, two enterprises and their members is kept apart', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const b = await makeEnterprise(stage.world, '乙企业');
    const member = await join(stage.world, a, '成员');
    const upload = { name: 'a.csv', size: 10 };
    const mine = await call(stage.world, a.owner, 'POST', '/v1/user/file/uploads', upload);
    const ofA = await call(stage.world, a.channel, 'POST', '/v1/user/file/uploads', upload);
    expect([mine.status, ofA.status]).toEqual([200, 200]);
    const [fid] = await plantFile(stage.world, a.eid, a.owner.id);
    const file = `/v1/user/file/${fid}`;
    expect((await get(a.channel, file)).status).toBe(200);
    for (const other of [a.owner, b.channel, b.owner, member.channel, member.person])
      expect((await get(other, file)).status).toBe(404);
    const uploadId = ofA.data.upload_id ?? ofA.data.id;
    for (const other of [a.owner, b.channel, member.channel])
      expect((await get(other, `/v1/user/file/uploads/${uploadId}`)).status).toBe(404);

    // Opened to all: the colleague sees it, the other tenant and the personal channels still do not.
    const opened = await call(stage.world, a.owner, 'PATCH', `/v1/enterprise/${a.eid}/content`, {
      files: [fid],
      visibility: 'all',
    });
    expect(opened.data.changed).toBe(1);
    expect((await get(member.channel, file)).status).toBe(200);
    for (const other of [a.owner, b.channel, member.person]) expect((await get(other, file)).status).toBe(404);
    // Nobody opens or closes what somebody else made.
    const taken = { files: [fid], visibility: 'private' };
    const foreign = await call(stage.world, member.person, 'PATCH', `/v1/enterprise/${a.eid}/content`, taken);
    expect(foreign.data.changed).toBe(0);
  });

  test('every call of an enterprise: absent for strangers, 30305 below the role', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const stranger = (await makeEnterprise(stage.world, '乙企业')).owner;
    const { person: member, mid } = await join(stage.world, a, '成员');
    const admin = await join(stage.world, a, '管理员');
    await call(stage.world, a.owner, 'PATCH', `/v1/enterprise/${a.eid}/members/${admin.mid}`, {
      version: 1,
      role: 'admin',
    });
    await proved(stage.world, stranger, member, admin.person);
    const base = `/v1/enterprise/${a.eid}`;
    const reassign = { from_member: mid, to_member: admin.mid, reason: '离职交接工作' };
    const calls: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body: object | undefined, least: number][] =
      [
        ['GET', base, undefined, 0],
        ['GET', `${base}/content`, undefined, 0],
        ['GET', `${base}/shares`, undefined, 0],
        ['GET', `${base}/members`, undefined, 1],
        ['GET', `${base}/members/${admin.mid}/holdings`, undefined, 1],
        ['GET', `${base}/invites`, undefined, 1],
        ['POST', `${base}/invites`, {}, 1],
        ['GET', `${base}/usage`, undefined, 1],
        ['GET', `${base}/log`, undefined, 1],
        ['GET', `${base}/log.csv`, undefined, 1],
        ['GET', `${base}/orders`, undefined, 1],
        ['PATCH', base, { version: 99, contact: '李四' }, 1],
        ['POST', `${base}/content/reassign`, reassign, 1],
        ['PATCH', `${base}/members/${admin.mid}`, { version: 99, state: 'suspended' }, 2],
        ['POST', `${base}/orders/quote`, { plan: 'new', seats: 3 }, 2],
        ['POST', `${base}/orders`, { plan: 'new', seats: 3 }, 2],
        ['POST', `${base}/transfer`, { member_id: mid }, 2],
        ['DELETE', base, undefined, 2],
      ];
    const roles = [member, admin.person];
    for (const [method, url, body, least] of calls) {
      const foreign = await call(stage.world, stranger, method, url, body as Record<string, unknown>);
      expect([method, url, foreign.status]).toEqual([method, url, 404]);
      for (const [rank, who] of roles.entries()) {
        if (rank >= least) continue;
        const refused = await call(stage.world, who, method, url, body as Record<string, unknown>);
        expect([method, url, refused.status, code(refused)]).toEqual([method, url, 403, 30305]);
      }
    }
    for (const bad of ['0', '-1', 'abc', '99999999999'])
      expect((await get(a.owner, `/v1/enterprise/${bad}`)).status).toBeGreaterThanOrEqual(400);
  });

  test('shares outside: refused by the setting, cut to its days, listed and ended', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const rid = await plantReport(stage.world, a.eid, a.owner.id);
    const url = `/v1/analysis/report/share?rid=${rid}`;
    const settings = async (change: object): Promise<void> => {
      const { version } = (await get(a.owner, `/v1/enterprise/${a.eid}`)).data;
      const changed = await call(stage.world, a.owner, 'PATCH', `/v1/enterprise/${a.eid}`, {
        version,
        settings: change,
      });
      expect(changed.status).toBe(200);
    };
    await settings({ shares_allowed: false });
    expect(code(await call(stage.world, a.channel, 'POST', url, {}))).toBe(30313);
    await settings({ shares_allowed: true, share_days: 7 });
    const made = await call(stage.world, a.channel, 'POST', url, { days: 30, blocks: null, hide_small: false });
    expect(made.status).toBe(200);
    expect(new Date(made.data.ends_at).getTime()).toBeLessThanOrEqual(Date.now() + 7 * DAY + 60_000);
    const list = await get(a.owner, `/v1/enterprise/${a.eid}/shares`);
    expect(list.data).toMatchObject({ total: 1, list: [{ rid, sharer: a.owner.nickname }] });
    const ended = await call(stage.world, a.owner, 'DELETE', `/v1/enterprise/${a.eid}/shares/${made.data.code}`);
    expect(ended.status).toBe(200);
    expect((await get(null, `/v1/analysis/report/share?code=${made.data.code}`)).status).not.toBe(200);
  });
});

describe('leaving', () => {
  test('removal ends sessions and tickets at once; the heir has exactly what was counted', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const { person, channel, mid } = await join(stage.world, a, '成员');
    await plantFile(stage.world, a.eid, person.id);
    await plantFile(stage.world, a.eid, person.id);
    await plantReport(stage.world, a.eid, person.id);
    const held = await get(a.owner, `/v1/enterprise/${a.eid}/members/${mid}/holdings`);
    expect(held.data).toMatchObject({ files: 2, reports: 1, projects: 1, sessions: 1 });
    await stage.world.db
      .execute(sql`INSERT INTO downloads (ticket_digest, owner_kind, owner_id, created_by, kind, object_id, ends_at)
      VALUES ('t', 'enterprise', ${a.eid}, ${person.id}, 'run', 1, now() + interval '1 hour')`);
    await stage.world.db.execute(sql`INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload)
      VALUES ('enterprise', ${a.eid}, ${person.id}, 'analysis', 'waiting', '{}')`);
    const url = `/v1/enterprise/${a.eid}/members/${mid}`;
    expect(code(await call(stage.world, a.owner, 'DELETE', `${url}?version=9`))).toBe(30309);
    expect((await call(stage.world, a.owner, 'DELETE', `${url}?version=1`)).status).toBe(200);
    expect((await get(channel, '/v1/user')).status).toBe(401);
    expect((await get(person, `/v1/enterprise/${a.eid}`)).status).toBe(404);
    const [left] = await rowsOf(
      stage.world.db,
      sql`SELECT (SELECT count(*)::int FROM downloads) AS tickets,
        (SELECT count(*)::int FROM runs WHERE ended_at IS NULL) AS runs,
        (SELECT count(*)::int FROM files WHERE created_by = ${a.owner.id}) AS files,
        (SELECT count(*)::int FROM reports WHERE created_by = ${a.owner.id}) AS reports,
        (SELECT seats_used FROM enterprises WHERE id = ${a.eid}) AS used`,
    );
    expect(left).toEqual({ tickets: 0, runs: 0, files: 2, reports: 1, used: 1 });
    expect((await get(a.channel, '/v1/user/file')).data.total).toBe(2);
  });

  test('the owner leaves neither the enterprise nor the product; members do', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const { person, mid } = await join(stage.world, a, '成员');
    const { list } = (await get(a.owner, `/v1/enterprise/${a.eid}/members`)).data;
    const owner = list.find((row: { role: string }) => row.role === 'owner');
    expect(
      code(await call(stage.world, a.owner, 'DELETE', `/v1/enterprise/${a.eid}/members/${owner.id}?version=1`)),
    ).toBe(30304);
    await proved(stage.world, a.owner);
    expect(code(await call(stage.world, a.owner, 'DELETE', '/v1/user/me'))).toBe(30304);
    expect((await call(stage.world, person, 'DELETE', `/v1/enterprise/${a.eid}/members/${mid}?version=1`)).status).toBe(
      200,
    );
  });

  test('a transfer makes the member the owner and the owner an admin; the code is for the two only', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const { person, mid } = await join(stage.world, a, '接任者');
    const other = await join(stage.world, a, '旁人');
    const url = `/v1/enterprise/${a.eid}/transfer`;
    expect(code(await call(stage.world, a.owner, 'POST', url, { member_id: mid }))).toBe(30002);
    // Who may not is told so at once, without a code.
    for (const [method, at] of [
      ['POST', url],
      ['DELETE', `/v1/enterprise/${a.eid}`],
      ['POST', `/v1/enterprise/${a.eid}/export`],
    ] as const)
      expect(
        code(
          await call(stage.world, person, method, at, method === 'POST' && at === url ? { member_id: mid } : undefined),
        ),
      ).toBe(30305);
    await proved(stage.world, a.owner, person, other.person);
    const made = await call(stage.world, a.owner, 'POST', url, { member_id: mid });
    const key = new URL(made.data.link).searchParams.get('code')!;
    expect(code(await get(other.person, `/v1/enterprise/transfer?code=${key}`))).toBe(30308);
    // A link that was cut off on its way is no mistake of form.
    expect(code(await get(a.owner, '/v1/enterprise/transfer?code=abc'))).toBe(30308);
    expect(code(await call(stage.world, null, 'GET', '/v1/enterprise/invite?code=abc'))).toBe(30302);
    expect(code(await call(stage.world, null, 'GET', '/v1/enterprise/invite'))).toBe(30302);
    expect((await get(person, `/v1/enterprise/transfer?code=${key}`)).data).toMatchObject({ is_mine: true });
    expect(code(await call(stage.world, a.owner, 'POST', '/v1/enterprise/transfer/accept', { code: key }))).toBe(30308);
    expect((await call(stage.world, person, 'POST', '/v1/enterprise/transfer/accept', { code: key })).status).toBe(200);
    expect((await get(person, `/v1/enterprise/${a.eid}`)).data.role).toBe('owner');
    expect((await get(a.owner, `/v1/enterprise/${a.eid}`)).data.role).toBe('admin');
    expect(code(await call(stage.world, person, 'POST', '/v1/enterprise/transfer/accept', { code: key }))).toBe(30308);
  });
});

test('somebody with a personal and an enterprise channel chooses, switches, and sees each apart', async () => {
  const a = await makeEnterprise(stage.world, '甲企业');
  const identity = await get(a.owner, '/v1/user/identity');
  expect(identity.data).toMatchObject({ current: 'pri', co: { enterprise_id: a.eid } });
  const me = await get({ token: identity.data.co.token }, '/v1/user');
  expect(me.data).toMatchObject({ identity: 2, enterprise: [{ id: a.eid }], is_enterprise_admin: true });
  expect((await get(a.owner, '/v1/user')).data).toMatchObject({ identity: 1, enterprise: [] });
  expect(code(await call(stage.world, { token: identity.data.co.token }, 'GET', '/v1/user/point'))).toBe(30201);
});

describe('the clock', () => {
  test('a term ends: grace works, then reading only, then frozen; nothing is deleted; renewal opens it again', async () => {
    const start = new Date();
    const a = await makeEnterprise(stage.world, '甲企业');
    await plantFile(stage.world, a.eid, a.owner.id);
    const upload = { name: 'a.csv', size: 10 };
    const at = async (days: number): Promise<[state: string, write: number, read: number]> => {
      stage.now = new Date(start.getTime() + days * DAY);
      await stage.world.enterprises.terms.sweep();
      const { state } = (await get(a.owner, `/v1/enterprise/${a.eid}`)).data;
      const write = code(await call(stage.world, a.channel, 'POST', '/v1/user/file/uploads', upload));
      return [state, write, code(await get(a.channel, '/v1/user/file'))];
    };
    expect(await at(13)).toEqual(['trial', 0, 0]);
    expect(await at(15)).toEqual(['grace', 0, 0]);
    expect(await at(28)).toEqual(['grace', 0, 0]);
    expect(await at(30)).toEqual(['readonly', 30306, 0]);
    expect(await at(118)).toEqual(['readonly', 30306, 0]);
    expect(await at(120)).toEqual(['frozen', 30307, 30307]);
    expect(await at(400)).toEqual(['frozen', 30307, 30307]);
    const [kept] = await rowsOf(stage.world.db, sql`SELECT count(*)::int AS n FROM files WHERE deleted_at IS NULL`);
    expect(kept.n).toBe(1);
    // The owner renews on the personal channel.
    await stage.world.db.execute(sql`INSERT INTO seat_blocks (enterprise_id, seats, from_at, to_at, source)
      VALUES (${a.eid}, 3, ${stage.now!.toISOString()}::timestamptz, ${new Date(stage.now!.getTime() + 30 * DAY).toISOString()}::timestamptz, 'ops')`);
    await stage.world.db.transaction((tx) => stage.world.enterprises.terms.settle(tx, a.eid));
    expect((await get(a.owner, `/v1/enterprise/${a.eid}`)).data.state).toBe('active');
    expect((await get(a.channel, '/v1/user/file')).data.total).toBe(1);
  });

  test('fewer seats than members: reading goes on, new work waits until somebody is suspended', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    const { mid } = await join(stage.world, a, '一');
    await join(stage.world, a, '二');
    await stage.world.db.execute(sql`UPDATE seat_blocks SET seats = 2 WHERE enterprise_id = ${a.eid}`);
    await stage.world.enterprises.terms.sweep();
    expect((await get(a.owner, `/v1/enterprise/${a.eid}`)).data).toMatchObject({ over_seats: true, seats_used: 3 });
    const upload = { name: 'a.csv', size: 10 };
    expect(code(await call(stage.world, a.channel, 'POST', '/v1/user/file/uploads', upload))).toBe(30314);
    expect((await get(a.channel, '/v1/user/file')).status).toBe(200);
    const url = `/v1/enterprise/${a.eid}/members/${mid}`;
    expect((await call(stage.world, a.owner, 'PATCH', url, { version: 1, state: 'suspended' })).status).toBe(200);
    expect((await call(stage.world, a.channel, 'POST', '/v1/user/file/uploads', upload)).status).toBe(200);
    expect(code(await call(stage.world, a.owner, 'PATCH', url, { version: 2, state: 'active' }))).toBe(30301);
  });

  test('dissolving waits thirty days, may be stopped, and then removes everything', async () => {
    const a = await makeEnterprise(stage.world, '甲企业');
    await plantFile(stage.world, a.eid, a.owner.id);
    await stage.world.db
      .execute(sql`INSERT INTO expert_projects (owner_kind, owner_id, created_by, kind, title, content)
      VALUES ('enterprise', ${a.eid}, ${a.owner.id}, 'delphi', '问卷', '{}')`);
    await proved(stage.world, a.owner);
    expect((await call(stage.world, a.owner, 'DELETE', `/v1/enterprise/${a.eid}`)).data.state).toBe('dissolving');
    const { version } = (await get(a.owner, `/v1/enterprise/${a.eid}`)).data;
    const kept = await call(stage.world, a.owner, 'PATCH', `/v1/enterprise/${a.eid}`, { version, keep: true });
    expect(kept.data.state).toBe('trial');
    await call(stage.world, a.owner, 'DELETE', `/v1/enterprise/${a.eid}`);
    stage.now = new Date(Date.now() + 29 * DAY);
    await stage.world.enterprises.terms.sweep();
    expect((await get(a.owner, `/v1/enterprise/${a.eid}`)).data.state).toBe('dissolving');
    stage.now = new Date(Date.now() + 31 * DAY);
    await stage.world.enterprises.terms.sweep();
    expect((await get(a.owner, `/v1/enterprise/${a.eid}`)).status).toBe(404);
    const [row] = await rowsOf(stage.world.db, sql`SELECT count(*)::int AS n FROM files WHERE deleted_at IS NULL`);
    expect(row.n).toBe(0);
    expect(await rowsOf(stage.world.db, sql`SELECT 1 FROM expert_projects`)).toEqual([]);
  });
});

test('the log keeps every act and goes out as a table a spreadsheet does not compute', async () => {
  const a = await makeEnterprise(stage.world, '甲企业');
  await join(stage.world, a, '=1+1');
  const log = await get(a.owner, `/v1/enterprise/${a.eid}/log`);
  expect(log.data.list.map(({ act }: { act: string }) => act)).toEqual([
    'member.join',
    'invite.make',
    'enterprise.trial',
  ]);
  const csv = await get(a.owner, `/v1/enterprise/${a.eid}/log.csv`);
  expect(csv.text.startsWith('\uFEFF时间,')).toBe(true);
  expect(csv.text).toContain(`,'=1+1,`);
  expect((await get(a.owner, `/v1/enterprise/${a.eid}/log`)).data.list[0].act).toBe('log.export');
});

test('a limit of a member holds: analyses a day and bytes', async () => {
  const a = await makeEnterprise(stage.world, '甲企业');
  const { channel, mid } = await join(stage.world, a, '成员');
  const url = `/v1/enterprise/${a.eid}/members/${mid}`;
  await call(stage.world, a.owner, 'PATCH', url, { version: 1, limits: { storage_bytes: 100, analyses_day: 0 } });
  const refused = await call(stage.world, channel, 'POST', '/v1/user/file/uploads', { name: 'a.csv', size: 101 });
  expect(code(refused)).toBe(30316);
  expect(
    (await call(stage.world, a.channel, 'POST', '/v1/user/file/uploads', { name: 'a.csv', size: 101 })).status,
  ).toBe(200);
  expect((await get(channel, '/v1/user/membership')).data.limits.analyses_day).toBe(0);
});

async function plantFile(at: World, eid: number, userId: number): Promise<[fid: number, vid: number]> {
  const [{ fid }] = await rowsOf(
    at.db,
    sql`INSERT INTO files (owner_kind, owner_id, created_by, name, format) VALUES ('enterprise', ${eid}, ${userId}, '数据', 'csv') RETURNING fid`,
  );
  const [{ vid }] = await rowsOf(
    at.db,
    sql`INSERT INTO versions (fid, number, table_key, size, rows, columns, step, summary, search)
      VALUES (${fid}, 1, 't_' || md5(random()::text), 1, 1, '[]', '{"kind":"import"}', '{}', '') RETURNING vid`,
  );
  await at.db.execute(sql`UPDATE files SET head = ${vid} WHERE fid = ${fid}`);
  return [fid, vid];
}

async function plantReport(at: World, eid: number, userId: number): Promise<number> {
  const [{ id }] = await rowsOf(
    at.db,
    sql`INSERT INTO projects (owner_kind, owner_id, created_by, name, place) VALUES ('enterprise', ${eid}, ${userId}, '项目', 0) RETURNING id`,
  );
  const [{ rid }] = await rowsOf(
    at.db,
    sql`INSERT INTO reports (owner_kind, owner_id, created_by, project_id, path, method, title, rev, revs)
      VALUES ('enterprise', ${eid}, ${userId}, ${id}, 'hypothesis_test/independent_t_test', '独立样本t检验', '报告', 1, 1) RETURNING rid`,
  );
  const [{ document }] = await rowsOf(
    at.db,
    sql`INSERT INTO report_documents (owner_kind, owner_id, key, document) VALUES ('enterprise', ${eid}, 'k', '{}') RETURNING id AS document`,
  );
  await at.db.execute(
    sql`INSERT INTO report_revs (rid, rev, key, document_id, form) VALUES (${rid}, 1, 'k', ${document}, '{}')`,
  );
  return rid;
}
