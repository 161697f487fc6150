import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { labelOf, lineOf } from './labels.ts';

const BASE = '/v1/text-analysis';
let world: World;
let person: Person;
let other: Person;
beforeAll(async () => {
  world = await build();
  [person, other] = [await makePerson(world, '甲'), await makePerson(world, '乙')];
}, 120_000);
afterAll(() => world.close());

test('a dictionary is made, read, changed on the version that was read, and deleted', async () => {
  const made = (
    await call(world, person, 'POST', `${BASE}/dictionaries`, { kind: 'words', name: '品牌', lines: ['衡析平台'] })
  ).body.data;
  expect(made).toMatchObject({ name: '品牌', version: 1, size: 1, lines: ['衡析平台'] });
  const at = `${BASE}/dictionaries/${made.id}`;
  expect((await call(world, other, 'GET', at)).status).toBe(404);
  const change = { name: '品牌', lines: ['衡析平台', '新词'], version: 1 };
  expect((await call(world, other, 'PUT', at, change)).status).toBe(404);
  expect((await call(world, person, 'PUT', at, change)).body.data).toMatchObject({ version: 2, size: 2 });
  expect((await call(world, person, 'PUT', at, change)).body.msg).toContain('已在别处修改');
  const twin = await call(world, person, 'POST', `${BASE}/dictionaries`, { kind: 'words', name: '品牌', lines: ['x'] });
  expect(twin.body.msg).toContain('已有名为“品牌”');
  expect((await call(world, person, 'GET', `${BASE}/dictionaries?kind=words`)).body.data.total).toBe(1);
  expect((await call(world, other, 'DELETE', at)).status).toBe(404);
  expect((await call(world, person, 'DELETE', at)).body.status_code).toBe(1);
  expect((await call(world, person, 'GET', at)).status).toBe(404);
});

test('a hundred thousand lines are refused by number', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `词${i}`);
  const answer = await call(world, person, 'POST', `${BASE}/dictionaries`, { kind: 'words', name: '大', lines });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('最多 10,000 行');
});

test('sets of labels keep their rules; a stale version is refused', async () => {
  const labels = [
    { name: '服务', include: ['热情'], all_of: [['前台', '慢']], exclude: ['机器人'], regex: '退.?房' },
    { name: '价格', include: ['贵', '便宜'], all_of: [], exclude: [], regex: null },
  ];
  const { id } = (await call(world, person, 'POST', `${BASE}/custom-labels/save`, { name: '酒店', labels })).body.data;
  const [set] = (await call(world, person, 'GET', `${BASE}/labels-list`)).body.data;
  expect(set).toMatchObject({ id, name: '酒店', labels });
  const update = { id, name: '酒店', labels: labels.slice(1), version: 1 };
  expect((await call(world, person, 'POST', `${BASE}/custom-labels/update`, update)).body.data.version).toBe(2);
  expect((await call(world, person, 'POST', `${BASE}/custom-labels/update`, update)).body.msg).toContain(
    '标签组已在别处修改',
  );
  expect((await call(world, person, 'GET', `${BASE}/labels-list`)).body.data[0].labels).toHaveLength(1);
  expect((await call(world, other, 'DELETE', `${BASE}/custom-labels/delete?id=${id}`)).status).toBe(404);
  expect((await call(world, person, 'DELETE', `${BASE}/custom-labels/delete?id=${id}`)).status).toBe(200);
  expect(labels.map((label) => labelOf(lineOf(label)))).toEqual(labels);
});

async function send(bytes: Buffer) {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' };
  const response = await world.app.inject({ method: 'POST', url: `${BASE}/pictures`, payload: bytes, headers });
  return response.json();
}

function picture(draw: (context: ReturnType<ReturnType<typeof createCanvas>['getContext']>) => void): Buffer {
  const canvas = createCanvas(40, 20);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, 40, 20);
  draw(context);
  return canvas.toBuffer('image/png');
}

test('a picture is judged by its content: what is none, a bomb of pixels and a blank one are refused', async () => {
  const half = picture((context) => {
    context.fillStyle = '#000';
    context.fillRect(0, 0, 20, 20);
  });
  const { file_id } = (await send(half)).data;
  const id = Number(file_id.slice(1));
  expect((await call(world, other, 'GET', `${BASE}/pictures/${id}`)).status).toBe(404);
  expect((await call(world, person, 'GET', `${BASE}/pictures/${id}`)).headers['content-type']).toBe('image/jpeg');
  expect((await send(Buffer.from('<svg onload=alert(1)>'.repeat(10)))).msg).toContain('PNG 或 JPG');
  const bomb = Buffer.from(half);
  bomb.writeUInt32BE(100_000, 16);
  bomb.writeUInt32BE(100_000, 20);
  expect((await send(bomb)).msg).toContain('PNG 或 JPG');
  expect((await send(picture(() => undefined))).msg).toContain('空白');
  expect((await call(world, person, 'DELETE', `${BASE}/pictures/${id}`)).status).toBe(200);
});

test('without a text job the state is empty and ending one does nothing', async () => {
  expect((await call(world, person, 'GET', `${BASE}/status?is_wait=0`)).body.data).toEqual({
    running: null,
    waiting: [],
    last: null,
  });
  expect((await call(world, person, 'GET', `${BASE}/kill`)).body.data).toEqual({ killed: null });
});
