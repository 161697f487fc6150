/**
 * Random interleavings of everything that moves money, in parallel, on whichever database the tests run on. Afterwards
 * the books must agree. Fixed seeds; what fails is shrunk to the shortest history.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../lib/errors.ts';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { deliver, expectBalanced, pass } from '../../testing/money.ts';
import { endOf } from '../membership/grants.ts';

let world: World;
let people: Person[];
let couponCode: string;

beforeAll(async () => {
  world = await build();
});
afterAll(() => world.close());

const PEOPLE = 3;
const COUPON_LIMIT = 2;
const PACKAGES = [21, 22, 24, 41, 51];

type Command =
  | { do: 'order'; who: number; pack: number; coupon: boolean; quantity: number }
  | { do: 'pay'; which: number; transaction: number }
  | { do: 'cancel'; which: number }
  | { do: 'pass' }
  | { do: 'refund'; which: number }
  | { do: 'spend'; who: number; n: number; key: number }
  | { do: 'back'; who: number; key: number }
  | { do: 'gift'; who: number; ref: number }
  | { do: 'days'; who: number; ref: number; days: number };

const who = fc.nat(PEOPLE - 1);
const which = fc.nat(11);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      who,
      pack: fc.constantFrom(...PACKAGES),
      coupon: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  // Few transaction numbers: the same payment is told again and again.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), which, transaction: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('spend' as const),
      who,
      n: fc.integer({ min: 1, max: 30 }),
      key: fc.nat(8),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('back' as const), who, key: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('gift' as const), who, ref: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('days' as const),
      who,
      ref: fc.nat(3),
      days: fc.integer({ min: 1, max: 40 }),
    }),
  },
);

interface Known {
  no: string;
  person: Person;
}

async function perform(step: Command, known: Known[]): Promise<void> {
  const { orders, points, membership } = world.money;
  const chosen = 'which' in step && known.length > 0 ? known[step.which % known.length] : undefined;
  const person = 'who' in step ? people[step.who] : chosen?.person;
  if (step.do === 'pass') return pass(world, 8000);
  if (!person) return;
  const buyer = { userId: person.id, enterpriseId: null };
  switch (step.do) {
    case 'order': {
      const coupon_code = step.coupon ? couponCode : null;
      const body = { subscription_id: step.pack, quantity: step.quantity, coupon_code, qr: 2 } as const;
      const made = await orders.buying.create(person.id, body, 'http://x');
      known.push({ no: made.order.order_no, person });
      return;
    }
    case 'pay': {
      if (!chosen) return;
      const order = await orders.payments.shown(chosen.no);
      if (!order || order.total === 0) return;
      const transaction_id = `T${chosen.no}${step.transaction}`;
      await orders.payments.settle({
        provider: 'sandbox',
        order_no: chosen.no,
        transaction_id,
        amount: order.total,
        paid_at: new Date(),
      });
      return;
    }
    case 'cancel':
      if (chosen) await orders.buying.cancel(buyer, chosen.no);
      return;
    case 'refund': {
      if (!chosen) return;
      await orders.refunds.ask(buyer, chosen.no, '不想要了');
      const [row] = await rowsOf(
        world.db,
        sql`SELECT id, version, amount FROM refunds WHERE order_no = ${chosen.no} AND state = 'asked'`,
      );
      if (row)
        await world.db.transaction((tx) =>
          orders.refunds.agree(tx, row.id, row.version, { amount: row.amount, answer: '同意', by: 1 }),
        );
      return;
    }
    case 'spend':
      await world.db.transaction((tx) =>
        points.spend(tx, person.owner, step.n, { kind: 'use', key: `use:${person.id}:${step.key}`, title: 'AI解读' }),
      );
      return;
    case 'back':
      await world.db.transaction((tx) => points.giveBack(tx, person.owner, `use:${person.id}:${step.key}`, '退回'));
      return;
    case 'gift':
      await world.db.transaction((tx) =>
        points.add(tx, person.owner, { gift: 7 }, { kind: 'ops', key: `gift:${person.id}:${step.ref}`, title: '赠送' }),
      );
      return;
    case 'days': {
      const grant = {
        userId: person.id,
        source: 'ops',
        ref: `${person.id}:${step.ref}`,
        days: step.days,
        lifetime: false,
      } as const;
      await world.db.transaction((tx) => membership.grants.grant(tx, grant));
      return;
    }
  }
}

/** Only refusals may come of it. */
async function performAll(batch: Command[], known: Known[]): Promise<void> {
  const results = await Promise.allSettled(batch.map((step) => perform(step, known)));
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof Fault)) throw result.reason;
}

async function expectBooksRight(): Promise<void> {
  await expectBalanced(world);
  const { db } = world;
  const none = async (title: string, statement: ReturnType<typeof sql>): Promise<void> => {
    expect(await rowsOf(db, statement), title).toEqual([]);
  };
  await none(
    'at most one applied payment an order',
    sql`SELECT order_no FROM payments WHERE outcome = 'applied' GROUP BY order_no HAVING count(*) > 1`,
  );
  await none(
    'paid orders of days have one live grant, refunded ones a revoked one, others none',
    sql`SELECT o.order_no, o.state FROM orders o LEFT JOIN vip_grants g ON g.source = 'order' AND g.ref = o.order_no
      WHERE o.kind IN ('vip', 'combo') AND NOT CASE o.state
        WHEN 'paid' THEN g.id IS NOT NULL AND g.revoked_at IS NULL
        WHEN 'refunded' THEN g.revoked_at IS NOT NULL
        ELSE g.id IS NULL END`,
  );
  await none(
    'paid and refunded orders of points have one entry of their points, others none',
    sql`SELECT o.order_no FROM orders o LEFT JOIN point_entries e ON e.key = 'order:' || o.order_no
      WHERE o.kind IN ('point', 'combo') AND NOT CASE WHEN o.state IN ('paid', 'refunded')
        THEN e.paid = (o.snapshot->>'points')::int * o.quantity ELSE e.id IS NULL END`,
  );
  await none(
    'every payment that bought nothing goes back, once',
    sql`SELECT p.id FROM payments p WHERE p.outcome = 'duplicate' AND
      (SELECT coalesce(sum(r.amount), 0) FROM refunds r WHERE r.payment_id = p.id AND r.state <> 'refused') <> p.amount`,
  );
  await none(
    'refunds never pass their payment',
    sql`SELECT p.id FROM payments p JOIN refunds r ON r.payment_id = p.id AND r.state NOT IN ('asked', 'refused')
      GROUP BY p.id HAVING sum(r.amount) > p.amount`,
  );
  await none('coupons keep their limit', sql`SELECT id FROM coupons WHERE uses > limit_total`);
  await none(
    'sequences have no gaps and balances are running sums',
    sql`SELECT * FROM (SELECT owner_id, seq, balance, row_number() OVER w AS n, sum(gift + paid) OVER w AS total FROM point_entries
      WINDOW w AS (PARTITION BY owner_kind, owner_id ORDER BY seq)) e WHERE seq <> n OR balance <> total OR balance < 0`,
  );
  await none(
    'one open order a person and kind',
    sql`SELECT user_id, kind FROM orders WHERE state = 'created' AND method <> 4 GROUP BY user_id, kind HAVING count(*) > 1`,
  );
  for (const { id } of people) {
    const grants = await rowsOf(
      db,
      sql`SELECT id, days, lifetime, starts_at, ends_at FROM vip_grants WHERE user_id = ${id} AND revoked_at IS NULL`,
    );
    const [account] = await rowsOf(db, sql`SELECT until, lifetime FROM vip_accounts WHERE user_id = ${id}`);
    const date = (value: unknown): Date | null => (value === null ? null : new Date(value as string));
    const end = endOf(grants.map((one) => ({ ...one, startsAt: date(one.starts_at), endsAt: date(one.ends_at) })));
    expect({ until: date(account?.until ?? null), lifetime: account?.lifetime ?? false }).toEqual(end);
    // Whole days each, none over another: the length of the chain is the sum of its parts.
    for (const one of grants.filter(({ days, starts_at: starts }) => days !== null && starts !== null))
      expect(date(one.ends_at)!.getTime() - date(one.starts_at)!.getTime()).toBe(one.days * 86_400_000);
  }
}

test('whatever comes in whatever order, the books agree', { timeout: 600_000 }, async () => {
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(command, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 }),
      async (batches) => {
        await world.reset();
        people = [];
        for (let n = 0; n < PEOPLE; n += 1) people.push(await makePerson(world));
        couponCode = await world.db.transaction(
          async (tx) =>
            (await world.money.orders.coupons.make(tx, { amount: 4000, couponType: 0, limitTotal: COUPON_LIMIT })).after
              .code,
        );
        const known: Known[] = [];
        for (const batch of batches) {
          await performAll(batch, known);
          await expectBooksRight();
        }
        await deliver(world);
        await expectBooksRight();
        paid += (await rowsOf(world.db, sql`SELECT id FROM payments`)).length;
      },
    ),
    {
      seed: Number(process.env['HENGXI_SEED'] ?? 20_261_121),
      numRuns: Number(process.env['HENGXI_RUNS'] ?? 25),
      endOnFailure: false,
    },
  );
  // The histories are about something.
  expect(paid).toBeGreaterThan(0);
});

test('fifty notices of one payment and its double, shuffled over many connections: one grant', async () => {
  await world.reset();
  const person = await makePerson(world);
  const { orders } = world.money;
  const made = await orders.buying.create(person.id, { subscription_id: 21, quantity: 1, qr: 2 }, 'http://x');
  const no = made.order.order_no;
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      orders.payments.settle({
        provider: 'sandbox',
        order_no: no,
        transaction_id: `T${n % 2}`,
        amount: 3900,
        paid_at: new Date(),
      }),
    ),
  );
  expect(outcomes.filter((one) => one === 'applied')).toHaveLength(1);
  expect(outcomes.filter((one) => one === 'duplicate')).toHaveLength(1);
  expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM vip_grants`)).toEqual([{ n: 1 }]);
});

test('one budget of 100, 300 claims at once: 100 are given', { timeout: 300_000 }, async () => {
  await world.reset();
  await world.db.execute(sql`
    INSERT INTO campaigns (id, code, title, kind, starts_at, ends_at, gift, budget_total, budget_left, state)
    VALUES (9, 'coupons', '优惠码', 'coupon', now() - interval '1 day', now() + interval '1 day',
      '{"coupon": {"amount": 500, "coupon_type": 1, "days": 7}}', 100, 100, 'running')`);
  await world.db.execute(sql`INSERT INTO users (nickname) SELECT 'u' || n FROM generate_series(1, 300) n`);
  const ids = (await rowsOf(world.db, sql`SELECT id FROM users`)).map(({ id }) => id as number);
  const results = await Promise.allSettled(ids.map((id) => world.money.campaigns.claims.coupon(id, 9)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  expect(await rowsOf(world.db, sql`SELECT budget_left AS left FROM campaigns WHERE id = 9`)).toEqual([{ left: 0 }]);
  expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM coupons`)).toEqual([{ n: 100 }]);
});
