import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { makeFile, makeReport, reportOf } from '../../testing/tables.ts';
import { fileStage } from '../../testing/stages.ts';

const PATH = '/algorithm/descriptive/frequency';
const FORM = { variables: ['c1'] };
const on = fileStage();
let { world, person, vid } = on;
beforeEach(() => {
  ({ world, person, vid } = on);
});

const run = (query = '', form: Record<string, unknown> = FORM, who = person) =>
  call(world, who, 'POST', `${PATH}?vid=${vid}${query}`, form);
const reports = async (who = person) => (await call(world, who, 'GET', '/v1/analysis/projects/0/report')).data;
const projects = async () => (await call(world, person, 'GET', '/v1/analysis/project')).data;
const analyses = () => world.engine.submitted.filter(({ kind }) => kind === 'analysis');
/** Runs that go on until somebody ends them. */
const hold = (): void => void (world.engine.onRun = () => null);

describe('running a method', () => {
  test('gives the report within the call, in a new project named after the file', async () => {
    const { data } = await run();
    expect(data).toMatchObject({
      state: 'done',
      rev: 1,
      cached: false,
      error: null,
      report: { title: '性别的频数', made_at: expect.any(String) },
    });
    expect(await projects()).toMatchObject({
      total: 1,
      list: [{ id: data.project_id, name: '调查', reports: 1, order: 1 }],
    });
    expect((await reports()).list).toMatchObject([
      { rid: data.report_id, vid, title: '性别的频数', method: '频数分析', rev: 1, revs: 1, file_name: '调查' },
    ]);
    const state = await call(world, person, 'GET', `/v1/runs/${data.run_id}`);
    expect(state.data.result).toMatchObject({
      project_id: data.project_id,
      report_id: data.report_id,
      rev: 1,
      stopped: false,
    });
  });

  test('asks the engine what the version has active, unless the form says otherwise', async () => {
    await call(world, person, 'POST', `/algorithm/filter?vid=${vid}`, { condition: '{c2} > 18', filter_type: 'drop' });
    await call(world, person, 'PATCH', `/v1/user/file/versions/${vid}/active`, {
      weight: { column: 'c4', kind: 'frequency' },
      split: { column: 'c1' },
    });
    await run();
    expect(analyses()[0]?.payload).toMatchObject({
      path: 'descriptive/frequency',
      form: FORM,
      table: expect.stringMatching(/^t_/),
      filter: { condition: '{c2} > 18', filter_type: 'drop' },
      weight: { column: 'c4', kind: 'frequency' },
      split: { column: 'c1', levels: null, total: true },
      fill_missing: 0,
      kept: expect.stringMatching(/^t_/),
    });
    await run('', { ...FORM, _filter: null, _weight: null, _split: null });
    expect(analyses()[1]?.payload).toMatchObject({ form: FORM, filter: null, weight: null, split: null });
    await run('', { ...FORM, _filter: '{c2} < 9', _weight: 'c4' });
    expect(analyses()[2]?.payload).toMatchObject({
      filter: { condition: '{c2} < 9', filter_type: 'keep' },
      weight: { column: 'c4', kind: 'frequency' },
    });
    expect((await run('', { ...FORM, _split: 'c1' })).status).toBe(400);
  });

  test('keeps with a report what its form chose itself, so that asking again gives the same', async () => {
    const own = { _filter: '{c2} < 9', _split: { column: 'c1', levels: null, total: true } };
    const { data } = await run('', { ...FORM, ...own });
    const report = await call(
      world,
      person,
      'GET',
      `/v1/analysis/projects/${data.project_id}/reports/${data.report_id}`,
    );
    expect(report.data.form).toEqual({ ...FORM, ...own });
    const plain = await run('', FORM);
    const other = await call(
      world,
      person,
      'GET',
      `/v1/analysis/projects/${plain.data.project_id}/reports/${plain.data.report_id}`,
    );
    expect(other.data.form).toEqual(FORM);
  });

  test('fills missing values when the person has set so', async () => {
    await call(world, person, 'POST', '/v1/user/config', { fill_nan_adjusted: 1 });
    await run();
    expect(analyses()[0]?.payload.fill_missing).toBe(1);
  });

  test('reads - as _ and finds nested paths only where there are methods', async () => {
    const dashed = await call(world, person, 'GET', '/algorithm/hypothesis-test/independent-t-test');
    expect(dashed.data).toMatchObject({
      declaration: { path: 'hypothesis_test/independent_t_test' },
      help: { doc_link: '/help/independent-t-test/' },
      oracle: { cases: expect.any(Number) },
    });
    for (const path of ['/algorithm/nothing', '/algorithm/descriptive/frequency/more', '/algorithm/../etc'])
      expect((await call(world, person, 'POST', path, {})).status).toBe(404);
  });

  test('is judged first: faults come at once with their fields, and nothing is kept', async () => {
    const fields = [
      {
        field: 'variables',
        code: 'role.few',
        text: '请至少选择 1 个变量',
        facts: { min: 1 },
        column: null,
        row: null,
        remedies: [],
      },
    ];
    world.engine.on('POST', '/draft', (body) => ({ body: { resolved: body.form, fields, seconds: 0, key: 'k' } }));
    const refused = await run();
    expect(refused).toMatchObject({
      status: 422,
      body: { status_code: 0, err_code: 30601, msg: '请至少选择 1 个变量', fields },
    });
    expect(analyses()).toEqual([]);
    expect((await projects()).total).toBe(0);
    expect((await run('&draft=1')).data).toMatchObject({ fields, key: 'k' });
  });

  test('refused by the data within the wait is the same 422 and leaves nothing', async () => {
    const fields = [{ field: 'variables', code: 'data.constant', text: '“性别”的取值完全相同', column: 'c1' }];
    world.engine.onRun = () => ({ state: 'refused', refusal: { fields } });
    expect(await run()).toMatchObject({ status: 422, body: { msg: '“性别”的取值完全相同', fields } });
    expect((await reports()).total).toBe(0);
    expect((await projects()).total).toBe(0);
    expect(await world.db.execute(sql`SELECT rid FROM reports`)).toMatchObject({ rows: [] });
  });

  test('that fails says why', async () => {
    world.engine.onRun = () => ({
      state: 'memory',
      error: { code: 'run.memory', text: '内存超出限制（2 GB），请减少变量或行数', id: null },
    });
    expect((await run()).data).toMatchObject({
      state: 'memory',
      report: null,
      rev: null,
      error: { text: '内存超出限制（2 GB），请减少变量或行数' },
    });
  });

  test('keeps nothing of a draft', async () => {
    expect((await run('&draft=1')).data).toMatchObject({
      resolved: FORM,
      fields: [],
      seconds: 0.1,
      key: expect.any(String),
    });
    expect((await projects()).total).toBe(0);
    expect(analyses()).toEqual([]);
  });

  test('malformed for the engine is a malformed request', async () => {
    world.engine.on('POST', '/draft', () => ({
      status: 400,
      body: { error: { code: 'request.shape', text: '请求的形状不正确', facts: {} } },
    }));
    expect(await run()).toMatchObject({ status: 400, body: { err_code: 30090 } });
  });

  test('needs a version, and may be told that the engine is away', async () => {
    expect((await call(world, person, 'POST', PATH, FORM)).status).toBe(400);
    world.engine.on('POST', '/draft', () => ({ status: 500, body: {} }));
    expect(await run()).toMatchObject({ status: 503, body: { err_code: 30095 } });
  });
});

describe('the next run of a report', () => {
  test('is its next revision; the same result is none', async () => {
    const { data } = await run();
    const again = await run(`&report_id=${data.report_id}`);
    expect(again.data).toMatchObject({ cached: true, run_id: null, report_id: data.report_id, rev: 1 });
    const next = await run(`&report_id=${data.report_id}`, { variables: ['c2'] });
    expect(next.data).toMatchObject({ cached: false, report_id: data.report_id, project_id: data.project_id, rev: 2 });
    const back = await run(`&report_id=${data.report_id}`);
    expect(back.data).toMatchObject({ cached: true, rev: 3 });
    const { data: report } = await call(
      world,
      person,
      'GET',
      `/v1/analysis/projects/${data.project_id}/reports/${data.report_id}`,
    );
    expect(report).toMatchObject({ rev: 3, revs: 3, form: FORM, history: [{ rev: 1 }, { rev: 2 }, { rev: 3 }] });
    const older = await call(
      world,
      person,
      'GET',
      `/v1/analysis/projects/${data.project_id}/reports/${data.report_id}?rev=2`,
    );
    expect(older.data.form).toEqual({ variables: ['c2'] });
  });

  test('of the same settings is computed anew when the last was stopped early', async () => {
    const whole = world.engine.onRun;
    world.engine.onRun = () => ({ state: 'done', result: { report: { ...reportOf(), stopped: true } } });
    const { data } = await run();
    world.engine.onRun = whole;
    const again = await run(`&report_id=${data.report_id}`);
    expect([data.report.stopped, again.data.report.stopped]).toEqual([true, false]);
    expect(again.data).toMatchObject({ cached: false, report_id: data.report_id, rev: 2 });
  });

  test('elsewhere is a new report from the known result, at once', async () => {
    const { data } = await run();
    const other = await run(`&project_id=${data.project_id}`);
    expect(other.data).toMatchObject({ cached: true, project_id: data.project_id, rev: 1 });
    expect(other.data.report_id).not.toBe(data.report_id);
    expect(analyses()).toHaveLength(1);
  });

  test('is told of while it goes on: which report it will belong to', async () => {
    hold();
    const { data } = await run('&wait=0');
    const { data: open } = await call(world, person, 'GET', '/v1/runs?open=1');
    const { report_id, project_id, run_id } = data;
    expect(open.list).toEqual([
      expect.objectContaining({
        run_id,
        about: { report_id, project_id, vid, method: PATH.replace('/algorithm/', '').split('?')[0] },
      }),
    ]);
  });

  test('supersedes the run before it, also when there is no result yet', async () => {
    hold();
    const first = (await run('&wait=0')).data;
    expect(first).toMatchObject({
      state: expect.stringMatching(/waiting|running/),
      rev: null,
      report: null,
      report_id: expect.any(Number),
    });
    expect((await reports()).total).toBe(0);
    expect((await call(world, person, 'GET', `/v1/analysis/projects/0/reports/${first.report_id}`)).status).toBe(404);
    const second = (await run(`&wait=0&report_id=${first.report_id}`, { variables: ['c2'] })).data;
    expect(second.report_id).toBe(first.report_id);
    expect(world.engine.cancelled).toEqual([first.run_id]);
    expect((await call(world, person, 'GET', `/v1/runs/${first.run_id}`)).data.state).toBe('cancelled');
    world.engine.emit(second.run_id, { state: 'done', result: { report: reportOf({ title: '年龄的频数' }) } });
    await until(async () => (await reports()).total === 1);
    expect((await reports()).list[0]).toMatchObject({ rid: first.report_id, title: '年龄的频数', rev: 1 });
  });

  test('with the same form joins the run that goes on', async () => {
    hold();
    const first = (await run('&wait=0')).data;
    const second = (await run(`&wait=0&report_id=${first.report_id}`)).data;
    expect(second.run_id).toBe(first.run_id);
    expect(analyses()).toHaveLength(1);
  });

  test('is refused for a frozen report, another method, and what is not there', async () => {
    const { data } = await run();
    await call(world, person, 'POST', `/v1/analysis/projects/0/reports/${data.report_id}`, { frozen: true });
    expect(await run(`&report_id=${data.report_id}`)).toMatchObject({ status: 409, body: { err_code: 30603 } });
    const other = await call(
      world,
      person,
      'POST',
      `/algorithm/hypothesis_test/independent_t_test?vid=${vid}&report_id=${data.report_id}`,
      {},
    );
    expect(other.status).toBe(422);
    expect((await run('&report_id=99999')).status).toBe(404);
    expect((await run('&project_id=99999')).status).toBe(404);
  });

  test('that ends after the report was removed is stored nowhere', async () => {
    const { data } = await run();
    hold();
    const next = (await run(`&wait=0&report_id=${data.report_id}`, { variables: ['c2'] })).data;
    await call(world, person, 'DELETE', `/v1/analysis/projects/0/reports/${data.report_id}`);
    world.engine.emit(next.run_id, { state: 'done', result: { report: reportOf() } });
    expect(await world.runs.wait(next.run_id, 5)).toMatchObject({ state: 'done', result: null });
  });

  test('cancelled or left alone leaves no empty report behind', async () => {
    hold();
    const { data } = await run('&wait=0');
    await call(world, person, 'DELETE', `/v1/runs/${data.run_id}`);
    expect((await reports()).total).toBe(0);
    expect((await projects()).total).toBe(0);
    await world.db.execute(sql`UPDATE reports SET updated_at = now() - interval '2 days'`);
    await world.db.execute(sql`UPDATE projects SET updated_at = now() - interval '2 days'`);
    await world.reports.sweep();
    expect(await world.db.execute(sql`SELECT rid FROM reports UNION ALL SELECT id FROM projects`)).toMatchObject({
      rows: [],
    });
  });

  test('repeated with its Idempotency-Key is done once', async () => {
    const header = { 'idempotency-key': 'one-click' };
    const first = await call(world, person, 'POST', `${PATH}?vid=${vid}`, FORM, header);
    const again = await call(world, person, 'POST', `${PATH}?vid=${vid}&_rid=2`, FORM, header);
    expect(again.data).toEqual(first.data);
    expect((await reports()).total).toBe(1);
    const other = await call(world, person, 'POST', `${PATH}?vid=${vid}`, { variables: ['c2'] }, header);
    expect(other).toMatchObject({ status: 409, body: { err_code: 30011 } });
  });
});

describe('beside the form', () => {
  test('all methods are listed, and the generic call runs one', async () => {
    const { data } = await call(world, null, 'GET', '/algorithm/v2/list');
    expect(data).toContainEqual(
      expect.objectContaining({
        algo_code: 'descriptive/frequency',
        algo_id: null,
        algo_type: 1,
        takes_model: false,
        condition_field: null,
        roles: [expect.objectContaining({ key: 'variables', min: 1 })],
      }),
    );
    // Four hundred of them go to every browser: boxes and numbers, no options.
    for (const row of data) expect(row).not.toHaveProperty('fields');
    const words = await call(world, null, 'GET', '/algorithm/v2/words');
    expect(words.data['descriptive/frequency']).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(Object.keys(words.data).toSorted()).toEqual(data.map((row: any) => row.algo_code).toSorted());
    const ran = await call(world, person, 'POST', '/algorithm/v2', {
      algo_code: 'descriptive/frequency',
      algo_type: 1,
      algo_params: { vid, project_name: '论文', ...FORM },
    });
    expect(ran.data).toMatchObject({ state: 'done', rev: 1 });
    expect((await projects()).list[0].name).toBe('论文');
    // A prediction without a model: the form is refused, the number is known.
    expect((await call(world, person, 'POST', '/algorithm/v2', { algo_id: 126, algo_params: {} })).status).toBe(400);
    expect((await call(world, person, 'POST', '/algorithm/v2', { algo_id: 127, algo_params: {} })).status).toBe(404);
  });

  test('suiting methods are recommended', async () => {
    expect((await call(world, person, 'POST', '/v1/analysis/recommend', { vid, columns: ['c1'] })).data).toEqual([
      { path: 'descriptive/frequency', why: '一个定类变量' },
    ]);
  });

  test('a selector leads through its groups to methods, for visitors as well', async () => {
    const { data } = await call(world, null, 'GET', '/v1/analysis/selectors');
    expect(data[0]).toMatchObject({ key: 'difference', question: '要比较什么？' });
    expect(data[0].groups[0].methods).toEqual([{ path: 'descriptive/frequency', when: '看分布' }]);
  });

  test("a method's example becomes one file, however often it is asked for", async () => {
    const ask = () => call(world, person, 'POST', '/v1/user/file/example', { path: 'descriptive/frequency' });
    const answers = await Promise.all([ask(), ask()]);
    const again = await ask();
    for (const { data } of answers) expect(data).toEqual(again.data);
    const list = (await call(world, person, 'GET', '/v1/user/file')).data.list.filter((file: any) => file.example);
    expect(list).toMatchObject([{ name: '频数分析（示例数据）', example: 'descriptive/frequency' }]);
    expect((await call(world, person, 'POST', '/v1/user/file/example', { path: '../../etc/passwd' })).status).toBe(404);
  });
});

test("somebody else's version, report, project and run are as absent as none", async () => {
  const other = await makePerson(world);
  const mine = await makeFile(world, other);
  const made = await makeReport(world, person, vid);
  const attempt = (query: string, form = FORM) => call(world, other, 'POST', `${PATH}?${query}`, form);
  for (const query of [
    `vid=${vid}`,
    `vid=${vid}&draft=1`,
    `vid=${mine.vid}&report_id=${made.report_id}`,
    `vid=${mine.vid}&project_id=${made.project_id}`,
  ])
    expect((await attempt(query)).body).toMatchObject({ status_code: 0, err_code: 30093 });
  expect((await call(world, other, 'POST', '/v1/analysis/recommend', { vid, columns: ['c1'] })).status).toBe(404);
  expect((await call(world, other, 'GET', `/v1/usage_limit/algorithm/check?vid=${vid}`)).status).toBe(404);
  expect(
    (
      await call(world, other, 'POST', '/algorithm/v2', {
        algo_code: 'descriptive/frequency',
        algo_params: { vid, ...FORM },
      })
    ).status,
  ).toBe(404);
  // A known result of somebody else is not known to me.
  const same = await attempt(`vid=${mine.vid}`);
  expect(same.data.cached).toBe(false);
  for (const [method, url] of [
    ['POST', PATH],
    ['POST', '/algorithm/v2'],
    ['POST', '/v1/analysis/recommend'],
    ['GET', '/v1/usage_limit/algorithm/check'],
    ['POST', '/v1/user/file/example'],
  ] as const)
    expect((await call(world, null, method, url, method === 'POST' ? {} : undefined)).status).toBe(401);
});
