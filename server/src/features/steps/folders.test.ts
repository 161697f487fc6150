import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeFile, teachEngine } from '../../testing/tables.ts';

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
  ({ vid } = await makeFile(world, person));
});
afterAll(() => world.close());

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

test('folders of others are neither seen nor changed', async () => {
  await put(vid, [own('f1', '甲', ['c1'])]);
  const other = await makePerson(world);
  expect((await call(world, other, 'GET', url(vid))).status).toBe(404);
  expect((await put(vid, [], other)).status).toBe(404);
  expect(await read(vid)).toEqual([own('f1', '甲', ['c1'])]);
});
