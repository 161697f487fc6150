import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { deliver } from '../../testing/money.ts';
import { PHONE, cookieOf, post, signIn } from '../../testing/sign-in.ts';
import { removeLeft } from '../accounts/service.ts';

let world: World;
/** What an archive waits for before it is whole. */
let held: Promise<void> = Promise.resolve();
beforeAll(async () => {
  world = await build();
  // oxlint-disable-next-line require-yield -- adds nothing, but takes its time
  world.privacy.include(async function* () {
    await held;
  });
});
beforeEach(async () => {
  await world.reset();
  world.people.ownsEnterprise = async () => false;
});
afterAll(async () => world.close());

const proved = () => world.db.execute(sql`UPDATE sessions SET proved_at = now()`);
const age = (days: number) =>
  world.db.execute(sql`UPDATE users SET leaving_at = leaving_at - make_interval(days => ${days}, mins => 1)`);
const sweepAccounts = () => removeLeft({ db: world.db, log: world.deps.log, people: world.people });

async function leaveByPhone() {
  const { data } = await signIn(world);
  await proved();
  return call(world, data, 'DELETE', '/v1/user/me');
}

describe('leaving', () => {
  test('ends all sessions and shares at once; a sign-in within seven days asks for 恢复账号', async () => {
    const first = await signIn(world);
    await world.db.execute(sql`INSERT INTO projects (owner_kind, owner_id, name, place) VALUES ('user', 1, 'p', 1)`);
    await world.db.execute(sql`INSERT INTO reports (owner_kind, owner_id, project_id, path, method, title)
      VALUES ('user', 1, 1, 'a', 'a', 't')`);
    await world.db.execute(sql`INSERT INTO shares (code, rid, rev, hide_small, title) VALUES ('c', 1, 1, false, 't')`);
    await proved();
    const left = await call(world, first.data, 'DELETE', '/v1/user/me');
    expect((new Date(left.data.until).getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
    expect((await call(world, first.data, 'GET', '/v1/user')).status).toBe(401);
    expect(await rowsOf(world.db, sql`SELECT code FROM shares WHERE ended_at IS NULL`)).toEqual([]);
    await deliver(world);
    const inbox = await call(world, null, 'GET', `/sandbox/sms?phone=${PHONE}`);
    expect(inbox.data.list[0].text).toContain('申请注销');
    const again = await signIn(world);
    expect(again.body).toMatchObject({
      err_code: 30008,
      data: { nickname: expect.any(String), ticket: expect.any(String), until: left.data.until },
    });
    const headers = { cookie: cookieOf(again) };
    const { ticket } = again.body.data;
    expect((await post(world, '/v1/login/restore', { ticket })).body.err_code).toBe(30003);
    const retry = await signIn(world, PHONE, headers);
    const restored = await post(world, '/v1/login/restore', { ticket: retry.body.data.ticket }, headers);
    expect((await call(world, restored.data, 'GET', '/v1/user')).data.id).toBe(1);
    expect((await signIn(world)).body.status_code).toBe(1);
  });

  test('after seven days there is no way back: the phone makes a new account, the old one is bare', async () => {
    await leaveByPhone();
    const late = await signIn(world);
    const headers = { cookie: cookieOf(late) };
    await age(7);
    expect((await post(world, '/v1/login/restore', { ticket: late.body.data.ticket }, headers)).body.err_code).toBe(
      30003,
    );
    const fresh = await signIn(world);
    expect((await call(world, fresh.data, 'GET', '/v1/user')).data.id).toBeGreaterThan(1);
    const [old] = await rowsOf(
      world.db,
      sql`SELECT nickname, phone_digest, phone_sealed, removed_at FROM users WHERE id = 1`,
    );
    expect(old).toMatchObject({ nickname: '已注销用户', phone_digest: null, phone_sealed: null });
    expect(old.removed_at).not.toBeNull();
  });

  test('the sweep removes after seven days and not before, and everything personal with it', async () => {
    const person = await makePerson(world, '李雷');
    await world.db.execute(
      sql`INSERT INTO files (owner_kind, owner_id, name, format) VALUES ('user', ${person.id}, '病人', 'csv')`,
    );
    await world.db.execute(
      sql`INSERT INTO projects (owner_kind, owner_id, name, place) VALUES ('user', ${person.id}, '课题', 1)`,
    );
    await world.db.execute(sql`INSERT INTO edu_checks (user_id, kind, name, school, role, email)
      VALUES (${person.id}, 'email', '李雷', '某大学', 'student', 'lilei@example.edu')`);
    await world.db
      .execute(sql`INSERT INTO invoices (order_no, user_id, kind, title, email, amount, state, number, issued_at)
      VALUES ('HX1', ${person.id}, 'person', '李雷', 'lilei@example.com', 100, 'issued', 'N1', now())`);
    await world.db.execute(sql`INSERT INTO coding_schemes (owner_kind, owner_id, name, rules)
      VALUES ('user', ${person.id}, '病人分组', '[]')`);
    await proved();
    await call(world, person, 'DELETE', '/v1/user/me');
    await age(6);
    expect(await sweepAccounts()).toBe(0);
    await age(2);
    expect(await sweepAccounts()).toBe(1);
    expect(await sweepAccounts()).toBe(0);
    const whole = JSON.stringify([
      await rowsOf(world.db, sql`SELECT * FROM users`),
      await rowsOf(world.db, sql`SELECT * FROM sessions`),
      await rowsOf(world.db, sql`SELECT * FROM files`),
      await rowsOf(world.db, sql`SELECT * FROM projects`),
      await rowsOf(world.db, sql`SELECT * FROM sandbox_sms`),
      await rowsOf(world.db, sql`SELECT * FROM edu_checks`),
      await rowsOf(world.db, sql`SELECT * FROM invoices`),
      await rowsOf(world.db, sql`SELECT * FROM coding_schemes`),
    ]);
    expect(whole).toContain('N1');
    for (const trace of ['李雷', 'lilei', '某大学', '病人', '课题', '127.0.0.*']) expect(whole).not.toContain(trace);
    await world.files.sweeper.sweep();
    expect(await rowsOf(world.db, sql`SELECT fid FROM files`)).toEqual([]);
  });

  test('an owner of an enterprise hands it over first', async () => {
    world.people.ownsEnterprise = async () => true;
    const person = await makePerson(world);
    await proved();
    expect((await call(world, person, 'DELETE', '/v1/user/me')).body).toMatchObject({
      err_code: 30304,
      msg: '企业所有者不能直接退出，请先转让',
    });
    expect((await call(world, person, 'GET', '/v1/user')).status).toBe(200);
  });
});

describe('taking everything away', () => {
  const start = (person: Person) => call(world, person, 'POST', '/v1/user/export');

  test('makes an archive of what the account holds, for a day, for its owner', async () => {
    const person = await makePerson(world, '李雷');
    expect((await start(person)).body.err_code).toBe(30002);
    await proved();
    await world.db.execute(
      sql`INSERT INTO files (owner_kind, owner_id, name, format) VALUES ('user', ${person.id}, 'a/../b', 'csv')`,
    );
    await world.db.execute(
      sql`INSERT INTO projects (owner_kind, owner_id, name, place) VALUES ('user', ${person.id}, '课题', 1)`,
    );
    await world.db.execute(sql`INSERT INTO versions (fid, number, table_key, size, rows, columns, step, summary, search)
      SELECT fid, 1, 't_' || repeat('a', 32), 1, 1, '[]', '{}', '{}', '' FROM files WHERE owner_id = ${person.id}`);
    await world.db.execute(sql`INSERT INTO variable_folders (vid, folders, hidden)
      SELECT vid, '[{"id": "f1", "name": "背景", "columns": ["c1"]}]', '["c2"]' FROM versions`);
    await world.db.execute(sql`INSERT INTO named_filters (fid, name, condition, filter_type, reduce_num)
      SELECT fid, '成年人', '{c1} >= 18', 'keep', 0 FROM files WHERE owner_id = ${person.id}`);
    await world.db.execute(sql`INSERT INTO coding_schemes (owner_kind, owner_id, name, rules)
      VALUES ('user', ${person.id}, '年龄段', '[]')`);
    expect((await call(world, person, 'GET', '/v1/user/export')).data).toBeNull();
    const begun = await start(person);
    expect(begun.data).toMatchObject({ state: 'working', size: null });
    await world.privacy.settled();
    const { data } = await call(world, person, 'GET', '/v1/user/export');
    expect(data).toMatchObject({ id: begun.data.id, state: 'done', ends_at: expect.any(String) });
    const stranger = await makePerson(world);
    const foreign = await call(world, stranger, 'POST', '/v1/downloads', { kind: 'account', id: data.id });
    expect(foreign.status).toBe(404);
    expect((await call(world, stranger, 'GET', '/v1/user/export')).data).toBeNull();
    const { url } = (await call(world, person, 'POST', '/v1/downloads', { kind: 'account', id: data.id })).data;
    const file = await world.app.inject({ url });
    const entries = unzipSync(new Uint8Array(file.rawPayload));
    expect(Object.keys(entries)).toEqual(
      expect.arrayContaining([
        'account.json',
        'credits.json',
        'events.json',
        'mall-orders.json',
        'projects.json',
        'quests.json',
        'files/1-a_.._b/versions.json',
      ]),
    );
    const told = (name: string) => JSON.parse(new TextDecoder().decode(entries[name]));
    expect(told('files/1-a_.._b/versions.json').filters).toMatchObject([{ name: '成年人', condition: '{c1} >= 18' }]);
    expect(told('variable-lists.json')).toMatchObject([
      { folders: [{ name: '背景', columns: ['c1'] }], hidden: ['c2'] },
    ]);
    expect(told('coding-schemes.json')).toMatchObject([{ name: '年龄段', rules: [] }]);
    expect(told('account.json')).toMatchObject({
      nickname: '李雷',
      phone: person.phone,
      ways: ['phone'],
    });
    await world.db.execute(sql`UPDATE account_exports SET ended_at = now() - interval '25 hours'`);
    expect((await call(world, person, 'POST', '/v1/downloads', { kind: 'account', id: data.id })).status).toBe(404);
    await world.privacy.tidy();
    expect(await rowsOf(world.db, sql`SELECT file_key FROM account_exports`)).toEqual([{ file_key: null }]);
  });

  test('asked for twice at once is made once', async () => {
    const person = await makePerson(world);
    await proved();
    let release = (): void => undefined;
    held = new Promise((resolve) => {
      release = resolve;
    });
    const [one, two] = await Promise.all([start(person), start(person)]);
    release();
    expect(one.data.id).toBe(two.data.id);
    await world.privacy.settled();
  });

  test('what a killed server was making is told as failed', async () => {
    const person = await makePerson(world);
    await world.db.execute(
      sql`INSERT INTO account_exports (owner_kind, owner_id, user_id, state) VALUES ('user', ${person.id}, ${person.id}, 'working')`,
    );
    await world.privacy.recover();
    expect((await call(world, person, 'GET', '/v1/user/export')).data.state).toBe('failed');
  });
});

test('events are kept of people who agreed, and of nobody else', async () => {
  const person = await makePerson(world);
  const tell = (events: unknown[]) => call(world, person, 'POST', '/v1/events', { events });
  const page = { name: 'page', path: '/analysis/index' };
  expect((await tell([page])).data).toEqual({ kept: 0 });
  await call(world, person, 'POST', '/v1/user/config', { analytics: 1 });
  expect((await tell([page, { name: 'run', path: '/analysis/operation/7' }])).data).toEqual({ kept: 2 });
  for (const bad of [
    [],
    [{ name: 'page', path: '/x?token=1' }],
    [{ name: '<script>', path: '/' }],
    [{ name: 'page', path: 'https://x/' }],
    [{ ...page, phone: '1' }],
  ])
    expect((await tell(bad)).status).toBe(400);
  expect(await rowsOf(world.db, sql`SELECT name FROM events`)).toHaveLength(2);
});
