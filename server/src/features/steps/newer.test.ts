/** Two people, or two windows, on one version: the second save is told instead of standing beside the first. */
import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { base, stepStage } from '../../testing/steps.ts';
import { makeFile } from '../../testing/tables.ts';

const on = stepStage();
const { file, steps } = on;
let { world, person, fid, vid } = on;
beforeEach(() => {
  ({ world, person, fid, vid } = on);
});

const CELLS = { cells: [{ row: 0, column: 'c1', value: '女' }] };
const save = (to: number, body: any, query = '') => call(world, person, 'POST', `${base(to)}/edits${query}`, body);

describe('a save on a version that somebody has gone on from', () => {
  test('is told what there is now and which of its cells were changed there too; nothing is stored', async () => {
    const first = (await save(vid, CELLS)).data.vid;
    const second = await save(vid, { cells: [{ row: 0, column: 'c1', value: '其他' }] });
    expect(second).toMatchObject({ status: 409, body: { err_code: 30511 } });
    expect(second.body.msg).toBe('已有新版本 v2“第 1 行‘性别’由 男 改为 女”，这次修改没有保存');
    expect(second.body.data).toMatchObject({
      head: first,
      number: 2,
      author: expect.any(String),
      cells: { gone: 0, both_total: 1, both: [{ row: 0, column: 'c1', now: '未知', value: '其他' }] },
    });
    expect((await file()).versions).toBe(2);
    for (const body of [{ columns: [{ id: 'c1', label: '甲' }] }, { sets: [] }]) {
      expect(await save(vid, body)).toMatchObject({ status: 409, body: { err_code: 30511, data: { cells: null } } });
    }
  });

  test('goes to the newer version with the version it was typed into, or stands beside it where that is asked', async () => {
    const first = (await save(vid, CELLS)).data.vid;
    const asked: any[] = [];
    world.engine.on('POST', '/tables/:key/cells', (body) => {
      asked.push(body);
      const changes = [{ row: 0, column: 'c1', old: '女', new: '其他', case: [0, 0] }];
      return { body: { data: null, rows: 3, columns: [], changes, left_out: 2 } };
    });
    const applied = await save(first, { ...CELLS, of: vid, theirs: true });
    expect(applied.data.warnings).toEqual(['有 2 个单元格所在的行或列已不在这份数据里，没有写入']);
    expect(asked[0]).toMatchObject({ of: expect.stringMatching(/^t_/), theirs: true });
    expect((await steps(applied.data.vid)).length).toBe(3);
    const beside = await save(vid, CELLS, '?branch=1');
    expect((await steps(beside.data.vid)).length).toBe(2);
    expect(await file()).toMatchObject({ vid: beside.data.vid, versions: 4 });
  });

  test('is allowed again after the newer one was undone', async () => {
    await save(vid, CELLS);
    await call(world, person, 'PATCH', `/v1/user/file/${fid}`, { head: vid });
    expect((await save(vid, CELLS)).status).toBe(200);
  });

  test('made at the same moment is told as well: one of two is stored', async () => {
    const both = await Promise.all([save(vid, CELLS), save(vid, CELLS)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await file()).versions).toBe(2);
  });

  test('takes no rows of another file or of somebody else', async () => {
    const other = await makeFile(world, person);
    expect((await save(vid, { ...CELLS, of: other.vid })).status).toBe(404);
    const stranger = await makePerson(world);
    const theirs = await makeFile(world, stranger);
    expect((await save(vid, { ...CELLS, of: theirs.vid })).status).toBe(404);
  });
});
