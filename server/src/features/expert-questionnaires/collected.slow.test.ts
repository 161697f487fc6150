/** Collected answers read by the real engine, for both kinds: late joiners, decided items, gaps and empty comparisons. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call as callWorld, makeMember, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { buildWithEngine } from '../../testing/real-engine.ts';
import type { RealWorld } from '../../testing/real-engine.ts';

const BASE = '/v1/pro-analysis/projects';
const DUE = '2099-01-01T00:00:00Z';
let real: RealWorld;
let person: Person;

const world = (): any => real;
const own = async (method: any, at: string, body?: Record<string, unknown>): Promise<any> => {
  const reply = await callWorld(world(), person, method, `${BASE}${at}`, body);
  expect(reply.body.msg ?? '', `${method} ${at}`).not.toContain('请');
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.data;
};
const expert = async (method: any, code: string, at: string, body?: Record<string, unknown>): Promise<any> => {
  const reply = await callWorld(world(), null, method, `/v1/pro-analysis/answer/${code}${at}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.data;
};

beforeAll(async () => {
  real = await buildWithEngine();
  person = await makePerson(world());
  await makeMember(world(), person);
}, 120_000);
afterAll(() => real.close());

async function published(kind: 'delphi' | 'ahp', asked: Record<string, unknown>): Promise<number> {
  const made = await own('POST', '', { kind, title: '问卷' });
  const content = { ...made.content, ...asked };
  await own('PUT', `/${made.id}`, { title: '问卷', content, revision: made.revision });
  await own('POST', `/${made.id}/publish`, { due_at: DUE });
  return made.id;
}

async function answer(code: string, values: Record<string, unknown>): Promise<void> {
  const answers = Object.entries(values).map(([key, value]) => ({ key, value, revision: 1 }));
  await expert('PUT', code, '/answers', { answers });
  await expert('POST', code, '/submit');
}

/** The tables of the report that the collected answers give. */
async function reported(pid: number): Promise<(title: string) => Record<string, any>[]> {
  const { vid, method, form } = await own('POST', `/${pid}/dataset`);
  const reply = await callWorld(world(), person, 'POST', `/algorithm/${method}?vid=${vid}`, form);
  expect(reply.data?.state, JSON.stringify(reply.body)).toBe('done');
  const url = `/v1/analysis/projects/${reply.data.project_id}/reports/${reply.data.report_id}`;
  const { data } = await callWorld(world(), person, 'GET', url);
  const tables = data.document.parts.flatMap((part: any) => part.elements);
  return (title) => {
    const table = tables.find((one: any) => one.type === 'table' && one.title === title);
    expect(table, title).toBeDefined();
    const keys = table.columns.map(({ key }: { key: string }) => key);
    return table.rows.map((cells: unknown[]) =>
      Object.fromEntries(keys.map((key: string, at: number) => [key, cells[at]])),
    );
  };
}

const AUTHORITY = { 'ca:practice': 'large', 'ca:theory': 'medium', 'ca:literature': 'small', 'ca:intuition': 'small' };

test('a Delphi of two rounds: nobody invited at first, a late joiner, one item decided, one added', async () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, text: `指标${id}` }));
  const pid = await published('delphi', { items });
  const open = (await own('PUT', `/${pid}/public-link`, { open: true })).public_code;
  const join = async (): Promise<string> => (await expert('POST', open, '/join')).quescode;
  const codes = [await join(), await join(), await join(), await join()];
  const first = [
    [5, 4, 2],
    [4, 4, 3],
    [5, 3, 1],
    [5, 5, 2],
  ];
  for (const [at, code] of codes.entries())
    await answer(code, {
      'item:a': first[at]![0],
      'item:b': first[at]![1],
      'item:c': first[at]![2],
      ...AUTHORITY,
      cs: 0.8,
    });
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  const { content, revision } = await own('GET', `/${pid}`);
  const more = { ...content, items: [...content.items, { id: 'd', dimension: '', text: '指标d', note: '' }] };
  await own('PUT', `/${pid}`, { title: '问卷', content: more, revision, reason: '专家建议' });
  await own('POST', `/${pid}/rounds`, { due_at: DUE, decisions: { a: 'accepted' } });
  codes.push(await join());
  const second = [
    [4, 2, 5],
    [4, 2, 4],
    [4, 1, 5],
    [5, 2, 4],
    [3, 3, 3],
  ];
  for (const [at, code] of codes.entries())
    await answer(code, { 'item:b': second[at]![0], 'item:c': second[at]![1], 'item:d': second[at]![2] });
  await own('PATCH', `/${pid}/round`, { act: 'close' });

  const table = await reported(pid);
  expect(table('指标筛选').map(({ round, item, n, mean }) => [round, item, n, mean])).toEqual([
    ['第1轮', '指标a', 4, 4.75],
    ['第1轮', '指标b', 4, 4],
    ['第1轮', '指标c', 4, 2],
    ['第2轮', '指标b', 5, 4],
    ['第2轮', '指标c', 5, 2],
    ['第2轮', '指标d', 5, 4.2],
  ]);
  expect(table('专家积极系数').map(({ sent, back, rate }) => [sent, back, rate])).toEqual([
    [4, 4, 1],
    [5, 5, 1],
  ]);
  // Ca .5 + .2 + .1 + .1, Cs .8; said in the first round and true of the second; the late joiner said nothing.
  expect(table('权威程度').at(-2)).toMatchObject({ expert: 'E05', cr: null });
  expect(table('权威程度').at(-1)).toMatchObject({ ca: 0.9, cs: 0.8, cr: expect.closeTo(0.85, 12) });
  // R: ranks of each expert with ties, W corrected for them.
  expect(table('协调系数').map(({ experts, k, w }) => [experts, k, w])).toEqual([
    [4, 3, expect.closeTo(13 / 14, 10)],
    [5, 3, expect.closeTo(49 / 75, 10)],
  ]);
  expect(table('轮间稳定性').map(({ item, n }) => [item, n])).toEqual([
    ['指标b', 4],
    ['指标c', 4],
  ]);
}, 120_000);

const judged = (value: number): { value: number; favours: 'first' | 'second' } =>
  value >= 1 ? { value, favours: 'first' } : { value: Math.round(1 / value), favours: 'second' };

test('an AHP: a pair nobody compared, an expert whose answers do not connect, alternatives', async () => {
  const children = ['a', 'b', 'c'].map((id) => ({ id, name: `准则${id}`, children: [] }));
  const alternatives = ['p', 'q'].map((id) => ({ id, name: `方案${id}` }));
  const pid = await published('ahp', { tree: { id: 'goal', name: '目标', children }, alternatives });
  const { list } = await own('POST', `/${pid}/experts`, { names: ['甲', '乙', '丙'] });
  const [first, second, third] = list.map(({ quescode }: { quescode: string }) => quescode);
  const rated = { 'pair:a:p:q': judged(3), 'pair:b:p:q': judged(1 / 3), 'pair:c:p:q': judged(1) };
  const whole = { 'pair:goal:a:b': judged(2), 'pair:goal:a:c': judged(4) };
  await answer(first, { ...whole, 'pair:goal:b:c': null, ...rated });
  await answer(second, { ...whole, ...rated });
  await answer(third, { 'pair:goal:a:b': judged(9), ...rated });
  await own('PATCH', `/${pid}/round`, { act: 'close' });

  const table = await reported(pid);
  // 4 : 2 : 1, the pair nobody compared completed as 2.
  expect(table('全局权重').map(({ node, overall }) => [node, overall])).toEqual([
    ['准则a', expect.closeTo(4 / 7, 8)],
    ['准则b', expect.closeTo(2 / 7, 8)],
    ['准则c', expect.closeTo(1 / 7, 8)],
  ]);
  const scores = table('方案得分').map(({ alternative, score }) => [alternative, score]);
  const p = (4 / 7) * 0.75 + (2 / 7) * 0.25 + (1 / 7) * 0.5;
  expect(scores).toEqual([
    ['方案p', expect.closeTo(p, 8)],
    ['方案q', expect.closeTo(1 - p, 8)],
  ]);
  expect(table('缺失补全').map(({ value }) => value)).toEqual([expect.closeTo(2, 8), expect.closeTo(2, 8)]);
  const treated = table('专家一致性').filter(({ node }) => node === '目标');
  expect(treated.map(({ expert: who, treated: how }) => [who, how])).toEqual([
    ['E01', '采用'],
    ['E02', '采用'],
    ['E03', '判断没有连通，不计入'],
  ]);
}, 120_000);

test('a regular design of nine things is read whole, though half of the columns are empty', async () => {
  const children = Array.from({ length: 9 }, (_, at) => ({ id: `n${at}`, name: `准则${at}`, children: [] }));
  const made = await own('POST', '', { kind: 'ahp', title: '问卷' });
  const protocol = { ...made.content.protocol, design: 'regular' };
  const pid = await published('ahp', { tree: { id: 'goal', name: '目标', children }, protocol });
  const { list } = await own('POST', `/${pid}/experts`, { names: ['甲'] });
  expect(list[0].asked).toBe(18);
  // Everything alike but the first, three times as much as the four it is compared with.
  const values: Record<string, unknown> = {};
  for (let i = 0; i < 9; i += 1)
    for (let j = i + 1; j < 9; j += 1)
      if (Math.min(j - i, 9 - j + i) <= 2) values[`pair:goal:n${i}:n${j}`] = judged(i === 0 ? 3 : 1);
  await answer(list[0].quescode, values);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  const table = await reported(pid);
  expect(table('全局权重').map(({ overall }) => overall)).toEqual(
    children.map((_, at) => expect.closeTo(at === 0 ? 3 / 11 : 1 / 11, 8)),
  );
  expect(table('专家一致性')).toMatchObject([{ n: 9, missing: 18, ratio: expect.closeTo(0, 8) }]);
}, 120_000);
