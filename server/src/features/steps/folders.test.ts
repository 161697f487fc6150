import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { fileStage } from '../../testing/stages.ts';
import { COLUMNS, column, makeFile } from '../../testing/tables.ts';

const on = fileStage();
let { world, person, vid } = on;
beforeEach(() => {
  ({ world, person, vid } = on);
});

const url = (of: number) => `/v1/user/file/versions/${of}/folders`;
const put = (of: number, folders: unknown[], who = person) => call(world, who, 'PUT', url(of), { folders });
const read = async (of: number) => (await call(world, person, 'GET', url(of))).data.folders;
const rename = async (of: number, name: string): Promise<number> =>
  (await call(world, person, 'POST', `/v1/user/file/versions/${of}/edits`, { columns: [{ id: 'c1', name }] })).data.vid;
const own = (id: string, name: string, columns: string[] = []) => ({ id, name, columns });

test('folders are kept in their order, hold for later versions, and differ once these have their own', async () => {
  expect(await read(vid)).toEqual([]);
  const first = [own('f2', '态度', ['c3', 'c1']), own('f1', '空的')];
  expect((await put(vid, first)).data.folders).toEqual(first);
  const next = await rename(vid, '性别二');
  expect(next).not.toBe(vid);
  expect(await read(next)).toEqual(first);
  await put(next, []);
  expect(await read(next)).toEqual([]);
  expect(await read(vid)).toEqual(first);
  expect(await read(await rename(next, '性别三'))).toEqual([]);
});

test('a variable the version does not have is left out, not refused', async () => {
  expect((await put(vid, [own('f1', '态度', ['c1', 'c999'])])).data.folders).toEqual([own('f1', '态度', ['c1'])]);
});

test('what cannot be drawn is refused in words', async () => {
  const code = async (folders: unknown[]) => {
    const { status, body } = await put(vid, folders);
    return [status, body.fields?.[0]?.code];
  };
  expect(await code([own('f1', '甲'), own('f2', '甲')])).toEqual([422, 'folders.name']);
  expect(await code([own('f1', '甲'), own('f1', '乙')])).toEqual([422, 'folders.id']);
  expect(await code([own('f1', '甲', ['c1']), own('f2', '乙', ['c1'])])).toEqual([422, 'folders.twice']);
  expect((await code([own('f1', ' ')]))[0]).toBe(400);
});

test('variables are hidden beside folders, stay hidden when only folders are put, and come back', async () => {
  const view = async (of: number) => (await call(world, person, 'GET', url(of))).data;
  expect(await view(vid)).toEqual({ folders: [], hidden: [] });
  await call(world, person, 'PUT', url(vid), { folders: [], hidden: ['c2', 'c999', 'c2'] });
  expect(await view(vid)).toEqual({ folders: [], hidden: ['c2'] });
  const next = await rename(vid, '性别二');
  await put(next, [own('f1', '甲', ['c1'])]);
  expect(await view(next)).toEqual({ folders: [own('f1', '甲', ['c1'])], hidden: ['c2'] });
  await call(world, person, 'PUT', url(next), { folders: [], hidden: [] });
  expect(await view(next)).toEqual({ folders: [], hidden: [] });
  expect(await view(vid)).toEqual({ folders: [], hidden: ['c2'] });
});

describe('steps that are run anew', () => {
  /** A replayed step adds a column in front, so that names and not ids must be followed. */
  const moved = COLUMNS.map((one, at) => ({ ...one, id: `c${at + 2}` }));
  beforeEach(() => {
    const usual = world.engine.onRun;
    world.engine.onRun = (run) => {
      if (run.kind !== 'replay') return usual?.(run) ?? null;
      const keys: string[] = (run.payload as { tables: string[] }).tables;
      const steps = keys.map((table) => ({ table, rows: 3, columns: 5, added: [], changed: 0 }));
      return { state: 'done', result: { tables: keys, steps, columns: {} } };
    };
    const columns = [column('c1', '新的一列'), ...moved];
    const meta = { data: null, rows: 3, columns, import: null, sha256: {}, warnings: [] };
    world.engine.on('GET', '/tables/:key', () => ({ body: meta }));
  });
  const replay = async (of: number, onto: number): Promise<number> =>
    (await call(world, person, 'POST', `/v1/user/file/versions/${of}/replay`, { onto })).data.vid;

  test('bring folders and hidden variables to the next upload, by name', async () => {
    const last = await rename(vid, '性别二');
    await call(world, person, 'PUT', url(last), { folders: [own('f1', '甲', ['c3', 'c4'])], hidden: ['c2'] });
    const other = await makeFile(world, person);
    const view = (await call(world, person, 'GET', url(await replay(last, other.vid)))).data;
    expect(view).toEqual({ folders: [own('f1', '甲', ['c4', 'c5'])], hidden: ['c3'] });
    expect(await read(other.vid)).toEqual([]);
  });

  test('leave a list alone that the other file has', async () => {
    const last = await rename(vid, '性别二');
    await put(last, [own('f1', '甲', ['c1'])]);
    const other = await makeFile(world, person);
    await put(other.vid, [own('f1', '乙', ['c2'])]);
    expect(await read(await replay(last, other.vid))).toEqual([own('f1', '乙', ['c2'])]);
  });

  test('keep what was made after them when an earlier step is switched off', async () => {
    const first = await rename(vid, '性别二');
    const last = await rename(first, '性别三');
    await put(last, [own('f1', '甲', ['c1'])]);
    const { list } = (await call(world, person, 'GET', `/v1/user/file/versions/${last}/steps`)).data;
    const ops = [{ op: 'disable', step_id: list[1].step_id }];
    const { data } = await call(world, person, 'POST', `/v1/user/file/versions/${last}/steps`, { ops });
    expect((await read(data.vid)).map(({ name }: { name: string }) => name)).toEqual(['甲']);
  });
});

test('folders of others are neither seen nor changed', async () => {
  await put(vid, [own('f1', '甲', ['c1'])]);
  const other = await makePerson(world);
  expect((await call(world, other, 'GET', url(vid))).status).toBe(404);
  expect((await put(vid, [], other)).status).toBe(404);
  expect(await read(vid)).toEqual([own('f1', '甲', ['c1'])]);
});
