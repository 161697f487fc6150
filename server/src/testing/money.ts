/** Buying as a page does it: orders, the sandbox cashier, and what stands in the books afterwards. */
import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { reconcile } from '../composition/money/reconcile.ts';
import { rowsOf } from './build.ts';
import type { World } from './build.ts';
import { call } from './makers.ts';
import type { Person, Reply } from './makers.ts';
import { personStage } from './stages.ts';

export const MONTH = 21;
export const LIFETIME = 24;
export const POINTS = 51;

/** What the account shows of a person. */
export const meOf = async (world: World, person: Person): Promise<any> =>
  (await call(world, person, 'GET', '/v1/user')).data;
/** When the membership ends, in milliseconds. */
export const untilOf = async (world: World, person: Person): Promise<number> =>
  new Date((await meOf(world, person)).vip.invalid_at).getTime();

/** A fresh product and who buys for each test of a file, with what the account shows of them. */
export function buyerStage() {
  const on = personStage();
  return Object.assign(on, {
    me: () => meOf(on.world, on.person),
    list: async (): Promise<any> => (await call(on.world, on.person, 'GET', '/v1/user/orders')).data,
    until: () => untilOf(on.world, on.person),
  });
}

export const order = (world: World, person: Person, body: Record<string, unknown> = {}): Promise<Reply> =>
  call(world, person, 'POST', '/v1/user/orders', { subscription_id: MONTH, quantity: 1, qr: 2, ...body });

export const orderNo = async (world: World, person: Person, body: Record<string, unknown> = {}): Promise<string> => {
  const reply = await order(world, person, body);
  expect(reply.body).toMatchObject({ status_code: 1 });
  return reply.data.order.order_no;
};

/** What a person with an app does at the sandbox cashier. */
export const cashier = (world: World, no: string, act: 'pay' | 'twice' | 'refuse' = 'pay'): Promise<Reply> =>
  call(world, null, 'POST', `/sandbox/cashier/${no}`, { act });

export const state = async (world: World, person: Person, no: string): Promise<any> =>
  (await call(world, person, 'GET', `/v1/user/orders/payment/state?order_no=${no}`)).data;

/** A coupon of ten yuan, made as the desk does. */
export const makeCoupon = (world: World, parts: Record<string, unknown> = {}): Promise<string> =>
  world.db.transaction(
    async (tx) =>
      (await world.money.orders.coupons.make(tx, { amount: 1000, couponType: 0, ...parts } as never)).after.code,
  );

/** A notice of the sandbox with whatever facts, signed rightly unless told otherwise. */
export function notice(world: World, facts: Record<string, unknown>, signature?: string): Promise<Reply> {
  const body = JSON.stringify({
    timestamp: Math.floor(Date.now() / 1000),
    transaction_id: 'T1',
    paid_at: new Date().toISOString(),
    ...facts,
  });
  const secret = world.deps.keys.digest('sandbox-cashier', 'notices');
  const right = createHmac('sha256', secret).update(body).digest('hex');
  return call(world, null, 'POST', '/v1/payments/notify/sandbox', body, { 'x-sandbox-signature': signature ?? right });
}

/** Delivers messages until none is due. */
export async function deliver(world: World): Promise<void> {
  while ((await world.money.outbox.deliver()) > 0);
}

/** Lets time go by for orders, messages and what is counted by the hour. */
export async function pass(world: World, seconds: number): Promise<void> {
  const gap = sql`make_interval(secs => ${seconds})`;
  await world.db.execute(
    sql`UPDATE orders SET created_at = created_at - ${gap}, expires_at = expires_at - ${gap}, paid_at = paid_at - ${gap}`,
  );
  await world.db.execute(sql`UPDATE outbox SET next_at = next_at - ${gap}`);
  await world.db.execute(sql`UPDATE coupon_misses SET at = at - ${gap}`);
}

/** All books agree: balances, coupons, orders, memberships. */
export async function expectBalanced(world: World): Promise<void> {
  const off = Object.entries(await reconcile(world.db)).filter(([, n]) => n !== 0);
  expect(off).toEqual([]);
}

export const paymentsOf = (world: World): Promise<any[]> =>
  rowsOf(world.db, sql`SELECT order_no, amount, outcome, why FROM payments ORDER BY id`);
export const refundsOf = (world: World): Promise<any[]> =>
  rowsOf(world.db, sql`SELECT order_no, amount, kind, state FROM refunds ORDER BY id`);

/** An operator's act in a transaction of its own. */
export const act = <T>(world: World, work: Parameters<World['db']['transaction']>[0]): Promise<T> =>
  world.db.transaction(work) as Promise<T>;
