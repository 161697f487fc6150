/** Export on the real engine, from the call to the bytes. Slow (HENGXI_FAST leaves it out). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call as callWorld, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { buildWithEngine } from '../../testing/real-engine.ts';
import type { RealWorld } from '../../testing/real-engine.ts';
import { makeUpload } from '../../testing/tables.ts';

let real: RealWorld;
let person: Person;
let vid: number;

const world = (): any => real;
const call = (method: any, url: string, body?: Record<string, unknown>) =>
  callWorld(world(), person, method, url, body);

beforeAll(async () => {
  real = await buildWithEngine();
  person = await makePerson(world());
  const upload = await makeUpload(world(), person, '备注,分数\n=1+1,3\n好,4\n@a,\n', '意见.csv');
  const { data } = await call('POST', `/v1/user/file/uploads/${upload}/import`, { on_doubt: 'text' });
  vid = ((await real.runs.wait(data.run_id, 60)).result as { vid: number }).vid;
}, 120_000);
afterAll(() => real.close());

async function exported(body: Record<string, unknown>): Promise<{ run: any; bytes: Buffer }> {
  const { data } = await call('POST', `/v1/user/file/versions/${vid}/export`, body);
  const run: any = await real.runs.wait(data.run_id, 60);
  const { data: link } = await call('POST', '/v1/downloads', { kind: 'run', id: run.id });
  const response = await real.app.inject({ method: 'GET', url: link.url });
  return { run, bytes: response.rawPayload };
}

test.each([
  ['csv', 'efbbbf'],
  ['xlsx', '504b0304'],
  ['sav', '24464c32'],
  ['dta', '3c73746174615f647461'],
  ['parquet', '50415231'],
  ['codebook', '504b0304'],
])(
  '%s starts as its readers expect',
  async (format, start) => {
    const { run, bytes } = await exported({ format });
    expect(run).toMatchObject({ state: 'done', result: { bytes: bytes.length, rows: 3 } });
    expect(bytes.toString('hex', 0, start.length / 2)).toBe(start);
  },
  60_000,
);

test('the check counts what looks like a formula; the filter and the quotes reach the file', async () => {
  expect((await call('GET', `/v1/user/file/versions/${vid}/export`)).data).toEqual({
    rows: 3,
    formulas: { values: 2, labels: 2 },
    columns: ['备注'],
  });
  await call('POST', `/algorithm/filter?vid=${vid}`, { condition: '{c2} > 3', filter_type: 'drop' });
  const { bytes, run } = await exported({ format: 'csv', options: { quote: true }, filtered: true });
  expect(bytes.toString('utf8')).toBe("\ufeff备注,分数\r\n'=1+1,3\r\n'@a,\r\n");
  expect(run.result.notes[0].text).toContain('已在前面加单引号');
}, 60_000);
