import { plainColumn } from '@hengxi/contracts/report/plain-column';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeFile, reportOf, teachEngine } from '../../testing/tables.ts';

const CHART = '/algorithm/quality_control/xbar_r';
const LIST = '/v1/analysis/control-limits';
const FORM = { measures: ['c1'] };
const ROWS = [
  ['试产', 15, 74.001, 0.0097, null, 5, null],
  ['量产', 10, 74.012, 0.0088, null, 5, null],
];
const KEYS = ['phase', 'points', 'center', 'sigma', 'extra', 'n', 'kind'];
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
  world.engine.onRun = () => ({ state: 'done', result: { report: charted(ROWS) } });
});
afterAll(() => world.close());

/** The report of a chart, with what its limits rest on. */
function charted(rows: unknown[][]): unknown {
  const title = '均值-极差控制图：直径';
  const report = reportOf({ title });
  report.path = 'quality_control/xbar_r';
  report.method = { path: report.path, title: '均值-极差控制图（X̄-R）', version: 1 };
  report.roles = { measures: [{ id: 'c1', name: 'd', label: '直径', measure: '定量' }] };
  const columns = KEYS.map((key) => plainColumn(key, 'num', { title: key }));
  report.parts[0].elements.push({ type: 'table', id: 'standard', name: 'standard', hidden: true, columns, rows });
  return report;
}

const run = async (form: Record<string, unknown> = FORM) =>
  (await call(world, person, 'POST', `${CHART}?vid=${vid}`, form)).data;
const placeOf = ({ project_id, report_id }: any) => ({ project_id, report_id, rev: 1 });
const keep = (body: Record<string, unknown>, who: Person = person) => call(world, who, 'POST', LIST, body);

describe('control limits', () => {
  test('of a phase are kept under a name, listed by chart, and told with where they come from', async () => {
    const place = placeOf(await run());
    const kept = await keep({ ...place, name: ' 量产线 ', phase: '量产' });
    expect(kept.data).toMatchObject({
      name: '量产线',
      path: 'quality_control/xbar_r',
      phase: '量产',
      center: 74.012,
      sigma: 0.0088,
      n: 5,
      report: '均值-极差控制图：直径',
      variable: '直径',
      report_id: place.report_id,
    });
    const list = await call(world, person, 'GET', `${LIST}?path=quality_control/xbar_r`);
    expect(list.data).toMatchObject({ total: 1, list: [{ id: kept.data.id }] });
    expect((await call(world, person, 'GET', `${LIST}?path=quality_control/i_mr`)).data.total).toBe(0);
    expect((await call(world, other, 'GET', LIST)).data.total).toBe(0);
  });

  test('need a phase where there are several, a free name, and a report that has limits', async () => {
    const place = placeOf(await run());
    const several = await keep({ ...place, name: '线' });
    expect(several).toMatchObject({ status: 422, body: { msg: expect.stringContaining('请选择冻结哪个阶段的') } });
    expect((await keep({ ...place, name: '线', phase: '停产' })).body.msg).toContain('没有阶段“停产”');
    await keep({ ...place, name: '线', phase: '试产' });
    expect((await keep({ ...place, name: '线', phase: '量产' })).body.msg).toBe('已有名为“线”的控制限，请换一个名称');
    world.engine.onRun = () => ({ state: 'done', result: { report: reportOf() } });
    const plain = await call(world, person, 'POST', `/algorithm/descriptive/frequency?vid=${vid}`, {
      variables: ['c1'],
    });
    expect((await keep({ ...placeOf(plain.data), name: '别的' })).body.msg).toContain('没有可以冻结的控制限');
  });

  test('of a report that uses kept ones are not kept again: they do not rest on its data', async () => {
    const report = charted(ROWS) as any;
    report.form = { frozen_limits: { id: 7 } };
    world.engine.onRun = () => ({ state: 'done', result: { report } });
    const again = await keep({ ...placeOf(await run()), name: '线', phase: '量产' });
    expect(again).toMatchObject({ status: 422, body: { msg: expect.stringContaining('用的就是已冻结的控制限') } });
  });

  test('reach the engine as numbers, stay when their report goes, and are nobody else’s', async () => {
    const place = placeOf(await run());
    const { id } = (await keep({ ...place, name: '线', phase: '量产' })).data;
    const at = `/v1/analysis/projects/${place.project_id}/reports/${place.report_id}`;
    await call(world, person, 'DELETE', at);
    await call(world, person, 'DELETE', `${at}?forever=1`);
    const seen: any[] = [];
    world.engine.onRun = ({ payload }) => {
      seen.push(payload.assets);
      return { state: 'done', result: { report: charted(ROWS) } };
    };
    await run({ ...FORM, frozen_limits: { id } });
    expect(seen).toMatchObject([
      { frozen_limits: { id, name: '线', center: 74.012, sigma: 0.0088, n: 5, path: 'quality_control/xbar_r' } },
    ]);
    expect(seen[0].frozen_limits.made_at).toMatch(/^\d{4}-\d{2}-\d{2}$/u);
    await call(world, other, 'POST', `${CHART}?vid=${theirs}`, { ...FORM, frozen_limits: { id } });
    expect(seen[1]).toEqual({});
    expect((await keep({ ...place, name: '偷来', phase: '量产' }, other)).status).toBe(404);
    expect((await call(world, other, 'DELETE', `${LIST}/${id}`)).status).toBe(404);
    expect((await call(world, person, 'DELETE', `${LIST}/${id}`)).status).toBe(200);
    expect((await call(world, person, 'DELETE', `${LIST}/${id}`)).status).toBe(404);
  });
});
