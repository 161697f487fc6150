/** How steps are made: by methods, in single cells, as multiple-answer sets; and who made them. */
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { FILTER, FORM, base, meta, stepStage } from '../../testing/steps.ts';
import { makeFile, makeReport } from '../../testing/tables.ts';

const on = stepStage();
const { process, steps, change, file, runs, three } = on;
let { world, person, fid, vid } = on;
beforeEach(() => {
  ({ world, person, fid, vid } = on);
});

describe('a processing method', () => {
  test('makes a version with a step at once, and the head moves', async () => {
    const { data } = await process();
    expect(data).toMatchObject({ state: 'done', fid, vid: expect.any(Number), warnings: [], error: null });
    expect((await call(world, person, 'GET', base(data.vid))).data).toMatchObject({
      parent: vid,
      is_head: true,
      columns: { length: 5 },
    });
    expect((await steps(data.vid))[1]).toMatchObject({
      op: 'process',
      step_id: data.vid,
      title: expect.stringContaining('生成“新列”'),
      changes: ['新增“新列”'],
      params: { path: 'data_processing/filter', form: FORM, filter: null, names: { c2: '年龄' } },
    });
    expect((await call(world, person, 'GET', `/v1/runs/${data.run_id}`)).data).toMatchObject({
      kind: 'step',
      result: { vid: data.vid },
    });
    expect(runs('analysis')[0]?.payload).toMatchObject({
      preview: false,
      kept: expect.stringMatching(/^t_/),
      form: FORM,
    });
    expect((await call(world, person, 'GET', '/v1/analysis/projects/0/report')).data.total).toBe(0);
  });

  test('is undone by moving the head back', async () => {
    const { data } = await process();
    expect(await file()).toMatchObject({ vid: data.vid, undo: vid });
    await call(world, person, 'PATCH', `/v1/user/file/${fid}`, { head: vid });
    expect(await file()).toMatchObject({ vid, redo: data.vid });
  });

  test('as a preview keeps nothing', async () => {
    const { data } = await process('', { ...FORM, _preview: true });
    expect(data).toMatchObject({ state: 'done', vid: null, report: { parts: [{}] } });
    expect(runs('analysis')[0]?.payload).toMatchObject({ preview: true, form: FORM });
    expect((await file()).versions).toBe(1);
  });

  test('looked ahead at is judged and previewed in one call; a later look ends the one before', async () => {
    const look = (page: string, form: Record<string, unknown> = FORM) =>
      call(world, person, 'POST', `${FILTER}?vid=${vid}&ahead=${page}&wait=20`, form);
    const { data } = await look('p1');
    expect(data).toMatchObject({ fields: [], step: { state: 'done', vid: null, report: { parts: [{}] } } });
    expect((await file()).versions).toBe(1);
    const usual = world.engine.onRun;
    world.engine.onRun = () => null;
    const first = look('p1');
    await until(() => runs('analysis').length === 2);
    const elsewhere = look('p2');
    await until(() => runs('analysis').length === 3);
    world.engine.onRun = usual;
    expect((await look('p1')).data.step.state).toBe('done');
    expect((await first).data.step).toMatchObject({ state: 'cancelled', report: null });
    const [, before, others] = runs('analysis');
    expect(world.engine.cancelled).toEqual([before?.run_id]);
    await call(world, person, 'DELETE', `/v1/runs/${others?.run_id}`);
    expect((await elsewhere).data.step.state).toBe('cancelled');
    const fields = [{ field: 'condition', code: 'required', text: '请写条件' }];
    world.engine.on('POST', '/draft', () => ({ body: { resolved: {}, fields, seconds: null, key: 'k' } }));
    expect((await look('p2', {})).data).toMatchObject({ fields, step: null });
  });

  test('refused or failed leaves nothing but an empty place to clear', async () => {
    const fields = [{ field: 'condition', code: 'data.filtered', text: '筛选生效时不能增删行' }];
    world.engine.onRun = () => ({ state: 'refused', refusal: { fields } });
    expect(await process()).toMatchObject({ status: 422, body: { msg: '筛选生效时不能增删行', fields } });
    expect((await file()).versions).toBe(1);
    const { rows } = (await world.db.execute(sql`SELECT key FROM garbage`)) as { rows: { key: string }[] };
    expect(rows).toHaveLength(1);
    world.engine.onRun = () => ({ state: 'memory', error: { code: 'run.memory', text: '内存超出限制', id: null } });
    expect((await process()).data).toMatchObject({ state: 'memory', vid: null, error: { text: '内存超出限制' } });
  });

  test('keeps the active filter where it still fits', async () => {
    await call(world, person, 'POST', `/algorithm/filter?vid=${vid}`, { condition: '{c2} > 18', filter_type: 'keep' });
    const { data } = await process();
    expect((await call(world, person, 'GET', base(data.vid))).data.active.filter).toMatchObject({
      condition: '{c2} > 18',
      filter_count: 2,
    });
  });

  test('leaves reports on older versions as they are', async () => {
    const report = await makeReport(world, person, vid);
    await process();
    const { data } = await call(world, person, 'GET', `/v1/analysis/projects/0/reports/${report.report_id}`);
    expect(data.vid).toBe(vid);
  });
});

describe('who made a step, when, and what they say of it', () => {
  test('stays with the step where it is run anew', async () => {
    const [first, second, third] = await three();
    const before = await steps(third!);
    expect(before.map(({ author }: any) => author)).toEqual(Array(4).fill(expect.any(String)));
    const noted = (await change(third!, { op: 'note', step_id: second!, note: ' 与导师商定 ' })).data;
    expect(noted.vid).toBe(third);
    expect((await steps(third!))[2]).toMatchObject({ note: '与导师商定', title: before[2].title });
    const { data } = await change(third!, { op: 'disable', step_id: first! });
    const after = await steps(data.vid);
    expect(after.map(({ made_at }: any) => made_at)).toEqual(before.map(({ made_at }: any) => made_at));
    expect(after[2]).toMatchObject({ note: '与导师商定', author: before[2].author });
    expect(after[2].created_at).not.toBe(before[2].created_at);
    await change(data.vid, { op: 'note', step_id: after[2].step_id, note: '' });
    expect((await steps(data.vid))[2].note).toBeUndefined();
    expect(
      (await change(data.vid, { op: 'note', step_id: after[2].step_id, note: '长'.repeat(1001) })).body.msg,
    ).toContain('备注最多 1000 个字');
  });
});

describe('single cells', () => {
  test('are changed in one step that tells old and new', async () => {
    const cells = [
      { row: 0, column: 'c1', value: '女' },
      { row: 2, column: 'c1', value: null },
    ];
    const { data } = await call(world, person, 'POST', `${base(vid)}/edits`, { cells });
    const [, step] = await steps(data.vid);
    expect(step).toMatchObject({
      op: 'cells',
      title: '修改 2 个单元格',
      changes: ['第 1 行“性别”由 男 改为 女', '第 3 行“性别”由 男 改为 缺失'],
      params: { names: { c1: '性别' } },
    });
    expect((await call(world, person, 'POST', `${base(vid)}/edits`, { cells: [] })).status).toBe(400);
  });

  test('that stay the same make no version', async () => {
    world.engine.on('POST', '/tables/:key/cells', () => ({ body: { ...meta(), changes: [] } }));
    const { data } = await call(world, person, 'POST', `${base(vid)}/edits`, {
      cells: [{ row: 0, column: 'c1', value: '男' }],
    });
    expect(data.vid).toBe(vid);
  });

  test('that do not fit are refused in the words of the engine', async () => {
    world.engine.on('POST', '/tables/:key/cells', () => ({
      status: 422,
      body: { error: { code: 'cells.number', text: '第 1 行“年龄”应为数值', facts: { row: 0, column: 'c2' } } },
    }));
    const { body } = await call(world, person, 'POST', `${base(vid)}/edits`, {
      cells: [{ row: 0, column: 'c2', value: '甲' }],
    });
    expect(body).toMatchObject({ msg: '第 1 行“年龄”应为数值', fields: [{ facts: { row: 0, column: 'c2' } }] });
  });
});

describe('multiple-answer questions', () => {
  const set = (name: string, columns: string[], more = {}) => ({ name, columns, ...more });
  const put = (at: number, ...sets: any[]) => call(world, person, 'POST', `${base(at)}/edits`, { sets });
  const setsOf = async (at: number) => (await call(world, person, 'GET', base(at))).data.sets;

  test('are made, changed and removed in one step each, and stay through other steps', async () => {
    const made = (await put(vid, set('渠道', ['c3', 'c4']))).data;
    const kept = { id: 's1', name: '渠道', label: null, columns: ['c3', 'c4'], counted: 1 };
    expect(await setsOf(made.vid)).toEqual([kept]);
    expect((await steps(made.vid))[1]).toMatchObject({ op: 'sets', title: '新增多选题集“渠道”（2 个变量）' });
    const processed = (await process('', FORM, made.vid)).data;
    expect(await setsOf(processed.vid)).toEqual([kept]);
    const changed = (await put(processed.vid, { ...kept, name: '信息渠道' }, set('用途', ['c2', 'c3']))).data;
    expect((await setsOf(changed.vid)).map(({ id, name }: any) => [id, name])).toEqual([
      ['s1', '信息渠道'],
      ['s2', '用途'],
    ]);
    const { data } = await change(changed.vid, { op: 'disable', step_id: processed.vid });
    expect((await setsOf(data.vid)).map(({ name }: any) => name)).toEqual(['信息渠道', '用途']);
    expect(runs('replay')[0]!.payload.steps[1]).toMatchObject({ edit: [{}], sets: [{ id: 's1' }, { id: 's2' }] });
    expect((await steps((await put(data.vid)).data.vid)).at(-1)).toMatchObject({
      title: expect.stringContaining('删除'),
    });
  });

  test('must be of this table, and named apart', async () => {
    expect((await put(vid, set('渠道', ['c3', 'c77']))).body.fields[0]).toMatchObject({
      code: 'column.gone',
      column: 'c77',
    });
    expect((await put(vid, set('渠道', ['c3', 'c4']), set('渠道', ['c2', 'c3']))).body.fields[0].code).toBe(
      'sets.name',
    );
    expect((await put(vid, set('渠道', ['c3', 'c3']))).body.fields[0].code).toBe('sets.twice');
    expect((await put(vid, set('渠道', ['c3']))).status).toBe(400);
    expect((await put(vid)).data.vid).toBe(vid);
  });
});

test("somebody else's versions and steps are as absent as none", async () => {
  const { data } = await process();
  const other = await makePerson(world);
  const mine = await makeFile(world, other);
  const attempts: [string, Record<string, unknown>][] = [
    [`${FILTER}?vid=${vid}`, FORM],
    [`${base(vid)}/edits`, { cells: [{ row: 0, column: 'c1', value: 'x' }] }],
    [`${base(data.vid)}/steps`, { ops: [{ op: 'rename', step_id: data.vid, title: 'x' }] }],
    [`${base(mine.vid)}/steps`, { ops: [{ op: 'rename', step_id: data.vid, title: 'x' }] }],
    [`${base(data.vid)}/replay`, { onto: mine.vid }],
  ];
  for (const [url, body] of attempts) {
    expect((await call(world, other, 'POST', url, body)).body).toMatchObject({ status_code: 0, err_code: 30093 });
    expect((await call(world, null, 'POST', url, body)).status).toBe(401);
  }
  const replay = await call(world, person, 'POST', `${base(data.vid)}/replay`, { onto: mine.vid });
  expect(replay.status).toBe(404);
});
