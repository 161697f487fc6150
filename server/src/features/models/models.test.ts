import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeFile, reportOf, teachEngine } from '../../testing/tables.ts';
import { models } from './tables.ts';

const TRAIN = '/algorithm/supervised_learning/classifier/random_forest';
const PREDICT = '/algorithm/supervised_learning/classifier/classifier_predict';
const LIST = '/v1/analysis/models';
let world: World;
let person: Person;
let other: Person;
let vid: number;
let theirs: number;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  teachEngine(world);
  person = await makePerson(world);
  other = await makePerson(world, '别人');
  ({ vid } = await makeFile(world, person));
  ({ vid: theirs } = await makeFile(world, other));
  world.engine.onRun = ({ payload }) => ({ state: 'done', result: { report: trained(payload.kept_model) } });
});
afterAll(() => world.close());

const card = {
  format: 1,
  path: 'supervised_learning/classifier/random_forest',
  method: '随机森林分类',
  version: 1,
  libraries: {},
  task: 'classification',
  features: [{ key: 'x1', name: '年龄' }],
  target: { name: '流失', label: null, classes: [], event: 1 },
  rows: 70,
  scores: { 准确率: 0.9 },
};

/** A report with a kept model, as the engine would give it. */
function trained(kept: string): unknown {
  const report = reportOf({ title: '流失的随机森林分类' });
  const model = { type: 'model', id: 'saved', name: 'saved', place: 'main', title: '模型', at: null, model_id: null };
  report.parts[0].elements.push({ ...model, kept, sha256: 'ab'.repeat(32), bytes: 2048, card });
  return report;
}

const train = async (form: Record<string, unknown> = { y: 'c1' }) =>
  (await call(world, person, 'POST', `${TRAIN}?vid=${vid}`, form)).data;
const modelOf = (data: any): number => data.report.parts[0].elements.at(-1).model_id;
const save = async (name = '流失模型', form?: Record<string, unknown>): Promise<number> => {
  const id = modelOf(await train(form));
  await call(world, person, 'PATCH', `${LIST}/${id}`, { name });
  return id;
};
const list = async (who = person, query = '') => (await call(world, who, 'GET', `${LIST}${query}`)).data;
const predicted = () => world.engine.submitted.at(-1)?.payload;

describe('a model', () => {
  test('is kept with its report under a number, and is in the list once it has a name', async () => {
    const first = await train();
    const id = modelOf(first);
    expect(id).toEqual(expect.any(Number));
    expect(await list()).toEqual({ total: 0, list: [] });
    await call(world, person, 'PATCH', `${LIST}/${id}`, { name: ' 流失模型 ' });
    expect(await list()).toMatchObject({
      total: 1,
      list: [{ model_id: id, name: '流失模型', target: '流失', features: 1, rows: 70, file_name: '调查' }],
    });
    const report = await call(world, person, 'GET', `/v1/analysis/projects/0/reports/${first.report_id}`);
    expect(modelOf({ report: report.data.document })).toBe(id);
  });

  test('a known result shows the model it has', async () => {
    const first = await train();
    expect(modelOf(await train())).toBe(modelOf(first));
    expect(await world.db.select().from(models)).toHaveLength(1);
  });

  test('is renamed and keeps its place; a name is asked for', async () => {
    const [a, b] = [await save('甲', { y: 'c1' }), await save('乙', { y: 'c2' })];
    await call(world, person, 'PATCH', `${LIST}/${a}`, { name: '丙' });
    expect((await list()).list.map((one: any) => one.name)).toEqual(['乙', '丙']);
    expect((await call(world, person, 'PATCH', `${LIST}/${b}`, { name: '  ' })).status).toBe(400);
    expect((await call(world, person, 'PATCH', `${LIST}/${b}`, { name: '丁', more: 1 })).status).toBe(400);
  });

  test('leaves the list but stays with its report; without a report its folder goes', async () => {
    const id = await save();
    expect((await call(world, person, 'DELETE', `${LIST}/${id}`)).status).toBe(200);
    expect((await list()).total).toBe(0);
    expect((await call(world, person, 'GET', `${LIST}/${id}`)).data).toMatchObject({ name: null });
    expect((await call(world, person, 'DELETE', `${LIST}/${id}`)).status).toBe(404);
    await call(world, person, 'PATCH', `${LIST}/${id}`, { name: '又一次' });
    await world.db.update(models).set({ documentId: null }).where(eq(models.id, id));
    await call(world, person, 'DELETE', `${LIST}/${id}`);
    expect(await world.db.select().from(models)).toEqual([]);
  });

  test('of a failed run leaves no row', async () => {
    world.engine.onRun = () => ({ state: 'failed', error: { code: 'bug', text: '出错', id: '1' } });
    await train();
    expect(await world.db.select().from(models)).toEqual([]);
  });

  test('of somebody else does not exist', async () => {
    const id = await save();
    const absent = id + 1000;
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: '我的' }],
      ['DELETE', undefined],
    ] as const) {
      const foreign = await call(world, other, method, `${LIST}/${id}`, body);
      const gone = await call(world, other, method, `${LIST}/${absent}`, body);
      expect([foreign.status, foreign.body]).toEqual([gone.status, gone.body]);
      expect(foreign.status).toBe(404);
    }
    expect((await call(world, other, 'POST', `${LIST}/${id}/answer`, { cases: [{ x1: 1 }] })).status).toBe(404);
    expect((await list(other)).total).toBe(0);
    expect((await list()).list[0].name).toBe('流失模型');
  });

  test('answers typed cases through the engine, which words what does not fit', async () => {
    const id = await save();
    const asked: any[] = [];
    world.engine.on('POST', '/answer', (body) => {
      asked.push(body);
      return { body: { classes: ['否', '是'], rows: [{ value: '是', probabilities: [0.2, 0.8], status: null }] } };
    });
    const { data } = await call(world, person, 'POST', `${LIST}/${id}/answer`, { cases: [{ x1: 30 }] });
    expect(data.rows).toEqual([{ value: '是', probabilities: [0.2, 0.8], status: null }]);
    expect(asked[0]).toMatchObject({ model: { model_id: id, key: expect.stringMatching(/^m_/) }, cases: [{ x1: 30 }] });
    world.engine.on('POST', '/answer', () => ({
      status: 422,
      body: { error: { code: 'model.version', text: '请重新训练', facts: {} } },
    }));
    const refused = await call(world, person, 'POST', `${LIST}/${id}/answer`, { cases: [{ x1: 30 }] });
    expect(refused).toMatchObject({ status: 422, body: { msg: '请重新训练' } });
    for (const cases of [[], [{ c1: 3 }], [{ x1: { a: 1 } }]])
      expect((await call(world, person, 'POST', `${LIST}/${id}/answer`, { cases })).status).toBe(400);
  });
});

describe('a prediction', () => {
  const predict = (body: Record<string, unknown>, who = person, path = PREDICT) =>
    call(world, who, 'POST', `${path}?vid=${vid}`, body);

  test('gives the engine the model named, or the newest one', async () => {
    const a = await save('甲', { y: 'c1' });
    // The clock is set back in between.
    await world.db.execute(sql`UPDATE models SET named_at = named_at + interval '1 minute'`);
    const b = await save('乙', { y: 'c2' });
    await predict({ model: { model_id: a } });
    expect(predicted()).toMatchObject({ models: { model: { model_id: a, name: '甲', sha256: 'ab'.repeat(32) } } });
    await predict({});
    expect(predicted()?.models.model.model_id).toBe(b);
  });

  test('with a foreign, absent or unsaved model gives it nothing', async () => {
    const id = await save();
    const unsaved = modelOf(await train({ y: 'c3' }));
    await call(world, other, 'POST', `${PREDICT}?vid=${theirs}`, { model: { model_id: id } });
    expect(predicted()?.models).toEqual({ model: null });
    for (const model_id of [unsaved, id + 1000]) {
      await predict({ model: { model_id } });
      expect(predicted()?.models).toEqual({ model: null });
    }
  });

  test('by the address of one method takes models of that method only', async () => {
    const id = await save();
    await predict({ model: { model_id: id } }, person, `${TRAIN}_predict`);
    expect(predicted()?.models.model.model_id).toBe(id);
    await world.db.update(models).set({ path: 'supervised_learning/classifier/other' });
    // Another setting: the fake engine's key does not tell models apart.
    await predict({ model: { model_id: id }, threshold: 0.4 }, person, `${TRAIN}_predict`);
    expect(predicted()?.models).toEqual({ model: null });
    const page = await call(world, null, 'GET', `${TRAIN}_predict`);
    expect(page.data.declaration).toMatchObject({ path: 'supervised_learning/classifier/classifier_predict' });
  });

  test('is number 126 of the generic call', async () => {
    const id = await save();
    const { data } = await call(world, person, 'POST', '/algorithm/v2', {
      algo_id: 126,
      algo_type: 1,
      algo_params: { vid, model: { model_id: id } },
    });
    expect(data.state).toBe('done');
    expect(predicted()).toMatchObject({
      path: 'supervised_learning/classifier/classifier_predict',
      models: { model: { model_id: id } },
    });
  });
});

test('models go with the account', async () => {
  await save();
  await world.models.removeAll(world.db as never, person.owner);
  expect(await world.db.select().from(models)).toEqual([]);
});

test('the sweeper removes what nobody named and no result shows', async () => {
  const id = modelOf(await train());
  await world.models.sweep();
  expect(await world.db.select().from(models)).toHaveLength(1);
  await world.db.update(models).set({ documentId: null }).where(eq(models.id, id));
  await world.models.sweep();
  expect(await world.db.select().from(models)).toEqual([]);
});
