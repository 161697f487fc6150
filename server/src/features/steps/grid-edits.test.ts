/** Replacing, and rows and columns put in or taken out by hand: one step each, told in words, asked as it was meant. */
import { beforeEach, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { base, meta, stepStage } from '../../testing/steps.ts';
import { makeFile } from '../../testing/tables.ts';

const on = stepStage();
const { file, steps } = on;
let { world, person, vid } = on;
let asked: { url: string; body: any }[] = [];
const TOLD = { cells: 2, rows: 2, columns: [{ id: 'c1', cells: 2 }] };
beforeEach(() => {
  ({ world, person, vid } = on);
  asked = [];
  world.engine.on('POST', '/tables/:key/replace', (body) => {
    asked.push({ url: 'replace', body });
    const samples = [{ row: 0, column: 'c1', old: '男', new: '男性' }];
    const told = body.seek.text === '没有' ? { cells: 0, rows: 0, columns: [], samples: [] } : { ...TOLD, samples };
    return { body: { ...meta(), told } };
  });
  world.engine.on('POST', '/tables/:key/shape', (body) => {
    asked.push({ url: 'shape', body });
    return { body: { ...meta(undefined, body.act.op === 'delete_rows' ? 1 : 3), act: { ...body.act, cases: [] } } };
  });
});

const edit = (body: any, to = vid, who = person) => call(world, who, 'POST', `${base(to)}/edits`, body);
const SEEK = { text: '男' };

test('a replacement is one step that says what it changed, and asks the engine once', async () => {
  const condition = '{c2} > 20';
  const { data } = await edit({ replace: { seek: SEEK, with: '男性', condition, filter_type: 'drop' } });
  expect(asked[0]?.body).toMatchObject({
    seek: { text: '男', columns: null, pattern: false },
    with: '男性',
    condition: 'not nvl(({c2} > 20), 1 = 0)',
  });
  expect((await steps(data.vid))[1]).toMatchObject({
    op: 'replace',
    title: '“男”替换为“男性”：2 个单元格',
    changes: ['“性别”改动 2 格', '第 1 行“性别”由 男 改为 男性'],
    params: { seek: SEEK, with: '男性', names: { c2: '年龄' } },
  });
});

test('nothing found makes no version', async () => {
  const { data } = await edit({ replace: { seek: { text: '没有' }, with: 'x' } });
  expect(data).toEqual({ vid, warnings: ['没有找到“没有”，数据没有改动'] });
  expect((await file()).versions).toBe(1);
});

test('rows and columns put in and taken out are steps in words', async () => {
  const acts = [
    { op: 'insert_rows', at: 1, count: 2 },
    { op: 'delete_rows', rows: [0, 2] },
    { op: 'insert_columns', before: 'c2', columns: [{ name: '备注' }] },
    { op: 'delete_columns', columns: ['c1', 'c2'] },
  ];
  let at = vid;
  // oxlint-disable-next-line no-await-in-loop -- each stands on the one before
  for (const shape of acts) at = (await edit({ shape }, at)).data.vid;
  expect((await steps(at)).slice(1).map(({ op, title }: any) => [op, title])).toEqual([
    ['rows', '插入 2 行'],
    ['rows', '删除 2 行'],
    ['columns', '插入“备注”'],
    ['columns', '删除“性别”“年龄”'],
  ]);
});

test('what is wrong in the call itself is said', async () => {
  const wrong = [
    { replace: { seek: { text: '' } } },
    { replace: { seek: { text: '长'.repeat(201) } } },
    { shape: { op: 'insert_rows', at: 0, count: 0 } },
    { shape: { op: 'delete_rows', rows: [] } },
    { shape: { op: 'insert_columns', columns: [{ name: ' ' }] } },
    { shape: { op: 'delete_columns', columns: ['年龄'] } },
  ];
  for (const body of wrong) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await edit(body)).status).toBe(400);
  }
  expect(asked).toEqual([]);
});

test('nobody changes the data of others, locked data or a version that was gone on from', async () => {
  const stranger = await makePerson(world);
  const bodies = [{ replace: { seek: SEEK, with: '' } }, { shape: { op: 'insert_rows', at: 0 } }];
  for (const body of bodies) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await edit(body, vid, stranger)).status).toBe(404);
  }
  const theirs = await makeFile(world, stranger);
  expect((await edit({ ...bodies[1], of: theirs.vid })).status).toBe(404);
  const newer = (await edit(bodies[1])).data.vid;
  for (const body of bodies) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await edit(body)).toMatchObject({ status: 409, body: { err_code: 30511, data: { head: newer } } });
  }
  expect((await edit({ ...bodies[1], of: vid }, newer)).status).toBe(200);
  expect(asked.at(-1)?.body.of).toMatch(/^t_/);
  const { fid } = await file();
  await call(world, person, 'PATCH', `/v1/user/file/${fid}`, { locked: true });
  expect((await edit(bodies[0], (await file()).vid)).status).toBe(409);
});
