import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { COLUMNS, column, makeFile, makeReport, reportOf, teachEngine } from '../../testing/tables.ts';

const FILTER = '/algorithm/data_processing/filter';
const FORM = { condition: '{c2} > 18' };
let world: World;
let person: Person;
let fid: number;
let vid: number;
/** Tables of the fake engine by key. */
const tables = new Map<string, any>();

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  tables.clear();
  teachEngine(world);
  teachSteps();
  person = await makePerson(world);
  ({ fid, vid } = await makeFile(world, person));
});
afterAll(() => world.close());

const meta = (columns: any[] = COLUMNS, rows = 3) => ({
  data: null,
  rows,
  columns,
  import: null,
  sha256: {},
  warnings: [],
});
const ref = ({ id, name }: { id: string; name: string }) => ({ id, name, label: null, measure: '定量' });

/** A processing method adds one column named after its form; a replay does so once for every step that is one. */
function teachSteps(): void {
  const { engine } = world;
  engine.on('GET', '/tables/:key', (_, [key = '']) => ({ body: tables.get(key) ?? meta() }));
  engine.on('POST', '/tables/:key/cells', (body) => ({
    body: {
      ...meta(),
      changes: body.cells.map(({ row, column: id, value }: any) => ({ row, column: id, old: '男', new: value })),
    },
  }));
  const usual = engine.onRun;
  engine.onRun = (run) => {
    if (run.kind === 'replay') return replayed(run.payload);
    if (!run.payload.path?.startsWith('data_processing/')) return usual?.(run) ?? null;
    const fresh = column('c5', '新列', { measure: '定量', storage: 'int' });
    if (!run.payload.preview) tables.set(run.payload.kept, meta([...COLUMNS, fresh]));
    return { state: 'done', result: { report: processed([fresh]) } };
  };
}

function processed(added: any[]): any {
  const report = reportOf();
  report.parts[0].elements.push({
    type: 'data',
    id: 'made',
    name: 'made',
    place: 'main',
    title: '新数据',
    at: null,
    vid: null,
    kept: null,
    rows: 3,
    columns: added.map(ref),
    changed: 0,
    preview: [],
    row_numbers: [],
    file: null,
    step: {
      rows_before: 3,
      rows_after: 3,
      columns_before: 4,
      columns_after: 5,
      cells: 0,
      added: added.map(ref),
      changed: [],
      removed: [],
      sampled: false,
      preview: { rows: [], columns: [], before: [], after: [] },
    },
  });
  return report;
}

function replayed(payload: any): any {
  const columns: any[] = [...(tables.get(payload.table)?.columns ?? COLUMNS)];
  payload.steps.forEach((step: any, at: number) => {
    if (step.path)
      columns.push(column(`c${columns.length + 1}`, `新列${columns.length}`, { measure: '定量', storage: 'int' }));
    tables.set(payload.tables[at], meta([...columns]));
  });
  const steps = payload.tables.map((table: string) => ({ table, rows: 3, columns: 5, added: [], changed: 0 }));
  return { state: 'done', result: { tables: payload.tables, steps, columns: { c5: 'c5' } } };
}

const process = (query = '', form: Record<string, unknown> = FORM, at = vid) =>
  call(world, person, 'POST', `${FILTER}?vid=${at}${query}`, form);
const base = (at: number) => `/v1/user/file/versions/${at}`;
const steps = async (at: number) => (await call(world, person, 'GET', `${base(at)}/steps`)).data.list;
const change = (at: number, ...ops: any[]) => call(world, person, 'POST', `${base(at)}/steps`, { ops });
const file = async () => (await call(world, person, 'GET', `/v1/user/file/${fid}`)).data;
const runs = (kind: string) => world.engine.submitted.filter((run) => run.kind === kind);

/** Three steps after the import. */
async function three(): Promise<number[]> {
  const first = (await process()).data.vid;
  const second = (await process('', { condition: '{c5} > 1' }, first)).data.vid;
  const edit = await call(world, person, 'POST', `${base(second)}/edits`, { columns: [{ id: 'c2', name: '岁数' }] });
  return [first, second, edit.data.vid];
}

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

describe('the list of steps', () => {
  test('renames without running anything', async () => {
    const [first, , last] = await three();
    const { data } = await change(last!, { op: 'rename', step_id: first, title: '只留成年人' });
    expect(data).toMatchObject({ run_id: null, state: 'done', vid: last });
    expect((await steps(last!))[1]).toMatchObject({ title: '只留成年人', titled: true, vid: first });
    expect(runs('replay')).toEqual([]);
  });

  test('runs anew only what follows the first difference', async () => {
    const [first, second, last] = await three();
    const { data } = await change(last!, { op: 'disable', step_id: second });
    const payload = runs('replay')[0]!.payload;
    expect(payload).toMatchObject({
      before: 1,
      steps: [
        { edit: [{ id: 'c1' }], names: {} },
        { edit: [{ id: 'c2', name: '岁数' }], names: { c2: '年龄' } },
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
    });
    expect((await steps(again.data.vid))[2]).toMatchObject({ op: 'process', changes: ['新增“新列5”'] });
    expect((await steps(again.data.vid))[2].disabled).toBeUndefined();
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
      before: 0,
      steps: [{ edit: [{}] }, { path: 'data_processing/filter' }, {}],
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
    const [, , last] = await three();
    const other = await makeFile(world, person, '下一次.csv');
    const { data } = await call(world, person, 'POST', `${base(last!)}/replay`, { onto: other.vid });
    expect(data).toMatchObject({ state: 'done', fid: other.fid });
    expect((await steps(data.vid)).map(({ op }: any) => op)).toEqual(['import', 'process', 'process', 'edit']);
    expect((await call(world, person, 'GET', `/v1/user/file/${other.fid}`)).data.vid).toBe(data.vid);
    expect((await call(world, person, 'POST', `${base(vid)}/replay`, { onto: other.vid })).body.msg).toContain(
      '还没有处理步骤',
    );
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
