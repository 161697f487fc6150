import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeEnterprise } from '../../testing/enterprises.ts';
import { expectBalanced } from '../../testing/money.ts';
import { reconcile } from '../../reconcile.ts';

let world: World;
let person: Person;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  person = await makePerson(world);
});
afterAll(() => world.close());

/** Movements as whoever gives and takes credits will write them. */
async function write(who: Person, amounts: number[]): Promise<void> {
  await world.db.execute(sql`INSERT INTO credit_accounts (user_id) VALUES (${who.id})`);
  let balance = 0;
  for (const [at, amount] of amounts.entries()) {
    balance += amount;
    await world.db.execute(sql`
      INSERT INTO credit_entries (user_id, seq, amount, balance_after, kind, contra, idem_key, title)
      VALUES (${who.id}, ${at + 1}, ${amount}, ${balance}, 'adjust', 'sys:adjust', ${`${who.id}:${at}`}, ${`第${at + 1}笔`})`);
  }
  await world.db.execute(
    sql`UPDATE credit_accounts SET balance = ${balance}, last_seq = ${amounts.length} WHERE user_id = ${who.id}`,
  );
}
const get = (path: string) => call(world, person, 'GET', path);

test('nothing has moved: the balance is 0 and the list empty', async () => {
  expect((await get('/v1/credits-center/account')).data).toEqual({
    total_amount: 0,
    pending: 0,
    expiring: [],
    held_reason: null,
  });
  expect((await get('/v1/credits-center/account/change-detail')).data).toEqual({ total: 0, list: [] });
  expect((await get('/v1/user')).data.total_amount).toBe(0);
});

test('balance and records are those of the own ledger, a page at a time, newest first', async () => {
  await write(person, [20, 30, -10]);
  await write(await makePerson(world), [5]);
  expect((await get('/v1/credits-center/account')).data.total_amount).toBe(40);
  expect((await get('/v1/user')).data.total_amount).toBe(40);
  expect((await get('/v1/credits-center/account/change-detail?page=1&page_size=2')).data).toMatchObject({
    total: 3,
    list: [
      { title: '第3笔', amount: -10, balance_after: 40 },
      { title: '第2笔', amount: 30 },
    ],
  });
  expect((await get('/v1/credits-center/account/change-detail?page=2&page_size=2')).data).toMatchObject({
    total: 3,
    list: [{ title: '第1笔', amount: 20, balance_after: 20 }],
  });
  expect((await get('/v1/credits-center/account/change-detail?page_size=101')).status).toBe(400);
  await expectBalanced(world);
  await world.db.execute(sql`UPDATE credit_accounts SET balance = 41 WHERE user_id = ${person.id}`);
  expect(await reconcile(world.db)).toMatchObject({ credits: 1 });
});

test('the ledger is only written to, and no account falls below zero', async () => {
  await write(person, [20]);
  for (const change of [
    sql`UPDATE credit_entries SET amount = 5`,
    sql`DELETE FROM credit_entries`,
    sql`UPDATE credit_accounts SET balance = -1`,
  ])
    await expect(world.db.execute(change)).rejects.toThrow(/Failed query/);
});

test('an enterprise takes no part; visitors are asked to sign in', async () => {
  const { channel } = await makeEnterprise(world, '甲公司');
  for (const path of ['/v1/credits-center/account', '/v1/credits-center/account/change-detail']) {
    const refused = await call(world, channel, 'GET', path);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ err_code: 31006, msg: '企业版不参与积分活动，可切换到个人版查看' });
    expect((await call(world, null, 'GET', path)).status).toBe(401);
  }
});
