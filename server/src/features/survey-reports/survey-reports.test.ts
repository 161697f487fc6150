/** 整卷报告: planned, made part by part through the ordinary queue, refused in parts, stopped, gone on with, dropped from. */
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { fileStage } from '../../testing/stages.ts';
import { reportOf } from '../../testing/tables.ts';

const on = fileStage();
let { world, person, vid } = on;

const KEPT = { dimensions: [], matrices: [], background: ['c1'] };
const part = (n: number, more: object = {}) => ({
  key: `p${n}`,
  section: n === 1 ? '样本构成' : '各题结果',
  title: `第 ${n} 部分`,
  path: 'descriptive/frequency',
  form: { variables: [`c${n}`] },
  chosen: true,
  ...more,
});
const PLAN = { parts: [part(1), part(2), part(3)], left_out: ['开放题不在报告里。'] };
const chosen = (...numbers: number[]) => numbers.map((n) => ({ key: `p${n}`, title: `第 ${n} 部分` }));

const get = (url: string, who = person) => call(world, who, 'GET', url);
const start = (parts: unknown[] = chosen(1, 2, 3), who = person) =>
  call(world, who, 'POST', '/v1/analysis/survey-reports', { vid, name: '整卷报告', parts });
const read = async (pid: number) => (await get(`/v1/analysis/projects/${pid}/survey`)).data;
async function ended(pid: number): Promise<any> {
  await until(async () => !(await read(pid)).open);
  return read(pid);
}
const states = ({ parts }: any) => parts.map(({ state }: any) => state);

beforeEach(async () => {
  ({ world, person, vid } = on);
  world.engine.on('POST', '/tables/:key/first-report', () => ({ body: PLAN }));
  await call(world, person, 'PUT', `/v1/user/file/versions/${vid}/questionnaire`, KEPT);
});

describe('the plan', () => {
  test('is asked of the engine with what is kept', async () => {
    const asked: unknown[] = [];
    world.engine.on('POST', '/tables/:key/first-report', (body) => {
      asked.push(body);
      return { body: PLAN };
    });
    const { data } = await get(`/v1/analysis/survey-plan?vid=${vid}`);
    expect(data).toMatchObject({ ...PLAN, name: '调查：整卷报告', made: [] });
    expect(asked).toEqual([{ questionnaire: KEPT, sets: [] }]);
  });

  test('waits for the structure to be confirmed', async () => {
    await call(world, person, 'DELETE', `/v1/user/file/versions/${vid}/questionnaire`);
    const { status, body } = await get(`/v1/analysis/survey-plan?vid=${vid}`);
    expect([status, body.msg]).toEqual([422, expect.stringContaining('“问卷”页')]);
  });
});

describe('a survey report', () => {
  test('is a project of ordinary reports that bear the titles of the plan', async () => {
    const { data } = await start();
    const made = await ended(data.project_id);
    expect(states(made)).toEqual(['done', 'done', 'done']);
    expect(made).toMatchObject({ name: '整卷报告', vid, left_out: PLAN.left_out });
    const { list } = (await get(`/v1/analysis/projects/${data.project_id}/reports`)).data;
    expect(list.map(({ title }: any) => title).sort()).toEqual(['第 1 部分', '第 2 部分', '第 3 部分']);
    const forms = world.engine.submitted.filter(({ kind }) => kind === 'analysis').map(({ payload }) => payload.form);
    expect(forms).toEqual([{ variables: ['c1'] }, { variables: ['c2'] }, { variables: ['c3'] }]);
    expect((await get(`/v1/analysis/survey-plan?vid=${vid}`)).data.made).toMatchObject([
      { project_id: data.project_id, name: '整卷报告' },
    ]);
  });

  test('holds the chosen parts only, and none that the plan does not have any more', async () => {
    const { data } = await start(chosen(2));
    expect((await ended(data.project_id)).parts.map(({ title }: any) => title)).toEqual(['第 2 部分']);
    expect((await start([{ key: 'p1', title: '别的' }])).status).toBe(422);
    expect((await start([...chosen(1), ...chosen(1)])).status).toBe(400);
    expect((await start([])).status).toBe(400);
    expect((await get('/v1/analysis/project')).data.total).toBe(1);
  });

  test('tells why a part was refused, before it ran or while it did, and goes on with the others', async () => {
    const fault = { field: 'variables', code: 'role.levels', text: '类别太多' };
    world.engine.on('POST', '/draft', (body) => ({
      body: {
        resolved: body.form,
        fields: body.form.variables[0] === 'c1' ? [fault] : [],
        seconds: 0.1,
        key: JSON.stringify(body.form),
      },
    }));
    world.engine.onRun = ({ payload }) =>
      payload.form.variables[0] === 'c2'
        ? { state: 'refused', refusal: { fields: [{ field: null, code: 'data.few', text: '答卷太少' }] } }
        : { state: 'done', result: { report: reportOf() } };
    const { data } = await start();
    const made = await ended(data.project_id);
    expect(states(made)).toEqual(['refused', 'refused', 'done']);
    expect(made.parts.map(({ text }: any) => text)).toEqual(['类别太多', '答卷太少', null]);
    // What refused them is mended: only they are tried again.
    const before = world.engine.submitted.length;
    world.engine.on('POST', '/draft', (body) => ({
      body: { resolved: body.form, fields: [], seconds: 0.1, key: JSON.stringify(body.form) },
    }));
    world.engine.onRun = () => ({ state: 'done', result: { report: reportOf() } });
    await call(world, person, 'POST', `/v1/analysis/projects/${data.project_id}/survey/resume`);
    expect(states(await ended(data.project_id))).toEqual(['done', 'done', 'done']);
    expect(world.engine.submitted.length - before).toBe(2);
  });

  test('is stopped with the part that is being made, and gone on with', async () => {
    world.engine.onRun = ({ payload }) =>
      payload.form.variables[0] === 'c1' ? { state: 'done', result: { report: reportOf() } } : null;
    const { data } = await start();
    await until(() => world.engine.submitted.some(({ payload }) => payload.form?.variables?.[0] === 'c2'));
    const going = await read(data.project_id);
    expect(going.open).toBe(true);
    expect((await call(world, person, 'POST', `/v1/analysis/projects/${data.project_id}/survey/resume`)).status).toBe(
      422,
    );
    await call(world, person, 'DELETE', `/v1/runs/${data.run_id}`);
    const stopped = await ended(data.project_id);
    expect(stopped.parts[0].state).toBe('done');
    expect(stopped.parts[2].state).toBe('stopped');
    await until(() => world.engine.cancelled.length > 0);
    world.engine.onRun = () => ({ state: 'done', result: { report: reportOf() } });
    await call(world, person, 'POST', `/v1/analysis/projects/${data.project_id}/survey/resume`);
    expect(states(await ended(data.project_id))).toEqual(['done', 'done', 'done']);
  });

  test('does not make a part again whose analysis ended after the work had stopped', async () => {
    const { data } = await start();
    await ended(data.project_id);
    await world.db.execute(sql`UPDATE survey_report_parts SET rid = NULL WHERE place = 2`);
    const before = world.engine.submitted.length;
    await call(world, person, 'POST', `/v1/analysis/projects/${data.project_id}/survey/resume`);
    expect(states(await ended(data.project_id))).toEqual(['done', 'done', 'done']);
    expect(world.engine.submitted.length - before).toBe(0);
    expect((await get(`/v1/analysis/projects/${data.project_id}/reports`)).data.list).toHaveLength(3);
  });

  test('is gone on with once, although two ask for it at the same moment', async () => {
    const refuse = { state: 'refused', refusal: { fields: [{ field: null, code: 'data.few', text: '答卷太少' }] } };
    world.engine.onRun = () => refuse;
    const { data } = await start();
    await ended(data.project_id);
    world.engine.onRun = () => ({ state: 'done', result: { report: reportOf() } });
    const resume = () => call(world, person, 'POST', `/v1/analysis/projects/${data.project_id}/survey/resume`);
    const answers = await Promise.all([resume(), resume()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(states(await ended(data.project_id))).toEqual(['done', 'done', 'done']);
    const { list } = (await get(`/v1/analysis/projects/${data.project_id}/reports`)).data;
    expect(list).toHaveLength(3);
  });

  test('drops parts and takes them back; a report that was deleted is gone from it', async () => {
    const { data } = await start();
    const { parts } = await ended(data.project_id);
    const url = `/v1/analysis/projects/${data.project_id}/survey`;
    const drop = async (dropped: number[]) => (await call(world, person, 'PATCH', url, { dropped })).data.parts;
    expect((await drop([2])).map((one: any) => one.dropped)).toEqual([false, true, false]);
    expect((await drop([])).map((one: any) => one.dropped)).toEqual([false, false, false]);
    await call(world, person, 'DELETE', `/v1/analysis/projects/${data.project_id}/reports/${parts[0].report_id}`);
    expect((await read(data.project_id)).parts[0]).toMatchObject({ state: 'gone', report_id: null });
  });

  test("is nobody else's: another's version, report and plan are as absent as none", async () => {
    const { data } = await start();
    await ended(data.project_id);
    const other = await makePerson(world);
    const url = `/v1/analysis/projects/${data.project_id}/survey`;
    expect((await get(url, other)).status).toBe(404);
    expect((await call(world, other, 'PATCH', url, { dropped: [] })).status).toBe(404);
    expect((await call(world, other, 'POST', `${url}/resume`)).status).toBe(404);
    expect((await get(`/v1/analysis/survey-plan?vid=${vid}`, other)).status).toBe(404);
    expect((await start(chosen(1), other)).status).toBe(404);
  });

  test('an ordinary project is none', async () => {
    const { data } = await call(world, person, 'POST', '/v1/analysis/project/0', { name: '项目' });
    expect((await get(`/v1/analysis/projects/${data.id}/survey`)).status).toBe(404);
  });
});
