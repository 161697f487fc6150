/**
 * Random interleavings of everything that moves money, in parallel, on whichever database the tests run on. Afterwards
 * the books must agree. Fixed seeds; what fails is shrunk to the shortest history.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../lib/errors.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
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

/** As many as have a connection: who waits for one is sent away after two seconds, which is not what is asked here. */
const AT_ONCE = 8;
/** Few, so that orders replace one another and are paid for late. */
const PEOPLE = 2;
/** Payments and refunds are about the latest orders: those that replaced one another. */
const RECENT = 4;
const COUPON_LIMIT = 2;
const PACKAGES = [21, 22, 24, 41, 51];

type Command =
  | { do: 'order'; who: number; pack: number; coupon: boolean; quantity: number }
  | { do: 'pay'; which: number; transaction: number }
  | { do: 'replace'; who: number; newerFirst: boolean }
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
  // Rare by itself: both of two orders are paid for, of which one replaced the other.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), who, newerFirst: fc.boolean() }) },
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

const make = (userId: number, body: Parameters<typeof world.money.orders.buying.create>[1]) =>
  world.money.orders.buying.create(userId, body, 'http://x');

async function pay(no: string, transaction: number): Promise<void> {
  const { payments } = world.money.orders;
  const order = await payments.shown(no);
  if (!order || order.total === 0) return;
  await payments.settle({
    provider: 'sandbox',
    order_no: no,
    transaction_id: `T${no}${transaction}`,
    amount: order.total,
    paid_at: new Date(),
  });
}

async function perform(step: Command, known: Known[]): Promise<void> {
  const { orders, points, membership } = world.money;
  const chosen = 'which' in step ? known.at(-1 - (step.which % Math.min(known.length, RECENT))) : undefined;
  const person = 'who' in step ? people[step.who] : chosen?.person;
  if (step.do === 'pass') return pass(world, 8000);
  if (!person) return;
  const buyer = { userId: person.id, enterpriseId: null };
  switch (step.do) {
    case 'order': {
      const coupon_code = step.coupon ? couponCode : null;
      const body = { subscription_id: step.pack, quantity: step.quantity, coupon_code, qr: 2 } as const;
      known.push({ no: (await make(person.id, body)).order.order_no, person });
      return;
    }
    case 'pay': {
      if (chosen) await pay(chosen.no, step.transaction);
      return;
    }
    case 'replace': {
      const made: Known[] = [];
      for (const pack of [21, 22])
        made.push({
          no: (await make(person.id, { subscription_id: pack, quantity: 1, qr: 2 })).order.order_no,
          person,
        });
      known.push(...made);
      for (const { no } of step.newerFirst ? made.toReversed() : made) await pay(no, 0);
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
    'days and points of an order are what was sold, and name the order that was paid',
    sql`SELECT g.ref FROM vip_grants g LEFT JOIN orders o ON o.order_no = g.ref AND o.state IN ('paid', 'refunded')
      WHERE g.source = 'order' AND (o.id IS NULL OR g.lifetime <> (o.snapshot->>'lifetime')::boolean
        OR g.days IS DISTINCT FROM CASE WHEN g.lifetime THEN NULL ELSE (o.snapshot->>'valid_vip_days')::int * o.quantity END)
      UNION ALL SELECT e.key FROM point_entries e LEFT JOIN orders o ON e.key = 'order:' || o.order_no
      WHERE e.kind = 'order' AND o.id IS NULL`,
  );
  await none(
    'of orders that replaced one another at most one was paid for',
    sql`WITH RECURSIVE chain (first, id) AS (
        SELECT id, superseded_by FROM orders WHERE superseded_by IS NOT NULL
        UNION SELECT c.first, o.superseded_by FROM chain c JOIN orders o ON o.id = c.id WHERE o.superseded_by IS NOT NULL)
      SELECT a.order_no, b.order_no FROM chain c JOIN orders a ON a.id = c.first JOIN orders b ON b.id = c.id
      WHERE a.id <> b.id AND a.state IN ('paid', 'refunded') AND b.state IN ('paid', 'refunded')`,
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
  const gate = createSemaphore(AT_ONCE);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      gate(() =>
        orders.payments.settle({
          provider: 'sandbox',
          order_no: no,
          transaction_id: `T${n % 2}`,
          amount: 3900,
          paid_at: new Date(),
        }),
      ),
    ),
  );
  expect(outcomes.filter((one) => one === 'applied')).toHaveLength(1);
  expect(outcomes.filter((one) => one === 'duplicate')).toHaveLength(1);
  expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM vip_grants`)).toEqual([{ n: 1 }]);
});

test('one budget of 100, 300 claims over all connections: 100 are given', { timeout: 300_000 }, async () => {
  await world.reset();
  await world.db.execute(sql`
    INSERT INTO campaigns (id, code, title, kind, starts_at, ends_at, gift, budget_total, budget_left, state)
    VALUES (9, 'coupons', '优惠码', 'coupon', now() - interval '1 day', now() + interval '1 day',
      '{"coupon": {"amount": 500, "coupon_type": 1, "days": 7}}', 100, 100, 'running')`);
  await world.db.execute(sql`INSERT INTO users (nickname) SELECT 'u' || n FROM generate_series(1, 300) n`);
  const ids = (await rowsOf(world.db, sql`SELECT id FROM users`)).map(({ id }) => id as number);
  const gate = createSemaphore(AT_ONCE);
  const claim = (id: number) => gate(() => world.money.campaigns.claims.coupon(id, 9));
  const results = await Promise.allSettled(ids.map(claim));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  expect(await rowsOf(world.db, sql`SELECT budget_left AS left FROM campaigns WHERE id = 9`)).toEqual([{ left: 0 }]);
  expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM coupons`)).toEqual([{ n: 100 }]);
});
