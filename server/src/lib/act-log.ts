/** The log of acts at the operator's desk and in enterprises: append-only, each row with the hash of the one before. */
import { createHash } from 'node:crypto';
import { and, asc, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { databaseClock } from './clock.ts';
import type { Db, Tx } from './db.ts';
import { countSome } from './paging.ts';

export const actLog = pgTable('act_log', {
  seq: bigint('seq', { mode: 'number' }).primaryKey(),
  at: timestamp('at', { withTimezone: true }).notNull(),
  scope: text('scope').notNull(),
  actor: integer('actor'),
  role: text('role').notNull(),
  act: text('act').notNull(),
  kind: text('kind').notNull(),
  target: text('target').notNull(),
  before: jsonb('before').$type<unknown>(),
  after: jsonb('after').$type<unknown>(),
  reason: text('reason'),
  requestId: integer('request_id'),
  net: text('net'),
  rid: text('rid'),
  prevHash: text('prev_hash').notNull(),
  hash: text('hash').notNull(),
});
export type ActRow = typeof actLog.$inferSelect;

/** Where the log stands: the desk, or one enterprise. */
export type Scope = 'ops' | number;

export interface Act {
  scope: Scope;
  /** null: the product itself. */
  actor: number | null;
  /** The right by which it was done, e.g. owner, 财务. */
  role: string;
  act: string;
  kind: string;
  target: string | number;
  /** Personal values must be masked by the caller. */
  before?: unknown;
  after?: unknown;
  reason?: string | null;
  requestId?: number | null;
  /** From where and in which request; null for what happens by itself. */
  net?: string | null;
  rid?: string | null;
}

const FIRST = '0'.repeat(64);
/** Writers queue here, so that the chain has one end. */
const LOCK = 7_205_760;

/** Writes one row in the transaction of the act itself: both happen or neither. */
export async function logAct(tx: Tx, act: Act): Promise<number> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`);
  const [last] = await tx
    .select({ seq: actLog.seq, hash: actLog.hash })
    .from(actLog)
    .orderBy(desc(actLog.seq))
    .limit(1);
  const at = await databaseClock(tx);
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at,
    scope: String(act.scope),
    actor: act.actor,
    role: act.role,
    act: act.act,
    kind: act.kind,
    target: String(act.target),
    before: plain(act.before),
    after: plain(act.after),
    reason: act.reason ?? null,
    requestId: act.requestId ?? null,
    net: act.net ?? null,
    rid: act.rid ?? null,
    prevHash: last?.hash ?? FIRST,
  };
  await tx.insert(actLog).values({ ...row, hash: hashOf(row) });
  return row.seq;
}

/** JSON as the database will give it back: no undefined, no Date. */
function plain(value: unknown): unknown {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}

/** Keys sorted at every depth: jsonb does not keep the order in which they were written. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

function hashOf(row: Omit<ActRow, 'hash'>): string {
  return createHash('sha256')
    .update(canonical({ ...row, at: row.at.toISOString() }))
    .digest('hex');
}

export interface ActFilter {
  scope?: Scope;
  actor?: number;
  act?: string;
  kind?: string;
  target?: string;
  from?: Date;
  to?: Date;
}

/** Newest first, paged by an index; the total is counted as far as `countSome` goes. */
export async function listActs(
  db: Db,
  filter: ActFilter,
  { page, page_size: size }: { page: number; page_size: number },
): Promise<{ total: number; list: ActRow[] }> {
  const where = and(...conditions(filter));
  const total = await countSome(db, actLog, where);
  const list = await db
    .select()
    .from(actLog)
    .where(where)
    .orderBy(desc(actLog.seq))
    .limit(size)
    .offset((Math.max(1, page) - 1) * size);
  return { total, list };
}

function conditions({ scope, actor, act, kind, target, from, to }: ActFilter): SQL[] {
  return [
    scope === undefined ? null : eq(actLog.scope, String(scope)),
    actor === undefined ? null : eq(actLog.actor, actor),
    act === undefined ? null : eq(actLog.act, act),
    kind === undefined ? null : eq(actLog.kind, kind),
    target === undefined ? null : eq(actLog.target, target),
    from === undefined ? null : gte(actLog.at, from),
    to === undefined ? null : lt(actLog.at, to),
  ].filter((one) => one !== null);
}

const VERIFY_BATCH = 1000;

/** Recomputes the chain; the first row that does not fit, or null when all do. */
export async function verifyLog(db: Db): Promise<{ rows: number; broken: number | null; hash: string }> {
  let [seq, hash, rows] = [0, FIRST, 0];
  for (;;) {
    const batch = await db
      .select()
      .from(actLog)
      .where(gt(actLog.seq, seq))
      .orderBy(asc(actLog.seq))
      .limit(VERIFY_BATCH);
    for (const { hash: stored, ...row } of batch) {
      if (row.seq !== seq + 1 || row.prevHash !== hash || hashOf(row) !== stored)
        return { rows, broken: seq + 1, hash };
      [seq, hash, rows] = [row.seq, stored, rows + 1];
    }
    if (batch.length < VERIFY_BATCH) return { rows, broken: null, hash };
  }
}
