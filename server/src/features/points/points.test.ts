import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { expectBalanced } from '../../testing/money.ts';
import { personStage } from '../../testing/stages.ts';

const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const add = (key: string, amount: { gift?: number; paid?: number }) =>
  world.db.transaction((tx) => world.money.points.add(tx, person.owner, amount, { kind: 'ops', key, title: '赠送' }));
const spend = (key: string, n: number) =>
  world.db.transaction((tx) => world.money.points.spend(tx, person.owner, n, { kind: 'use', key, title: 'AI解读' }));
const back = (key: string) =>
  world.db.transaction((tx) => world.money.points.giveBack(tx, person.owner, key, 'AI解读退回'));
const account = async () => (await call(world, person, 'GET', '/v1/user/point')).data;

test('gifts are spent first, and come back as what they were, once', async () => {
  await add('a', { gift: 3, paid: 10 });
  expect(await spend('r1', 5)).toMatchObject({ isNew: true, after: { gift: 0, paid: 8 } });
  expect(await spend('r1', 5)).toMatchObject({ isNew: false, after: { gift: 0, paid: 8 } });
  expect(await back('r1')).toMatchObject({ after: { gift: 3, paid: 10 } });
  expect(await back('r1')).toMatchObject({ isNew: false });
  expect(await back('never')).toBeNull();
  expect(await account()).toEqual({ user_ai_point: 13, gift: 3, paid: 10 });
  await expectBalanced(world);
});

test('of fifty readings at once with twelve points, twelve are done', async () => {
  await add('a', { gift: 5, paid: 7 });
  const tries = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => spend(`r${n}`, 1)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(12);
  expect(await account()).toMatchObject({ user_ai_point: 0 });
  await expect(spend('more', 1)).rejects.toMatchObject({ code: 30101, message: '点数不足' });
  await expectBalanced(world);
});

test.each([[0], [-1], [1.5]])('%d points are not spent', async (n) => {
  await expect(spend('x', n)).rejects.toBeInstanceOf(RangeError);
});

test('the records are pages of one list without gaps; foreign ones are not among them', async () => {
  const other = await makePerson(world);
  await world.db.transaction((tx) =>
    world.money.points.add(tx, other.owner, { gift: 1 }, { kind: 'ops', key: 'other', title: '赠送' }),
  );
  for (let n = 1; n <= 7; n += 1) await add(`k${n}`, { gift: n });
  const page = async (query: string) => (await call(world, person, 'GET', `/v1/user/point/record?${query}`)).data;
  expect(await page('page=1&page_size=3')).toMatchObject({
    total: 7,
    list: [{ points: 7, balance: 28 }, { points: 6 }, { points: 5 }],
  });
  expect(await page('page=3&page_size=3')).toMatchObject({ total: 7, list: [{ points: 1, balance: 1 }] });
  expect(await page('page=4&page_size=3')).toMatchObject({ total: 7, list: [] });
  expect(await page('page=0&page_size=3')).toEqual(await page('page=1&page_size=3'));
});

test('the ledger is only written to', async () => {
  await add('a', { gift: 1 });
  for (const change of [
    sql`UPDATE point_entries SET gift = 5`,
    sql`DELETE FROM point_entries`,
    sql`TRUNCATE point_entries`,
  ])
    await expect(world.db.execute(change)).rejects.toThrow(/Failed query/);
  expect(await account()).toMatchObject({ user_ai_point: 1 });
});
