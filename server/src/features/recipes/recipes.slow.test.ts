/** Fifteen chained steps on the real engine: saved, judged on a changed file, run there, undone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call as callWorld, makeMember, makePerson } from '../../testing/makers.ts';
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
const rowsOf = async (vid: number): Promise<any[][]> => (await call('POST', `${base(vid)}/rows`, {})).data.rows;
const columnsOf = async (vid: number): Promise<any[]> => (await call('GET', base(vid))).data.columns;
const stepsOf = async (vid: number): Promise<any[]> => (await call('GET', `${base(vid)}/steps`)).data.list;

async function importText(text: string, name: string): Promise<number> {
  const upload = await makeUpload(world(), person, text, name);
  const { data } = await call('POST', `/v1/user/file/uploads/${upload}/import`, { on_doubt: 'text' });
  const run = await real.runs.wait(data.run_id, 60);
  return (run.result as { vid: number }).vid;
}

/** One column of a version by its name. */
async function values(vid: number, name: string): Promise<any[]> {
  const at = (await columnsOf(vid)).findIndex((column) => column.name === name);
  if (at < 0) throw new Error(`no column ${name} in ${(await columnsOf(vid)).map((column) => column.name).join()}`);
  return (await rowsOf(vid)).map((row) => row[at]);
}

interface Case {
  编号: string;
  性别: string;
  年龄: number;
  身高: number;
  体重: number;
  城市: string;
  日期: string;
  收入: number;
  Q: number[];
}

const casesFrom = (count: number, salt: number): Case[] =>
  Array.from({ length: count }, (_, i) => ({
    编号: `N${i}`,
    性别: (i + salt) % 3 === 0 ? '女' : '男',
    年龄: 15 + ((i * 7 + salt) % 40),
    身高: 150 + ((i * 11 + salt) % 40),
    体重: 45 + ((i * 5 + salt) % 45),
    城市: `${[' 北京', '上海 ', '广州'][(i * 2 + salt) % 3]}`,
    日期: `2026-${String(1 + ((i + salt) % 12)).padStart(2, '0')}-15`,
    收入: 3000 + ((i * 791 + salt * 13) % 9000),
    Q: [1, 2, 3].map((q) => 1 + ((i * q + salt) % 5)),
  }));

const FIRST = casesFrom(40, 0);
const SECOND = casesFrom(55, 1);
const firstText = [
  '编号,性别,年龄,身高,体重,城市,日期,收入,Q1,Q2,Q3',
  ...FIRST.map((one) =>
    [one.编号, one.性别, one.年龄, one.身高, one.体重, one.城市, one.日期, one.收入, ...one.Q].join(),
  ),
].join('\n');
/** The next upload: another order, a variable more, and 年龄 is called otherwise. */
const secondText = [
  'Q3,Q2,Q1,备注,收入,日期,城市,体重,身高,年龄（岁）,性别,编号',
  ...SECOND.map((one) =>
    [
      ...one.Q.toReversed(),
      '无',
      one.收入,
      one.日期,
      one.城市,
      one.体重,
      one.身高,
      one.年龄,
      one.性别,
      one.编号,
    ].join(),
  ),
].join('\n');

beforeAll(async () => {
  real = await buildWithEngine();
  person = await makePerson(world());
  await makeMember(world(), person);
}, 120_000);
afterAll(() => real.close());

async function fifteen(first: number): Promise<number[]> {
  const made: number[] = [];
  let vid = first;
  const idOf = async (name: string): Promise<string> => {
    const column = (await columnsOf(vid)).find((one) => one.name === name);
    if (!column) throw new Error(`no column ${name}`);
    return column.id;
  };
  const keep = (reply: any): void => {
    if (reply.data?.vid == null) throw new Error(`step ${made.length + 1}: ${JSON.stringify(reply.body)}`);
    ({ vid } = reply.data);
    made.push(vid);
  };
  const step = async (key: string, form: (id: typeof idOf) => Promise<Record<string, unknown>>): Promise<void> =>
    keep(await call('POST', `/algorithm/data_processing/${key}?vid=${vid}&wait=20`, await form(idOf)));
  await step('text_clean', async (id) => ({ variables: [await id('城市')] }));
  await step('filter', async (id) => ({ condition: `{${await id('年龄')}} > 17` }));
  await step('compute_variable', async (id) => ({
    name: 'BMI',
    expression: `{${await id('体重')}} / ({${await id('身高')}} / 100) ^ 2`,
  }));
  keep(await call('POST', `${base(vid)}/edits`, { columns: [{ id: await idOf('收入'), name: '月收入' }] }));
  await step('outlier_handling', async (id) => ({ variables: [await id('月收入')], rule: 'iqr', action: 'flag' }));
  await step('transform', async (id) => ({ variables: [await id('月收入')], method: 'ln' }));
  await step('normalization', async (id) => ({ variables: [await id('BMI')], method: 'zscore' }));
  await step('dummy_variable', async (id) => ({ variables: [await id('性别')], coding: 'dummy' }));
  await step('encode_category', async (id) => ({ variables: [await id('城市')], method: 'label' }));
  await step('date_parts', async (id) => ({ date: await id('日期') }));
  await step('rank_cases', async (id) => ({ variables: [await id('月收入')], type: 'rank' }));
  await step('count_values', async (id) => ({
    variables: [await id('Q1'), await id('Q2'), await id('Q3')],
    values: '5',
  }));
  await step('binning', async (id) => ({ variables: [await id('年龄')], method: 'quantile', n_bins: 3 }));
  await step('sort', async (id) => ({ keys: [await id('月收入')] }));
  const sets = [{ name: '题目', columns: [await idOf('Q1'), await idOf('Q2')], counted: 5 }];
  keep(await call('POST', `${base(vid)}/edits`, { sets }));
  return made;
}

test(
  'fifteen steps are saved, fitted to a changed file and run there; ten of them undone',
  { timeout: 240_000 },
  async () => {
    const first = await importText(firstText, '一月.csv');
    const made = await fifteen(first);
    expect(made).toHaveLength(15);
    const saved = await call('POST', '/v1/user/recipes', { vid: made.at(-1)!, name: '每月清洗' });
    expect(saved.data).toMatchObject({ size: 15, left_out: [] });
    const detail = await call('GET', `/v1/user/recipes/${saved.data.id}`);
    expect(detail.data.columns.toSorted()).toEqual(
      ['城市', '年龄', '体重', '身高', '收入', '性别', '日期', 'Q1', 'Q2', 'Q3'].toSorted(),
    );

    // Through the text and back: the file is what another person would read in.
    const { text } = (await call('GET', `/v1/user/recipes/${saved.data.id}/text`)).data;
    const { data: taken } = await call('POST', '/v1/user/recipes/import', { text });
    const at = `/v1/user/recipes/${taken.id}`;
    const next = await importText(secondText, '二月.csv');
    const before = (await call('POST', `${at}/match`, { vid: next })).data;
    expect(before.ready).toBe(false);
    expect(before.columns.filter(({ to }: any) => to === null)).toMatchObject([
      { name: '年龄', steps: [2, 13], near: [{ name: '年龄（岁）' }] },
    ]);
    expect(before.steps.filter(({ state }: any) => state === 'unfit').map(({ number }: any) => number)).toEqual([
      2, 13,
    ]);
    const refused = await call('POST', `${at}/apply?wait=20`, { vid: next });
    expect(refused).toMatchObject({ status: 422, body: { msg: expect.stringMatching(/第 2 步.*没有变量“年龄”/u) } });

    const columns = { 年龄: before.columns.find(({ name }: any) => name === '年龄').near[0].id };
    const fitted = (await call('POST', `${at}/match`, { vid: next, columns })).data;
    expect(fitted.steps.filter(({ state }: any) => state === 'unfit')).toEqual([]);
    expect(fitted.ready).toBe(true);
    const done = await call('POST', `${at}/apply?wait=20`, { vid: next, columns });
    expect(done.data.error ?? done.body.msg ?? null).toBeNull();
    const { vid } = done.data;
    expect((await stepsOf(vid)).map(({ op }) => op)).toEqual((await stepsOf(made.at(-1)!)).map(({ op }) => op));

    const kept = SECOND.filter(({ 年龄 }) => 年龄 > 17).toSorted((a, b) => a.收入 - b.收入);
    expect(await values(vid, '编号')).toEqual(kept.map(({ 编号 }) => 编号));
    expect(await values(vid, '城市_清洗')).toEqual(kept.map(({ 城市 }) => 城市.trim()));
    const close = (told: number[], own: number[]) =>
      told.forEach((value, i) => expect(Math.abs(value - own[i]!)).toBeLessThan(1e-9 * Math.max(1, Math.abs(own[i]!))));
    close(
      await values(vid, 'BMI'),
      kept.map(({ 体重, 身高 }) => 体重 / (身高 / 100) ** 2),
    );
    const bmi = kept.map(({ 体重, 身高 }) => 体重 / (身高 / 100) ** 2);
    const mean = bmi.reduce((sum, one) => sum + one, 0) / bmi.length;
    const sd = Math.sqrt(bmi.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (bmi.length - 1));
    close(
      await values(vid, 'BMI_标准化'),
      bmi.map((one) => (one - mean) / sd),
    );
    close(
      await values(vid, '月收入_变换'),
      kept.map(({ 收入 }) => Math.log(收入)),
    );
    expect(await values(vid, '计数')).toEqual(kept.map(({ Q }) => Q.filter((one) => one === 5).length));
    expect(await values(vid, '性别_女')).toEqual(kept.map(({ 性别 }) => (性别 === '女' ? 1 : 0)));
    expect(await values(vid, '日期_月')).toEqual(kept.map(({ 日期 }) => Number(日期.slice(5, 7))));
    const names = (await columnsOf(vid)).map(({ name }) => name);
    expect(names).toContain('月收入');
    expect(names).not.toContain('收入');
    expect((await call('GET', base(vid))).data.sets).toMatchObject([{ name: '题目' }]);

    // Ten steps taken back, one by one, are the versions that were there; deleted at once, the same rows.
    const fifth = await rowsOf(made[4]!);
    const { fid } = (await call('GET', base(first))).data;
    for (const back of made.slice(4, 14).toReversed()) {
      await call('PATCH', `/v1/user/file/${fid}`, { head: back });
      expect((await call('GET', `/v1/user/file/${fid}`)).data.vid).toBe(back);
    }
    expect(await rowsOf((await call('GET', `/v1/user/file/${fid}`)).data.vid)).toEqual(fifth);
    const ops = made.slice(5).map((step_id) => ({ op: 'delete', step_id }));
    const less = await call('POST', `${base(made.at(-1)!)}/steps`, { ops });
    expect(await rowsOf(less.data.vid)).toEqual(fifth);
  },
);

test('what only members may use does not run by way of a chain', { timeout: 60_000 }, async () => {
  const first = await importText(firstText, '丁.csv');
  const city = (await columnsOf(first)).find(({ name }) => name === '城市').id;
  const made = await call('POST', `/algorithm/data_processing/encode_category?vid=${first}`, {
    variables: [city],
    method: 'label',
  });
  const { text } = (await call('GET', `${base(made.data.vid)}/recipe`)).data;
  const member = person;
  person = await makePerson(world());
  const vid = await importText(firstText, '戊.csv');
  const { id } = (await call('POST', '/v1/user/recipes/import', { text })).data;
  const told = await call('POST', `/v1/user/recipes/${id}/match`, { vid });
  expect(told.data.steps).toMatchObject([{ state: 'unfit', why: expect.stringContaining('会员方法') }]);
  expect((await call('POST', `/v1/user/recipes/${id}/apply`, { vid })).body.err_code).toBe(20002);
  person = member;
});

test(
  'a step whose settings do not fit the kind of variable is told before anything runs',
  { timeout: 60_000 },
  async () => {
    const first = await importText('编号,得分\nA,1.5\nB,2.5\nC,4\n', '甲.csv');
    const score = (await columnsOf(first)).find(({ name }) => name === '得分').id;
    const made = await call('POST', `/algorithm/data_processing/transform?vid=${first}`, {
      variables: [score],
      method: 'ln',
    });
    const { id } = (await call('POST', '/v1/user/recipes', { vid: made.data.vid, name: '取对数' })).data;
    const odd = await importText('编号,得分\nA,优\nB,良\nC,中\n', '乙.csv');
    const { data } = await call('POST', `/v1/user/recipes/${id}/match`, { vid: odd });
    expect(data).toMatchObject({ ready: false, steps: [{ state: 'unfit', why: expect.stringContaining('得分') }] });
  },
);
