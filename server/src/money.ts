/** Membership, AI points, orders and campaigns, put together and made known to accounts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { campaignsRoutes } from './features/campaigns/routes.ts';
import { createCampaigns } from './features/campaigns/service.ts';
import type { Campaigns, PersonFacts } from './features/campaigns/service.ts';
import { devicesOf, findUser, usersByIds } from './features/accounts/service.ts';
import type { People, UserRow } from './features/accounts/service.ts';
import type { MeSources } from './features/me/routes.ts';
import type { PackageKind } from './features/membership/schema.ts';
import { membershipRoutes, sandboxMailRoute } from './features/membership/routes.ts';
import { createMembership } from './features/membership/service.ts';
import type { Membership } from './features/membership/service.ts';
import { ordersRoutes } from './features/orders/routes.ts';
import { createAlipay, createCashiers, createOrders, createSandbox, createWechat } from './features/orders/service.ts';
import type { Cashiers, Orders, PdfPrinter, Product } from './features/orders/service.ts';
import { pointsRoutes } from './features/points/routes.ts';
import { createPoints } from './features/points/service.ts';
import type { Points } from './features/points/service.ts';
import type { Downloads } from './features/runs/downloads.ts';
import { json } from './lib/belongings.ts';
import type { Belonging } from './lib/belongings.ts';
import type { App, Deps } from './lib/deps.ts';
import type { Db } from './lib/db.ts';
import type { Owner } from './lib/guard.ts';
import { createOutbox } from './lib/outbox.ts';
import type { Outbox } from './lib/outbox.ts';
import { createProducts } from './products.ts';

export interface Money {
  membership: Membership;
  points: Points;
  orders: Orders;
  campaigns: Campaigns;
  outbox: Outbox;
  /** What each kind of package is; enterprises add `seat`. */
  products: Partial<Record<PackageKind, Product>>;
}

interface Around {
  people: People;
  sources: MeSources;
  downloads: Downloads;
}

const personal = (id: number): Owner => ({ kind: 'user', id });

/** 用户K3****: enough for the inviter to recognise a friend, too little for anybody else. */
const mask = ({ nickname }: UserRow): string => `${[...nickname].slice(0, 4).join('')}****`;

async function factsOf(orders: Orders, db: Db, userId: number): Promise<PersonFacts | null> {
  const user = await findUser(db, userId);
  if (!user) return null;
  return {
    hasPhone: user.phoneDigest !== null,
    utmSource: user.utmSource,
    devices: await devicesOf(db, userId),
    payers: await orders.payments.payersOf(db, userId),
  };
}

/** Real providers where there are keys; the sandbox where there are none, and never in production. */
function cashiersOf({ config, db, keys }: Deps): Cashiers {
  const origin = (): string => config.publicUrl?.origin ?? `http://${config.host}:${config.port}`;
  const notifyUrl = (name: string): string => `${origin()}/v1/payments/notify/${name}`;
  const wechat = config.payment.wechat && createWechat({ ...config.payment.wechat, notifyUrl: notifyUrl('wechat') });
  const alipay = config.payment.alipay && createAlipay({ ...config.payment.alipay, notifyUrl: notifyUrl('alipay') });
  const isSandbox = !config.isProduction && !wechat && !alipay;
  const secret = keys.digest('sandbox-cashier', 'notices');
  return createCashiers({ sandbox: isSandbox ? createSandbox({ db, secret, origin }) : null, wechat, alipay });
}

export function createMoney(app: App, deps: Deps, { people, sources, downloads }: Around): Money {
  const { db, keys, log, config, metrics } = deps;
  const outbox = createOutbox({ db, log });
  const membership = createMembership({ db, keys, hasMail: !config.isProduction });
  const points = createPoints({ db });
  const products: Money['products'] = createProducts({ membership, points });
  const orders = createOrders({
    db,
    keys,
    log,
    membership,
    outbox,
    print: printerOf(config),
    products,
    cashiers: cashiersOf(deps),
    hasPhone: async (executor, userId) => (await findUser(executor, userId))?.phoneDigest != null,
    holdings: async (userId) => ({
      vip: (await membership.facts(userId)).vip,
      user_ai_point: (await points.account(db, personal(userId))).user_ai_point,
    }),
    onAnomaly: () => metrics.payAnomalies.inc(),
  });
  const campaigns = createCampaigns({
    db,
    membership,
    points,
    coupons: {
      make: async (tx, { amount, coupon_type: couponType, userId, validTo, note }) => {
        const { after } = await orders.coupons.make(tx, { amount, couponType, userId, validTo, note, limitTotal: 1 });
        return after.code;
      },
      read: async (executor, code) => {
        const row = await orders.coupons.find(executor, code);
        return row ? { code, amount: row.amount, valid_to: row.validTo?.toISOString() ?? null } : null;
      },
    },
    people: {
      facts: (executor, userId) => factsOf(orders, executor, userId),
      masked: async (executor, ids) => new Map((await usersByIds(executor, ids)).map((user) => [user.id, mask(user)])),
    },
  });

  people.isVip = async (executor, userId) => (await membership.grants.standing(executor, userId)).isMember;
  people.lucky = campaigns.welcome;
  people.holds.push(
    (executor, userId) => orders.hasPaid(executor, userId),
    // A gift is no reason to keep an account; what was paid for is.
    async (executor, userId) => (await points.account(executor, personal(userId))).paid > 0,
  );
  sources.membership = async (executor, userId) => {
    const { is_vip, vip } = await membership.facts(userId, executor);
    return { is_vip, ...vip };
  };
  sources.education = (executor, userId) => membership.education.status(executor, userId);
  sources.aiPoints = async (executor, owner) => (await points.account(executor, owner)).user_ai_point;

  membershipRoutes(app, { membership });
  if (!config.isProduction) sandboxMailRoute(app, membership);
  pointsRoutes(app, { db, points });
  ordersRoutes(app, { config, limiter: deps.limiter, orders });
  campaignsRoutes(app, { config, campaigns });
  downloads.register('invoice', orders.invoices.download);
  return { membership, points, orders, campaigns, outbox, products };
}

/** Sample invoices come out of the browser that prints reports; it is only loaded when one is asked for. */
export function printerOf({ chromium }: Pick<Deps['config'], 'chromium'>): PdfPrinter {
  return async (html) => {
    const [{ findBrowser }, { withPrinter }] = await Promise.all([
      import('./features/report-exports/browser.ts'),
      import('./features/report-exports/writers/pdf.ts'),
    ]);
    const scratch = await mkdtemp(join(tmpdir(), 'hengxi-print-'));
    try {
      return await withPrinter({ browser: findBrowser(chromium), scratch }, (print) => print(html));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

const ROUND_MS = 1000;
const TIDY_MS = 600_000;

/** Delivers messages and forgets what is over, until stopped. Rounds never overlap. */
export function runMoney({ outbox, membership, orders }: Money, deps: Pick<Deps, 'db' | 'log'>): () => Promise<void> {
  let isStopped = false;
  let working: Promise<unknown> = Promise.resolve();
  const complain = (error: unknown): void => {
    deps.log.error({ event: 'outbox', err: error }, 'delivering messages failed');
  };
  const timer = setInterval(() => {
    if (isStopped) return;
    working = outbox.deliver().catch(complain);
  }, ROUND_MS);
  const tidying = setInterval(() => {
    Promise.all([outbox.tidy(), membership.tidy(), orders.tidy()]).catch(complain);
  }, TIDY_MS);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    clearInterval(tidying);
    await working;
  };
}

/** What a person's money and membership are, for the archive of the account. */
export async function* exportMoney({ membership, points, orders }: Money, owner: Owner): AsyncGenerator<Belonging> {
  if (owner.kind !== 'user') return;
  yield json('membership.json', await membership.everything(owner.id));
  yield json('orders.json', await orders.everything(owner.id));
  yield json('points.json', await points.everything(owner));
}

/** Sums that must be zero: balances against their entries, coupons against their uses, paid orders against payments. */
export async function reconcile(db: Db): Promise<{ points: number; coupons: number; orders: number }> {
  const answer: unknown = await db.execute(sql`
    SELECT
      (SELECT count(*)::int FROM point_accounts a WHERE NOT EXISTS (
        SELECT 1 FROM point_entries e WHERE e.owner_kind = a.owner_kind AND e.owner_id = a.owner_id
        HAVING coalesce(sum(e.gift), 0) = a.gift AND coalesce(sum(e.paid), 0) = a.paid AND count(*) = a.last_seq
      )) AS points,
      (SELECT count(*)::int FROM coupons c WHERE c.uses <>
        (SELECT count(*) FROM coupon_uses u WHERE u.coupon_id = c.id AND u.state <> 'released')) AS coupons,
      (SELECT count(*)::int FROM orders o WHERE o.total > 0 AND (o.state IN ('paid', 'refunded')) <>
        EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no AND p.outcome = 'applied')) AS orders`);
  // Both drivers answer with `rows`, which their common type does not say.
  const { rows } = answer as { rows: { points: number; coupons: number; orders: number }[] };
  return rows[0] ?? { points: 0, coupons: 0, orders: 0 };
}
