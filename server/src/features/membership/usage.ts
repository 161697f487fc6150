/**
 * What an analysis may use. One counted analysis is one new report; its revisions are free. Counted when the run is
 * accepted, given back when its first run fails by our fault or is cancelled while it waits.
 */
import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { dayOf, midnightAfter, stepAhead } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { belongsTo } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { bytesText, needsUpgrade } from './editions.ts';
import type { createEditions } from './editions.ts';
import type { LimitData } from './schema.ts';
import { methodUnlocks, usageDays, usageHits } from './tables.ts';

export interface UsageRequest {
  owner: Owner;
  /** Path, title and tier of the method. */
  method: { path: string; title: string; tier: string } | null;
  /** The table: its upload's size, all its rows, and how many the filter leaves; null when the method uses none. */
  table: { bytes: number; rows: number; used: () => Promise<number> } | null;
  /** Whether the rows are limited: those of analyses are, data processing is not. */
  limitsRows: boolean;
  /** Whether it would count: a new report. Else what was used today is not looked up. */
  counts: boolean;
}

type Reason = 'method' | 'rows' | 'upload_bytes' | 'analyses_day';

export interface Verdict {
  allowed: boolean;
  /** `unlocked`: allowed by an unlock of this one method. */
  reason: Reason | 'unlocked' | null;
  fault: Fault | null;
  limit: number | null;
  used: number | null;
  resets_at: string;
  /** End of the unlock that allows it. */
  until: string | null;
}

const grouped = (n: number): string => n.toLocaleString('en-US');

export function createUsage({
  db,
  clock,
  editions,
}: {
  db: Db;
  clock: Clock;
  editions: ReturnType<typeof createEditions>;
}) {
  const owns = (table: typeof usageDays | typeof usageHits, { kind, id }: Owner) =>
    and(eq(table.ownerKind, kind), eq(table.ownerId, id));

  /** Of a member of an enterprise: its own, since that is what its limit counts. */
  async function usedOn(executor: Db, owner: Owner, day: string): Promise<number> {
    if (owner.member !== undefined)
      return executor.$count(
        usageHits,
        and(owns(usageHits, owner), eq(usageHits.day, day), eq(usageHits.createdBy, owner.member)),
      );
    const [row] = await executor
      .select({ used: usageDays.used })
      .from(usageDays)
      .where(and(owns(usageDays, owner), eq(usageDays.day, day)));
    return row?.used ?? 0;
  }

  async function unlockOf(executor: Db, owner: Owner, path: string, now: Date): Promise<Date | null> {
    if (owner.kind !== 'user') return null;
    const [row] = await executor
      .select({ until: sql<Date>`max(${methodUnlocks.endsAt})`.mapWith(methodUnlocks.endsAt) })
      .from(methodUnlocks)
      .where(
        and(
          eq(methodUnlocks.userId, owner.id),
          eq(methodUnlocks.method, path),
          isNull(methodUnlocks.revokedAt),
          lte(methodUnlocks.startsAt, stepAhead(now)),
          gt(methodUnlocks.endsAt, now),
        ),
      );
    return row?.until ?? null;
  }

  const tooManyToday = ({ kind }: Owner, limit: number): Fault =>
    kind === 'enterprise'
      ? new Fault(30315, { n: grouped(limit) })
      : needsUpgrade(
          `今日分析次数已用完（标准版每天 ${grouped(limit)} 次），升级会员后不限次数；修改已有结果不计次数`,
          {
            limit: 'analyses_day',
            max: limit,
            asked: limit + 1,
            lifts: 'member',
          },
        );

  /** What a run would be answered, told before it and enforced at it by the same words. */
  async function judge({ owner, method, table, limitsRows, counts }: UsageRequest): Promise<Verdict> {
    const now = await clock(db);
    const limits = await editions.limitsOf(db, owner);
    const used = counts ? await usedOn(db, owner, dayOf(now)) : null;
    const base = { limit: limits.analyses_day, used, resets_at: midnightAfter(now).toISOString(), until: null };
    const refused = (reason: Reason, fault: Fault): Verdict => ({
      ...base,
      allowed: false,
      reason,
      fault,
    });
    let until: Date | null = null;
    if (method && method.tier === 'member' && !limits.member_methods) {
      until = await unlockOf(db, owner, method.path, now);
      if (!until) {
        const data: LimitData = { limit: 'method', max: null, asked: null, lifts: 'member' };
        return refused('method', needsUpgrade(`“${method.title}”是会员方法，升级会员后可用`, data));
      }
    }
    if (table && table.bytes > limits.upload_bytes) {
      const text = `这份数据 ${bytesText(table.bytes)}，超过标准版上限 ${bytesText(limits.upload_bytes)}，可以查看、下载和删除；升级会员后可用于分析`;
      const data: LimitData = { limit: 'upload_bytes', max: limits.upload_bytes, asked: table.bytes, lifts: 'member' };
      return refused('upload_bytes', needsUpgrade(text, data));
    }
    // The filter is only asked when the whole table would be too much.
    if (limitsRows && table && limits.rows !== null && table.rows > limits.rows) {
      const rows = await table.used();
      if (rows > limits.rows) {
        const text = `参与分析的有 ${grouped(rows)} 行，标准版一次最多 ${grouped(limits.rows)} 行。可先筛选或随机抽取，或升级会员后不限行数`;
        return refused('rows', needsUpgrade(text, { limit: 'rows', max: limits.rows, asked: rows, lifts: 'member' }));
      }
    }
    if (used !== null && limits.analyses_day !== null && used >= limits.analyses_day)
      return refused('analyses_day', tooManyToday(owner, limits.analyses_day));
    return {
      ...base,
      allowed: true,
      reason: until ? 'unlocked' : null,
      fault: null,
      until: until?.toISOString() ?? null,
    };
  }

  return {
    judge,

    /**
     * Counts a report in the transaction that accepts its run; refused above the day's limit (as `judge` told it a
     * moment ago), however many ask at once.
     */
    async count(tx: Tx, owner: Owner, reportId: number, limit: number | null): Promise<void> {
      const day = dayOf(await clock(tx));
      const { ownerKind, ownerId, createdBy } = belongsTo(owner);
      // One statement: the day's row is the lock under which hits and limit are compared.
      const counted: unknown = await tx.execute(sql`
        WITH hit AS (
          INSERT INTO ${usageHits} (owner_kind, owner_id, created_by, report_id, day)
          VALUES (${ownerKind}, ${ownerId}, ${createdBy}, ${reportId}, ${day}) ON CONFLICT DO NOTHING RETURNING 1
        )
        INSERT INTO ${usageDays} AS days (owner_kind, owner_id, day, used)
        SELECT ${ownerKind}::text, ${ownerId}::int, ${day}::date, count(*) FROM hit
        ON CONFLICT (owner_kind, owner_id, day) DO UPDATE SET used = days.used + excluded.used
        RETURNING used, (SELECT count(*)::int FROM hit) AS hits`);
      // Both drivers answer with `rows`, which their common type does not say.
      const [now] = (counted as { rows: { used: number; hits: number }[] }).rows;
      if (!now || now.hits === 0 || limit === null) return;
      const used = owner.member === undefined ? now.used : await usedOn(tx, owner, day);
      if (used > limit) throw tooManyToday(owner, limit);
    },

    /** Gives the count of a report back, once. */
    async giveBack(tx: Tx, owner: Owner, reportId: number): Promise<void> {
      const mine = and(owns(usageHits, owner), eq(usageHits.reportId, reportId));
      const [hit] = await tx.select({ day: usageHits.day }).from(usageHits).where(mine);
      if (!hit) return;
      const that = and(owns(usageDays, owner), eq(usageDays.day, hit.day));
      // Locks in the order of `count`: the day, then the hit.
      await tx.select({ used: usageDays.used }).from(usageDays).where(that).for('update');
      const gone = await tx.delete(usageHits).where(mine).returning({ day: usageHits.day });
      if (gone.length > 0)
        await tx
          .update(usageDays)
          .set({ used: sql`${usageDays.used} - 1` })
          .where(that);
    },

    async today(owner: Owner): Promise<{ used: number; limit: number | null; resets_at: string }> {
      const now = await clock(db);
      const { analyses_day: limit } = await editions.limitsOf(db, owner);
      return { used: await usedOn(db, owner, dayOf(now)), limit, resets_at: midnightAfter(now).toISOString() };
    },

    /** Whether anything was counted since an instant: what makes a membership "used" for its refund. */
    async usedSince(executor: Db, userId: number, since: Date): Promise<boolean> {
      const [row] = await executor
        .select({ at: usageHits.at })
        .from(usageHits)
        .where(and(owns(usageHits, { kind: 'user', id: userId }), gt(usageHits.at, since)))
        .limit(1);
      return row !== undefined;
    },
  };
}
