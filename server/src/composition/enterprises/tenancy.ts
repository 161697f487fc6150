/** Enterprises, put together and made known to accounts, membership and orders. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  createSms,
  digestPhone,
  endEnterpriseSessions,
  findUser,
  openPhone,
  usersByIds,
} from '../../features/accounts/service.ts';
import type { People } from '../../features/accounts/service.ts';
import { enterpriseRoutes } from '../../features/enterprise/routes.ts';
import { createEnterprises } from '../../features/enterprise/service.ts';
import type { Archiver, Enterprises, Persons } from '../../features/enterprise/service.ts';
import type { Models } from '../../features/models/service.ts';
import type { DownloadSource } from '../../features/runs/downloads.ts';
import type { Runs } from '../../features/runs/service.ts';
import { databaseClock } from '../../lib/clock.ts';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor, Authenticate, Owner, Work } from '../../lib/guard.ts';
import { maskPhone } from '../../lib/log.ts';
import { send, topicOf } from '../../lib/outbox.ts';
import type { Money } from '../money/money.ts';
import { createCopier } from './copies.ts';
import type { Keepers } from './copies.ts';
import { createTenantContent } from './content.ts';

interface Around {
  money: Money;
  people: People;
  runs: Runs;
  authenticate: Authenticate;
  /** Made after this, because it needs the files. */
  models: () => Models;
  keepers: () => Keepers;
  archiver: () => Archiver;
}

const NOTICE = 'enterprise.notice';
const Notice = z.strictObject({ user_id: z.number(), text: z.string() });

export function createTenancy(
  app: App,
  deps: Deps,
  { money, people, runs, authenticate, models, keepers, archiver }: Around,
): Enterprises {
  const { db, keys, config } = deps;
  const sms = createSms(deps);
  money.outbox.register(
    NOTICE,
    topicOf(Notice, async ({ user_id: userId, text }) => {
      const sealed = (await findUser(db, userId))?.phoneSealed;
      if (sealed) await sms.sendNotice(openPhone(keys, sealed), text);
      return 'done';
    }),
  );

  const persons: Persons = {
    shown: async (executor, ids) =>
      new Map(
        (await usersByIds(executor, [...new Set(ids)])).map(({ id, nickname, phoneSealed, phoneDigest }) => [
          id,
          { nickname, phoneDigest, phone: phoneSealed ? maskPhone(openPhone(keys, phoneSealed)) : null },
        ]),
      ),
    endSessions: async (tx, userId, eid) => {
      await endEnterpriseSessions(tx, userId, eid, 'left');
    },
    lastSeen: async (executor, eid) => {
      const answer: unknown = await executor.execute(
        sql`SELECT user_id AS id, max(seen_at) AS at FROM sessions WHERE enterprise_id = ${eid} AND offered_until IS NULL GROUP BY 1`,
      );
      // Both drivers answer with `rows`, which their common type does not say.
      const { rows } = answer as { rows: { id: number; at: Date | string }[] };
      return new Map(rows.map(({ id, at }) => [id, new Date(at)]));
    },
    tell: (userId, text) =>
      send(db, { topic: NOTICE, key: `notice:${randomUUID()}`, payload: { user_id: userId, text } }),
  };

  const enterprises = createEnterprises({
    db,
    keys,
    clock: deps.clock ?? databaseClock,
    persons,
    content: createTenantContent({ runs: () => runs, models }),
    copier: createCopier(keepers),
    archiver: (...asked) => archiver()(...asked),
    origin: () => config.publicUrl?.origin ?? `http://${config.host}:${config.port}`,
    membership: money.membership,
    orders: () => money.orders,
    readPhone: (phone) => ({ digest: digestPhone(keys, phone), shown: maskPhone(phone) }),
  });

  money.products.seat = enterprises.seats.product;
  money.membership.editions.connect((executor, owner) => enterprises.limits(executor, owner));
  runs.limitBy(async ({ kind, id }) => (kind === 'enterprise' ? enterprises.runRoom(db, id) : null));
  people.channels = enterprises.channels;
  people.ownsEnterprise = enterprises.ownsEnterprise;
  people.holds.push((executor, userId) => enterprises.isMember(executor, userId));
  people.removers.push((tx, userId) => enterprises.dropPerson(tx, userId));

  enterpriseRoutes(app, { ...deps, enterprises, authenticate });
  return enterprises;
}

/** Content of an owner; everything else (settings, orders, the enterprise itself) goes on in every state. */
const CONTENT = [
  '/v1/user/file',
  '/v1/user/coding-schemes',
  '/v1/user/recipes',
  '/v1/text-analysis',
  '/v1/pro-analysis',
  '/v1/analysis',
  '/algorithm',
  '/v1/runs',
  '/v1/downloads',
];
/** Calls among them that change nothing although they are no GET, or only end something. */
const READING = [
  /^\/v1\/runs\b/,
  /^\/v1\/downloads\b/,
  /\/(export|edge|find|filter-count|match|rows|preview|answer)$/,
  /^\/v1\/analysis\/recommend$/,
];
const SHARE = '/v1/analysis/report/share';
/** Calls by which content leaves as a file; the ticket of a download is judged where it is given and taken. */
const LEAVING = [/\/export$/, /\/recipes\/:id\/text$/, /\/:vid\/recipe$/, /\/reports\/:rid\/file$/];

/** What an enterprise's state and settings allow on its channel: one place, before any handler. */
export function workOf(enterprises: () => Enterprises, db: Deps['db']): Work {
  return async (actor: Actor, { method, url }) => {
    if (actor.owner.kind !== 'enterprise') return;
    const eid = actor.owner.id;
    if (url === '/v1/user') await enterprises().touch(db, actor.userId, eid);
    if (!CONTENT.some((start) => url.startsWith(start))) return;
    const isEnding = url === SHARE && method === 'DELETE';
    const isReading = method === 'GET' || isEnding || READING.some((pattern) => pattern.test(url));
    if (isReading) await enterprises().demandRead(db, eid);
    else await enterprises().demandWrite(db, eid);
    if (LEAVING.some((pattern) => pattern.test(url))) await demandExport(enterprises, db, actor.owner);
  };
}

async function demandExport(enterprises: () => Enterprises, db: Deps['db'], { kind, id }: Owner): Promise<void> {
  if (kind !== 'enterprise') return;
  if (!(await enterprises().settings(db, id))?.export_allowed) throw new Fault(30318);
}

/** Files made of content: what was made before the enterprise forbade it does not leave either. */
export function leavingOf(enterprises: () => Enterprises, db: Deps['db'], source: DownloadSource): DownloadSource {
  return async (owner, id) => {
    const found = await source(owner, id);
    if (found) await demandExport(enterprises, db, owner);
    return found;
  };
}

/** Days a new share may last at most; refused where the enterprise allows none. */
export function sharingOf(enterprises: () => Enterprises, db: Deps['db']): (owner: Owner) => Promise<number | null> {
  return async ({ kind, id }) => {
    if (kind !== 'enterprise') return null;
    const settings = await enterprises().settings(db, id);
    if (!settings?.shares_allowed) throw new Fault(30313);
    return settings.share_days;
  };
}

const SWEEP_MS = 300_000;

/** Follows the clock until stopped: ends of terms, notices, removals. Rounds never overlap. */
export function runTenancy({ terms }: Enterprises, { log }: Pick<Deps, 'log'>): () => Promise<void> {
  let working: Promise<void> | null = null;
  const timer = setInterval(() => {
    working ??= terms
      .sweep()
      .catch((error: unknown) => log.error({ event: 'enterprises', err: error }, 'following the terms failed'))
      .finally(() => (working = null));
  }, SWEEP_MS);
  return async () => {
    clearInterval(timer);
    await working;
  };
}
