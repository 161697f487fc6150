/** Who is staff, what they may see and do (operations page 9.2), and their sessions at the desk. */
import { BlockList, isIP } from 'node:net';
import { and, eq, isNull } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { randomCode, sameText } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Act } from './act.ts';
import type { ListName, Role } from './schema.ts';
import { operators, opsSessions } from './tables.ts';
import type { OpsSessionRow } from './tables.ts';

export const SESSION_HOURS = 8;
export const IDLE_MINUTES = 30;
/** `seen_at` is written once a minute at most. */
const SEEN_MS = 60_000;

const everybody: readonly Role[] = ['客服', '财务', '内容', '运维', '审计'];
const money: readonly Role[] = ['客服', '财务', '运维', '审计'];
/** Who may look at which list. */
export const VIEWERS: Record<ListName, readonly Role[]> = {
  users: everybody,
  user_files: ['客服', '运维', '审计'],
  user_sessions: ['客服', '运维', '审计'],
  orders: money,
  payments: money,
  anomalies: money,
  refunds: ['客服', '财务', '审计'],
  transfers: ['财务', '审计'],
  invoices: ['财务', '审计'],
  bills: ['财务', '审计'],
  bill_days: ['财务', '审计'],
  settings: ['财务', '审计'],
  packages: ['财务', '内容', '审计'],
  coupons: ['财务', '内容', '审计'],
  edu: ['客服', '内容', '审计'],
  feedback: ['客服', '内容', '审计'],
  cooperation: ['客服', '内容', '审计'],
  help_feedback: ['客服', '内容', '审计'],
  nps: ['客服', '内容', '审计'],
  nps_answers: ['客服', '内容', '审计'],
  contests: ['内容', '审计'],
  contest_works: ['内容', '审计'],
  contest_judges: ['内容', '审计'],
  contest_appeals: ['客服', '内容', '审计'],
  contest_certificates: ['客服', '内容', '审计'],
  banners: ['内容', '审计'],
  broadcasts: ['内容', '审计'],
  shares: ['内容', '审计'],
  year_reports: ['内容', '审计'],
  quests: ['客服', '内容', '审计'],
  quest_records: ['客服', '财务', '审计'],
  appeals: ['客服', '审计'],
  mall_items: ['客服', '内容', '审计'],
  mall_orders: ['客服', '财务', '审计'],
  credits: ['客服', '财务', '审计'],
  credit_entries: ['客服', '财务', '审计'],
  credit_ages: ['财务', '审计'],
  books: ['财务', '运维', '审计'],
  limits: ['运维', '审计'],
  enterprises: ['客服', '财务', '运维', '审计'],
  contracts: ['财务', '审计'],
  tenancy: ['运维', '审计'],
  health: ['运维', '审计'],
  jobs: ['运维', '审计'],
  outbox: ['运维', '审计'],
  requests: everybody,
  log: everybody,
};

export interface Operator {
  userId: number;
  roles: readonly Role[];
  /** Masked, for the log. */
  net: string;
  rid: string | null;
  actor: Actor;
}

const holds = (roles: readonly Role[], wanted: readonly Role[]): boolean => roles.some((role) => wanted.includes(role));
export const maySee = ({ roles }: Operator, list: ListName): boolean => holds(roles, VIEWERS[list]);
export const mayDo = ({ roles }: Operator, act: Act): boolean => holds(roles, act.roles);
export const mayAsk = (operator: Operator, act: Act): boolean =>
  mayDo(operator, act) || holds(operator.roles, act.asks);

/** The role by which somebody acts, for the log. */
export const roleFor = ({ roles }: Operator, wanted: readonly Role[]): string =>
  roles.find((role) => wanted.includes(role)) ?? roles.join('、');

export function demandRole(isAllowed: boolean, wanted: readonly Role[]): void {
  if (!isAllowed) throw new Fault(30305, { role: wanted.join('或') });
}

/** Whether an address lies in one of the networks; none given: every address does. */
export function netsOf(cidrs: readonly string[]): (address: string) => boolean {
  if (cidrs.length === 0) return () => true;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/, '');
    return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}

export function createAccess({ db, keys, clock }: { db: Db; keys: Keys; clock: Clock }) {
  const digest = (secret: string): string => keys.digest('ops', secret);

  const isLive = (row: OpsSessionRow, now: Date): boolean =>
    row.endedAt === null && row.endsAt > now && row.seenAt.getTime() + IDLE_MINUTES * 60_000 > now.getTime();

  async function sessionOf(actor: Actor): Promise<OpsSessionRow | null> {
    const [row] = await db
      .select()
      .from(opsSessions)
      .where(and(eq(opsSessions.userId, actor.userId), isNull(opsSessions.endedAt)));
    return row ?? null;
  }

  return {
    /** The roles of somebody; 404 for everybody who is no operator. */
    async rolesOf(actor: Actor): Promise<Role[]> {
      const [row] = await db.select().from(operators).where(eq(operators.userId, actor.userId));
      if (!row || row.state !== 'active' || row.roles.length === 0 || actor.isDemo) throw missing();
      return row.roles;
    },

    /** The live session of this browser; null when there is none, it was left idle, or another one was begun. */
    async session(actor: Actor, secret: string | undefined): Promise<OpsSessionRow | null> {
      const row = await sessionOf(actor);
      const now = await clock(db);
      if (!row || !secret || row.sessionId !== actor.sessionId) return null;
      if (!sameText(row.secretDigest, digest(secret))) return null;
      if (!isLive(row, now)) {
        // Ended for good: a clock that is set back begins nothing anew.
        await db.update(opsSessions).set({ endedAt: now }).where(eq(opsSessions.id, row.id));
        return null;
      }
      // Also when it lies ahead, so that the half hour is counted by the present clock.
      if (Math.abs(now.getTime() - row.seenAt.getTime()) > SEEN_MS)
        await db.update(opsSessions).set({ seenAt: now }).where(eq(opsSessions.id, row.id));
      return row;
    },

    /** Begins a session, which ends the operator's others; gives the secret for the cookie. */
    async begin(actor: Actor, net: string): Promise<string> {
      const secret = randomCode();
      await db.transaction(async (tx) => {
        const now = await clock(tx);
        await tx.select().from(operators).where(eq(operators.userId, actor.userId)).for('update');
        await tx
          .update(opsSessions)
          .set({ endedAt: now })
          .where(and(eq(opsSessions.userId, actor.userId), isNull(opsSessions.endedAt)));
        await tx.insert(opsSessions).values({
          userId: actor.userId,
          sessionId: actor.sessionId,
          secretDigest: digest(secret),
          netShown: net,
          begunAt: now,
          seenAt: now,
          endsAt: new Date(now.getTime() + SESSION_HOURS * 3_600_000),
        });
      });
      return secret;
    },

    async end(actor: Actor): Promise<void> {
      await db
        .update(opsSessions)
        .set({ endedAt: await clock(db) })
        .where(and(eq(opsSessions.userId, actor.userId), isNull(opsSessions.endedAt)));
    },
  };
}
export type Access = ReturnType<typeof createAccess>;
