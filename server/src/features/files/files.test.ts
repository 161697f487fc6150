import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { makeFile, makeUpload } from '../../testing/tables.ts';
import { fileStage } from '../../testing/stages.ts';

const BASE = '/v1/user/file';
const on = fileStage();
let { world, person, fid, vid } = on;
beforeEach(() => {
  ({ world, person, fid, vid } = on);
});

const get = (url: string) => call(world, person, 'GET', `${BASE}${url}`);
const post = (url: string, body: Record<string, unknown> = {}) => call(world, person, 'POST', `${BASE}${url}`, body);
const patch = (url: string, body: Record<string, unknown>) => call(world, person, 'PATCH', `${BASE}${url}`, body);
const remove = (url: string) => call(world, person, 'DELETE', `${BASE}${url}`);

describe('the list of files', () => {
  test('says what a file is without opening it', async () => {
    const { data } = await get('');
    expect(data).toMatchObject({ total: 1, used: expect.any(Number), quota: 500 * 1024 ** 2 });
    expect(data.list[0]).toMatchObject({
      fid,
      vid,
      name: '调查',
      format: 'csv',
      rows: 3,
      columns: 4,
      number: 1,
      versions: 1,
      reports: 0,
      makeup: [
        { kind: '定量', count: 2 },
        { kind: '量表', count: 1 },
        { kind: '定类', count: 1 },
      ],
    });
  });

  test('is searched by name, variable and label; wildcards are ordinary letters', async () => {
    await makeFile(world, person, '门店.csv');
    const total = async (keyword: string) => (await get(`?keyword=${encodeURIComponent(keyword)}`)).data.total;
    expect(await total('门店')).toBe(1);
    expect(await total('满意')).toBe(2);
    expect(await total('%')).toBe(0);
    expect(await total('_')).toBe(0);
  });

  test('is paged, 0 meaning the first page', async () => {
    for (let n = 0; n < 3; n += 1) await makeFile(world, person, `表${n}.csv`);
    expect((await get('?page=0&page_size=3')).data).toMatchObject({ total: 4, list: [{}, {}, {}] });
    expect((await get('?page=2&page_size=3')).data.list).toHaveLength(1);
    expect((await get('?page_size=201')).status).toBe(400);
  });
});

describe('a file', () => {
  test('is renamed, binned, restored', async () => {
    expect((await patch(`/${fid}`, { name: ' 新名 ' })).data.name).toBe('新名');
    expect((await patch(`/${fid}`, { name: '' })).body).toMatchObject({
      err_code: 30090,
      msg: expect.stringContaining('请输入名称'),
    });
    expect((await remove(`/${fid}`)).body).toEqual({ status_code: 1, data: null });
    expect((await get('')).data.total).toBe(0);
    expect((await get('?bin=1')).data.list[0]).toMatchObject({ fid, deleted_at: expect.any(String) });
    expect((await get(`/versions/${vid}`)).status).toBe(404);
    expect((await remove(`/${fid}`)).status).toBe(404);
    expect((await post(`/${fid}/restore`)).data).toMatchObject({ fid, deleted_at: null });
    expect((await get(`/versions/${vid}`)).status).toBe(200);
  });

  test('is removed for good only from the bin, and then from disk as well', async () => {
    expect((await remove(`/${fid}?forever=1`)).status).toBe(409);
    await remove(`/${fid}`);
    expect((await remove(`/${fid}?forever=1`)).status).toBe(200);
    expect((await get('?bin=1')).data.total).toBe(0);
    const { rows } = (await world.db.execute(sql`SELECT key FROM garbage`)) as { rows: { key: string }[] };
    expect(rows.map(({ key }) => key[0]).sort()).toEqual(['t', 'u']);
    const gone: string[] = [];
    world.engine.on('DELETE', '/tables/:key', (_, [key = '']) => {
      gone.push(key);
      return { body: {} };
    });
    await world.files.sweeper.sweep();
    expect(gone).toEqual([]);
    await world.db.execute(sql`UPDATE garbage SET due_at = now() - interval '1 minute'`);
    await world.files.sweeper.sweep();
    expect(gone).toEqual(rows.filter(({ key }) => key.startsWith('t_')).map(({ key }) => key));
    expect(await world.db.execute(sql`SELECT key FROM garbage`)).toMatchObject({ rows: [] });
  });

  test('keeps its version when the engine has no room for the next one', async () => {
    world.engine.on('POST', '/tables/:key/edit', () => ({
      status: 422,
      body: { error: { code: 'disk.full', text: '服务器磁盘空间不足', facts: {} } },
    }));
    const edit = await post(`/versions/${vid}/edits`, { columns: [{ id: 'c2', label: '周岁' }] });
    expect(edit).toMatchObject({ status: 503, body: { err_code: 30022, msg: '服务器存储空间不足，请稍后再试' } });
    expect((await get(`/${fid}`)).data).toMatchObject({ vid, versions: 1 });
  });

  test('that is locked refuses whatever would change it, until the lock is lifted', async () => {
    const edit = { columns: [{ id: 'c2', label: '周岁' }] };
    const { data } = await post(`/versions/${vid}/edits`, edit);
    const upload = await makeUpload(world, person);
    expect((await patch(`/${fid}`, { locked: true })).data).toMatchObject({ locked: true, vid: data.vid });
    expect((await get(`/versions/${data.vid}`)).data.locked).toBe(true);
    const refused = [
      await post(`/versions/${data.vid}/edits`, edit),
      await post(`/versions/${data.vid}/edits`, { cells: [{ row: 0, column: 'c2', value: 1 }] }),
      await post(`/versions/${data.vid}/edits`, { sets: [] }),
      await post(`/versions/${data.vid}/steps`, { ops: [{ op: 'delete', step_id: data.vid }] }),
      await post(`/versions/${data.vid}/replay`, { onto: vid }),
      await post(`/uploads/${upload}/import`, { fid }),
      await patch(`/${fid}`, { head: vid }),
      await remove(`/versions/${vid}`),
      await remove(`/${fid}`),
    ];
    expect(refused.map(({ body }) => body.err_code)).toEqual(refused.map(() => 30510));
    // It can still be read and named.
    expect((await post(`/versions/${data.vid}/rows`)).body.status_code).toBe(1);
    expect((await patch(`/${fid}`, { name: '期末数据' })).data.locked).toBe(true);
    await patch(`/${fid}`, { locked: false });
    expect((await patch(`/${fid}`, { head: vid })).data).toMatchObject({ locked: false, vid });
  });

  test('leaves the bin by itself after thirty days', async () => {
    await remove(`/${fid}`);
    await world.db.execute(sql`UPDATE files SET deleted_at = now() - interval '29 days'`);
    await world.files.sweeper.sweep();
    expect((await get('?bin=1')).data.total).toBe(1);
    await world.db.execute(sql`UPDATE files SET deleted_at = now() - interval '31 days'`);
    await world.files.sweeper.sweep();
    expect((await get('?bin=1')).data.total).toBe(0);
  });
});

describe('named filters', () => {
  test('are kept with the file', async () => {
    const made = await post(`/${fid}/filters`, { name: '成年', condition: '{c2} >= 18' });
    expect(made.data).toMatchObject({ name: '成年', filter_type: 'keep', reduce_num: 3 });
    await post(`/${fid}/filters/${made.data.id}`, { name: '成年人', condition: '{c2} >= 18', filter_type: 'drop' });
    expect((await get(`/${fid}/filters`)).data).toMatchObject({
      total: 1,
      list: [{ name: '成年人', filter_type: 'drop' }],
    });
    expect((await remove(`/${fid}/filters/${made.data.id}`)).status).toBe(200);
    expect((await post(`/${fid}/filters`, { name: '空', condition: '' })).status).toBe(400);
  });
});

test("somebody else's files, versions and filters are as absent as none", async () => {
  const other = await makePerson(world);
  const { data: filter } = await post(`/${fid}/filters`, { name: '成年', condition: '{c2} >= 18' });
  const rows: [any, string, Record<string, unknown>?][] = [
    ['GET', `/v1/user/file/${fid}`],
    ['PATCH', `/v1/user/file/${fid}`, { name: '我的' }],
    ['PATCH', `/v1/user/file/${fid}`, { head: vid }],
    ['DELETE', `/v1/user/file/${fid}`],
    ['DELETE', `/v1/user/file/${fid}?forever=1`],
    ['POST', `/v1/user/file/${fid}/restore`, {}],
    ['GET', `/v1/user/file/${fid}/filters`],
    ['POST', `/v1/user/file/${fid}/filters`, { name: 'x', condition: '1=1' }],
    ['POST', `/v1/user/file/${fid}/filters/${filter.id}`, { name: 'x', condition: '1=1' }],
    ['DELETE', `/v1/user/file/${fid}/filters/${filter.id}`],
    ['GET', `/v1/user/file/versions/${vid}`],
    ['GET', `/v1/user/file/versions/${vid}/import-report`],
    ['GET', `/v1/user/file/versions/${vid}/health`],
    ['GET', `/v1/user/file/versions/${vid}/steps`],
    ['POST', `/v1/user/file/versions/${vid}/rows`, {}],
    ['POST', `/v1/user/file/versions/${vid}/find`, { text: '男' }],
    ['POST', `/v1/user/file/versions/${vid}/edge`, { row: 0, column: 0, to: 'down' }],
    ['POST', `/v1/user/file/versions/${vid}/filter-count`, { condition: '1=1' }],
    ['POST', `/v1/user/file/versions/${vid}/edits`, { columns: [{ id: 'c1', name: 'x' }] }],
    ['PATCH', `/v1/user/file/versions/${vid}/active`, { weight: null }],
    ['DELETE', `/v1/user/file/versions/${vid}`],
    ['POST', `/algorithm/filter?vid=${vid}`, { condition: '' }],
  ];
  for (const [method, url, body] of rows) {
    const foreign = await call(world, other, method, url, body);
    const absent = await call(world, person, method, url.replaceAll(/(?<=[/]|id=)\d+(?=[/?]|$)/g, '999999'), body);
    expect({ url, status: foreign.status, body: foreign.body }).toEqual({ url, status: 404, body: absent.body });
    expect((await call(world, null, method, url, body)).status).toBe(401);
  }
  expect((await get(`/${fid}`)).data).toMatchObject({ name: '调查', vid });
  const mine = await makeFile(world, other);
  expect((await call(world, other, 'PATCH', `/v1/user/file/${mine.fid}`, { head: vid })).status).toBe(404);
  const { data } = await call(world, other, 'POST', `/v1/user/file/${mine.fid}/filters`, {
    name: 'x',
    condition: '1=1',
  });
  expect((await remove(`/${fid}/filters/${data.id}`)).status).toBe(404);
});
