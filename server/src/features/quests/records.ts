/** What a person sees of quests, and claiming what they gave. */
import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { DAY_MS, dayOf, dayRange } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import type { Logger } from '../../lib/log.ts';
import type { Credits } from '../credits/service.ts';
import { addDays, periodOf } from './periods.ts';
import type { Accepted, Quest, QuestRecord } from './schema.ts';
import { questHits, questRecords, quests } from './tables.ts';
import type { QuestRow, RecordRow } from './tables.ts';

/** Of everything but what is earned once. */
export const DAY_CREDITS = 60;
const HITS_SHOWN = 100;
const BATCH = 100;

interface Parts {
  db: Db;
  clock: Clock;
  log: Logger;
  credits: Credits;
  hasPhone: (executor: Db, userId: number) => Promise<boolean>;
  isMember: (executor: Db, userId: number) => Promise<boolean>;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A quest as it stands with somebody; without a record nothing has been done yet. */
function wire(quest: QuestRow, record: RecordRow | null, end: Date | null): Quest {
  return {
    id: quest.id,
    title: quest.title,
    why: quest.why,
    kind: quest.kind,
    target: record?.target ?? quest.target,
    progress: record?.progress ?? 0,
    bonus: record?.bonus ?? quest.bonus,
    state: record?.state ?? 0,
    record_id: record?.id ?? null,
    held_reason: record?.heldReason ?? null,
    period_end: iso(record?.periodEnd ?? end),
    action_url: quest.actionUrl,
  };
}

export function createRecords({ db, clock, log, credits, hasPhone, isMember }: Parts) {
  const { ledger } = credits;

  const isLive = (now: Date) =>
    and(
      eq(quests.state, 'on'),
      or(isNull(quests.startsAt), lte(quests.startsAt, now)),
      or(isNull(quests.endsAt), gt(quests.endsAt, now)),
    );

  /** Whether a record is of the period that goes on now. */
  function isPresent(quest: QuestRow, { periodKey }: RecordRow, now: Date): boolean {
    if (quest.perYear !== null) return false;
    const { key } = periodOf(quest.kind, now, quest.window);
    if (quest.kind === 'streak') return periodKey <= key && key < addDays(periodKey, quest.window ?? 1);
    return periodKey === key;
  }

  async function load(tx: Db, userId: number, id: number): Promise<{ record: RecordRow; quest: QuestRow }> {
    const [row] = await tx
      .select({ record: questRecords, quest: quests })
      .from(questRecords)
      .innerJoin(quests, eq(quests.id, questRecords.questId))
      .where(and(eq(questRecords.id, id), eq(questRecords.userId, userId)));
    if (!row) throw missing();
    return row;
  }

  async function claimedToday(tx: Tx, userId: number, now: Date): Promise<number> {
    const { from } = dayRange(dayOf(now));
    const [row] = await tx
      .select({ n: sql<number>`coalesce(sum(${questRecords.bonus}), 0)::int` })
      .from(questRecords)
      .innerJoin(quests, eq(quests.id, questRecords.questId))
      .where(
        and(
          eq(questRecords.userId, userId),
          eq(questRecords.state, 2),
          gte(questRecords.acceptedAt, from),
          ne(quests.kind, 'once'),
        ),
      );
    return row?.n ?? 0;
  }

  /** More than a day's credits may be claimed only as the first of a day: then it waits for no day that never comes. */
  async function demandRoom(tx: Tx, userId: number, bonus: number, now: Date): Promise<void> {
    const n = await claimedToday(tx, userId, now);
    if (n > 0 && n + bonus > DAY_CREDITS) throw new Fault(31006, { n, most: DAY_CREDITS });
  }

  /** Credits a finished record, once; asked again, the same answer. */
  async function accept(userId: number, id: number): Promise<Accepted> {
    return work(db, async (tx) => {
      const { account, now } = await ledger.lock(tx, userId);
      const [record] = await tx
        .select()
        .from(questRecords)
        .where(and(eq(questRecords.id, id), eq(questRecords.userId, userId)))
        .for('update');
      if (!record) throw missing();
      const { bonus, state, heldReason } = record;
      if (state === 2) return { amount: bonus, total_amount: account.balance, already: true };
      if (state === 0) throw new Fault(31002);
      if (state === 3) throw new Fault(31003, { reason: heldReason ?? '' });
      if (state === 4) throw new Fault(31007, { reason: heldReason ?? '' });
      ledger.demandFree(account);
      if (!(await hasPhone(tx, userId))) throw new Fault(31004);
      const { quest } = await load(tx, userId, id);
      if (quest.kind !== 'once') await demandRoom(tx, userId, bonus, now);
      const cause = { kind: 'quest', key: `quest:${id}`, title: quest.title, ref: String(id) } as const;
      const { entry } = await ledger.earn(tx, userId, bonus, cause);
      await tx
        .update(questRecords)
        .set({ state: 2, acceptedAt: now, entryId: entry.id })
        .where(eq(questRecords.id, id));
      return { amount: bonus, total_amount: entry.balanceAfter, already: false };
    });
  }

  return {
    accept,

    /** What waits to be claimed from earlier periods first, then every quest that goes on. */
    async list(userId: number): Promise<Quest[]> {
      const now = await clock(db);
      const mine = await db
        .select({ record: questRecords, quest: quests })
        .from(questRecords)
        .innerJoin(quests, eq(quests.id, questRecords.questId))
        .where(
          and(
            eq(questRecords.userId, userId),
            or(inArray(questRecords.state, [1, 3]), isNull(questRecords.periodEnd), gt(questRecords.periodEnd, now)),
          ),
        )
        .orderBy(asc(questRecords.id));
      const live = await db.select().from(quests).where(isLive(now)).orderBy(asc(quests.sort), asc(quests.id));
      const member = await isMember(db, userId);
      const fits = live.filter(({ audience }) => audience === 'all' || (audience === 'member') === member);
      const present = fits.map((quest) => {
        const found = mine.find(({ record }) => record.code === quest.code && isPresent(quest, record, now));
        return { quest, found: found?.record ?? null };
      });
      const shown = new Set(present.map(({ found }) => found?.id));
      const waiting = mine.filter(({ record }) => (record.state === 1 || record.state === 3) && !shown.has(record.id));
      return [
        ...waiting.map(({ quest, record }) => wire(quest, record, null)),
        ...present.map(({ quest, found }) => wire(quest, found, endOf(quest, now))),
      ];
    },

    async read(userId: number, id: number): Promise<QuestRecord> {
      const { record, quest } = await load(db, userId, id);
      const hits = await db
        .select({ at: questHits.at, title: questHits.title })
        .from(questHits)
        .where(eq(questHits.recordId, id))
        .orderBy(desc(questHits.at))
        .limit(HITS_SHOWN);
      return {
        ...wire(quest, record, null),
        record_id: record.id,
        period_key: record.periodKey,
        completed_at: iso(record.completedAt),
        accepted_at: iso(record.acceptedAt),
        auto_credit_at: record.state === 1 ? iso(record.autoCreditAt) : null,
        hits: hits.map(({ at, title }) => ({ at: at.toISOString(), title })),
      };
    },

    /** For an objection: only what is held or void can be objected to. */
    async demandObjectionable(userId: number, id: number): Promise<void> {
      const { record } = await load(db, userId, id);
      if (record.state !== 3 && record.state !== 4) throw new Fault(30408, { detail: '这项奖励无需申诉' });
    },

    /** Credits what nobody claimed. Where it cannot be yet (no phone, held, the day is full) a day later again. */
    async creditUnclaimed(): Promise<void> {
      const now = await clock(db);
      const due = await db
        .select({ id: questRecords.id, userId: questRecords.userId })
        .from(questRecords)
        .where(and(eq(questRecords.state, 1), lte(questRecords.autoCreditAt, now)))
        .orderBy(asc(questRecords.autoCreditAt))
        .limit(BATCH);
      for (const { id, userId } of due)
        try {
          await accept(userId, id);
        } catch (error) {
          if (!(error instanceof Fault))
            log.error({ event: 'bug', err: error, record: id }, 'a bonus was not credited');
          const later = new Date(now.getTime() + DAY_MS);
          await db.update(questRecords).set({ autoCreditAt: later }).where(eq(questRecords.id, id));
        }
    },

    /** For the archive of the account. */
    async everything(userId: number): Promise<unknown> {
      return db
        .select({
          title: quests.title,
          period: questRecords.periodKey,
          progress: questRecords.progress,
          target: questRecords.target,
          bonus: questRecords.bonus,
          state: questRecords.state,
          completed_at: questRecords.completedAt,
          accepted_at: questRecords.acceptedAt,
        })
        .from(questRecords)
        .innerJoin(quests, eq(quests.id, questRecords.questId))
        .where(eq(questRecords.userId, userId))
        .orderBy(asc(questRecords.id));
    },
  };
}

function endOf({ kind, window, endsAt }: QuestRow, now: Date): Date | null {
  // A window begins with the first day on which something is done.
  const end = kind === 'streak' ? null : periodOf(kind, now, window).end;
  return end ?? endsAt;
}
