/** Quests: events become progress, progress becomes credits, the desk edits and decides. */
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { databaseClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import type { Logger } from '../../lib/log.ts';
import { productEvents } from '../../lib/product-events.ts';
import type { Credits } from '../credits/service.ts';
import type { Origins } from './abuse.ts';
import { createApply } from './apply.ts';
import { createQuestDesk } from './desk.ts';
import { createRecords } from './records.ts';
import { questHits, questRecords } from './tables.ts';

export type { Origin } from './abuse.ts';
export type { QuestChange, QuestDraft } from './desk.ts';
export { DAY_CREDITS } from './records.ts';
export type { QuestRow, RecordRow } from './tables.ts';

export type Quests = ReturnType<typeof createQuests>;

export function createQuests(deps: {
  db: Db;
  clock?: Clock;
  log: Logger;
  credits: Credits;
  origins: Origins;
  hasPhone: (executor: Db, userId: number) => Promise<boolean>;
  isMember: (executor: Db, userId: number) => Promise<boolean>;
  methodTitle: (path: string) => string | null;
}) {
  const { db, credits, clock = databaseClock } = deps;
  const isCleared = async (executor: Db, userId: number): Promise<boolean> =>
    ((await credits.desk.find(executor, userId))?.clearedAt ?? null) !== null;
  return {
    apply: createApply({ ...deps, clock, isCleared }),
    records: createRecords({ ...deps, clock }),
    desk: createQuestDesk({ db, clock, credits }),

    /** What somebody did goes with the account, and what was never paid for it; what it earned stays in the books. */
    async forget(tx: Tx, userId: number): Promise<void> {
      const own = tx.select({ id: questRecords.id }).from(questRecords).where(eq(questRecords.userId, userId));
      await tx.delete(questHits).where(inArray(questHits.recordId, own));
      await tx.delete(questRecords).where(and(eq(questRecords.userId, userId), isNull(questRecords.entryId)));
      await tx.delete(productEvents).where(eq(productEvents.userId, userId));
    },
  };
}
