/** Quests at the desk: their versions, a dry run on last week's events, records that are looked at, taking back. */
import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { DAY_MS, stepAhead } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { countSome, slice } from '../../lib/paging.ts';
import { productEvents } from '../../lib/product-events.ts';
import type { Credits } from '../credits/service.ts';
import type { RecordState } from './schema.ts';
import { questRecords, quests } from './tables.ts';
import type { QuestRow, RecordRow } from './tables.ts';

const TRIAL_DAYS = 7;
const AUTO_MS = 7 * DAY_MS;

export type QuestDraft = Omit<typeof quests.$inferInsert, 'id' | 'version' | 'state'>;
/** What a new version may change: another event or period is another quest. */
export type QuestChange = Pick<
  QuestDraft,
  'title' | 'why' | 'target' | 'bonus' | 'startsAt' | 'endsAt' | 'audience' | 'actionUrl' | 'campaignId' | 'sort'
>;
export interface Trial {
  credits: number;
  people: number;
}

export interface Changed<T> {
  before: T | null;
  after: T;
}

/** The period an event lies in; what has none is one period, like the kind that all these events share. */
function periodSql(kind: QuestRow['kind'], local: SQL): SQL {
  if (kind === 'daily') return sql`to_char(${local}, 'YYYY-MM-DD')`;
  return kind === 'weekly' ? sql`to_char(${local}, 'IYYY-IW')` : sql`${productEvents.kind}`;
}

export function createQuestDesk({ db, clock, credits }: { db: Db; clock: Clock; credits: Credits }) {
  async function lockQuest(tx: Tx, id: number, version: number): Promise<QuestRow> {
    const [row] = await tx.select().from(quests).where(eq(quests.id, id)).for('update');
    if (!row || row.state === 'replaced') throw missing();
    if (row.version !== version) throw new Fault(30309);
    return row;
  }

  /** Account before record, as everywhere. */
  async function lockWithAccount(tx: Tx, id: number): Promise<{ before: RecordRow; now: Date }> {
    const [found] = await tx.select().from(questRecords).where(eq(questRecords.id, id));
    if (!found) throw missing();
    const { now } = await credits.ledger.lock(tx, found.userId);
    const [before] = await tx.select().from(questRecords).where(eq(questRecords.id, id)).for('update');
    if (!before) throw missing();
    return { before, now };
  }

  async function setRecord(tx: Tx, before: RecordRow, set: Partial<RecordRow>): Promise<Changed<RecordRow>> {
    const [after] = await tx
      .update(questRecords)
      .set({ ...set, version: before.version + 1 })
      .where(eq(questRecords.id, before.id))
      .returning();
    if (!after) throw missing();
    return { before, after };
  }

  async function free(tx: Tx, before: RecordRow, now: Date): Promise<Changed<RecordRow>> {
    await credits.ledger.clear(tx, before.userId);
    const autoCreditAt = new Date(now.getTime() + AUTO_MS);
    // Whoever was found good has nothing else held for the same look.
    await tx
      .update(questRecords)
      .set({ state: 1, heldReason: null, autoCreditAt, version: sql`${questRecords.version} + 1` })
      .where(and(eq(questRecords.userId, before.userId), eq(questRecords.state, 3), ne(questRecords.id, before.id)));
    return setRecord(tx, before, { state: 1, heldReason: null, autoCreditAt });
  }

  return {
    async all(): Promise<QuestRow[]> {
      return db.select().from(quests).where(ne(quests.state, 'replaced')).orderBy(asc(quests.sort), asc(quests.id));
    },

    async find(executor: Db, id: number): Promise<QuestRow | null> {
      const [row] = await executor.select().from(quests).where(eq(quests.id, id));
      return row ?? null;
    },

    /** Of a campaign, for its page. */
    async ofCampaign(campaignId: number): Promise<QuestRow[]> {
      const now = await clock(db);
      return db
        .select()
        .from(quests)
        .where(
          and(
            eq(quests.campaignId, campaignId),
            eq(quests.state, 'on'),
            or(isNull(quests.endsAt), gt(quests.endsAt, now)),
            or(isNull(quests.startsAt), lte(quests.startsAt, stepAhead(now))),
          ),
        )
        .orderBy(asc(quests.sort), asc(quests.id));
    },

    async make(tx: Tx, draft: QuestDraft): Promise<Changed<QuestRow>> {
      const [after] = await tx.insert(quests).values(draft).onConflictDoNothing().returning();
      if (!after) throw new Fault(30408, { detail: '已有这个代码的任务' });
      return { before: null, after };
    },

    /** A new version; what people have begun keeps the one it was begun under. */
    async change(tx: Tx, id: number, version: number, change: QuestChange): Promise<Changed<QuestRow>> {
      const before = await lockQuest(tx, id, version);
      await tx.update(quests).set({ state: 'replaced' }).where(eq(quests.id, id));
      const { id: _, ...content } = before;
      const [after] = await tx
        .insert(quests)
        .values({ ...content, ...change, version: version + 1 })
        .returning();
      if (!after) throw new Error('INSERT gave no row');
      return { before, after };
    },

    /** Begins or stops it; what was finished can be claimed either way. */
    async turn(tx: Tx, id: number, version: number, state: 'on' | 'off'): Promise<Changed<QuestRow>> {
      const before = await lockQuest(tx, id, version);
      const [after] = await tx.update(quests).set({ state }).where(eq(quests.id, id)).returning();
      if (!after) throw missing();
      return { before, after };
    },

    /** What a quest would have paid for the events of the last seven days, to people who had nothing of it yet. */
    async trial({ kind, event, counts, target, bonus, perYear }: QuestRow): Promise<Trial> {
      const { userId, subject, method, at, onceOnly } = productEvents;
      const local = sql`(${at} AT TIME ZONE 'Asia/Shanghai')`;
      const day = sql`to_char(${local}, 'YYYY-MM-DD')`;
      const period = perYear === null ? periodSql(kind, local) : sql`${subject}`;
      const key = { subject: sql`${day} || ${subject}`, method: sql`coalesce(${method}, ${subject})`, day }[counts];
      const since = new Date((await clock(db)).getTime() - TRIAL_DAYS * DAY_MS);
      const paid = db
        .select({ userId })
        .from(productEvents)
        .where(and(eq(productEvents.kind, event), gt(at, since), kind === 'once' ? undefined : eq(onceOnly, false)))
        .groupBy(userId, period)
        .having(sql`count(DISTINCT ${key}) >= ${target}`)
        .as('paid');
      const [row] = await db
        .select({ n: sql<number>`count(*)::int`, people: sql<number>`count(DISTINCT ${paid.userId})::int` })
        .from(paid);
      return { credits: (row?.n ?? 0) * bonus, people: row?.people ?? 0 };
    },

    async records(query: {
      page: number;
      page_size: number;
      states: RecordState[];
      user_id?: number | undefined;
    }): Promise<{ total: number; list: { record: RecordRow; title: string }[] }> {
      const where = and(
        inArray(questRecords.state, query.states),
        query.user_id === undefined ? undefined : eq(questRecords.userId, query.user_id),
      );
      const { limit, offset } = slice(query);
      const list = await db
        .select({ record: questRecords, title: quests.title })
        .from(questRecords)
        .innerJoin(quests, eq(quests.id, questRecords.questId))
        .where(where)
        .orderBy(desc(questRecords.id))
        .limit(limit)
        .offset(offset);
      return { total: await countSome(db, questRecords, where), list };
    },

    async record(executor: Db, id: number): Promise<RecordRow | null> {
      const [row] = await executor.select().from(questRecords).where(eq(questRecords.id, id));
      return row ?? null;
    },

    /** Decides on what is looked at: good, and whoever earned it is not held up again; or void, with a reason. */
    async decide(tx: Tx, id: number, version: number, isGood: boolean, reason: string): Promise<Changed<RecordRow>> {
      const { before, now } = await lockWithAccount(tx, id);
      if (before.version !== version || before.state !== 3) throw new Fault(30309);
      return isGood ? free(tx, before, now) : setRecord(tx, before, { state: 4, heldReason: reason });
    },

    /** An objection was right: what is held or void can be claimed. What was paid and taken back is adjusted by hand. */
    async restore(tx: Tx, id: number): Promise<Changed<RecordRow>> {
      const { before, now } = await lockWithAccount(tx, id);
      const isUnpaid = before.entryId === null && (before.state === 3 || before.state === 4);
      if (!isUnpaid) throw new Fault(30408, { detail: '该奖励已发放或已处理，请用“调整积分”补发后再答复' });
      return free(tx, before, now);
    },

    /** Takes a reward back that was paid: at most what is there; the rest is written down and is no debt. */
    async takeBack(tx: Tx, id: number, version: number, reason: string, actor: number): Promise<Changed<RecordRow>> {
      const { before } = await lockWithAccount(tx, id);
      if (before.version !== version || before.state !== 2) throw new Fault(30309);
      const cause = { kind: 'clawback', key: `clawback:${id}`, title: `奖励收回：${reason}`, ref: String(id) } as const;
      const { shortfall } = await credits.ledger.takeBack(tx, before.userId, before.bonus, { ...cause, actor });
      return setRecord(tx, before, { state: 4, heldReason: reason, shortfall });
    },
  };
}
