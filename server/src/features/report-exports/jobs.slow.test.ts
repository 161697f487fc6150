/** Whole jobs: from the call through the writing process to the file that is downloaded. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, rowsOf, until } from '../../testing/build.ts';
import { PYTHON } from '../../testing/documents.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeFile, makeReport, teachEngine } from '../../testing/tables.ts';

let world: World;
let person: Person;
let pid: number;
let rid: number;
let vid: number;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  teachEngine(world);
  person = await makePerson(world);
  ({ vid } = await makeFile(world, person));
  ({ project_id: pid, report_id: rid } = await makeReport(world, person, vid));
});
afterAll(() => world.close());

const ask = (method: any, url: string, body?: Record<string, unknown>) => call(world, person, method, url, body);
const at = (path = ''): string => `/v1/analysis/projects/${pid}/reports/${rid}${path}`;
const runOf = async (id: number) => (await ask('GET', `/v1/runs/${id}`)).data;

async function ended(id: number): Promise<any> {
  await until(async () => (await runOf(id)).ended_at !== null);
  return runOf(id);
}

async function sheets(runId: number): Promise<Record<string, string>> {
  const { data } = await ask('POST', '/v1/downloads', { kind: 'run', id: runId });
  const answer = await world.app.inject({ method: 'GET', url: data.url });
  expect(answer.statusCode).toBe(200);
  const files = unzipSync(new Uint8Array(answer.rawPayload));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]));
}

/** Rows beyond those in the document. */
function keepRows(): void {
  world.engine.on('POST', '/tables/:key/kept-rows', (body: any) => ({
    body: { total: 1, rows: body.offset === 0 ? [['第1001行', 5, 0.5]] : [], depth: [], totals: [], marks: {} },
  }));
}

test('a job ends in a file under the names of project, report and day, with the presentation of that moment', async () => {
  await ask('POST', at('/config?report_type=analysis'), {
    presentation: { tables: { frequency: { names: { level: '性别分组' } } } },
  });
  const { data: config } = await ask('GET', at('/config'));
  expect(config.presentation.tables).toBeDefined();
  keepRows();
  const started = await ask('POST', at('/export'), { format: 'xlsx' });
  expect(started.data).toMatchObject({ kind: 'report_export' });
  const run = await ended(started.data.run_id);
  expect(run).toMatchObject({ state: 'done', error: null, refusal: null });
  expect(run.result.name).toMatch(/^调查_性别的频数_\d{4}-\d{2}-\d{2}\.xlsx$/);
  const files = await sheets(run.run_id);
  expect(Object.values(files).join('')).toMatch(/第1组[\s\S]*第1001行/);
  // Nothing of the making stays behind.
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('hengxi-export-'))).toEqual([]);
  const stranger = await makePerson(world);
  expect((await call(world, stranger, 'POST', '/v1/downloads', { kind: 'run', id: run.run_id })).status).toBe(404);
});

test.each(['docx', 'html'])(
  'a %s takes the rows that lie beside the report, and no remark that any is missing',
  async (format) => {
    keepRows();
    const run = await ended((await ask('POST', at('/export'), { format })).data.run_id);
    expect(run).toMatchObject({ state: 'done', refusal: null });
    const { data } = await ask('POST', '/v1/downloads', { kind: 'run', id: run.run_id });
    const { rawPayload } = await world.app.inject({ method: 'GET', url: data.url });
    const text =
      format === 'docx'
        ? Buffer.from(unzipSync(new Uint8Array(rawPayload))['word/document.xml'] ?? []).toString('utf8')
        : rawPayload.toString('utf8');
    expect(text).toMatch(/第1组[\s\S]*第1001行/);
  },
);

test('a 复现包 holds settings, variables, data, tables and the report itself; the data stays behind when not wanted', async () => {
  keepRows();
  world.engine.on('POST', '/tables/:key/rows', (body: any) => ({
    body: { total: 3, index: [0, 1, 2], rows: ['男', '女,"甲"', null].map((cell) => body.columns.map(() => cell)) },
  }));
  const made = async (options: Record<string, unknown>) => {
    const run = await ended((await ask('POST', at('/export'), { format: 'package', options })).data.run_id);
    expect(run).toMatchObject({ state: 'done', refusal: null });
    expect(run.result.name).toMatch(/\.zip$/);
    return sheets(run.run_id);
  };
  const files = await made({});
  expect(Object.keys(files).sort()).toEqual(
    [
      '设置.json',
      '报告.json',
      '变量.json',
      '数据.csv',
      '结果表.xlsx',
      '说明.md',
      '校验和.txt',
      '复现.py',
      '依赖.txt',
    ].sort(),
  );
  expect(files['数据.csv']).toBe(['\uFEFF性别', '男', '"女,""甲"""', '', ''].join('\r\n'));
  const settings = JSON.parse(files['设置.json'] ?? '');
  expect(settings).toMatchObject({ form: { variables: ['c1'] }, data: { vid, rows: 3 } });
  expect(JSON.parse(files['报告.json'] ?? '').parts[0].elements[1].rows.at(-1)[0]).toBe('第1001行');
  expect(files['说明.md']).toContain('数据.csv');
  expect(files['说明.md']).toContain('python 复现.py');
  // Where the engine is missing the script says so; with it, engine/tests/test_reproduce.py.
  const script = spawnSync(PYTHON, ['-I', '-'], { input: files['复现.py'], encoding: 'utf8' });
  expect(script).toMatchObject({ status: 1, stderr: expect.stringContaining('缺少 hengxi') });
  const sum = createHash('sha256')
    .update(files['报告.json'] ?? '')
    .digest('hex');
  expect(files['校验和.txt']).toContain(`${sum}  报告.json`);
  const without = await made({ data: false });
  expect(without['数据.csv']).toBeUndefined();
  expect(without['变量.json']).toBeDefined();
  expect(without['说明.md']).toContain('没有带数据');
});

test('several reports of a project become one document', async () => {
  keepRows();
  const second = await makeReport(world, person, vid, `&project_id=${pid}`, { variables: ['c2'] });
  expect(second.project_id).toBe(pid);
  const { data } = await ask('POST', `/v1/analysis/projects/${pid}/export`, {
    format: 'html',
    reports: [second.report_id, rid],
  });
  const run = await ended(data.run_id);
  expect(run.state).toBe('done');
  expect(run.result.name).toMatch(/^调查_2 份报告_.*\.html$/);
});

test('what cannot be made is refused in words, and leaves no file', async () => {
  const { data } = await ask('POST', at('/export'), { format: 'figures', options: { blocks: ['lead'] } });
  const run = await ended(data.run_id);
  expect(run).toMatchObject({ state: 'refused', refusal: { fields: [{ text: '所选内容里没有图' }] } });
  expect((await ask('POST', '/v1/downloads', { kind: 'run', id: data.run_id })).status).toBe(404);
});

test('a job is cancelled: the process ends, no file stays', async () => {
  const { data } = await ask('POST', at('/export'), { format: 'docx' });
  await ask('DELETE', `/v1/runs/${data.run_id}`);
  expect((await runOf(data.run_id)).state).toBe('cancelled');
  await until(() => readdirSync(tmpdir()).every((name) => !name.startsWith('hengxi-export-')));
  const [row] = await rowsOf(world.db, sql`SELECT payload->>'file' AS file FROM runs WHERE id = ${data.run_id}`);
  expect(row.file).toMatch(/^f_/);
  await until(() => !existsSync(join(world.deps.config.data, 'files', row.file)));
});
