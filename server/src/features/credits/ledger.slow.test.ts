import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';
import { retried } from '../../lib/idempotency.ts';
import { rowsOf } from '../../testing/build.ts';
import { creditStage } from '../../testing/credits.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { endOfLife } from './ledger.ts';
import type { CreditEntry } from './tables.ts';

const on = creditStage('2026-11-22T02:00:00Z');
const ledger = () => on.world.money.centre.credits.ledger;
const inTx = <T>(work: (tx: Parameters<Parameters<typeof on.world.db.transaction>[0]>[0]) => Promise<T>): Promise<T> =>
  retried(() => on.world.db.transaction(work));
const spend = (amount: number, key: string, who = on.person) =>
  inTx((tx) => ledger().spend(tx, who.id, amount, { kind: 'adjust', key, title: '兑换' }));
const lots = () => rowsOf(on.world.db, sql`SELECT remaining, expires_at FROM credit_lots ORDER BY id`);

describe('life', () => {
  test.each([
    ['2026-11-22T02:00:00Z', '2028-11-30T16:00:00.000Z'],
    // The last moment of a month in Shanghai, and the first of the next.
    ['2026-11-30T15:59:59.999Z', '2028-11-30T16:00:00.000Z'],
    ['2026-11-30T16:00:00Z', '2028-12-31T16:00:00.000Z'],
    ['2026-12-31T16:00:00Z', '2029-01-31T16:00:00.000Z'],
    // Two years on February has 29 days.
    ['2026-02-28T12:00:00Z', '2028-02-29T16:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2030-02-28T16:00:00.000Z'],
  ])('what is earned at %s can be spent until %s', (at, end) => {
    expect(endOfLife(new Date(at)).toISOString()).toBe(end);
  });

  test('is over at its very instant: a moment before it buys, at it nothing', async () => {
    await on.gives(10);
    on.at('2028-11-30T15:59:59.999Z');
    await spend(4, 'a');
    on.at('2028-11-30T16:00:00.000Z');
    await expect(spend(1, 'b')).rejects.toMatchObject({ code: 31001, message: '积分不足，还差 1' });
    expect(await on.balance()).toBe(0);
    const { list } = await on.get('/v1/credits-center/account/change-detail?kind=expired');
    expect(list).toMatchObject([{ amount: -6, balance_after: 0, title: '积分到期', kind: 'expire' }]);
    await on.agrees();
  });

  test('what ends soonest is spent first', async () => {
    await on.gives(10);
    on.at('2027-02-01T00:00:00Z');
    await on.gives(10);
    await spend(12, 'a');
    expect((await lots()).map(({ remaining }) => remaining)).toEqual([0, 8]);
  });
});

describe('giving back', () => {
  const giveBack = (entry: CreditEntry, amount: number, key: string) =>
    inTx((tx) => ledger().giveBack(tx, entry, amount, { kind: 'refund', key, title: '退回' }));

  test('refills the lots it was taken from; what has ended becomes thirty days', async () => {
    await on.gives(10);
    on.at('2027-02-01T00:00:00Z');
    await on.gives(10);
    const { entry } = await spend(15, 'a');
    on.at('2028-12-05T00:00:00Z');
    await giveBack(entry, 15, 'back');
    const all = await lots();
    expect(all.map(({ remaining }) => remaining)).toEqual([0, 10, 10]);
    expect(new Date(all[2].expires_at).toISOString()).toBe('2029-01-04T00:00:00.000Z');
    await on.agrees();
  });

  test('happens once, however often it is asked for, and never for more than was taken', async () => {
    await on.gives(10);
    const { entry } = await spend(4, 'a');
    await giveBack(entry, 4, 'back');
    expect((await giveBack(entry, 4, 'back')).isNew).toBe(false);
    await expect(giveBack(entry, 4, 'again')).rejects.toMatchObject({
      cause: { constraint: 'credit_entries_reverses_id_key' },
    });
    await expect(giveBack(entry, 5, 'more')).rejects.toThrow('Only what was taken');
    expect(await on.balance()).toBe(10);
    await on.agrees();
  });

  test('taking back takes at most what is there; the rest is no debt', async () => {
    await on.gives(10);
    await spend(7, 'a');
    const taken = await inTx((tx) =>
      ledger().takeBack(tx, on.person.id, 10, { kind: 'clawback', key: 'c', title: '收回' }),
    );
    expect(taken).toEqual({ taken: 3, shortfall: 7 });
    expect(await on.balance()).toBe(0);
    await on.agrees();
  });
});

test('the entries are only written to', async () => {
  await on.gives(10);
  for (const statement of [
    sql`UPDATE credit_entries SET amount = 1000`,
    sql`DELETE FROM credit_entries`,
    sql`TRUNCATE credit_entries CASCADE`,
  ])
    await expect(on.world.db.execute(statement)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('append-only') },
    });
});

test('a movement is a whole number of at most 100,000', async () => {
  for (const amount of [0.5, 100_001, Number.NaN]) await expect(on.gives(amount)).rejects.toThrow(RangeError);
  await on.gives(100_000);
});

const step = <D extends string>(name: D, n: { min: number; max: number }) =>
  fc.record({ do: fc.constant(name), n: fc.integer(n), key: fc.integer({ min: 0, max: 40 }) });
const STEPS = fc.array(
  fc.oneof(
    step('earn', { min: 1, max: 50 }),
    step('spend', { min: 1, max: 60 }),
    step('back', { min: 1, max: 60 }),
    step('claw', { min: 1, max: 60 }),
    // Days, also back: a clock that was set wrong.
    step('time', { min: -3, max: 400 }),
  ),
  { minLength: 20, maxLength: 40 },
);
type Step = (typeof STEPS extends fc.Arbitrary<infer S> ? S : never) extends (infer O)[] ? O : never;

/** One person's history; each step gives what it did beside what it should have done. */
function historyOf(who: Person, run: number) {
  const spent = new Map<number, CreditEntry>();
  const moved = new Map<string, number>();
  return async ({ do: act, n, key }: Step): Promise<[did: number, should: number]> => {
    const cause = { key: `${run}:${act}:${key}`, title: act };
    const known = moved.get(cause.key);
    const before = await on.balance(who);
    const remember = (amount: number, should: number): [number, number] => {
      moved.set(cause.key, amount);
      // One key, one entry, one answer.
      return [amount, known ?? should];
    };
    if (act === 'time') {
      on.now = new Date(on.now.getTime() + n * DAY_MS);
      return [0, 0];
    }
    if (act === 'earn') {
      const { entry } = await inTx((tx) => ledger().earn(tx, who.id, n, { kind: 'adjust', ...cause }));
      return remember(entry.amount, n);
    }
    if (act === 'claw') {
      const { taken } = await inTx((tx) => ledger().takeBack(tx, who.id, n, { kind: 'clawback', ...cause }));
      return taken > 0 ? remember(taken, Math.min(n, before)) : [0, Math.min(n, before)];
    }
    if (act === 'spend') {
      const tried = await inTx((tx) => ledger().spend(tx, who.id, n, { kind: 'adjust', ...cause })).catch(
        (fault: { code?: number }) => fault.code,
      );
      if (typeof tried !== 'object') return [tried ?? 0, known === undefined && before < n ? 31001 : Number.NaN];
      spent.set(key, tried.entry);
      return remember(tried.entry.amount, -n);
    }
    const entry = spent.get(key);
    if (!entry) return [0, 0];
    const amount = Math.min(n, -entry.amount);
    const back = await inTx((tx) => ledger().giveBack(tx, entry, amount, { kind: 'refund', ...cause }));
    return remember(back.entry.amount, amount);
  };
}

test('any history with repeated keys keeps the books: sums, lots, uses, gapless numbers', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      run += 1;
      on.at('2026-11-22T02:00:00Z');
      const take = historyOf(await makePerson(on.world), run);
      const answers: [number, number][] = [];
      for (const one of steps) answers.push(await take(one));
      expect(answers.map(([did]) => did)).toEqual(answers.map(([, should]) => should));
      await on.agrees();
    }),
    { numRuns: 25, seed: 20_261_122 },
  );
}, 240_000);

test('of fifty spendings at once as many are done as there are credits for, and the balance never lies', async () => {
  await on.gives(100);
  const tries = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => spend(7, `p:${n % 40}`)));
  const done = tries.filter(({ status }) => status === 'fulfilled').length;
  const rows = await rowsOf(on.world.db, sql`SELECT count(*)::int AS n FROM credit_entries WHERE amount < 0`);
  // Fourteen pieces of seven; a key asked for twice is one of them.
  expect(rows).toEqual([{ n: 14 }]);
  expect(done).toBeGreaterThanOrEqual(14);
  expect(await on.balance()).toBe(2);
});

test('two first movements of an account at once make one account', async () => {
  const who = await makePerson(on.world);
  await Promise.all(Array.from({ length: 10 }, (_, n) => on.gives(1, who, `first:${n}`)));
  expect(await on.balance(who)).toBe(10);
  await on.agrees();
});

describe('what an account shows', () => {
  test('the newest first, in pages without gaps, narrowed to what was earned, used or ended', async () => {
    for (let n = 1; n <= 5; n += 1) await on.gives(n);
    const page = (query: string) => on.get(`/v1/credits-center/account/change-detail?page_size=2&${query}`);
    expect((await page('page=1')).list.map((one: any) => one.amount)).toEqual([5, 4]);
    expect((await page('page=3')).list.map((one: any) => one.amount)).toEqual([1]);
    expect(await page('page=1&kind=earned')).toMatchObject({ total: 5 });
    expect(await page('kind=used')).toEqual({ total: 0, list: [] });
    expect((await page('page=1')).list[0]).toMatchObject({ expires_at: '2028-11-30T16:00:00.000Z', balance_after: 15 });
    expect(
      (await call(on.world, on.person, 'GET', '/v1/credits-center/account/change-detail?page_size=101')).status,
    ).toBe(400);
    const other = await makePerson(on.world);
    expect(await on.get('/v1/credits-center/account/change-detail', other)).toEqual({ total: 0, list: [] });
  });

  test('balance, what ends within ninety days, and the total beside the name', async () => {
    await on.gives(40);
    expect(await on.get('/v1/credits-center/account')).toEqual({
      total_amount: 40,
      pending: 0,
      expiring: [],
      held_reason: null,
    });
    expect(await on.get('/v1/user')).toMatchObject({ total_amount: 40 });
    on.at('2028-11-01T00:00:00Z');
    expect(await on.get('/v1/credits-center/account')).toMatchObject({
      expiring: [{ amount: 40, at: '2028-11-30T16:00:00.000Z' }],
    });
  });
});
