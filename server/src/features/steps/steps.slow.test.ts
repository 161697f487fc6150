/** Steps on the real engine: a method, a look ahead, cells, changes of the list, replay. Slow (HENGXI_FAST leaves it out). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call as callWorld, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { buildWithEngine } from '../../testing/real-engine.ts';
import type { RealWorld } from '../../testing/real-engine.ts';
import { makeUpload } from '../../testing/tables.ts';

let real: RealWorld;
let person: Person;

// The makers need the application, its database and its keys: a world with the real engine has them all.
const world = (): any => real;
const call = (method: any, url: string, body?: Record<string, unknown>) =>
  callWorld(world(), person, method, url, body);
const base = (vid: number) => `/v1/user/file/versions/${vid}`;
const rows = async (vid: number) => (await call('POST', `${base(vid)}/rows`, {})).data.rows;
const names = async (vid: number) => (await call('GET', base(vid))).data.columns.map(({ name }: any) => name);
const steps = async (vid: number) => (await call('GET', `${base(vid)}/steps`)).data.list;
const filter = (vid: number, form: Record<string, unknown>) =>
  call('POST', `/algorithm/data_processing/filter?vid=${vid}`, form);

async function importText(text: string): Promise<number> {
  const upload = await makeUpload(world(), person, text, '问卷.csv');
  const { data } = await call('POST', `/v1/user/file/uploads/${upload}/import`, { on_doubt: 'text' });
  const run = await real.runs.wait(data.run_id, 60);
  return (run.result as { vid: number }).vid;
}

beforeAll(async () => {
  real = await buildWithEngine();
  person = await makePerson(world());
}, 120_000);
afterAll(() => real.close());

test('a table is filtered, corrected, changed step by step and done again', { timeout: 120_000 }, async () => {
  const vid = await importText('编号,年龄,得分\nA,17,3.5\nB,22,4.5\nC,31,2\nD,44,5\n');
  const seen = await filter(vid, { condition: '{c2} > 20', _preview: true });
  expect(seen.data).toMatchObject({ state: 'done', vid: null });
  const grown = (await filter(vid, { condition: '{c2} > 20' })).data;
  expect(grown).toMatchObject({ state: 'done', vid: expect.any(Number) });
  expect(await rows(grown.vid)).toEqual([
    ['B', 22, 4.5],
    ['C', 31, 2],
    ['D', 44, 5],
  ]);
  expect((await steps(grown.vid))[1]).toMatchObject({ op: 'process', changes: ['行数 4 变为 3'] });

  const typed = await call('POST', `${base(grown.vid)}/edits`, { cells: [{ row: 1, column: 'c3', value: 2.5 }] });
  expect((await rows(typed.data.vid))[1]).toEqual(['C', 31, 2.5]);
  const wrong = await call('POST', `${base(typed.data.vid)}/edits`, { cells: [{ row: 1, column: 'c3', value: '好' }] });
  expect(wrong).toMatchObject({ status: 422, body: { fields: [{ facts: { row: 1, column: 'c3' } }] } });

  const renamed = await call('POST', `${base(typed.data.vid)}/edits`, { columns: [{ id: 'c2', name: '岁数' }] });
  const off = await call('POST', `${base(renamed.data.vid)}/steps`, {
    ops: [{ op: 'disable', step_id: typed.data.vid }],
  });
  expect(off.data.state).toBe('done');
  expect((await rows(off.data.vid))[1]).toEqual(['C', 31, 2]);
  expect(await names(off.data.vid)).toEqual(['编号', '岁数', '得分']);
  const list = await steps(off.data.vid);
  expect(list[2]).toMatchObject({ op: 'cells', disabled: true });

  const edit = { op: 'edit', step_id: list[1].step_id, form: { condition: '{c2} > 30' } };
  const older = await call('POST', `${base(off.data.vid)}/steps`, { ops: [edit] });
  expect((await rows(older.data.vid)).map(([id]: string[]) => id)).toEqual(['C', 'D']);
  const cells = { op: 'enable', step_id: (await steps(older.data.vid))[2].step_id };
  const on = await call('POST', `${base(older.data.vid)}/steps`, { ops: [cells] });
  // The second row is another case now: what was typed for C goes to C, and the step says so.
  expect((await rows(on.data.vid)).map((row: any[]) => row[2])).toEqual([2.5, 5]);
  expect((await steps(on.data.vid))[2]).toMatchObject({ title: '第 1 行“得分”由 2 改为 2.5' });
  // Without the filter the edit stays with its row; where the row is gone the step stays and says it.
  const whole = { op: 'disable', step_id: (await steps(on.data.vid))[1].step_id };
  const all = await call('POST', `${base(on.data.vid)}/steps`, { ops: [whole] });
  expect((await rows(all.data.vid)).map((row: any[]) => row[2])).toEqual([3.5, 4.5, 2.5, 5]);
  const [, again1] = await steps(all.data.vid);
  const none = await call('POST', `${base(all.data.vid)}/steps`, {
    ops: [
      { op: 'enable', step_id: again1.step_id },
      { op: 'edit', step_id: again1.step_id, form: { condition: '{c2} > 40' } },
    ],
  });
  expect(none.data.warnings).toEqual([expect.stringContaining('有 1 个单元格所在的行或列已不在这份数据里')]);
  expect((await rows(none.data.vid)).map((row: any[]) => row[2])).toEqual([5]);

  const next = await importText('年龄,得分,编号\n60,1,X\n9,1,Y\n61,1,Z\n');
  const again = await call('POST', `${base(off.data.vid)}/replay`, { onto: next });
  expect(again.data.state).toBe('done');
  expect(await names(again.data.vid)).toEqual(['岁数', '得分', '编号']);
  expect((await rows(again.data.vid)).map((row: any[]) => row[2])).toEqual(['X', 'Z']);
  expect((await steps(again.data.vid))[1].params).toMatchObject({
    form: { condition: '{c1} > 20' },
    names: { c1: '年龄' },
  });

  const sets = [{ name: '分', columns: ['c1', 'c2'] }];
  const set = await call('POST', `${base(again.data.vid)}/edits`, { sets });
  const more = await call('POST', `/algorithm/data_processing/filter?vid=${set.data.vid}`, { condition: '{c1} > 60' });
  expect((await call('GET', base(more.data.vid))).data.sets).toMatchObject([
    { id: 's1', name: '分', columns: ['c1', 'c2'] },
  ]);
  const carried = await call('POST', `${base(more.data.vid)}/replay`, {
    onto: await importText('编号,年龄,得分\nP,70,1\nQ,80,2\n'),
  });
  expect((await call('GET', base(carried.data.vid))).data.sets).toMatchObject([{ columns: ['c2', 'c3'] }]);

  const other = await importText('甲,乙\n1,2\n');
  const refused = await call('POST', `${base(off.data.vid)}/replay`, { onto: other });
  expect(refused).toMatchObject({ status: 422, body: { msg: expect.stringContaining('第 1 步') } });
  expect((await steps(other)).length).toBe(1);
});

test(
  'rows, columns and texts changed by hand are switched off and on like other steps',
  { timeout: 120_000 },
  async () => {
    const edit = async (vid: number, body: any) => (await call('POST', `${base(vid)}/edits`, body)).data.vid as number;
    const vid = await importText('编号,城市,年龄\nA,北京市,17\nB,上海市,22\nC,北京市,31\nD,广州市,44\n');
    const filtered = (await filter(vid, { condition: '{c3} > 20' })).data.vid;
    const replaced = await edit(filtered, { replace: { seek: { text: '市$', pattern: true }, with: '' } });
    const inserted = await edit(replaced, { shape: { op: 'insert_rows', at: 1 } });
    const typed = await edit(inserted, { cells: [{ row: 1, column: 'c1', value: 'X' }] });
    const named = await edit(typed, { shape: { op: 'insert_columns', before: 'c2', columns: [{ name: '备注' }] } });
    const cut = await edit(named, { shape: { op: 'delete_rows', rows: [3] } });
    const last = await edit(cut, { shape: { op: 'delete_columns', columns: ['c3'] } });
    expect(await names(last)).toEqual(['编号', '备注', '城市']);
    expect(await rows(last)).toEqual([
      ['B', null, '上海'],
      ['X', null, null],
      ['C', null, '北京'],
    ]);
    const off = await call('POST', `${base(last)}/steps`, { ops: [{ op: 'disable', step_id: filtered }] });
    expect(off.data.error ?? off.body.msg ?? null).toBe(null);
    // The row put in still stands before C, the one taken out is still D.
    expect(await rows(off.data.vid)).toEqual([
      ['A', null, '北京'],
      ['B', null, '上海'],
      ['X', null, null],
      ['C', null, '北京'],
    ]);
    expect((await steps(off.data.vid))[2]).toMatchObject({ title: '删去“市$”：4 个单元格' });
    const second = (await steps(off.data.vid))[2].step_id;
    const plain = await call('POST', `${base(off.data.vid)}/steps`, { ops: [{ op: 'disable', step_id: second }] });
    expect((await rows(plain.data.vid))[0]).toEqual(['A', null, '北京市']);
    const other = await importText('编号,城市,年龄\nP,天津市,50\nQ,重庆市,60\n');
    const refused = await call('POST', `${base(last)}/replay`, { onto: other });
    expect(refused).toMatchObject({ status: 422, body: { msg: expect.stringContaining('没有对应的行') } });
    const sure = (await steps(last)).filter(({ op }: any) => op === 'rows' || op === 'cells');
    const disabled = sure.map(({ step_id }: any) => step_id);
    const carried = await call('POST', `${base(last)}/replay`, { onto: other, disabled });
    expect(await rows(carried.data.vid)).toEqual([
      ['P', null, '天津'],
      ['Q', null, '重庆'],
    ]);
    const found = await call('POST', `${base(vid)}/find`, { seek: { text: '北京' }, row: 1 });
    expect(found.data).toEqual({ total: 2, before: 1, row: 2, columns: ['c2'], number: 2, cells: 2, cells_before: 1 });
    const wrong = await call('POST', `${base(vid)}/find`, { seek: { text: '(', pattern: true } });
    expect(wrong).toMatchObject({ status: 422, body: { msg: '正则表达式“(”写得不对：缺少右括号 )。' } });
  },
);

test('columns taken over from an analysis are made anew on the next upload', { timeout: 120_000 }, async () => {
  const lines = (rows: number[][]) => rows.map((row) => row.join(',')).join('\n');
  const xs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const vid = await importText(`收入,工龄\n${lines(xs.map((x) => [x * 3 + (x % 3), x]))}\n`);
  const form = { y: 'c1', x: ['c2'], save: true };
  const { data } = await call('POST', `/algorithm/statistical/linear_regression?vid=${vid}`, form);
  const saved = data.report.parts[0].elements.find(({ type }: any) => type === 'data');
  const url = `/v1/analysis/projects/${data.project_id}/reports/${data.report_id}/data`;
  const made = (await call('POST', url, { element: saved.id })).data.vid;
  const [, first] = await steps(made);
  expect(first).toMatchObject({ op: 'data', author: expect.any(String), made_at: expect.any(String) });

  const fresh = `备注,工龄,收入\n${lines(xs.map((x) => [x, x, 500 - x * 7 + (x % 2)]))}\n`;
  const onto = await importText(fresh);
  const again = (await call('POST', `${base(made)}/replay`, { onto })).data;
  expect(again.state).toBe('done');
  expect((await names(again.vid)).slice(3)).toEqual((await names(made)).slice(2));
  const asked = await call('POST', `/algorithm/statistical/linear_regression?vid=${onto}`, {
    y: 'c3',
    x: ['c2'],
    save: true,
  });
  const directly = asked.data.report.parts[0].elements.find(({ type }: any) => type === 'data');
  const values = (await rows(again.vid)).map((row: number[]) => row.slice(3));
  expect(values.slice(0, directly.preview.length)).toEqual(directly.preview);
  expect((await steps(again.vid))[1]).toMatchObject({
    op: 'data',
    title: first.title,
    author: first.author,
    made_at: first.made_at,
    params: { form: { y: 'c3', x: ['c2'] }, names: { c3: '收入', c2: '工龄' } },
  });
});

test('predictions taken over are asked for again on the next upload', { timeout: 240_000 }, async () => {
  const flowers = (n: number, shift: number) =>
    Array.from({ length: n }, (_, i) => `${(i % 2) * 4 + (i % 5) + shift},${i % 7},${i % 2 === 0 ? '甲' : '乙'}`);
  const trained = await importText(`长,宽,种\n${flowers(60, 0).join('\n')}\n`);
  const forest = { y: 'c3', x: ['c1', 'c2'], n_estimators: 10, cv_folds: 0, shap: false };
  const learned = await call('POST', `/algorithm/supervised_learning/classifier/random_forest?vid=${trained}`, forest);
  const elements = ({ data }: any) => data.report.parts[0].elements;
  const model = elements(learned).find(({ type }: any) => type === 'model').model_id;
  expect((await call('PATCH', `/v1/analysis/models/${model}`, { name: '两种' })).status).toBe(200);

  const path = '/algorithm/supervised_learning/classifier/random_forest_predict';
  const first = await importText(
    `编号,宽,长\n${flowers(30, 0.5)
      .map((line, i) => `N${i},${line.split(',').slice(0, 2).toReversed().join()}`)
      .join('\n')}\n`,
  );
  const asked = await call('POST', `${path}?vid=${first}`, { model: { model_id: model } });
  const saved = elements(asked).find(({ id }: any) => id === 'columns');
  const kept = `/v1/analysis/projects/${asked.data.project_id}/reports/${asked.data.report_id}/data`;
  const made = (await call('POST', kept, { element: saved.id })).data.vid;

  const onto = await importText(
    `长,备注,宽\n${flowers(24, 1)
      .map((line) => line.split(',').slice(0, 2).join(',无,'))
      .join('\n')}\n`,
  );
  const again = await call('POST', `${base(made)}/replay`, { onto });
  expect(again.data).toMatchObject({ state: 'done' });
  expect((await names(again.data.vid)).slice(3)).toEqual((await names(made)).slice(3));
  const directly = await call('POST', `${path}?vid=${onto}`, { model: { model_id: model } });
  const { preview } = elements(directly).find(({ id }: any) => id === 'columns');
  const values = (await rows(again.data.vid)).map((row: unknown[]) => row.slice(3));
  expect(values.slice(0, preview.length)).toEqual(preview);

  expect((await call('DELETE', `/v1/analysis/models/${model}`)).status).toBe(200);
  const gone = await call('POST', `${base(made)}/replay`, { onto });
  expect(gone).toMatchObject({ status: 422, body: { msg: expect.stringContaining('未找到该模型') } });
});
