/** Membership, AI points, orders and campaigns, put together and made known to accounts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { campaignsRoutes } from '../../features/campaigns/routes.ts';
import { createCampaigns } from '../../features/campaigns/service.ts';
import type { Campaigns, PersonFacts } from '../../features/campaigns/service.ts';
import {
  NOTICE,
  createSms,
  devicesOf,
  findUser,
  noticeTopic,
  tell,
  usersByIds,
} from '../../features/accounts/service.ts';
import type { People, UserRow } from '../../features/accounts/service.ts';
import type { MeSources } from '../../features/me/routes.ts';
import type { PackageKind } from '../../features/membership/schema.ts';
import type { MethodFacts } from '../../features/mall/service.ts';
import { membershipRoutes, sandboxMailRoute } from '../../features/membership/routes.ts';
import { ENDING, EndingLetter, createMembership, shownDay, untilDaytime } from '../../features/membership/service.ts';
import type { Membership } from '../../features/membership/service.ts';
import { ordersRoutes } from '../../features/orders/routes.ts';
import { createCashiers, createOrders, createSandbox, loadAlipay, loadWechat } from '../../features/orders/service.ts';
import type { Cashiers, Orders, PdfPrinter, Product } from '../../features/orders/service.ts';
import { pointsRoutes } from '../../features/points/routes.ts';
import { createPoints } from '../../features/points/service.ts';
import type { Points } from '../../features/points/service.ts';
import type { Downloads } from '../../features/runs/downloads.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { App, Deps } from '../../lib/deps.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { databaseClock } from '../../lib/clock.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { createCreditsCentre } from './credits-centre.ts';
import type { CreditsCentre } from './credits-centre.ts';
import { createOutbox, topicOf } from '../../lib/outbox.ts';
import type { Outbox } from '../../lib/outbox.ts';
import { removeTemporaryFolder, makeTemporaryFolder } from '../../lib/temporary-folders.ts';
import { watchLedgers, watchOutbox } from './monitoring.ts';
import { createProducts } from './products.ts';

export interface Money {
  membership: Membership;
  points: Points;
  centre: CreditsCentre;
  orders: Orders;
  campaigns: Campaigns;
  outbox: Outbox;
  /** What each kind of package is; enterprises add `seat`. */
  products: Partial<Record<PackageKind, Product>>;
  /** Compares all books and tells what does not agree. */
  checkBooks: () => Promise<void>;
}

interface Around {
  authenticate: Authenticate;
  /** Title and tier of a method; null: there is none. */
  method: (path: string) => MethodFacts | null;
  /** Whether any method asks for membership. */
  hasLockedMethods: () => boolean;
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
async function cashiersOf({ config, db, keys }: Deps): Promise<Cashiers> {
  const origin = (): string => config.publicUrl?.origin ?? `http://${config.host}:${config.port}`;
  const notifyUrl = (name: string): string => `${origin()}/v1/payments/notify/${name}`;
  const { wechat: wechatKeys, alipay: alipayKeys } = config.payment;
  const wechat = wechatKeys && (await loadWechat()).createWechat({ ...wechatKeys, notifyUrl: notifyUrl('wechat') });
  const alipay = alipayKeys && (await loadAlipay()).createAlipay({ ...alipayKeys, notifyUrl: notifyUrl('alipay') });
  const isSandbox = !config.isProduction && !wechat && !alipay;
  const secret = keys.digest('sandbox-cashier', 'notices');
  return createCashiers({ sandbox: isSandbox ? createSandbox({ db, secret, origin }) : null, wechat, alipay });
}

export async function createMoney(
  app: App,
  deps: Deps,
  { people, sources, downloads, ...around }: Around,
): Promise<Money> {
  const { db, keys, log, config, metrics, clock = databaseClock } = deps;
  const outbox = createOutbox({ db, log });
  watchOutbox(metrics, outbox);
  const membership = createMembership({ db, keys, clock, hasMail: !config.isProduction });
  noticeRoutes(deps, outbox, membership);
  const points = createPoints({ db });
  const products: Money['products'] = createProducts({ membership, points });
  const orders = createOrders({
    db,
    clock,
    keys,
    log,
    membership,
    outbox,
    print: printerOf(config),
    products,
    cashiers: await cashiersOf(deps),
    hasPhone: async (executor, userId) => (await findUser(executor, userId))?.phoneDigest != null,
    holdings: async (userId) => ({
      vip: (await membership.facts(userId)).vip,
      user_ai_point: (await points.account(db, personal(userId))).user_ai_point,
    }),
    onAnomaly: () => metrics.payAnomalies.inc(),
  });
  const centre = createCreditsCentre(app, deps, { ...around, membership, points, orders, outbox });
  const campaigns = createCampaigns({
    db,
    clock,
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
    rewards: centre.ofCampaign,
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
  sources.credits = (_, userId) => centre.credits.balance(userId);

  membershipRoutes(app, { membership });
  if (!config.isProduction) sandboxMailRoute(app, membership);
  pointsRoutes(app, { db, points });
  ordersRoutes(app, { config, limiter: deps.limiter, orders });
  campaignsRoutes(app, { config, campaigns });
  downloads.register('invoice', orders.invoices.download);
  return {
    membership,
    points,
    centre,
    orders,
    campaigns,
    outbox,
    products,
    checkBooks: watchLedgers(metrics, db, log),
  };
}

/** Messages to people: about their accounts, and about a membership that ends. */
function noticeRoutes(deps: Deps, outbox: Outbox, membership: Membership): void {
  const { db, clock = databaseClock } = deps;
  outbox.register(NOTICE, noticeTopic({ keys: deps.keys, sms: createSms(deps) }));
  outbox.register(
    ENDING,
    topicOf(EndingLetter, async ({ user_id: userId, until }) => {
      const wait = untilDaytime(await clock(db));
      if (wait > 0) return { again: wait };
      const user = await findUser(db, userId);
      const standing = await membership.grants.standing(db, userId);
      // Renewed, refunded, ended or gone meanwhile: there is nothing to tell any more.
      if (!user?.phoneSealed || !standing.isMember || standing.until?.toISOString() !== until) return 'done';
      const text = `您的会员将于${shownDay(standing.until)}到期。到期后文件和报告都会保留，限额恢复为标准版，登录后可在个人中心续费。`;
      await tell(db, `ending:${userId}:${until}`, user.phoneSealed, text);
      return 'done';
    }),
  );
}

/** Sample invoices come out of the browser that prints reports; it is only loaded when one is asked for. */
export function printerOf({ chromium }: Pick<Deps['config'], 'chromium'>): PdfPrinter {
  return async (html) => {
    const [{ findBrowser }, { withPrinter }] = await Promise.all([
      import('../../features/report-exports/browser.ts'),
      import('../../features/report-exports/writers/pdf.ts'),
    ]);
    const scratch = await makeTemporaryFolder('print');
    try {
      return await withPrinter({ browser: findBrowser(chromium), scratch }, (print) => print(html));
    } finally {
      await removeTemporaryFolder(scratch);
    }
  };
}

const ROUND_MS = 1000;
/** What nobody waits for takes this share of the time at most: each piece of it would hold up all who wait. */
const SHARE = 0.1;
const REST_MOST_MS = 100;
const TIDY_MS = 600_000;
const BOOKS_MS = 24 * 3_600_000;

/** Rests after a piece of work, so that the pieces one after the other take no more than their share of the time. */
export function throttledTo(
  now: () => number = () => performance.now(),
  rest: (ms: number) => Promise<unknown> = sleep,
): () => Promise<void> {
  let begun = now();
  return async () => {
    await rest(Math.min(REST_MOST_MS, (now() - begun) * (1 / SHARE - 1)));
    begun = now();
  };
}

/** Delivers messages and forgets what is over, until stopped. Rounds never overlap. */
export function runMoney(
  { outbox, membership, orders, centre, checkBooks }: Money,
  deps: Pick<Deps, 'db' | 'log'>,
): () => Promise<void> {
  let isStopped = false;
  let working: Promise<unknown> = Promise.resolve();
  const complain = (error: unknown): void => {
    deps.log.error({ event: 'outbox', err: error }, 'delivering messages failed');
  };
  // A round that is not over when the next second comes goes on alone.
  let counting: Promise<void> | null = null;
  const count = (): Promise<void> => {
    const rest = throttledTo();
    const goesOn = async (): Promise<boolean> => {
      await rest();
      return !isStopped;
    };
    return (counting ??= centre.count(goesOn).finally(() => {
      counting = null;
    }));
  };
  const timer = setInterval(() => {
    if (isStopped) return;
    working = Promise.all([outbox.deliver().catch(complain), count().catch(complain)]);
  }, ROUND_MS);
  const tidying = setInterval(() => {
    Promise.all([outbox.tidy(), membership.tidy(), orders.tidy(), centre.tidy()]).catch(complain);
  }, TIDY_MS);
  const checking = setInterval(() => void checkBooks().catch(complain), BOOKS_MS);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    clearInterval(tidying);
    clearInterval(checking);
    await working;
  };
}

/** What a person's money and membership are, for the archive of the account. */
export async function* exportMoney(
  { membership, points, orders, centre }: Money,
  owner: Owner,
): AsyncGenerator<OwnerFile> {
  if (owner.kind !== 'user') return;
  yield json('membership.json', await membership.everything(owner.id));
  yield json('orders.json', await orders.everything(owner.id));
  yield json('points.json', await points.everything(owner));
  yield* centre.belongings(owner.id);
}
