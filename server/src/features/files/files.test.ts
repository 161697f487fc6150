import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { column, makeFile, makeReport, makeUpload, teachEngine } from '../../testing/tables.ts';
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

describe('a version', () => {
  test('has columns, steps, an import report', async () => {
    expect((await get(`/versions/${vid}`)).data).toMatchObject({
      vid,
      fid,
      parent: null,
      number: 1,
      is_head: true,
      rows: 3,
      active: { filter: null, weight: null, split: null },
      columns: [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }, { id: 'c4' }],
    });
    expect((await get(`/versions/${vid}/steps`)).data.list).toMatchObject([
      { op: 'import', title: '导入', step_id: vid },
    ]);
    expect((await get(`/versions/${vid}/import-report`)).data.check.sums).toBe('same');
  });

  test('is edited into a new version, and undone by moving the head', async () => {
    const edited = await post(`/versions/${vid}/edits`, {
      columns: [{ id: 'c2', name: '岁数', missing: { values: [99], ranges: [] } }],
    });
    expect(edited.data).toEqual({ vid: expect.any(Number), warnings: [] });
    const fresh = edited.data.vid;
    expect((await get(`/versions/${fresh}`)).data).toMatchObject({
      parent: vid,
      number: 2,
      is_head: true,
      columns: [{}, { name: '岁数' }, {}, {}],
    });
    const steps = (await get(`/versions/${fresh}/steps`)).data.list;
    expect(steps[1]).toMatchObject({
      op: 'edit',
      title: '“年龄”改名为“岁数”等 2 处修改',
      changes: ['“年龄”改名为“岁数”', '“年龄”的缺失编码设为 99'],
    });
    expect((await get(`/${fid}`)).data).toMatchObject({ vid: fresh, undo: vid, redo: null });
    expect((await patch(`/${fid}`, { head: vid })).data).toMatchObject({
      vid,
      number: 1,
      versions: 2,
      undo: null,
      redo: fresh,
    });
    expect((await get(`/versions/${fresh}/import-report`)).status).toBe(200);
  });

  test('is not edited by an edit that changes nothing', async () => {
    expect((await post(`/versions/${vid}/edits`, { columns: [{ id: 'c2', name: '年龄' }] })).data.vid).toBe(vid);
    expect((await get(`/${fid}`)).data.versions).toBe(1);
  });

  test('keeps what is active through an edit, unless it no longer fits, which is said', async () => {
    await call(world, person, 'POST', `/algorithm/filter?vid=${vid}`, { condition: '{c2} > 18', filter_type: 'keep' });
    await patch(`/versions/${vid}/active`, { weight: { column: 'c4', kind: 'frequency' } });
    world.engine.on('POST', '/tables/:key/count', () => ({
      status: 422,
      body: { error: { code: 'formula.type', text: '“岁数”是文本，不能与数比较', facts: {} } },
    }));
    const { data } = await post(`/versions/${vid}/edits`, { columns: [{ id: 'c2', name: '岁数' }] });
    expect(data.warnings).toEqual(['筛选已取消：“岁数”是文本，不能与数比较']);
    expect((await get(`/versions/${data.vid}`)).data.active).toEqual({
      filter: null,
      split: null,
      weight: { column: 'c4', kind: 'frequency' },
    });
  });

  test('gives rows, with a drop condition that loses no row whose condition is missing', async () => {
    const asked: any[] = [];
    world.engine.on('POST', '/tables/:key/rows', (body) => {
      asked.push(body);
      return { body: { total: 0, rows: [], index: [] } };
    });
    await post(`/versions/${vid}/rows`, {
      offset: 10,
      limit: 500,
      sort: [{ column: 'c2', desc: true }],
      condition: '{c2} > 3',
      filter_type: 'drop',
    });
    expect(asked[0]).toEqual({
      offset: 10,
      limit: 500,
      columns: null,
      sort: [{ column: 'c2', desc: true }],
      condition: 'not nvl(({c2} > 3), 1 = 0)',
      find: null,
    });
    world.engine.on('POST', '/tables/:key/find', (body) => {
      asked.push(body);
      return { body: { total: 2, before: 1, row: 7, columns: ['c1'] } };
    });
    const found = await post(`/versions/${vid}/find`, { text: '男', row: 5, condition: '{c2} > 3' });
    expect(found.data).toEqual({ total: 2, before: 1, row: 7, columns: ['c1'] });
    expect(asked[1]).toEqual({
      text: '男',
      odd: false,
      number: null,
      row: 5,
      back: false,
      sort: [],
      condition: '{c2} > 3',
    });
    world.engine.on('POST', '/tables/:key/edge', (body) => {
      asked.push(body);
      return { body: { row: 3, column: 1 } };
    });
    const jump = { row: 5, column: 1, to: 'up', condition: '{c2} > 3', filter_type: 'drop' };
    expect((await post(`/versions/${vid}/edge`, jump)).data).toEqual({ row: 3, column: 1 });
    const dropped = 'not nvl(({c2} > 3), 1 = 0)';
    expect(asked[2]).toEqual({ row: 5, column: 1, to: 'up', sort: [], condition: dropped, find: null });
    expect((await post(`/versions/${vid}/edge`, { ...jump, to: 'away' })).status).toBe(400);
    expect((await post(`/versions/${vid}/rows`, { limit: 501 })).status).toBe(400);
    expect((await post(`/versions/${vid}/rows`, { columns: ['name; drop table'] })).status).toBe(400);
    expect((await post(`/versions/${vid}/rows`, { surprise: 1 })).status).toBe(400);
  });

  test('has an active filter, counted and reset', async () => {
    const filter = (body: Record<string, unknown>) => call(world, person, 'POST', `/algorithm/filter?vid=${vid}`, body);
    expect((await filter({ condition: ' {c2} > 18 ', filter_type: 'keep', reduce_num: 2 })).data).toEqual({
      is_filtered: true,
      filter_count: 2,
      condition: '{c2} > 18',
      filter_type: 'keep',
      reduce_num: 2,
    });
    expect((await get(`/versions/${vid}`)).data.active.filter).toMatchObject({
      condition: '{c2} > 18',
      filter_count: 2,
    });
    expect((await filter({ condition: '' })).data).toEqual({
      is_filtered: false,
      filter_count: 0,
      condition: '',
      filter_type: null,
      reduce_num: 3,
    });
    expect((await get(`/versions/${vid}`)).data.active.filter).toBeNull();
    world.engine.on('POST', '/tables/:key/count', () => ({
      status: 422,
      body: { error: { code: 'formula.syntax', text: '第 5 个字符处有误', facts: { at: 5 } } },
    }));
    expect((await filter({ condition: '{c2} >' })).body).toMatchObject({
      status_code: 0,
      msg: '第 5 个字符处有误',
      fields: [{ code: 'formula.syntax', facts: { at: 5 } }],
    });
    expect((await post(`/versions/${vid}/filter-count`, { condition: '{c2} >' })).status).toBe(422);
  });

  test('takes only weights and splits that can be', async () => {
    const active = (body: Record<string, unknown>) => patch(`/versions/${vid}/active`, body);
    expect((await active({ weight: { column: 'c4', kind: 'frequency' }, split: { column: 'c1' } })).data).toEqual({
      filter: null,
      weight: { column: 'c4', kind: 'frequency' },
      split: { column: 'c1', levels: null, total: true },
    });
    expect((await active({ weight: null })).data).toMatchObject({ weight: null, split: { column: 'c1' } });
    expect((await active({ weight: { column: 'c1', kind: 'frequency' } })).body.fields[0]).toMatchObject({
      code: 'weight.text',
      text: '频数权重必须是数值；变量“性别”不是',
    });
    expect((await active({ weight: { column: 'c3', kind: 'sampling' } })).body.fields[0].code).toBe('weight.negative');
    expect((await active({ weight: { column: 'c77', kind: 'sampling' } })).body.fields[0].code).toBe('weight.gone');
    const many = Array.from({ length: 31 }, (_, n) => n);
    expect((await active({ split: { column: 'c1', levels: many } })).status).toBe(400);
  });

  test('is examined, and findings are counted in the table', async () => {
    teachEngine(world, [
      column('c1', '睡眠', {
        measure: '定量',
        storage: 'int',
        profile: {
          n: 100,
          distinct: 6,
          whole: true,
          min: 1,
          max: 99,
          q1: 2,
          q3: 4,
          top: [1, 2, 3, 4, 5, 99].map((value) => ({ value, count: value === 99 ? 7 : 18 })),
        },
      }),
      column('c2', '用时（秒）', {
        measure: '定量',
        storage: 'int',
        profile: { n: 100, distinct: 80, min: 20, max: 400, median: 200, q1: 150, q3: 250 },
      }),
    ]);
    const other = await makeFile(world, person, '问卷.csv');
    const { data } = await get(`/versions/${other.vid}/health`);
    expect(data.findings).toMatchObject([
      {
        code: 'missing_code',
        count: 7,
        title: '编码 99 没有设为缺失',
        condition: '{c1} = 99',
        edit: { columns: [{ id: 'c1', missing: { values: [99], ranges: [] } }] },
      },
      { code: 'too_quick', count: 2, condition: '{c2} < 60' },
    ]);
    expect(data.passed).toBe(data.checks - 2);
  });

  test('that is not shown and not used can be removed; its data stays while another reads it', async () => {
    const { data } = await post(`/versions/${vid}/edits`, { columns: [{ id: 'c2', name: '岁数' }] });
    expect((await remove(`/versions/${data.vid}`)).body.msg).toContain('不能删除当前版本');
    await makeReport(world, person, vid);
    expect((await remove(`/versions/${vid}`)).body.msg).toBe('有 1 份报告使用这个版本，请先删除报告');
    await patch(`/${fid}`, { head: vid });
    expect((await remove(`/versions/${data.vid}`)).status).toBe(200);
    expect((await get(`/${fid}`)).data.history).toHaveLength(1);
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
