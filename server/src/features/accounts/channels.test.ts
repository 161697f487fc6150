import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import { signIn } from '../../testing/sign-in.ts';
import { tidyOffers } from './store.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  world.people.channels = async () => [];
  world.people.lucky = async () => 0;
});
afterAll(async () => world.close());

const ACME = { enterprise_id: 7, enterprise_name: '甲公司', is_admin: true };
const OTHER = { enterprise_id: 9, enterprise_name: '乙公司', is_admin: false };
const me = (token: string) => call(world, { token }, 'GET', '/v1/user');
const payload = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

test('a holder of both is offered both; each session begins when it is first used', async () => {
  const before = await signIn(world);
  world.people.channels = async () => [ACME];
  const { data } = await signIn(world);
  expect(data).toMatchObject({ token: expect.any(String), co_token: expect.any(String), tokens: [] });
  expect(payload(data.co_token)).toMatchObject({ platform: 'co-7', enterprise_name: '甲公司', is_vip: false });
  // Nothing has been chosen: the personal session of the other computer goes on.
  expect((await me(before.data.token)).status).toBe(200);
  expect((await me(data.co_token)).data).toMatchObject({
    identity: 2,
    platform: 'co-7',
    enterprise: [{ id: 7, name: '甲公司' }],
    is_enterprise_admin: true,
  });
  expect((await me(before.data.token)).status).toBe(200);
  expect((await me(data.token)).data).toMatchObject({ identity: 1, platform: 'pri', enterprise: [] });
  expect((await me(before.data.token)).body.err_code).toBe(20021);
  expect((await me(data.co_token)).status).toBe(200);
});

test('several enterprises: one token each, the last used first', async () => {
  world.people.channels = async () => [OTHER, ACME];
  const { data } = await signIn(world);
  expect(data.tokens.map((one: { platform: string }) => one.platform)).toEqual(['co-9', 'co-7']);
  expect(data.co_token).toBe(data.tokens[0].token);
});

test('an offer ends after ten minutes, and is cleared away', async () => {
  world.people.channels = async () => [ACME];
  const { data } = await signIn(world);
  await world.db.execute(sql`UPDATE sessions SET offered_until = now() - interval '1 minute'`);
  expect((await me(data.token)).body).toMatchObject({ err_code: 30089 });
  await tidyOffers(world.db);
  expect((await me(data.co_token)).status).toBe(401);
});

test('two browsers that accept their offers at once: one of them goes on', async () => {
  world.people.channels = async () => [ACME];
  const [one, two] = [await signIn(world), await signIn(world)];
  await Promise.all([me(one.data.co_token), me(two.data.co_token), me(one.data.co_token), me(two.data.co_token)]);
  const after = [(await me(one.data.co_token)).status, (await me(two.data.co_token)).status];
  expect(after.sort()).toEqual([200, 401]);
});

test('switching offers the other channels and leaves the present one alone', async () => {
  world.people.channels = async () => [ACME, OTHER];
  const { data } = await signIn(world);
  await me(data.co_token);
  const asked = await call(world, { token: data.co_token }, 'GET', '/v1/user/identity');
  expect(asked.data).toMatchObject({
    identity: 2,
    current: 'co-7',
    pri: { platform: 'pri', token: expect.any(String) },
    co: { enterprise_id: 7, token: null },
    tokens: [{ platform: 'co-9', enterprise_name: '乙公司' }],
  });
  expect((await me(data.co_token)).status).toBe(200);
  expect((await me(asked.data.pri.token)).data.platform).toBe('pri');
  expect((await me(data.co_token)).status).toBe(200);
  const back = await call(world, { token: asked.data.pri.token }, 'GET', '/v1/user/identity');
  expect(back.data).toMatchObject({ current: 'pri', pri: { token: null }, co: { token: expect.any(String) } });
});

test('devices list live sessions of all channels, not offers', async () => {
  world.people.channels = async () => [ACME];
  const { data } = await signIn(world);
  await me(data.co_token);
  const { list } = (await call(world, { token: data.co_token }, 'GET', '/v1/user/sessions')).data;
  expect(list.map((one: { platform: string }) => one.platform)).toEqual(['co-7']);
});

test('the gift of a campaign is asked for once, for a new account', async () => {
  const asked: number[] = [];
  world.people.lucky = async (_tx, userId) => {
    asked.push(userId);
    return 1;
  };
  expect((await signIn(world)).data.lucky).toBe(1);
  expect((await signIn(world)).data.lucky).toBe(0);
  expect(asked).toEqual([1]);
});
