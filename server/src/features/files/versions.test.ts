/** A version: what is seen of it, what is active on it, what an edit makes of it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../testing/makers.ts';
import { column, makeFile, makeReport, teachEngine } from '../../testing/tables.ts';
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

  test('tells what a text column is like; a column that is not there is said to be gone', async () => {
    const preview = {
      rows: [{ row: 1, text: '很好，打13812345678' }],
      total: 3,
      read: 3,
      empty: 2,
      mean_len: 15,
      max_len: 15,
      language: 'zh',
      duplicates: 0,
      pii: { phone: 1, id: 0, email: 0 },
      masking: 'a/step',
    };
    const asked: unknown[] = [];
    world.engine.on('POST', '/tables/:key/text-preview', (body) => {
      asked.push(body);
      return { body: preview };
    });
    expect((await get(`/versions/${vid}/preview-text-data?col=c1&_rid=7`)).data).toEqual(preview);
    expect(asked).toEqual([{ column: 'c1' }]);
    expect((await get(`/versions/${vid}/preview-text-data?col=c99`)).body.err_code).toBe(30508);
    expect((await get(`/versions/${vid}/preview-text-data`)).status).toBe(400);
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

  test('has as many findings in the list as it shows, also where they had to be counted', async () => {
    const item = { measure: '定量', storage: 'int', flags: ['量表'], profile: { n: 90, distinct: 5, min: 1, max: 5 } };
    teachEngine(
      world,
      Array.from({ length: 12 }, (_, at) => column(`c${at + 1}`, `题${at + 1}`, item)),
    );
    const told = async (counted: number): Promise<unknown[]> => {
      world.engine.on('POST', '/tables/:key/count', () => ({ body: { count: counted, rows: 90 } }));
      const other = await makeFile(world, person, '问卷.csv');
      const [row] = (await get('')).data.list;
      const { data } = await get(`/versions/${other.vid}/health`);
      return [row.findings, row.finding, ...data.findings.map(({ title }: { title: string }) => title)];
    };
    expect(await told(2)).toEqual([2, '重复答卷', '重复答卷', '直线作答']);
    expect(await told(0)).toEqual([0, null]);
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
