/** 常用流程: kept under a name, found, told, taken as a file, judged on another version and run there. */
import { beforeEach, describe, expect, test } from 'vitest';
import { join, makeEnterprise } from '../../testing/enterprises.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { FORM, stepStage } from '../../testing/steps.ts';
import { column, COLUMNS, makeFile } from '../../testing/tables.ts';
import { sql } from 'drizzle-orm';

const BASE = '/v1/user/recipes';
const on = stepStage();
const { process, runs, steps, three } = on;
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const ask = (method: any, at: string, body?: Record<string, unknown>, who: { token: string } = person) =>
  call(world, who, method, `${BASE}${at}`, body);
const list = async (query = '', who: { token: string } = person) => (await ask('GET', query, undefined, who)).data;
const save = async (name = '清洗', more: object = {}) => {
  const { data } = await process();
  return ask('POST', '', { vid: data.vid, name, ...more });
};

describe('a list', () => {
  test('keeps a chain under a name that is its own', async () => {
    const saved = await save(' 清洗 ', { note: '每月一次' });
    expect(saved.data).toMatchObject({ name: '清洗', note: '每月一次', size: 1, left_out: [], author: null });
    const twin = await save();
    expect(twin).toMatchObject({ status: 422, body: { fields: [{ code: 'recipe.name' }] } });
    expect(twin.body.msg).toBe('已有名为“清洗”的流程');
    const instead = await save('清洗', { replace: true });
    expect(await list()).toMatchObject({ total: 1, list: [{ id: instead.data.id }] });
    expect(await list('?bin=1')).toMatchObject({ total: 1, list: [{ id: saved.data.id }] });
    const detail = await ask('GET', `/${instead.data.id}`);
    expect(detail.data).toMatchObject({ columns: ['年龄'], steps: [{ method: '数据筛选', disabled: false }] });
  });

  test('is searched by name and note, and paged', async () => {
    for (const name of ['甲 100%', '乙', '丙']) await save(name, { note: name === '乙' ? '问卷用' : '' });
    expect(await list('?keyword=%25')).toMatchObject({ total: 1, list: [{ name: '甲 100%' }] });
    expect(await list(`?keyword=${encodeURIComponent('问卷')}`)).toMatchObject({ total: 1, list: [{ name: '乙' }] });
    expect(await list('?page=2&page_size=2')).toMatchObject({ total: 3, list: [{ name: '甲 100%' }] });
  });

  test('renames, describes, doubles, throws away and takes back', async () => {
    const { id } = (await save()).data;
    const { id: second } = (await save('别的')).data;
    expect((await ask('PATCH', `/${id}`, { name: '别的' })).body.msg).toBe('已有名为“别的”的流程');
    expect((await ask('PATCH', `/${id}`, { name: '新名', note: '说明' })).data).toMatchObject({
      name: '新名',
      note: '说明',
    });
    expect((await ask('POST', `/${id}/copy`)).data.name).toBe('新名 副本');
    expect((await ask('POST', `/${id}/copy`)).data.name).toBe('新名 副本 2');
    expect((await ask('DELETE', `/${id}?forever=1`)).status).toBe(404);
    await ask('DELETE', `/${id}`);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    await ask('PATCH', `/${second}`, { name: '新名' });
    expect((await ask('POST', `/${id}/restore`)).data).toMatchObject({ name: '新名 2', deleted_at: null });
    await ask('DELETE', `/${id}`);
    expect((await ask('DELETE', `/${id}?forever=1`)).status).toBe(200);
    expect((await ask('POST', `/${id}/restore`)).status).toBe(404);
  });

  test('holds a hundred, and what was thrown away goes after thirty days', async () => {
    const { id } = (await save()).data;
    await world.db.execute(sql`INSERT INTO step_recipes (owner_kind, owner_id, created_by, name, steps)
      SELECT owner_kind, owner_id, created_by, 'n' || n, steps FROM step_recipes, generate_series(1, 99) n`);
    expect((await save('多的')).body.msg).toContain('最多保存 100 个');
    expect((await ask('POST', `/${id}/copy`)).body.msg).toContain('最多保存 100 个');
    await ask('DELETE', `/${id}`);
    await world.recipes.tidy();
    expect((await list('?bin=1')).total).toBe(1);
    await world.db.execute(sql`UPDATE step_recipes SET deleted_at = now() - interval '31 days' WHERE id = ${id}`);
    await world.recipes.tidy();
    expect((await list('?bin=1')).total).toBe(0);
  });
});

test('a chain goes out as a text and comes in again; a bad text is refused with its line', async () => {
  const { id } = (await save('清洗', { note: '每月一次' })).data;
  const { text } = (await ask('GET', `/${id}/text`)).data;
  expect(text).toContain('\n  "note": "每月一次"');
  const taken = await ask('POST', '/import', { text });
  expect(taken.data).toMatchObject({ name: '清洗 2', note: '每月一次', size: 1 });
  expect((await ask('GET', `/${taken.data.id}/text`)).data.text.replace('清洗 2', '清洗')).toBe(text);
  const odd = await ask('POST', '/import', { text: text.replace('"condition"', '"conditon"') });
  expect(odd).toMatchObject({ status: 422, body: { fields: [{ code: 'recipe.text', facts: { line: 11 } }] } });
  expect(odd.body.msg).toContain('方法“数据筛选”没有设置“conditon”');
  expect((await ask('POST', '/import', { text: 'x'.repeat(1_000_001) })).status).toBe(400);
});

describe('on another file', () => {
  const match = (id: number, vid: number, more: object = {}, who = person) =>
    ask('POST', `/${id}/match`, { vid, ...more }, who);
  const apply = (id: number, vid: number, more: object = {}, who = person) =>
    ask('POST', `/${id}/apply?wait=20`, { vid, ...more }, who);
  const other = async (columns: any[]) => {
    const file = await makeFile(world, person, '第二批.csv');
    await world.db.execute(
      sql`UPDATE versions SET columns = ${JSON.stringify(columns)}::jsonb WHERE vid = ${file.vid}`,
    );
    return file;
  };

  test('variables are found by name; a missing one is told with the steps, near names and what it takes along', async () => {
    const [, , vid] = await three();
    const { id } = (await ask('POST', '', { vid: vid!, name: '三步' })).data;
    const same = await other(COLUMNS);
    expect((await match(id, same.vid)).data).toMatchObject({
      columns: [{ name: '年龄', to: { id: 'c2', name: '年龄' }, chosen: false, steps: [1, 3], near: [] }],
      steps: [{ state: 'fit' }, { state: 'later' }, { state: 'later' }],
      ready: true,
    });
    const odd = await other([column('c1', '性别'), column('c7', '年 龄', { measure: '定量', storage: 'int' })]);
    const told = (await match(id, odd.vid)).data;
    expect(told).toMatchObject({
      columns: [{ name: '年龄', to: null, near: [{ id: 'c7', name: '年 龄' }] }],
      steps: [
        { number: 1, state: 'unfit', why: '这份数据里没有变量“年龄”' },
        { number: 2, state: 'unfit', why: '要用第 1 步得到的“新列”，那一步不运行' },
        { number: 3, state: 'unfit', why: '这份数据里没有变量“年龄”' },
      ],
      ready: false,
    });
    const columns = { 年龄: 'c7' };
    expect((await match(id, odd.vid, { columns })).data).toMatchObject({
      columns: [{ to: { id: 'c7' }, chosen: true }],
      ready: true,
    });
    const off = (await match(id, odd.vid, { disabled: [1, 3] })).data;
    expect(off.steps.map(({ state }: any) => state)).toEqual(['off', 'unfit', 'off']);
    expect((await match(id, odd.vid, { columns: { 年龄: 'c9' } })).body.msg).toContain('为“年龄”选的变量');
    expect((await match(id, odd.vid, { columns: { 年龄: 'c7', 收入: 'c7' } })).body.msg).toContain('都对应到了“年 龄”');

    const done = await apply(id, odd.vid, { columns });
    expect(done.data).toMatchObject({ state: 'done', fid: odd.fid, vid: expect.any(Number) });
    expect(runs('replay').at(-1)?.payload.steps).toMatchObject([
      { path: 'data_processing/filter', form: FORM, names: { c2: '年 龄' }, number: 1 },
      { names: { c5: '新列' }, number: 2 },
      { edit: [{ id: 'c2', name: '岁数' }], names: { c2: '年 龄' }, number: 3 },
    ]);
    expect((await steps(done.data.vid)).slice(1).map(({ op }: any) => op)).toEqual(['process', 'process', 'edit']);
    expect((await list()).list[0].used_at).not.toBeNull();
  });

  test('the engine is asked about settings that do not fit the data, with the ids of the data', async () => {
    const { id } = (await save()).data;
    const { vid } = await other([column('c8', '年龄')]);
    const asked: any[] = [];
    world.engine.on('POST', '/draft', (body) => {
      asked.push(body);
      return { body: { fields: [{ text: '年龄不是数值' }] } };
    });
    expect((await match(id, vid)).data).toMatchObject({
      steps: [{ state: 'unfit', why: '年龄不是数值' }],
      ready: false,
    });
    expect(asked).toMatchObject([{ path: 'data_processing/filter', form: { condition: '{c8} > 18' } }]);
    expect((await apply(id, vid, { disabled: [1] })).body.msg).toContain('所有步骤都停用了');
  });

  test('a step the engine refuses is told with its place', async () => {
    const { id } = (await save()).data;
    const text = '第 1 步“数据筛选”不适用：没有变量“年龄”';
    const fields = [{ field: 'condition', code: 'replay.step', text, facts: { number: 1 } }];
    const { vid } = await other(COLUMNS);
    world.engine.onRun = () => ({ state: 'refused', refusal: { fields } });
    expect(await apply(id, vid)).toMatchObject({ status: 422, body: { msg: text, fields } });
  });

  test('neither the chain nor the data of somebody else is found', async () => {
    const { id } = (await save()).data;
    const stranger = await makePerson(world);
    const theirs = await makeFile(world, stranger, '别人的.csv');
    for (const act of [match, apply]) {
      expect((await act(id, theirs.vid)).status).toBe(404);
      expect((await act(id, theirs.vid, {}, stranger)).status).toBe(404);
    }
    expect((await list('', stranger)).total).toBe(0);
  });
});

test('members of an enterprise work with the same chains, and see who saved them', async () => {
  const { id } = (await save()).data;
  const { text } = (await ask('GET', `/${id}/text`)).data;
  const tenant = await makeEnterprise(world, '企业');
  const { channel: member } = await join(world, tenant, '同事');
  const { data } = await ask('POST', '/import', { text }, tenant.channel);
  expect(data).toMatchObject({ name: '清洗', author: null });
  expect(await list('', member)).toMatchObject({ total: 1, list: [{ id: data.id, author: '企业所有者' }] });
  expect((await ask('PATCH', `/${data.id}`, { note: '共用' }, member)).data).toMatchObject({ note: '共用' });
  // Of the same name each has one of its own.
  expect(await list()).toMatchObject({ total: 1, list: [{ id }] });
  expect((await ask('GET', `/${data.id}`)).status).toBe(404);
  const stranger = await makeEnterprise(world, '别的企业');
  expect((await ask('GET', `/${data.id}`, undefined, stranger.channel)).status).toBe(404);
});

test('all of an owner goes into an archive as texts that can be read in again', async () => {
  const { id } = (await save('清洗', { note: '每月一次' })).data;
  await save('旧的');
  await ask('DELETE', `/${id}`);
  const files = new Map<string, string>();
  for await (const { path, content } of world.recipes.export(person.owner))
    if (typeof content !== 'function') files.set(path, new TextDecoder().decode(content));
  expect([...files.keys()]).toEqual(['recipes.json', expect.stringContaining('清洗'), expect.stringContaining('旧的')]);
  expect(JSON.parse(files.get('recipes.json')!)).toMatchObject([
    { name: '清洗', deletedAt: expect.any(String) },
    { name: '旧的', deletedAt: null },
  ]);
  const text = files.get(`recipes/${id}-清洗.json`)!;
  expect((await ask('POST', '/import', { text })).data).toMatchObject({ name: '清洗', note: '每月一次' });
});
