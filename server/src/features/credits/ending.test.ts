import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { creditStage } from '../../testing/credits.ts';
import { call } from '../../testing/makers.ts';
import { deliver } from '../../testing/money.ts';

/** Noon in Shanghai: messages are sent by day. */
const on = creditStage('2026-11-22T04:00:00Z');
const plan = () => on.world.money.centre.credits.ending.plan();
const seen = (iso: string) => on.world.db.execute(sql`UPDATE sessions SET seen_at = ${new Date(iso)}`);
const messages = async () => {
  await deliver(on.world);
  const { list } = (await call(on.world, null, 'GET', `/sandbox/sms?phone=${on.person.phone}`)).data;
  return list.map(({ text }: { text: string }) => text);
};

test('its owner is told 60, 30 and 7 days before, once each, with what is left then', async () => {
  await on.gives(40);
  on.at('2028-10-01T04:00:00Z');
  await plan();
  expect(await messages()).toEqual([]);
  for (const day of ['2028-10-02', '2028-10-02', '2028-10-03', '2028-10-31']) {
    on.at(`${day}T04:00:00Z`);
    await plan();
  }
  expect(await messages()).toHaveLength(1);
  expect((await messages())[0]).toContain('您有40积分将于11月30日到期');
  await on.world.db.transaction((tx) =>
    on.world.money.centre.credits.ledger.spend(tx, on.person.id, 15, { kind: 'adjust', key: 's', title: '用' }),
  );
  for (const day of ['2028-11-01', '2028-11-02', '2028-11-24', '2028-11-25']) {
    on.at(`${day}T04:00:00Z`);
    await plan();
    await messages();
  }
  expect(await messages()).toHaveLength(3);
  expect((await messages())[0]).toContain('您有25积分');
});

test('a message that waits for the morning says what is left then, and nothing when it was spent', async () => {
  await on.gives(40);
  // 3 o'clock at night in Shanghai.
  on.at('2028-11-24T19:00:00Z');
  await plan();
  await on.world.money.outbox.deliver();
  expect(await messages()).toEqual([]);
  await on.world.db.transaction((tx) =>
    on.world.money.centre.credits.ledger.spend(tx, on.person.id, 40, { kind: 'adjust', key: 's', title: '用' }),
  );
  on.at('2028-11-25T04:00:00Z');
  await on.world.db.execute(sql`UPDATE outbox SET next_at = now() - interval '1 minute'`);
  expect(await messages()).toEqual([]);
});

test('who was not seen for sixty days keeps them ninety days longer, once; who was seen does not', async () => {
  await on.gives(40);
  await seen('2028-09-01T00:00:00Z');
  on.at('2028-11-30T04:00:00Z');
  await plan();
  const ends = () => rowsOf(on.world.db, sql`SELECT expires_at, extended FROM credit_lots`);
  const [lot] = await ends();
  expect([new Date(lot.expires_at).toISOString(), lot.extended]).toEqual(['2029-02-28T16:00:00.000Z', true]);
  on.at('2029-02-28T04:00:00Z');
  await plan();
  on.at('2029-02-28T16:00:00Z');
  await plan();
  expect(await on.balance()).toBe(0);
  await on.agrees();
});

test('the nightly round takes out what is over, also of whoever never comes back', async () => {
  await on.gives(40);
  await seen('2028-11-15T00:00:00Z');
  on.at('2028-11-30T16:00:00Z');
  await plan();
  await plan();
  const rows = await rowsOf(on.world.db, sql`SELECT amount, idem_key FROM credit_entries WHERE kind = 'expire'`);
  expect(rows).toEqual([{ amount: -40, idem_key: 'exp:1:0' }]);
  await on.agrees();
});

test('the desk sees what is owed by the month it ends in', async () => {
  await on.gives(40);
  on.at('2026-12-22T04:00:00Z');
  await on.gives(2);
  await on.gives(3);
  expect(await on.world.money.centre.credits.desk.liability()).toEqual([
    { month: '2028-11', amount: 40, people: 1 },
    { month: '2028-12', amount: 5, people: 1 },
  ]);
});
