/**
 * Events of the product become progress of quests, afterwards and each in a transaction of its own. Those of one person
 * are applied in the order they were written; one that fails is tried again and holds up nobody else.
 */
import { and, desc, eq, gte, inArray, isNull, lt, lte, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { DAY_MS, dayOf } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { retried } from '../../lib/idempotency.ts';
import type { Logger } from '../../lib/log.ts';
import { productEvents } from '../../lib/product-events.ts';
import type { ProductEventRow } from '../../lib/product-events.ts';
import { whyHeld } from './abuse.ts';
import type { Origins } from './abuse.ts';
import { addDays, periodOf, yearRange } from './periods.ts';
import type { Period } from './periods.ts';
import type { ProductEvent } from './schema.ts';
import { questHits, questRecords, quests } from './tables.ts';
import type { QuestRow, RecordRow } from './tables.ts';

/** A bonus that nobody claims credits itself so long after its period. */
export const AUTO_DAYS = 7;
const ATTEMPTS_MAX = 12;
const BATCH = 200;
const EVENTS_KEPT_DAYS = 90;

const TITLES: Record<ProductEvent, string> = {
  phone_bound: '绑定手机号',
  file_imported: '上传数据',
  analysis_succeeded: '完成分析',
  report_exported: '导出报告',
  feedback_adopted: '反馈被采纳',
  invite_qualified: '邀请好友',
};
/** What is done to one thing once, ever; the others count again on another day. */
const LASTING: ReadonlySet<string> = new Set(['phone_bound', 'file_imported', 'feedback_adopted', 'invite_qualified']);

/** What an event counts as in a quest: the same key counts once in a record. */
export function keyOf({ counts }: Pick<QuestRow, 'counts'>, event: ProductEventRow): string {
  const day = dayOf(event.at);
  if (counts === 'day') return day;
  if (counts === 'method') return event.method ?? event.subject;
  return LASTING.has(event.kind) ? event.subject : `${day} ${event.subject}`;
}

export interface ApplyParts {
  db: Db;
  clock: Clock;
  log: Logger;
  origins: Origins;
  isMember: (executor: Db, userId: number) => Promise<boolean>;
  /** Whether a person has looked at the account and found it good. */
  isCleared: (executor: Db, userId: number) => Promise<boolean>;
  methodTitle: (path: string) => string | null;
}

export function createApply({ db, clock, log, origins, isMember, isCleared, methodTitle }: ApplyParts) {
  async function fits(tx: Tx, { audience }: QuestRow, userId: number): Promise<boolean> {
    return audience === 'all' || (await isMember(tx, userId)) === (audience === 'member');
  }

  async function recordOf(tx: Tx, code: string, userId: number, key: string): Promise<RecordRow | null> {
    const [row] = await tx
      .select()
      .from(questRecords)
      .where(and(eq(questRecords.code, code), eq(questRecords.userId, userId), eq(questRecords.periodKey, key)))
      .for('update');
    return row ?? null;
  }

  /** The newest record of each quest, in one question: most of what somebody does counts nowhere any more today. */
  async function newest(tx: Tx, codes: string[], userId: number): Promise<Map<string, RecordRow>> {
    const rows = await tx
      .selectDistinctOn([questRecords.code])
      .from(questRecords)
      .where(and(eq(questRecords.userId, userId), inArray(questRecords.code, codes)))
      .orderBy(questRecords.code, desc(questRecords.periodKey));
    return new Map(rows.map((row) => [row.code, row]));
  }

  /** The period an event counts in; null: none, for a clock set back opens no period behind the newest one. */
  async function periodFor(
    tx: Tx,
    quest: QuestRow,
    event: ProductEventRow,
    latest: string | null,
  ): Promise<Period | null> {
    const { kind, code, window, perYear } = quest;
    if (perYear !== null) return { key: event.subject, end: null };
    const period = periodOf(kind, event.at, window);
    if (kind === 'once' || kind === 'count') return period;
    if (latest === null || latest === period.key) return period;
    if (kind === 'streak') {
      if (period.key < latest) return null;
      return period.key < addDays(latest, window ?? 1) ? { key: latest, end: null } : period;
    }
    if (latest < period.key) return period;
    return (await recordOf(tx, code, event.userId, period.key)) ? period : null;
  }

  async function isYearFull(tx: Tx, { code, perYear }: QuestRow, event: ProductEventRow): Promise<boolean> {
    if (perYear === null) return false;
    const { from, to } = yearRange(event.at);
    const mine = and(eq(questRecords.code, code), eq(questRecords.userId, event.userId));
    const done = and(mine, gte(questRecords.completedAt, from), lt(questRecords.completedAt, to));
    return (await tx.$count(questRecords, done)) >= perYear;
  }

  /** A phone counts for one account, whoever it is bound to later. */
  async function isSpent(tx: Tx, { code }: QuestRow, event: ProductEventRow, key: string): Promise<boolean> {
    if (event.kind !== 'phone_bound') return false;
    const [other] = await tx
      .select({ id: questRecords.id })
      .from(questHits)
      .innerJoin(questRecords, eq(questRecords.id, questHits.recordId))
      .where(and(eq(questHits.eventKey, key), eq(questRecords.code, code), ne(questRecords.userId, event.userId)))
      .limit(1);
    return other !== undefined;
  }

  /** The record of a period under this transaction's lock, made where there is none. */
  async function begin(tx: Tx, quest: QuestRow, event: ProductEventRow, period: Period): Promise<RecordRow | null> {
    const { id: questId, code, target, bonus } = quest;
    const { userId } = event;
    if (await isYearFull(tx, quest, event)) return recordOf(tx, code, userId, period.key);
    const [inserted] = await tx
      .insert(questRecords)
      .values({ questId, code, userId, periodKey: period.key, periodEnd: period.end, target, bonus })
      .onConflictDoNothing()
      .returning();
    return inserted ?? recordOf(tx, code, userId, period.key);
  }

  async function hit(tx: Tx, quest: QuestRow, event: ProductEventRow, latest: RecordRow | null): Promise<void> {
    if (event.onceOnly && quest.kind !== 'once') return;
    const key = keyOf(quest, event);
    const period = await periodFor(tx, quest, event, latest?.periodKey ?? null);
    if (!period) return;
    const known = latest?.periodKey === period.key ? latest : null;
    if (known && known.state !== 0) return;
    if (!(await fits(tx, quest, event.userId)) || (await isSpent(tx, quest, event, key))) return;
    const record = known ?? (await begin(tx, quest, event, period));
    if (record?.state !== 0) return;
    const [counted] = await tx
      .insert(questHits)
      .values({ recordId: record.id, eventKey: key, title: titleOf(event), at: event.at })
      .onConflictDoNothing()
      .returning({ key: questHits.eventKey });
    if (!counted) return;
    // What was known without a lock may have been closed by the desk meanwhile.
    const open = known ? await recordOf(tx, quest.code, event.userId, period.key) : record;
    if (open?.state === 0) await advance(tx, open, event);
  }

  async function advance(tx: Tx, record: RecordRow, { userId, at }: ProductEventRow): Promise<void> {
    const progress = record.progress + 1;
    const isDone = progress >= record.target;
    const held = isDone && !(await isCleared(tx, userId)) ? await whyHeld(tx, origins, userId, await clock(tx)) : null;
    const end = record.periodEnd && record.periodEnd > at ? record.periodEnd : at;
    await tx
      .update(questRecords)
      .set({
        progress,
        ...(isDone
          ? {
              state: held === null ? (1 as const) : (3 as const),
              heldReason: held,
              completedAt: at,
              autoCreditAt: new Date(end.getTime() + AUTO_DAYS * DAY_MS),
            }
          : {}),
      })
      .where(eq(questRecords.id, record.id));
  }

  function titleOf({ kind, method }: ProductEventRow): string {
    const title = method === null ? null : methodTitle(method);
    const words: Record<string, string> = TITLES;
    return title === null ? (words[kind] ?? kind) : `${words[kind] ?? kind}：${title}`;
  }

  /** Asked once in a round: a quest that is changed meanwhile counts as it was when the round began. */
  type Live = (tx: Tx, kind: string) => Promise<QuestRow[]>;

  function liveQuests(): Live {
    const known = new Map<string, QuestRow[]>();
    return async (tx, kind) => {
      const existing =
        known.get(kind) ??
        (await tx
          .select()
          .from(quests)
          .where(and(eq(quests.state, 'on'), sql`${quests.event} = ${kind}`))
          .orderBy(quests.id));
      known.set(kind, existing);
      return existing;
    };
  }

  async function apply(tx: Tx, event: ProductEventRow, liveOf: Live): Promise<void> {
    const { at, kind } = event;
    const live = (await liveOf(tx, kind)).filter(
      ({ startsAt, endsAt }) => (startsAt === null || startsAt <= at) && (endsAt === null || endsAt > at),
    );
    if (live.length === 0) return;
    const codes = live.map(({ code }) => code);
    const latest = await newest(tx, codes, event.userId);
    for (const quest of live) await hit(tx, quest, event, latest.get(quest.code) ?? null);
  }

  const earlier = alias(productEvents, 'earlier');

  /**
   * The oldest open event of somebody of whom nobody else is working on one; it is applied from now on, unless this
   * transaction comes to nothing.
   */
  async function take(tx: Tx): Promise<ProductEventRow | null> {
    const oldest = tx
      .select({ id: productEvents.id })
      .from(productEvents)
      .where(
        and(
          isNull(productEvents.appliedAt),
          lt(productEvents.attempts, ATTEMPTS_MAX),
          lte(productEvents.nextAt, sql`now()`),
          sql`NOT EXISTS (SELECT 1 FROM ${productEvents} AS earlier WHERE ${earlier.userId} = ${productEvents.userId}
            AND ${earlier.id} < ${productEvents.id} AND ${earlier.appliedAt} IS NULL AND ${earlier.attempts} < ${ATTEMPTS_MAX})`,
        ),
      )
      .orderBy(productEvents.id)
      .limit(1)
      .for('update', { skipLocked: true });
    const [event] = await tx
      .update(productEvents)
      .set({ appliedAt: sql`now()` })
      // A subquery that locks may not be repeated row by row.
      .where(sql`${productEvents.id} = ANY(ARRAY(${oldest}))`)
      .returning();
    return event ?? null;
  }

  async function fail({ id, attempts, kind }: ProductEventRow, error: unknown): Promise<void> {
    const isDead = attempts + 1 >= ATTEMPTS_MAX;
    log[isDead ? 'error' : 'warn'](
      { event: 'product_event', id, kind, attempts: attempts + 1, err: error },
      'an event could not be counted',
    );
    await db
      .update(productEvents)
      .set({ attempts: attempts + 1, nextAt: sql`now() + make_interval(secs => ${2 ** attempts})` })
      .where(eq(productEvents.id, id));
  }

  async function one(liveOf: Live): Promise<boolean> {
    let taken: ProductEventRow | null = null;
    try {
      return await retried(() =>
        db.transaction(async (tx) => {
          taken = await take(tx);
          if (!taken) return false;
          await apply(tx, taken, liveOf);
          return true;
        }),
      );
    } catch (error) {
      if (!taken) throw error;
      await fail(taken, error);
      return true;
    }
  }

  return {
    /** Applies what is due; gives how many events were tried. `goesOn` is asked after each, and may take its time. */
    async round(goesOn: () => Promise<boolean> = async () => true): Promise<number> {
      let n = 0;
      const liveOf = liveQuests();
      while (n < BATCH && (await one(liveOf))) {
        n += 1;
        if (!(await goesOn())) break;
      }
      return n;
    },

    async tidy(): Promise<void> {
      await db
        .delete(productEvents)
        .where(sql`${productEvents.appliedAt} < now() - make_interval(days => ${EVENTS_KEPT_DAYS})`);
    },
  };
}
