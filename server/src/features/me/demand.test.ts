import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import { cookieOf } from '../../testing/sign-in.ts';

const URL = '/v1/stats/demand/mac';
let world: World;
beforeAll(async () => {
  world = await build();
});
afterAll(() => world.close());

test('a browser asks for a macOS client once, signed in or not, and is told that it has', async () => {
  const first = await call(world, null, 'GET', URL);
  expect(first.data).toEqual({ voted: false });
  const mine = { cookie: cookieOf(first) };
  for (let n = 0; n < 3; n += 1)
    expect((await call(world, null, 'POST', URL, undefined, mine)).data).toEqual({ voted: true });
  expect((await call(world, null, 'GET', URL, undefined, mine)).data).toEqual({ voted: true });
  expect((await call(world, null, 'GET', URL)).data).toEqual({ voted: false });
  expect(await rowsOf(world.db, sql`SELECT subject FROM demand_votes`)).toEqual([{ subject: 'mac' }]);
});
