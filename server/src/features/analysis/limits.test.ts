import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf, until } from '../../testing/build.ts';
import { call, makeMember } from '../../testing/makers.ts';
import { teachEngine } from '../../testing/tables.ts';
import { fileStage } from '../../testing/stages.ts';

const PATH = '/algorithm/descriptive/frequency';
const on = fileStage();
let { world, person, vid } = on;
beforeEach(() => {
  ({ world, person, vid } = on);
});

const run = (form: Record<string, unknown> = { variables: ['c1'] }, query = '', who = person) =>
  call(world, who, 'POST', `${PATH}?vid=${vid}${query}`, form);
const check = async (query = `algo=descriptive/frequency&vid=${vid}`, who = person) =>
  (await call(world, who, 'GET', `/v1/usage_limit/algorithm/check?${query}`)).data;
const usedNow = async () => (await check()).used;
/** So many of today's analyses are used up. */
const used = (n: number) =>
  world.db.execute(sql`
    INSERT INTO usage_days (owner_kind, owner_id, day, used)
    VALUES ('user', ${person.id}, (now() AT TIME ZONE 'Asia/Shanghai')::date, ${n})
    ON CONFLICT (owner_kind, owner_id, day) DO UPDATE SET used = ${n}`);

describe('the number of analyses a day', () => {
  test('counts new reports, not their revisions, drafts or known results', async () => {
    const first = await run();
    expect(await usedNow()).toBe(1);
    await run({ variables: ['c2'] }, `&report_id=${first.data.report_id}`);
    await run({ variables: ['c1'] });
    await run({ variables: ['c3'] }, '&draft=1');
    expect(await usedNow()).toBe(1);
    await run({ variables: ['c3'] });
    expect(await usedNow()).toBe(2);
  });

  test('ends at 50 for standard, in words that the check tells beforehand; members go on', async () => {
    await used(49);
    expect((await run()).body.status_code).toBe(1);
    const told = await check();
    const refused = await run({ variables: ['c2'] });
    const data = { limit: 'analyses_day', max: 50, asked: 51, lifts: 'member' };
    expect(refused).toMatchObject({ status: 200, body: { err_code: 20002, data } });
    expect(told).toMatchObject({
      allowed: false,
      reason: 'analyses_day',
      msg: refused.body.msg,
      data,
      used: 50,
      limit: 50,
    });
    expect(new Date(told.resets_at).getTime()).toBeGreaterThan(Date.now());
    // Nothing is left of the refused call, and a known result is still to be had.
    expect((await call(world, person, 'GET', '/v1/analysis/projects/0/report')).data.total).toBe(1);
    expect((await run()).data).toMatchObject({ cached: true, state: 'done' });
    await makeMember(world, person);
    expect((await run({ variables: ['c2'] })).body.status_code).toBe(1);
    expect(await check()).toMatchObject({ allowed: true, limit: null, msg: null });
  });

  test('begins anew at midnight in Shanghai', async () => {
    await used(50);
    await world.db.execute(sql`UPDATE usage_days SET day = day - 1`);
    expect((await run()).body.status_code).toBe(1);
    expect(await usedNow()).toBe(1);
  });

  test.each([
    ['failed by our fault', { state: 'failed', error: { code: 'x', text: 'x', id: null } }, 0],
    ['refused for its data', { state: 'refused', refusal: { fields: [{ field: null, code: 'x', text: 'x' }] } }, 0],
    ['ran out of time', { state: 'timeout' }, 1],
  ])('is given back when the first run %s', async (_name, end, left) => {
    world.engine.onRun = () => end;
    await run();
    expect(await usedNow()).toBe(left);
  });

  test('is given back when the first run is cancelled while it waits, and kept when a later run fails', async () => {
    world.engine.onRun = () => null;
    const waiting = await run({ variables: ['c1'] }, '&wait=0');
    const id = waiting.data.run_id;
    await until(async () => (await call(world, person, 'GET', `/v1/runs/${id}`)).data.state === 'running');
    await world.db.execute(sql`UPDATE runs SET state = 'waiting', started_at = NULL`);
    world.engine.emit(id, { state: 'cancelled' });
    await until(async () => (await usedNow()) === 0);
    world.engine.onRun = () => ({ state: 'done', result: {} });
    teachEngine(world);
    const done = await run({ variables: ['c2'] });
    expect(await usedNow()).toBe(1);
    world.engine.onRun = () => ({ state: 'failed', error: { code: 'x', text: 'x', id: null } });
    await run({ variables: ['c3'] }, `&report_id=${done.data.report_id}`);
    expect(await usedNow()).toBe(1);
  });

  test('200 first analyses at once: 50 are accepted', async () => {
    const { usage } = world.money.membership;
    const tries = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => world.db.transaction((tx) => usage.count(tx, person.owner, 1000 + n, 50))),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    const codes = tries.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: number }).code] : []));
    expect(new Set(codes)).toEqual(new Set([20002]));
    expect(await usedNow()).toBe(50);
    expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM usage_hits`)).toEqual([{ n: 50 }]);
  });
});

describe('what an edition allows of a method and a table', () => {
  test('rows after the filter: above 10,000 standard is refused, never sampled', async () => {
    await world.db.execute(sql`UPDATE versions SET rows = 10000`);
    expect((await run()).body.status_code).toBe(1);
    await world.db.execute(sql`UPDATE versions SET rows = 10001`);
    const data = { limit: 'rows', max: 10_000, asked: 10_001, lifts: 'member' };
    const refused = await run({ variables: ['c2'] });
    expect(refused.body).toMatchObject({
      err_code: 20002,
      msg: '参与分析的有 10,001 行，标准版一次最多 10,000 行。可先筛选或随机抽取，或升级会员后不限行数',
      data,
    });
    expect(await check()).toMatchObject({ allowed: false, reason: 'rows', data });
    world.engine.on('POST', '/tables/:key/count', () => ({ body: { count: 9000, rows: 10_001 } }));
    expect((await run({ variables: ['c2'], _filter: '{c2} > 20' })).body.status_code).toBe(1);
    const limit = async () => (await call(world, person, 'GET', `/v1/user/file/versions/${vid}`)).data.rows_limit;
    expect(await limit()).toBe(10_000);
    await makeMember(world, person);
    expect((await run({ variables: ['c3'] })).body.status_code).toBe(1);
    expect(await limit()).toBeNull();
  });

  test('after a membership a file above 20 MB is for looking at, downloading and deleting', async () => {
    await world.db.execute(sql`UPDATE versions SET size = ${21 * 1024 ** 2}`);
    expect((await run()).body).toMatchObject({
      err_code: 20002,
      msg: '这份数据 21 MB，超过标准版上限 20 MB，可以查看、下载和删除；升级会员后可用于分析',
      data: { limit: 'upload_bytes', max: 20 * 1024 ** 2, asked: 21 * 1024 ** 2, lifts: 'member' },
    });
    await makeMember(world, person);
    expect((await run()).body.status_code).toBe(1);
  });

  test('a method of the tier for members is refused, opened by an unlock for a time, and free for members', async () => {
    const { usage } = world.money.membership;
    const method = { path: 'x/y', title: '某方法', tier: 'member' };
    const judge = () => usage.judge({ owner: person.owner, method, table: null, limitsRows: true, counts: true });
    const refused = await judge();
    expect(refused).toMatchObject({
      allowed: false,
      reason: 'method',
      fault: { code: 20002, message: '“某方法”是会员方法，升级会员后可用' },
    });
    await world.db.execute(sql`
      INSERT INTO method_unlocks (user_id, method, source, ref, starts_at, ends_at)
      VALUES (${person.id}, 'x/y', 'mall', 'a', now() - interval '1 minute', now() + interval '7 days'), (${person.id}, 'x/z', 'mall', 'b', now() - interval '1 minute', now() + interval '7 days')`);
    expect(await judge()).toMatchObject({ allowed: true, reason: 'unlocked', until: expect.any(String) });
    await world.db.execute(
      sql`UPDATE method_unlocks SET starts_at = now() - interval '8 days', ends_at = now() - interval '1 minute'`,
    );
    expect(await judge()).toMatchObject({ allowed: false });
    await makeMember(world, person);
    expect(await judge()).toMatchObject({ allowed: true, reason: null });
  });

  test('the numbers are the operator’s: changed in the table, they hold at once', async () => {
    await world.db.transaction(async (tx) => {
      const { editions } = world.money.membership;
      const change = await editions.change(tx, 'standard', 1, { analysesDay: 1 });
      expect(change).toMatchObject({ before: { analysesDay: 50 }, after: { analysesDay: 1, version: 2 } });
    });
    expect((await run()).body.status_code).toBe(1);
    expect((await run({ variables: ['c2'] })).body).toMatchObject({ err_code: 20002, data: { max: 1 } });
  });
});
