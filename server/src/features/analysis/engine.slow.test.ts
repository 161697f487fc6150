/** The whole path on the real engine: upload, import, filter, analyse, keep, share. Slow (HENGXI_FAST leaves it out). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../testing/build.ts';
import { call as callWorld, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { buildWithEngine } from '../../testing/real-engine.ts';
import type { RealWorld } from '../../testing/real-engine.ts';
import { makeUpload } from '../../testing/tables.ts';

let real: RealWorld;
let person: Person;
let vid: number;

// The makers need the application, its database and its keys: a world with the real engine has them all.
const world = (): any => real;
const call = (method: any, url: string, body?: Record<string, unknown>) =>
  callWorld(world(), person, method, url, body);

async function importText(text: string | Buffer, name: string, body: Record<string, unknown> = {}): Promise<any> {
  const upload = await makeUpload(world(), person, text, name);
  const { data } = await call('POST', `/v1/user/file/uploads/${upload}/import`, body);
  return real.runs.wait(data.run_id, 60);
}

beforeAll(async () => {
  real = await buildWithEngine();
  person = await makePerson(world());
  const { data } = await call('POST', '/v1/user/file/example', { path: 'hypothesis_test/independent_t_test' });
  vid = data.vid;
}, 120_000);
afterAll(() => real.close());

const analyse = (path: string, form: Record<string, unknown>, query = '') =>
  call('POST', `/algorithm/${path}?vid=${vid}${query}`, form);
const elements = (report: any): any[] => report.parts.flatMap((part: any) => part.elements);
const idOf = async (name: string): Promise<string> =>
  (await call('GET', `/v1/user/file/versions/${vid}`)).data.columns.find((column: any) => column.name === name).id;

describe('an uploaded table', () => {
  test('in GB18030 becomes columns with measures, and an account of the import', async () => {
    // 编号,性别,得分 and three rows.
    const bytes = Buffer.from(
      'b1e0bac52cd0d4b1f02cb5c3b7d60a312cc4d02c332e350a322cc5ae2c342e350a332cc4d02c350a',
      'hex',
    );
    const run = await importText(bytes, '问卷.csv');
    expect(run).toMatchObject({ state: 'done' });
    const { data } = await call('GET', `/v1/user/file/versions/${run.result.vid}`);
    expect(data.columns.map(({ name, measure }: any) => [name, measure])).toContainEqual(['性别', '定类']);
    const report = await call('GET', `/v1/user/file/versions/${run.result.vid}/import-report`);
    expect(report.data.check).toMatchObject({ rows: 3, columns: 3, sums: 'same' });
    expect((await call('GET', `/v1/user/file/versions/${run.result.vid}/health`)).data.checks).toBeGreaterThan(5);
  });

  test('with a ragged row is refused by its place, with what helps', async () => {
    const run = await importText('a,b\n1,2\n3\n', '参差.csv');
    expect(run).toMatchObject({
      state: 'refused',
      refusal: { fields: [{ code: 'csv.ragged', text: expect.stringContaining('第 3 行') }] },
    });
    expect(run.refusal.fields[0].remedies.length).toBeGreaterThan(0);
  });

  test('with doubtful numbers asks, and takes the answer', async () => {
    const text = 'id,金额\n1,"1,234"\n2,"5,678"\n';
    const asked = await importText(text, '金额.csv');
    expect(asked).toMatchObject({ state: 'asking', result: { questions: [{ choices: expect.any(Array) }] } });
    const [question] = asked.result.questions;
    const done = await importText(text, '金额.csv', { answers: { [question.id]: 'thousands' } });
    const rows = await call('POST', `/v1/user/file/versions/${done.result.vid}/rows`, {});
    expect(rows.data.rows.map((row: any[]) => row[1])).toEqual([1234, 5678]);
  });
});

describe('an analysis', () => {
  test('of the example agrees with R: Welch t = 1.9153, df = 55.309, p = 0.06063', async () => {
    const [group, length] = [await idOf('补充方式'), await idOf('牙长')];
    const { data } = await analyse('hypothesis_test/independent_t_test', { group, variables: [length] });
    expect(data).toMatchObject({ state: 'done', rev: 1, report: { made_at: expect.any(String) } });
    const numbers = JSON.stringify(
      elements(data.report)
        .filter(({ type }) => type === 'table')
        .map(({ rows }) => rows),
    );
    for (const start of ['1.91526', '55.3094', '0.06063']) expect(numbers).toContain(start);
    const again = await analyse('hypothesis_test/independent_t_test', { group, variables: [length] });
    expect(again.data.cached).toBe(true);
  });

  test('is judged before it runs, naming the field', async () => {
    const { status, body } = await analyse('hypothesis_test/independent_t_test', { variables: [await idOf('牙长')] });
    expect(status).toBe(422);
    expect(body.fields[0]).toMatchObject({
      field: 'group',
      code: 'role.required',
      text: expect.stringContaining('请在'),
    });
    expect((await analyse('descriptive/frequency', { nonsense: 1 })).status).toBe(422);
  });

  test('follows the active filter, and the rows behind it can be seen', async () => {
    const [group, length] = [await idOf('补充方式'), await idOf('牙长')];
    const condition = `{${length}} > 20`;
    const filter = await call('POST', `/algorithm/filter?vid=${vid}`, { condition, filter_type: 'drop' });
    const kept = filter.data.filter_count;
    const { data } = await analyse('descriptive/frequency', { variables: [group] });
    expect(data.report.sample).toMatchObject({ file: 60, filter: kept });
    const rows = async (set: string) =>
      (await call('GET', `/v1/analysis/projects/0/reports/${data.report_id}/rows?set=${set}`)).data;
    expect((await rows('filtered')).total).toBe(60 - kept);
    expect((await rows('used')).total).toBe(data.report.sample.used);
    await call('POST', `/algorithm/filter?vid=${vid}`, { condition: '' });
    const bad = await call('POST', `/v1/user/file/versions/${vid}/filter-count`, { condition: '{c1} >' });
    expect(bad.body.fields[0]).toMatchObject({ code: 'formula.syntax', facts: { at: expect.any(Number) } });
  });

  test('that makes columns writes them into the data when asked', async () => {
    const form = { y: await idOf('牙长'), x: [await idOf('剂量')], save: true };
    const { data } = await analyse('statistical/linear_regression', form);
    const saved = elements(data.report).find(({ type }) => type === 'data');
    const url = `/v1/analysis/projects/${data.project_id}/reports/${data.report_id}/data`;
    const made = await call('POST', url, { element: saved.id });
    const version = (await call('GET', `/v1/user/file/versions/${made.data.vid}`)).data;
    expect(version).toMatchObject({ parent: vid, step: { op: 'data' } });
    expect(version.columns).toHaveLength(3 + saved.columns.length);
    expect(version.columns.slice(3).map(({ profile }: any) => profile.n)).toEqual(saved.columns.map(() => 60));
  });

  test('can be cancelled within a second, and the engine dying loses only its runs', async () => {
    // More rows than the standard edition analyses at once.
    await real.db.transaction((tx) =>
      real.money.membership.grants.grant(tx, {
        userId: person.id,
        source: 'ops',
        ref: 'test',
        days: 30,
        lifetime: false,
      }),
    );
    const lines = Array.from({ length: 60_000 }, (_, n) => `${n % 97},${(n * 7) % 89},${(n * 13) % 83}`);
    const { result } = await importText(`a,b,c\n${lines.join('\n')}\n`, '大.csv', { on_doubt: 'text' });
    const start = (save: boolean) =>
      call('POST', `/algorithm/statistical/linear_regression?vid=${result.vid}&wait=0`, {
        y: 'c1',
        x: ['c2', 'c3'],
        save,
      });
    const first = (await start(true)).data;
    const cancelled = await call('DELETE', `/v1/runs/${first.run_id}`);
    expect(cancelled.data.state).toMatch(/cancelled|done/);
    const second = (await start(false)).data;
    process.kill(real.child.pid() ?? 0, 'SIGKILL');
    const lost = await real.runs.wait(second.run_id, 20);
    expect(lost.state).toMatch(/lost|done/);
    await until(() => real.deps.engine.isConnected && real.child.pid() !== null, 60_000);
    await until(async () => (await analyse('descriptive/frequency', { variables: ['c1'] })).status === 200, 60_000);
  }, 150_000);
});

test('a shared report of the engine shows no more than it should', async () => {
  const bytes = readFileSync(
    join(real.deps.config.root, 'engine/hengxi/methods/descriptive/frequency/example.csv'),
    'utf8',
  );
  const run = await importText(bytes, '示例.csv', { on_doubt: 'text' });
  const columns = (await call('GET', `/v1/user/file/versions/${run.result.vid}`)).data.columns;
  const variables = columns
    .filter(({ measure }: any) => measure === '定类')
    .slice(0, 2)
    .map(({ id }: any) => id);
  const { data } = await call('POST', `/algorithm/descriptive/frequency?vid=${run.result.vid}`, { variables });
  const { data: share } = await call('POST', `/v1/analysis/report/share?rid=${data.report_id}`, { hide_small: true });
  const { text, data: shared } = await callWorld(world(), null, 'GET', `/v1/analysis/report/share?code=${share.code}`);
  expect(text).not.toMatch(/"vid":\d|"rid"|[tu]_[0-9a-f]{32}/);
  const counts = elements(shared.document)
    .filter(({ type }) => type === 'table')
    .flatMap(({ columns: all, rows }) => rows.map((row: any[]) => row[all.findIndex(({ key }: any) => key === 'n')]));
  expect(counts.filter((n: unknown) => typeof n === 'number' && n > 0 && n < 5)).toEqual([]);
});

test('a method without data runs on its form alone, is kept, and its example fills the form', async () => {
  const path = 'hypothesis_test/summary_t_test';
  const example = await callWorld(world(), null, 'GET', '/data/summary-t-test.json');
  const form = JSON.parse(example.text);
  const { data } = await call('POST', `/algorithm/${path}`, form);
  expect(data).toMatchObject({ state: 'done', cached: false, report: { sample: { file: 0 } } });
  const place = `/v1/analysis/projects/${data.project_id}/reports/${data.report_id}`;
  expect((await call('GET', place)).data).toMatchObject({ vid: null, fid: null, path });
  expect((await call('POST', `/algorithm/${path}`, form)).data).toMatchObject({ cached: true });
  const refused = await call('POST', `/algorithm/${path}`, { ...form, sd1: -1 });
  expect(refused).toMatchObject({ status: 422, body: { fields: [{ field: 'sd1', code: 'number.range' }] } });
});
