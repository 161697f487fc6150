import { beforeEach, expect, test } from 'vitest';
import { call } from '../../testing/makers.ts';
import { fileStage } from '../../testing/stages.ts';

const BASE = '/v1/user/file';
const on = fileStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const FACTORS = [
  { name: '疗法', levels: ['新药', '对照'] },
  { name: '结果', levels: ['有效', '无效'] },
];
const BODY = { name: '疗效', factors: FACTORS, counts: [30, 10, 18, 22] };
const post = (body: Record<string, unknown>) => call(world, person, 'POST', `${BASE}/counts`, body);

test('counts become a file whose version is weighted by them', async () => {
  // The fake engine describes every table the same; this one is a table of counts.
  let columns: { id: string }[] = [];
  const seen: Record<string, unknown>[] = [];
  world.engine.on('POST', '/tables/:key/counts', (body) => {
    seen.push(body);
    columns = [columnOf('c1', '疗法'), columnOf('c2', '结果'), columnOf('c3', '频数')];
    return { body: metaOf(columns) };
  });
  world.engine.on('GET', '/tables/:key', () => ({ body: metaOf(columns) }));
  const { data } = await post(BODY);
  expect(seen).toEqual([{ factors: FACTORS, counts: BODY.counts }]);
  const version = (await call(world, person, 'GET', `${BASE}/versions/${data.vid}`)).data;
  expect(version).toMatchObject({
    fid: data.fid,
    name: '疗效',
    rows: 4,
    active: { weight: { column: 'c3', kind: 'frequency' }, filter: null, split: null },
    step: { op: 'data', title: '录入频数表', changes: ['“疗法”“结果”，2 × 2 格，共 80 例；已按频数加权'] },
  });
  expect((await call(world, person, 'GET', `${BASE}?keyword=${encodeURIComponent('疗效')}`)).data.total).toBe(1);
});

test.each([
  [{ ...BODY, counts: [1, 2, 3, -1] }, '频数不能是负数'],
  [{ ...BODY, counts: [1, 2, 3, 1.5] }, '频数必须是整数'],
  [{ ...BODY, factors: [{ name: '疗法', levels: ['新药'] }] }, '每个变量至少要有 2 个类别'],
  [{ ...BODY, factors: [{ name: ' ', levels: ['a', 'b'] }] }, '请输入变量名'],
  [{ ...BODY, name: '' }, '请输入名称'],
])('what is no table of counts is refused: %#', async (body, text) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  expect(answer.body.msg).toContain(text);
});

test('what only the engine sees is refused in its words, and no file is made', async () => {
  world.engine.on('POST', '/tables/:key/counts', () => ({
    status: 422,
    body: { error: { code: 'counts.twice', text: '“疗法”有两个类别都叫“新药”', facts: {} } },
  }));
  const answer = await post({ ...BODY, factors: [{ name: '疗法', levels: ['新药', '新药'] }], counts: [1, 2] });
  expect(answer.status).toBe(422);
  expect(answer.body.msg).toContain('都叫“新药”');
  expect((await call(world, person, 'GET', BASE)).data.total).toBe(1);
});

const columnOf = (id: string, name: string) => ({
  id,
  name,
  label: null,
  measure: '定类',
  ordered: false,
  flags: [],
  storage: 'text',
  decimals: 0,
  unit: null,
  why: '文本',
  levels: null,
  missing: { values: [], ranges: [] },
  profile: profileOf(),
});

const profileOf = () => ({
  n: 4,
  missing: 0,
  distinct: 2,
  min: null,
  max: null,
  mean: null,
  sd: null,
  median: null,
  q1: null,
  q3: null,
  whole: false,
  non_negative: false,
  positive: false,
  histogram: [],
  top: [],
  lowest: [],
  highest: [],
  unique: false,
});

const metaOf = (columns: unknown[]) => ({ data: null, rows: 4, columns, import: null, sha256: {}, warnings: [] });
