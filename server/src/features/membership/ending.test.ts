import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { makeMember, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { deliver, meOf, orderNo, cashier } from '../../testing/money.ts';
import { shownDay, untilDaytime } from './ending.ts';

const DAY = 86_400_000;
/** 2026-11-21 12:00 in Shanghai; moved by the tests. */
const NOON = Date.UTC(2026, 10, 21, 4);
let now = NOON;
let world: World;
let person: Person;

beforeAll(async () => {
  world = await build({ clock: async () => new Date(now) });
});
beforeEach(async () => {
  now = NOON;
  await world.reset();
  person = await makePerson(world);
});
afterAll(() => world.close());

const plan = () => world.money.membership.ending.plan();
const told = async (): Promise<string[]> =>
  (await rowsOf(world.db, sql`SELECT text FROM sandbox_sms ORDER BY id`)).map(({ text }) => text);

test('seven days before the end the member is told, once', async () => {
  await makeMember(world, person, 30);
  now = NOON + 22 * DAY;
  expect(await plan()).toBe(0);
  now = NOON + 23 * DAY;
  expect(await plan()).toBe(1);
  expect(await plan()).toBe(0);
  await deliver(world);
  await deliver(world);
  expect(await told()).toEqual([expect.stringContaining('会员将于12月21日到期')]);
  // The number is not kept in the message.
  expect(await rowsOf(world.db, sql`SELECT payload FROM outbox WHERE topic = 'sms.notice'`)).toEqual([{ payload: {} }]);
});

test('who renews is told again before the new end; a message that is overtaken says nothing', async () => {
  await makeMember(world, person, 30);
  now = NOON + 25 * DAY;
  expect(await plan()).toBe(1);
  await cashier(world, await orderNo(world, person));
  await deliver(world);
  expect(await told()).toEqual([]);
  const until = new Date((await meOf(world, person)).vip.invalid_at).getTime();
  now = until - 6 * DAY;
  expect(await plan()).toBe(1);
  await deliver(world);
  expect(await told()).toHaveLength(1);
});

test('not told: a lifetime, what has ended, a gift shorter than the notice, an account without a phone', async () => {
  await makeMember(world, person, 3);
  const lasting = await makePerson(world);
  const grant = { userId: lasting.id, source: 'ops', ref: 'x', days: null, lifetime: true } as const;
  await world.db.transaction((tx) => world.money.membership.grants.grant(tx, grant));
  expect(await plan()).toBe(0);
  const over = await makePerson(world);
  await makeMember(world, over, 8);
  now = NOON + 9 * DAY;
  expect(await plan()).toBe(0);
  const phoneless = await makePerson(world);
  await makeMember(world, phoneless, 8);
  await world.db.execute(sql`UPDATE users SET phone_sealed = NULL, phone_digest = NULL WHERE id = ${phoneless.id}`);
  now = NOON + 11 * DAY;
  expect(await plan()).toBe(1);
  await deliver(world);
  expect(await told()).toEqual([]);
  expect((await world.money.outbox.health()).dead).toBe(0);
});

test('by night the message waits for nine o’clock', async () => {
  await makeMember(world, person, 30);
  // 23:00 in Shanghai.
  now = NOON + 24 * DAY + 11 * 3_600_000;
  await plan();
  await deliver(world);
  expect(await told()).toEqual([]);
  now = NOON + 25 * DAY;
  await world.db.execute(sql`UPDATE outbox SET next_at = now() - interval '1 minute'`);
  await deliver(world);
  expect(await told()).toHaveLength(1);
});

test('a provider that is down keeps the message waiting, and a person sees it when it is given up', async () => {
  await makeMember(world, person, 30);
  now = NOON + 24 * DAY;
  await plan();
  await deliver(world);
  await world.db.execute(
    sql`UPDATE outbox SET done_at = NULL, next_at = now() - interval '1 minute', payload = '{"phone": "sealed by nobody", "text": "x"}' WHERE topic = 'sms.notice'`,
  );
  for (let n = 0; n < 12; n += 1) {
    await world.money.outbox.deliver();
    await world.db.execute(sql`UPDATE outbox SET next_at = now() - interval '1 minute' WHERE done_at IS NULL`);
  }
  expect(await world.money.outbox.health()).toMatchObject({ dead: 1 });
  expect((await world.money.outbox.list('dead', { page: 1, page_size: 10 })).list).toMatchObject([
    { topic: 'sms.notice', attempts: 12 },
  ]);
  const metrics = await world.deps.metrics.registry.metrics();
  expect(metrics).toContain('hengxi_outbox_dead 1');
});

test.each([
  [8, 59, 60],
  [9, 0, 0],
  [20, 59, 0],
  [21, 0, 12 * 3600],
  [0, 0, 9 * 3600],
])('at %i:%i messages wait %i seconds', (hour, minute, seconds) => {
  expect(untilDaytime(new Date(Date.UTC(2026, 10, 20, 16 + hour, minute)))).toBe(seconds);
});

test('a day is told as it is in Shanghai', () => {
  expect(shownDay(new Date('2026-12-31T16:00:00Z'))).toBe('1月1日');
  expect(shownDay(new Date('2026-12-31T15:59:59Z'))).toBe('12月31日');
});
