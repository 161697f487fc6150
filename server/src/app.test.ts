import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from './testing/build.ts';
import type { World } from './testing/build.ts';
import { call, makePerson } from './testing/makers.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
afterAll(async () => world.close());

test('the signed-in person is told who they are', async () => {
  const person = await makePerson(world, '小明');
  const { status, data } = await call(world, person, 'GET', '/v1/user');
  expect(status).toBe(200);
  expect(data).toMatchObject({ id: person.id, nickname: '小明', identity: 1 });
});
