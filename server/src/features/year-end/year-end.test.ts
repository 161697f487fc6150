import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { deskOf, enter, makeOperator } from '../../testing/desk.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';

const URL = '/v1/year-end-report';
let now = 0;
let world: World;
let person: Person;
let other: Person;
let run = 0;

beforeAll(async () => {
  world = await build({ clock: async () => new Date(now) });
});
beforeEach(async () => {
  await world.reset();
  at('2026-12-20T12:00:00+08:00');
  [person, other] = [await makePerson(world), await makePerson(world)];
});
afterAll(() => world.close());

const at = (when: string): void => {
  now = Date.parse(when);
};
const read = (who: Person | null = person, year?: number) =>
  call(world, who, 'GET', year === undefined ? URL : `${URL}?year=${year}`);
const consent = (who = person, body: Record<string, unknown> = { year: 2026, consent: true }) =>
  call(world, who, 'POST', `${URL}/consent`, body);
const withdraw = (who = person, year = 2026) => call(world, who, 'DELETE', `${URL}?year=${year}`);

/** A file of so many rows; the number of its version. */
async function makeData(rows: number, owner = person): Promise<{ fid: number; vid: number; key: string }> {
  run += 1;
  const key = `t_${String(run).padStart(32, '0')}`;
  const [file] = await rowsOf(
    world.db,
    sql`INSERT INTO files (owner_kind, owner_id, name, format) VALUES ('user', ${owner.id}, '问卷', 'csv') RETURNING fid`,
  );
  const { fid } = file as { fid: number };
  const [version] = await rowsOf(
    world.db,
    sql`INSERT INTO versions (fid, number, table_key, size, rows, columns, step, summary, search)
      VALUES (${fid}, 1, ${key}, 1, ${rows}, '[]', '{}', '{}', '') RETURNING vid`,
  );
  return { fid, vid: (version as { vid: number }).vid, key };
}

interface Deed {
  when: string;
  path?: string;
  data?: { fid: number; vid: number } | null;
  state?: string;
  who?: Person;
  owner?: { kind: string; id: number };
}

async function analysed({ when, path = 'a/one', data = null, state = 'done', who = person, owner }: Deed) {
  const { kind, id } = owner ?? { kind: 'user', id: who.id };
  const plan = JSON.stringify({ path, vid: data?.vid ?? null, fid: data?.fid ?? null });
  await world.db.execute(sql`WITH ran AS (
    INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload, created_at)
    VALUES (${kind}, ${id}, ${who.id}, 'analysis', ${state}, '{}', ${when}::timestamptz) RETURNING id)
    INSERT INTO analysis_calls (run_id, owner_kind, owner_id, rid, key, kept, plan, is_open)
    SELECT id, ${kind}, ${id}, 1, 'k', 't', ${plan}::jsonb, false FROM ran`);
}
async function exported(kind: string, payload: unknown, when = '2026-05-05T10:00:00+08:00') {
  await world.db.execute(sql`INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload, created_at)
    VALUES ('user', ${person.id}, ${person.id}, ${kind}, 'done', ${JSON.stringify(payload)}::jsonb, ${when}::timestamptz)`);
}

describe('when it is open', () => {
  test.each([
    ['2026-12-15T23:59:59.999+08:00', 'closed', 2026],
    ['2026-12-16T00:00:00+08:00', 'consent', 2026],
    ['2026-12-31T23:59:59.999+08:00', 'consent', 2026],
    ['2027-01-01T00:00:00+08:00', 'consent', 2026],
    ['2027-01-31T23:59:59.999+08:00', 'consent', 2026],
    ['2027-02-01T00:00:00+08:00', 'closed', 2027],
  ])('%s: %s %d', async (when, state, year) => {
    at(when);
    expect((await read()).data).toMatchObject({ state, year, numbers: null, range: null, kept: [] });
    expect((await consent(person, { year, consent: true })).body).toMatchObject(
      state === 'closed' ? { err_code: 31401, msg: '年终报告尚未开放' } : { status_code: 1 },
    );
  });

  test('another year is closed, and a year that is none refused', async () => {
    expect((await read(person, 2025)).data).toMatchObject({ state: 'closed', year: 2025 });
    expect((await read(person, 1999)).status).toBe(400);
    expect((await consent(person, { year: 2025, consent: true })).body).toMatchObject({ err_code: 31401 });
  });
});

describe('consent', () => {
  test.each([
    [{ year: 2026 }],
    [{ year: 2026, consent: false }],
    [{ consent: true }],
    [{ year: 2026, consent: 'yes' }],
  ])('%j is none, and nothing is counted', async (body) => {
    expect((await consent(person, body)).status).toBe(400);
    expect(await rowsOf(world.db, sql`SELECT * FROM year_reports`)).toEqual([]);
  });

  test('a visitor is told to sign in, and the enterprise to change to the personal version', async () => {
    expect((await read(null)).status).toBe(401);
    const actor = { userId: person.id, sessionId: 1, isDemo: false, fillsMissing: false };
    const enterprise = { ...actor, owner: { kind: 'enterprise' as const, id: 1, member: person.id } };
    await expect(world.yearEnd.read(enterprise, 2026)).rejects.toMatchObject({ code: 30201 });
    const demo = { ...actor, owner: person.owner, isDemo: true };
    await expect(world.yearEnd.consent(demo, 2026)).rejects.toMatchObject({ code: 30092 });
  });

  test('withdrawal deletes, also after the season, and only the own', async () => {
    await consent();
    await consent(other);
    expect((await withdraw(other)).data).toEqual({ removed: true });
    expect((await read()).data.kept).toEqual([2026]);
    at('2027-03-01T00:00:00+08:00');
    expect((await read()).data).toMatchObject({ state: 'closed', year: 2027, kept: [2026] });
    expect((await withdraw()).data).toEqual({ removed: true });
    expect((await withdraw()).data).toEqual({ removed: false });
    expect(await rowsOf(world.db, sql`SELECT * FROM year_reports`)).toEqual([]);
  });

  test('a count that died with its server is made by a later look', async () => {
    const begin = (seconds: number) =>
      world.db.execute(sql`INSERT INTO year_reports (user_id, year, consent_at)
        VALUES (${person.id}, 2026, ${new Date(now - seconds * 1000).toISOString()}::timestamptz)`);
    await begin(10);
    expect((await read()).data).toMatchObject({ state: 'computing', numbers: null });
    await withdraw();
    await begin(11);
    expect((await read()).data).toMatchObject({ state: 'too_few', numbers: { runs: 0 } });
  });
});

describe('what is counted', () => {
  test('by hand: the own analyses of the year in Shanghai, on data that are kept', async () => {
    const [survey, large, gone] = [await makeData(120), await makeData(5000), await makeData(99_999)];
    const foreign = await makeData(7, other);
    await analysed({ when: '2025-12-31T23:59:59.999+08:00', data: survey });
    await analysed({ when: '2026-01-01T00:00:00+08:00', path: 'b/two', data: survey });
    await analysed({ when: '2026-03-08T23:30:00+08:00', data: survey });
    await analysed({ when: '2026-03-09T00:30:00+08:00', data: large });
    await analysed({ when: '2026-03-09T09:00:00+08:00', path: 'b/two', data: large });
    await analysed({ when: '2026-04-01T00:00:00+08:00', path: 'c/three' });
    // Not theirs, not done, not in the personal version, not on data that are still there.
    await analysed({ when: '2026-03-10T00:00:00+08:00', path: 'd/four', data: gone });
    await world.db.execute(sql`UPDATE files SET deleted_at = now() WHERE fid = ${gone.fid}`);
    await analysed({ when: '2026-03-10T00:00:00+08:00', path: 'd/four', data: foreign, who: other });
    await analysed({ when: '2026-03-10T00:00:00+08:00', path: 'd/four', owner: { kind: 'enterprise', id: 9 } });
    await analysed({ when: '2026-03-10T00:00:00+08:00', path: 'd/four', state: 'failed' });
    await exported('export', { table: survey.key });
    await exported('export', { table: gone.key });
    await exported('report_export', { reports: [{ rid: 999_999 }] });
    const reply = await consent();
    expect(reply.data).toMatchObject({
      state: 'ready',
      range: { from: '2025-12-31T16:00:00.000Z', to: '2026-12-20T04:00:00.000Z' },
      kept: [2026],
    });
    // b/two and a/one twice each: b/two was used first. Its name is unknown to the catalogue of the tests.
    expect(reply.data.numbers).toEqual({
      days: 4,
      runs: 5,
      methods: 3,
      top: null,
      top_runs: 2,
      rows: 120 + 120 + 5000 + 5000,
      largest: 5000,
      exports: 1,
    });
    expect(await rowsOf(world.db, sql`SELECT numbers ->> 'top' AS top FROM year_reports`)).toEqual([{ top: 'b/two' }]);
    expect((await read()).data).toEqual(reply.data);
    expect((await read(other)).data).toMatchObject({ state: 'consent', kept: [] });
  });

  test('the last millisecond of the year, counted in January; the first of the next is not', async () => {
    for (const when of ['2026-12-31T23:59:59.999+08:00', '2027-01-01T00:00:00+08:00'])
      await analysed({ when, path: 'descriptive/frequency' });
    at('2027-01-05T00:00:00+08:00');
    expect((await consent()).data).toMatchObject({
      state: 'too_few',
      numbers: { runs: 1, days: 1, methods: 1, top: expect.any(String), top_runs: 1 },
      range: { to: '2026-12-31T16:00:00.000Z' },
    });
  });

  test('three make a report; with the consent given, it is counted anew up to now', async () => {
    for (const hour of ['01', '02']) await analysed({ when: `2026-12-01T${hour}:00:00+08:00` });
    expect((await consent()).data).toMatchObject({ state: 'too_few', numbers: { runs: 2 } });
    await analysed({ when: '2026-12-20T12:00:00.001+08:00' });
    expect((await consent()).data).toMatchObject({ numbers: { runs: 2 } });
    at('2026-12-20T12:00:01+08:00');
    expect((await consent()).data).toMatchObject({ state: 'ready', numbers: { runs: 3, days: 2 } });
    const [row] = await rowsOf(world.db, sql`SELECT consent_at, method_version FROM year_reports`);
    expect(row).toMatchObject({ method_version: 1 });
    expect(new Date(row.consent_at).toISOString()).toBe('2026-12-20T04:00:00.000Z');
  });
});

test('the desk sets the season and sees how many, never whose', async () => {
  await consent();
  const desk = deskOf(world, await enter(world, await makeOperator(world, ['内容'])));
  const list = await desk('GET', '/v1/ops/year_reports');
  expect(list.data.list[0]).toMatchObject({ id: '2026', version: 0, cells: { state: '开放中', kept: 1, few: 1 } });
  const change = (payload: Record<string, unknown>, version = 0) =>
    desk('POST', '/v1/ops/acts', {
      act: 'year_report.change',
      target: '2026',
      version,
      payload,
      reason: '今年早一些开放',
    });
  const early = { opens_at: '2026-12-01T00:00:00+08:00', closes_at: '2026-12-10T00:00:00+08:00', is_on: true };
  expect((await change({ ...early, closes_at: early.opens_at })).body).toMatchObject({ err_code: 30408 });
  expect((await change(early)).body).toMatchObject({ status_code: 1 });
  expect((await change(early)).body).toMatchObject({ err_code: 30309 });
  expect((await read()).data).toMatchObject({ state: 'closed', kept: [2026] });
  expect((await change({ ...early, closes_at: '2027-01-10T00:00:00+08:00', is_on: false }, 1)).body.status_code).toBe(
    1,
  );
  expect((await read()).data.state).toBe('closed');
  expect((await change({ ...early, closes_at: '2027-01-10T00:00:00+08:00' }, 2)).body.status_code).toBe(1);
  expect((await read()).data.state).toBe('too_few');
});

test('it is in the archive of the account and leaves with it', async () => {
  await consent();
  const files = [];
  for await (const file of world.yearEnd.belongings(person.owner)) files.push(file);
  expect(files.map(({ path }) => path)).toEqual(['year-end-reports.json']);
  expect(JSON.parse(new TextDecoder().decode(files[0]?.content as Uint8Array))).toMatchObject([
    { year: 2026, numbers: { runs: 0 } },
  ]);
  await world.db.transaction((tx) => world.yearEnd.forget(tx, person.id));
  expect(await rowsOf(world.db, sql`SELECT * FROM year_reports`)).toEqual([]);
});
