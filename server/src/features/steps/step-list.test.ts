/** Changes of the list of steps, and the same steps on another upload. */
import { beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../testing/makers.ts';
import { base, stepStage } from '../../testing/steps.ts';
import { makeFile } from '../../testing/tables.ts';

const on = stepStage();
const { steps, change, file, runs, three } = on;
let { world, person, fid, vid } = on;
beforeEach(() => {
  ({ world, person, fid, vid } = on);
});

describe('the list of steps', () => {
  test('renames without running anything', async () => {
    const [first, , last] = await three();
    const { data } = await change(last!, { op: 'rename', step_id: first, title: '只留成年人' });
    expect(data).toMatchObject({ run_id: null, state: 'done', vid: last });
    expect((await steps(last!))[1]).toMatchObject({ title: '只留成年人', titled: true, vid: first });
    expect(runs('replay')).toEqual([]);
  });

  test('gives the engine the name of a step where a person gave one', async () => {
    const [first, second, last] = await three();
    await change(last!, { op: 'rename', step_id: second, title: '只留成年人' });
    await change(last!, { op: 'disable', step_id: first });
    expect(runs('replay')[0]!.payload.steps.map(({ title }: any) => title)).toEqual([
      undefined,
      '只留成年人',
      undefined,
    ]);
  });

  test('runs anew only what follows the first difference', async () => {
    const [first, second, last] = await three();
    const { data } = await change(last!, { op: 'disable', step_id: second });
    const payload = runs('replay')[0]!.payload;
    expect(payload).toMatchObject({
      steps: [
        { number: 2, edit: [{ id: 'c1' }], names: {} },
        { number: 3, edit: [{ id: 'c2', name: '岁数' }], names: { c2: '年龄' } },
      ],
      tables: [expect.stringMatching(/^t_/), expect.stringMatching(/^t_/)],
    });
    const list = await steps(data.vid);
    expect(list.map(({ disabled = false }: any) => disabled)).toEqual([false, false, true, false]);
    expect(list[1].vid).toBe(first);
    expect(await file()).toMatchObject({ vid: data.vid });
    const again = await change(data.vid, { op: 'enable', step_id: list[2].step_id });
    expect(runs('replay')[1]!.payload.steps[0]).toMatchObject({
      path: 'data_processing/filter',
      form: { condition: '{c5} > 1' },
      names: { c5: '新列' },
      // What it made the first time, whatever the data ask for.
      made: ['新列'],
    });
    expect((await steps(again.data.vid))[2]).toMatchObject({
      op: 'process',
      changes: ['新增“新列5”'],
      params: { made: ['新列5'] },
    });
    expect((await steps(again.data.vid))[2].disabled).toBeUndefined();
  });

  test('keeps what is active on the version that is changed', async () => {
    const [, second, last] = await three();
    const filter = { condition: '{c2} > 18', filter_type: 'drop' };
    const split = { column: 'c1', levels: null, total: true };
    await call(world, person, 'POST', `/algorithm/filter?vid=${last}`, filter);
    await call(world, person, 'PATCH', `${base(last!)}/active`, { split });
    const active = async (of: number): Promise<unknown> => (await call(world, person, 'GET', base(of))).data.active;
    expect(await active(last!)).toMatchObject({ filter, split });
    const { data } = await change(last!, { op: 'disable', step_id: second });
    expect(await active(data.vid)).toMatchObject({ filter, split });
    const list = (await steps(data.vid)).slice(1);
    const cut = await change(data.vid, ...list.map(({ step_id }: any) => ({ op: 'delete', step_id })));
    expect(await active(cut.data.vid)).toMatchObject({ filter, split });
    expect(cut.data.warnings).toEqual([]);
  });

  test('is undone as a whole, and done again, whatever was made on the way', async () => {
    const [first, second, last] = await three();
    const { vid: fresh } = (await change(last!, { op: 'move', step_id: last, to: 1 })).data;
    const to = (head: number) => call(world, person, 'PATCH', `/v1/user/file/${fid}`, { head });
    expect(await file()).toMatchObject({ vid: fresh, undo: last, redo: null });
    expect((await to(last!)).data).toMatchObject({ undo: second, redo: fresh });
    await to(second!);
    expect((await to(first!)).data).toMatchObject({ undo: vid, redo: second });
    expect((await to(vid)).data).toMatchObject({ undo: null, redo: first });
  });

  test('moves, edits and deletes', async () => {
    const [first, second, last] = await three();
    const moved = await change(last!, { op: 'move', step_id: last, to: 1 });
    expect(runs('replay')[0]!.payload).toMatchObject({
      // The numbers are those of the list on the screen, where nothing has moved yet.
      steps: [{ number: 3, edit: [{}] }, { number: 1, path: 'data_processing/filter' }, { number: 2 }],
    });
    expect((await steps(moved.data.vid)).map(({ op }: any) => op)).toEqual(['import', 'edit', 'process', 'process']);
    const edited = await change(last!, { op: 'edit', step_id: second, form: { condition: '{c2} > 30' } });
    expect(runs('replay')[1]!.payload.steps[0]).toMatchObject({
      form: { condition: '{c2} > 30' },
      names: { c2: '年龄' },
    });
    expect(edited.data.state).toBe('done');
    const form = { condition: '{c2} > 30', _filter: '{c4} = 1' };
    await change(last!, { op: 'edit', step_id: second, form });
    expect(runs('replay')[2]!.payload.steps[0]).toMatchObject({
      form: { condition: '{c2} > 30' },
      filter: { condition: '{c4} = 1', filter_type: 'keep' },
      names: { c2: '年龄', c4: '份数' },
    });
    const bad = await change(last!, { op: 'edit', step_id: second, form: { _filter: 7 } });
    expect(bad.status).toBe(400);
    expect((await change(last!, { op: 'move', step_id: first, to: 9 })).body.msg).toContain('一共 3 步');
  });

  test('are deleted from the end without a run, and 撤销 brings them back', async () => {
    const [first, second, last] = await three();
    const to = (head: number) => call(world, person, 'PATCH', `/v1/user/file/${fid}`, { head });
    const ids = async (of: number) => (await steps(of)).map(({ vid: id }: any) => id);
    const one = (await change(last!, { op: 'delete', step_id: last })).data;
    expect(one).toMatchObject({ run_id: null, state: 'done', fid });
    expect(await ids(one.vid)).toEqual([vid, first, one.vid]);
    expect((await steps(one.vid))[2]).toMatchObject({ title: (await steps(second!))[2].title });
    expect(await file()).toMatchObject({ vid: one.vid, undo: last, redo: null });
    expect((await to(last!)).data).toMatchObject({ undo: second, redo: one.vid });
    await to(one.vid);
    const ops = [first, one.vid].map((id) => ({ op: 'delete', step_id: id }));
    const all = (await call(world, person, 'POST', `${base(one.vid)}/steps`, { ops })).data;
    expect(await ids(all.vid)).toEqual([all.vid]);
    expect((await steps(all.vid))[0]).toMatchObject({ op: 'import' });
    expect(await file()).toMatchObject({ vid: all.vid, undo: one.vid });
    const report = (of: number) => call(world, person, 'GET', `${base(of)}/import-report`);
    expect((await report(all.vid)).data).toEqual((await report(vid)).data);
    expect(runs('replay')).toEqual([]);
  });

  test('does not touch the import, and tells what does not fit', async () => {
    const [first, , last] = await three();
    expect((await change(last!, { op: 'delete', step_id: vid })).body.msg).toContain('导入是第一步');
    expect((await change(last!, { op: 'delete', step_id: 999_999 })).status).toBe(404);
    expect((await change(last!, { op: 'edit', step_id: last, form: {} })).body.msg).toContain('没有可以修改的设置');
    const fields = [
      { field: null, code: 'replay.step', text: '第 2 步“筛选”不适用：没有变量“新列”', facts: { step: 0 } },
    ];
    world.engine.onRun = () => ({ state: 'refused', refusal: { fields } });
    expect(await change(last!, { op: 'delete', step_id: first })).toMatchObject({ status: 422, body: { fields } });
    expect(await file()).toMatchObject({ vid: last });
  });
});

describe('replay', () => {
  test('makes the versions of another upload', async () => {
    const [first, , last] = await three();
    const other = await makeFile(world, person, '下一次.csv');
    const { data } = await call(world, person, 'POST', `${base(last!)}/replay`, { onto: other.vid });
    expect(data).toMatchObject({ state: 'done', fid: other.fid });
    expect((await steps(data.vid)).map(({ op }: any) => op)).toEqual(['import', 'process', 'process', 'edit']);
    expect((await call(world, person, 'GET', `/v1/user/file/${other.fid}`)).data.vid).toBe(data.vid);
    // What does not fit there goes along switched off.
    const body = { onto: other.vid, disabled: [first] };
    const part = await call(world, person, 'POST', `${base(last!)}/replay`, body);
    expect((await steps(part.data.vid)).map(({ disabled = false }: any) => disabled)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect((await call(world, person, 'POST', `${base(vid)}/replay`, { onto: other.vid })).body.msg).toContain(
      '还没有处理步骤',
    );
  });
});
