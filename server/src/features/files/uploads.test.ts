import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { Limiter } from '../../lib/limits.ts';
import { call, makeMember, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { CSV, makeFile, makeUpload, putChunk, teachEngine } from '../../testing/tables.ts';

const BASE = '/v1/user/file/uploads';
let world: World;
let person: Person;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  teachEngine(world);
  person = await makePerson(world);
});
afterAll(() => world.close());

const start = (size: number, name = '数据.csv', more: object = {}) =>
  call(world, person, 'POST', BASE, { name, size, ...more });
const stored = (): string[] => readdirSync(join(world.deps.config.data, 'uploads'));

describe('uploads', () => {
  test('arrive in chunks, are checked and get their final name', async () => {
    const bytes = Buffer.from(CSV);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { data } = await start(bytes.length, '数据.csv', { sha256 });
    expect(data).toMatchObject({ offset: 0, chunk: 8 * 1024 * 1024, complete: false });
    const first = await putChunk(world, person, data.upload_id, 0, bytes.subarray(0, 10));
    expect(first.body.data).toMatchObject({ offset: 10, complete: false });
    const last = await putChunk(world, person, data.upload_id, 10, bytes.subarray(10));
    expect(last.body.data).toMatchObject({ offset: bytes.length, complete: true, sha256 });
    const [name = ''] = stored().filter((one) => !one.endsWith('.part'));
    expect(stored().filter((one) => one.endsWith('.part'))).toEqual([]);
    expect(readFileSync(join(world.deps.config.data, 'uploads', name))).toEqual(bytes);
    await call(world, person, 'DELETE', `${BASE}/${data.upload_id}`);
  });

  test('continue where the server says, whatever the browser believes', async () => {
    const bytes = Buffer.from(CSV);
    const { data } = await start(bytes.length);
    await putChunk(world, person, data.upload_id, 0, bytes.subarray(0, 10));
    const wrong = await putChunk(world, person, data.upload_id, 0, bytes.subarray(0, 10));
    expect(wrong).toMatchObject({
      status: 409,
      body: { err_code: 30501, data: { offset: 10 }, msg: '上传位置不符，应从第 10 字节继续' },
    });
    const read = await call(world, person, 'GET', `${BASE}/${data.upload_id}`);
    expect(read.data.offset).toBe(10);
    const [one, two] = await Promise.all([
      putChunk(world, person, data.upload_id, 10, bytes.subarray(10, 20)),
      putChunk(world, person, data.upload_id, 10, bytes.subarray(10, 20)),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
  });

  test('with a wrong checksum are not kept', async () => {
    const bytes = Buffer.from(CSV);
    const { data } = await start(bytes.length, '数据.csv', { sha256: '0'.repeat(64) });
    const before = stored().length;
    const end = await putChunk(world, person, data.upload_id, 0, bytes);
    expect(end).toMatchObject({ status: 422, body: { err_code: 30502 } });
    expect(stored().length).toBe(before);
    expect((await call(world, person, 'GET', `${BASE}/${data.upload_id}`)).status).toBe(404);
  });

  test('are refused by ending, size, number and emptiness', async () => {
    expect((await start(10, '程序.exe')).body).toMatchObject({
      err_code: 30504,
      msg: '不支持 .exe 文件。现在可以上传 csv、txt、xlsx、xls、ods、sav、dta、SAS、parquet、json 等文件',
    });
    for (const name of ['模型.rds', '数据.RData', '表.jmp', '表.xlsb', '表.dbf', '全部.zip'])
      expect((await start(10, name)).body).toMatchObject({ err_code: 30508, msg: expect.stringMatching(/请/) });
    expect((await start(0)).body.err_code).toBe(30506);
    expect((await start(5 * 1024 ** 3)).body).toMatchObject({
      err_code: 30503,
      msg: '文件大小 5 GB 超过当前版本上限 20 MB',
    });
    for (let n = 0; n < 3; n += 1) expect((await start(10)).status).toBe(200);
    const fourth = await start(10);
    expect(fourth).toMatchObject({ status: 429, body: { err_code: 30507 } });
    await world.db.execute(sql`UPDATE uploads SET touched_at = now() - interval '2 minutes'`);
    expect((await start(10)).status).toBe(200);
  });

  test('stay within the space of the account; the refusal says which edition has room', async () => {
    await world.db.execute(sql`
      INSERT INTO uploads (owner_kind, owner_id, key, name, size, state)
      VALUES ('user', ${person.id}, ${`u_${'a'.repeat(32)}`}, 'x', ${500 * 1024 ** 2 - 5}, 'used')`);
    expect((await start(6)).body).toMatchObject({
      err_code: 20002,
      msg: '存储空间不足（已用 500 MB，标准版共 500 MB），请清理不用的数据，或升级会员',
      data: { limit: 'storage_bytes', max: 500 * 1024 ** 2, asked: 500 * 1024 ** 2 + 1, lifts: 'member' },
    });
    expect((await start(5)).status).toBe(200);
  });

  test('keep to the size of the edition: 20 MB, 1 GB for members, 4 GB for nobody here', async () => {
    const MIB = 1024 ** 2;
    expect((await start(20 * MIB)).body.status_code).toBe(1);
    expect((await start(20 * MIB + 1)).body).toMatchObject({
      err_code: 20002,
      msg: '文件 20 MB，超过标准版单个文件上限 20 MB，升级会员后可上传',
      data: { limit: 'upload_bytes', max: 20 * MIB, asked: 20 * MIB + 1, lifts: 'member' },
    });
    await makeMember(world, person);
    expect((await start(1024 * MIB)).body.status_code).toBe(1);
    expect((await start(1024 * MIB + 1)).body).toMatchObject({
      err_code: 20002,
      data: { limit: 'upload_bytes', max: 1024 * MIB, lifts: 'enterprise' },
    });
  });

  test('are no more than 200 files; what lies in the bin does not count', async () => {
    await world.db.execute(sql`
      INSERT INTO files (owner_kind, owner_id, name, format, deleted_at)
      SELECT 'user', ${person.id}, 'f' || n, 'csv', CASE WHEN n = 1 THEN now() END FROM generate_series(1, 200) n`);
    expect((await start(10)).body.status_code).toBe(1);
    await world.db.execute(sql`UPDATE files SET deleted_at = NULL`);
    expect((await start(10)).body).toMatchObject({
      err_code: 20002,
      data: { limit: 'files', max: 200, asked: 201, lifts: 'member' },
    });
    await makeMember(world, person);
    expect((await start(10)).body.status_code).toBe(1);
  });

  test('are sixty an hour, of those that were not refused; the wait is said in minutes', async () => {
    const limited = await build({ limiter: new Limiter(() => 0) });
    const someone = await makePerson(limited);
    const send = (name: string) => call(limited, someone, 'POST', BASE, { name, size: 10 });
    for (let i = 0; i < 20; i += 1) expect((await send('图.png')).body.err_code).toBe(30504);
    const begun: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      const { data } = await send('数据.csv');
      begun.push(data.upload_id);
      await limited.db.execute(sql`DELETE FROM uploads`);
    }
    expect(new Set(begun).size).toBe(60);
    const last = await send('数据.csv');
    expect([last.status, last.body.msg]).toEqual([429, '请求过于频繁，请 60 分钟后再试']);
    await limited.close();
  });

  test('take no more than was announced, and only bytes', async () => {
    const { data } = await start(5);
    expect((await putChunk(world, person, data.upload_id, 0, Buffer.alloc(6))).status).toBe(400);
    const json = await call(world, person, 'PUT', `${BASE}/${data.upload_id}?offset=0`, { a: 1 });
    expect(json.status).toBe(400);
    expect((await putChunk(world, person, data.upload_id, 0, Buffer.alloc(8 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test('can be previewed from the first chunk on, workbooks only when whole', async () => {
    const { data } = await start(1000);
    expect((await call(world, person, 'POST', `${BASE}/${data.upload_id}/preview`, {})).body.err_code).toBe(30505);
    await putChunk(world, person, data.upload_id, 0, Buffer.from(CSV));
    const text = await call(world, person, 'POST', `${BASE}/${data.upload_id}/preview`, {
      settings: { encoding: 'GB18030' },
    });
    expect(text.data).toMatchObject({ kind: 'csv', total_rows: null });
    const book = await start(1000, '表.xlsx');
    await putChunk(world, person, book.data.upload_id, 0, Buffer.from('PK'));
    const early = await call(world, person, 'POST', `${BASE}/${book.data.upload_id}/preview`, {});
    expect(early).toMatchObject({ status: 409, body: { msg: '文件还没有传完，还差 998 字节' } });
  });

  test('become a file by an import that is a run', async () => {
    const upload = await makeUpload(world, person);
    const begun = await call(world, person, 'POST', `${BASE}/${upload}/import`, { settings: { encoding: 'UTF-8' } });
    expect(begun.data).toMatchObject({ kind: 'import', state: expect.stringMatching(/waiting|running|done/) });
    const run = await world.runs.wait(begun.data.run_id, 5);
    expect(run).toMatchObject({ state: 'done', result: { fid: expect.any(Number), vid: expect.any(Number) } });
    expect(world.engine.submitted[0]).toMatchObject({
      kind: 'import',
      payload: {
        name: '调查.csv',
        settings: { encoding: 'UTF-8' },
        on_doubt: 'ask',
        table: expect.stringMatching(/^t_[0-9a-f]{32}$/),
      },
    });
    expect((await call(world, person, 'DELETE', `${BASE}/${upload}`)).status).toBe(409);
  });

  test('may ask first; the answers are a new run on the same upload', async () => {
    const upload = await makeUpload(world, person);
    const questions = [{ id: 'q1', column: '金额', text: '逗号是千位分隔符吗？' }];
    const learned = world.engine.onRun;
    world.engine.onRun = () => ({ state: 'asking', result: { questions } });
    const asked = await call(world, person, 'POST', `${BASE}/${upload}/import`, {});
    const run = await world.runs.wait(asked.data.run_id, 5);
    expect(run).toMatchObject({ state: 'asking', result: { questions } });
    world.engine.onRun = learned;
    const again = await call(world, person, 'POST', `${BASE}/${upload}/import`, {
      answers: { q1: 'yes' },
      password: '秘密',
    });
    expect((await world.runs.wait(again.data.run_id, 5)).state).toBe('done');
    expect(world.engine.submitted[1]?.payload).toMatchObject({ answers: { q1: 'yes' }, password: '秘密' });
    const kept = await world.db.execute(sql`SELECT payload::text AS payload FROM runs WHERE id = ${again.data.run_id}`);
    expect(JSON.stringify(kept)).not.toContain('秘密');
  });

  test('refused by the engine leave no file behind', async () => {
    const upload = await makeUpload(world, person);
    world.engine.onRun = () => ({
      state: 'refused',
      refusal: { fields: [{ field: null, code: 'file.broken', text: '第 3 行有 5 个字段，表头有 4 个' }] },
    });
    const begun = await call(world, person, 'POST', `${BASE}/${upload}/import`, {});
    expect(await world.runs.wait(begun.data.run_id, 5)).toMatchObject({ state: 'refused' });
    expect((await call(world, person, 'GET', '/v1/user/file')).data.total).toBe(0);
  });

  test('may be imported again, one after the other or at once: each time a file of its own', async () => {
    const upload = await makeUpload(world, person);
    const first = await call(world, person, 'POST', `${BASE}/${upload}/import`, {});
    const run = await world.runs.wait(first.data.run_id, 5);
    const more = await Promise.all(
      [1, 2].map(() => call(world, person, 'POST', `${BASE}/${upload}/import`, { name: '再来一份' })),
    );
    const runs = await Promise.all(more.map(({ data }) => world.runs.wait(data.run_id, 5)));
    const fids = [run, ...runs].map(({ result }) => (result as { fid: number }).fid);
    expect(new Set(fids).size).toBe(3);
    // The source stays as long as one of them needs it.
    for (const fid of fids.slice(0, 2)) {
      await call(world, person, 'DELETE', `/v1/user/file/${fid}`);
      await call(world, person, 'DELETE', `/v1/user/file/${fid}?forever=1`);
    }
    expect((await call(world, person, 'GET', `${BASE}/${upload}`)).data).toMatchObject({ complete: true });
  });

  test('can replace the table of a file by a new version', async () => {
    const { fid, vid } = await makeFile(world, person);
    const upload = await makeUpload(world, person);
    const begun = await call(world, person, 'POST', `${BASE}/${upload}/import`, { fid });
    const run = await world.runs.wait(begun.data.run_id, 5);
    expect(run.result).toMatchObject({ fid });
    const file = await call(world, person, 'GET', `/v1/user/file/${fid}`);
    expect(file.data).toMatchObject({ versions: 2, undo: vid, vid: (run.result as { vid: number }).vid });
    expect(file.data.vid).not.toBe(vid);
  });

  test('of a SAS catalogue go to the engine beside the data set they were named with, and stay for the next', async () => {
    const data = await makeUpload(world, person, CSV, '调查.sas7bdat');
    const labels = await makeUpload(world, person, CSV, 'formats.sas7bcat');
    const seen: unknown[] = [];
    world.engine.on('POST', '/preview', (body) => {
      seen.push(body);
      return { status: 422, body: { code: 'x', text: '不读' } };
    });
    await call(world, person, 'POST', `${BASE}/${data}/preview`, { catalogue: labels });
    expect(seen).toMatchObject([{ catalogue: { upload: expect.stringMatching(/^u_/), name: 'formats.sas7bcat' } }]);
    for (let n = 0; n < 2; n += 1) {
      const { data: run } = await call(world, person, 'POST', `${BASE}/${data}/import`, { catalogue: labels });
      expect((await world.runs.wait(run.run_id, 5)).state).toBe('done');
    }
    expect(world.engine.submitted.map(({ payload }) => payload)).toMatchObject([
      { catalogue: { upload: expect.stringMatching(/^u_/), name: 'formats.sas7bcat' } },
      { catalogue: { name: 'formats.sas7bcat' } },
    ]);
    expect((await call(world, person, 'DELETE', `${BASE}/${labels}`)).status).toBe(200);
  });

  test('of a catalogue must be whole, one of the owner, and a catalogue', async () => {
    const data = await makeUpload(world, person, CSV, '调查.sas7bdat');
    const other = await makePerson(world);
    const begun = await start(10, 'formats.sas7bcat');
    const ask = async (catalogue: number) =>
      Promise.all(
        ['preview', 'import'].map(async (what) => {
          const { body } = await call(world, person, 'POST', `${BASE}/${data}/${what}`, { catalogue });
          return body.err_code;
        }),
      );
    expect(await ask(begun.data.upload_id)).toEqual([30505, 30505]);
    expect(await ask(await makeUpload(world, other, CSV, 'formats.sas7bcat'))).toEqual([30093, 30093]);
    expect(await ask(data)).toEqual([30508, 30508]);
    expect(world.engine.submitted).toEqual([]);
  });

  test('stop when the disk is full and go on from the same place when there is room', async () => {
    const bytes = Buffer.from(CSV);
    const others = stored();
    const { data } = await start(bytes.length);
    await putChunk(world, person, data.upload_id, 0, bytes.subarray(0, 10));
    const [part = ''] = stored().filter((name) => name.endsWith('.part') && !others.includes(name));
    const path = join(world.deps.config.data, 'uploads', part);
    renameSync(path, `${path}.aside`);
    symlinkSync('/dev/full', path); // what is written there gets the system's own answer
    const refused = await putChunk(world, person, data.upload_id, 10, bytes.subarray(10));
    expect(refused).toMatchObject({ status: 503, body: { err_code: 30022, msg: '服务器存储空间不足，请稍后再试' } });
    renameSync(`${path}.aside`, path);
    expect((await call(world, person, 'GET', `${BASE}/${data.upload_id}`)).data.offset).toBe(10);
    const last = await putChunk(world, person, data.upload_id, 10, bytes.subarray(10));
    expect(last.body.data).toMatchObject({ complete: true, sha256: createHash('sha256').update(bytes).digest('hex') });
  });

  test('are found again until a file was made of them, with the import under way; others see nothing of them', async () => {
    const half = await start(Buffer.byteLength(CSV) + 5, '一半.csv');
    await putChunk(world, person, half.data.upload_id, 0, Buffer.from(CSV));
    const whole = await makeUpload(world, person);
    const open = async (who = person) => (await call(world, who, 'GET', BASE)).data;
    await world.db.execute(sql`UPDATE uploads SET touched_at = '2026-01-01T08:00:00Z'`);
    expect(await open()).toMatchObject({
      total: 2,
      list: [
        { upload_id: whole, name: '调查.csv', complete: true, run_id: null, ends_at: '2026-01-02T08:00:00.000Z' },
        { upload_id: half.data.upload_id, offset: Buffer.byteLength(CSV), complete: false, run_id: null },
      ],
    });
    expect(await open(await makePerson(world))).toEqual({ total: 0, list: [] });
    world.engine.onRun = () => null;
    const begun = await call(world, person, 'POST', `${BASE}/${whole}/import`, {});
    expect((await open()).list).toMatchObject([{ run_id: begun.data.run_id }, { run_id: null }]);
    await call(world, person, 'DELETE', `/v1/runs/${begun.data.run_id}`);
    teachEngine(world);
    const again = await call(world, person, 'POST', `${BASE}/${whole}/import`, {});
    await world.runs.wait(again.data.run_id, 5);
    expect((await open()).list).toMatchObject([{ upload_id: half.data.upload_id }]);
  });

  test('of somebody else do not exist', async () => {
    const upload = await makeUpload(world, person);
    const other = await makePerson(world);
    const { fid } = await makeFile(world, other);
    const calls = [
      call(world, other, 'GET', `${BASE}/${upload}`),
      call(world, other, 'DELETE', `${BASE}/${upload}`),
      call(world, other, 'POST', `${BASE}/${upload}/preview`, {}),
      call(world, other, 'POST', `${BASE}/${upload}/import`, {}),
      putChunk(world, other, upload, 0, Buffer.from('x')),
      call(world, person, 'POST', `${BASE}/${upload}/import`, { fid }),
    ];
    for (const { status, body } of await Promise.all(calls))
      expect({ status, code: body.err_code }).toEqual({ status: 404, code: 30093 });
    expect((await call(world, null, 'GET', `${BASE}/${upload}`)).status).toBe(401);
  });

  test('left by a killed server do not stay on disk', async () => {
    const path = join(world.deps.config.data, 'uploads', `u_${'0'.repeat(32)}.part`);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(path, 'x');
    const other = await build({ config: { data: world.deps.config.data } });
    expect(existsSync(path)).toBe(false);
    await other.close();
  });
});
