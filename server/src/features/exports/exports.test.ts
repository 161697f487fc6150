import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, until } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call as callWorld, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeFile, teachEngine } from '../../testing/tables.ts';
import { newFileKey } from './made-files.ts';

let world: World;
let person: Person;
let vid: number;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  teachEngine(world);
  person = await makePerson(world);
  ({ vid } = await makeFile(world, person, '满意度:调查.csv'));
});
afterAll(() => world.close());

const call = (method: any, url: string, body?: Record<string, unknown>, who: Person | null = person) =>
  callWorld(world, who, method, url, body);
const path = (id = vid): string => `/v1/user/file/versions/${id}/export`;
const fileOf = (key: string): string => join(world.deps.config.data, 'files', key);

/** The engine writes the file and says so. */
function write(bytes = '\ufeffa\r\n1\r\n'): void {
  world.engine.onRun = ({ payload }) => {
    mkdirSync(join(world.deps.config.data, 'files'), { recursive: true });
    writeFileSync(fileOf(payload.file), bytes);
    const notes = [{ code: 'export.names', text: '1 个变量名已改名', facts: { names: [['a b', 'a_b']] } }];
    const name = `${payload.name}.${payload.format}`;
    return { state: 'done', result: { file: payload.file, name, bytes: bytes.length, rows: 1, notes } };
  };
}

async function exported(body: Record<string, unknown> = { format: 'csv' }): Promise<any> {
  const { data } = await call('POST', path(), body);
  await until(async () => (await call('GET', `/v1/runs/${data.run_id}`)).data.ended_at !== null);
  return (await call('GET', `/v1/runs/${data.run_id}`)).data;
}

describe('an export', () => {
  test('is a run of the engine whose file is downloaded once per ticket, under its own name', async () => {
    write('\ufeff性别\r\n男\r\n');
    const run = await exported({ format: 'csv', options: { quote: true, cells: 'labels' } });
    expect(run).toMatchObject({ kind: 'export', state: 'done', result: { name: '满意度_调查.csv', rows: 1 } });
    expect(run.result.notes[0]).toMatchObject({ text: '1 个变量名已改名', facts: { names: [['a b', 'a_b']] } });
    const order = world.engine.submitted.at(-1);
    expect(order).toMatchObject({
      kind: 'export',
      payload: { format: 'csv', options: { quote: true, cells: 'labels' }, filter: null, name: '满意度_调查' },
    });
    expect(order?.payload.file).toMatch(/^f_[0-9a-f]{32}$/);
    expect(order?.payload.table).toMatch(/^t_[0-9a-f]{32}$/);

    const { data } = await call('POST', '/v1/downloads', { kind: 'run', id: run.run_id });
    const file = await call('GET', data.url, undefined, null);
    expect(file.status).toBe(200);
    expect(file.text).toBe('\ufeff性别\r\n男\r\n');
    expect(file.headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent('满意度_调查.csv')}`);
    expect(file.headers['content-length']).toBe(String(Buffer.byteLength('\ufeff性别\r\n男\r\n')));
    expect((await call('GET', data.url, undefined, null)).status).toBe(404);
  });

  test('holds the rows of the active filter only when asked to, and says so in its name', async () => {
    write();
    await call('POST', `/algorithm/filter?vid=${vid}`, { condition: '{c2} > 20', filter_type: 'drop' });
    await exported({ format: 'sav', filtered: true });
    expect(world.engine.submitted.at(-1)?.payload).toMatchObject({
      name: '满意度_调查_筛选',
      filter: { condition: '{c2} > 20', filter_type: 'drop' },
    });
    await exported({ format: 'sav' });
    expect(world.engine.submitted.at(-1)?.payload.filter).toBeNull();
  });

  test('of a version that is not the shown one carries its number', async () => {
    write();
    await call('POST', `/v1/user/file/versions/${vid}/edits`, { columns: [{ id: 'c1', label: '您的性别' }] });
    await exported();
    expect(world.engine.submitted.at(-1)?.payload.name).toBe('满意度_调查_v1');
  });

  test('takes no format or option it does not know', async () => {
    for (const body of [{ format: 'exe' }, {}, { format: 'csv', options: { path: '/etc' } }, { format: 'csv', a: 1 }])
      expect((await call('POST', path(), body)).status).toBe(400);
    expect(world.engine.submitted.filter(({ kind }) => kind === 'export')).toEqual([]);
  });

  test('that the engine refuses says why, and leaves no file', async () => {
    let key = '';
    world.engine.onRun = ({ payload }) => {
      key = payload.file;
      writeFileSync(fileOf(key), 'half');
      return {
        state: 'refused',
        refusal: { fields: [{ field: null, code: 'export.size', text: 'xlsx 最多 1,048,575 行数据' }] },
      };
    };
    const run = await exported({ format: 'xlsx' });
    expect(run).toMatchObject({ state: 'refused', result: null, refusal: { fields: [{ code: 'export.size' }] } });
    await until(() => !existsSync(fileOf(key)));
    expect((await call('POST', '/v1/downloads', { kind: 'run', id: run.run_id })).status).toBe(404);
  });
});

test('the check asks the engine with the active filter', async () => {
  const asked: unknown[] = [];
  const answer = { rows: 3, formulas: { values: 2, labels: 0 }, columns: ['备注'] };
  world.engine.on('POST', '/tables/:key/export-check', (body) => {
    asked.push(body);
    return { body: answer };
  });
  await call('POST', `/algorithm/filter?vid=${vid}`, { condition: '{c2} > 20', filter_type: 'keep' });
  expect((await call('GET', path())).data).toEqual(answer);
  await call('GET', `${path()}?filtered=1`);
  expect(asked).toEqual([{ filter: null }, { filter: { condition: '{c2} > 20', filter_type: 'keep' } }]);
});

describe('of others', () => {
  test('a version is neither exported nor checked, and an absent one looks the same', async () => {
    const stranger = await makePerson(world);
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { format: 'csv' } : undefined;
      const foreign = await call(method, path(), body, stranger);
      const absent = await call(method, path(999_999), body, stranger);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(absent.body);
      expect((await call(method, path(), body, null)).status).toBe(401);
    }
    expect(world.engine.submitted.filter(({ kind }) => kind === 'export')).toEqual([]);
  });

  test('a file is not downloaded, nor the run of another kind', async () => {
    write();
    const run = await exported();
    const stranger = await makePerson(world);
    const foreign = await call('POST', '/v1/downloads', { kind: 'run', id: run.run_id }, stranger);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await call('POST', '/v1/downloads', { kind: 'run', id: 999_999 }, stranger)).body);
    const imported = (await call('GET', '/v1/runs')).data.list.find(({ kind }: any) => kind === 'import');
    expect((await call('POST', '/v1/downloads', { kind: 'run', id: imported.run_id })).status).toBe(404);
  });
});

test('a file lives for a day', async () => {
  write();
  const run = await exported();
  const { data } = await call('POST', '/v1/downloads', { kind: 'run', id: run.run_id });
  const file = fileOf(run.result.file);
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  const other = fileOf(newFileKey());
  const foreign = fileOf('report.docx');
  for (const one of [other, foreign]) writeFileSync(one, 'x');
  utimesSync(file, hoursAgo(25), hoursAgo(25));
  utimesSync(foreign, hoursAgo(25), hoursAgo(25));
  utimesSync(other, hoursAgo(23), hoursAgo(23));
  // Even before the sweeper comes by, and with a ticket given in time.
  expect((await call('GET', data.url, undefined, null)).body).toMatchObject({ err_code: 30005 });
  expect((await call('POST', '/v1/downloads', { kind: 'run', id: run.run_id })).status).toBe(404);
  expect(await world.exports.made.sweep()).toBe(1);
  expect([file, other, foreign].map((one) => existsSync(one))).toEqual([false, true, true]);
});
