/** Objections: against a reward that is looked at or void, or against an account that is held. The desk decides. */
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { Appeal, AppealBody, AppealState } from './schema.ts';
import { creditAccounts, creditAppeals } from './tables.ts';
import type { AppealRow } from './tables.ts';

const SHOWN = 20;

const wire = (row: AppealRow): Appeal => ({
  id: row.id,
  record_id: row.recordId,
  text: row.text,
  state: row.state,
  reply: row.reply,
  created_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString() ?? null,
});

export type Appeals = ReturnType<typeof createAppeals>;

export function createAppeals({ db, clock }: { db: Db; clock: Clock }) {
  const about = (userId: number, recordId: number | null): SQL | undefined =>
    and(
      eq(creditAppeals.userId, userId),
      recordId === null ? isNull(creditAppeals.recordId) : eq(creditAppeals.recordId, recordId),
    );

  async function demandHeld(userId: number): Promise<void> {
    const [account] = await db
      .select({ reason: creditAccounts.heldReason })
      .from(creditAccounts)
      .where(eq(creditAccounts.userId, userId));
    if (!account?.reason) throw new Fault(30408, { detail: '账户没有被暂停，无需申诉' });
  }

  return {
    async list(userId: number): Promise<{ list: Appeal[] }> {
      const rows = await db
        .select()
        .from(creditAppeals)
        .where(eq(creditAppeals.userId, userId))
        .orderBy(desc(creditAppeals.id))
        .limit(SHOWN);
      return { list: rows.map(wire) };
    },

    /** One at a time about the same: asked again while it is open, the open one answers. */
    async make(userId: number, { record_id, text }: AppealBody): Promise<Appeal> {
      const recordId = record_id ?? null;
      if (recordId === null) await demandHeld(userId);
      const [inserted] = await db
        .insert(creditAppeals)
        .values({ userId, recordId, text, createdAt: await clock(db) })
        .onConflictDoNothing()
        .returning();
      if (inserted) return wire(inserted);
      const [open] = await db
        .select()
        .from(creditAppeals)
        .where(and(about(userId, recordId), eq(creditAppeals.state, 'open')));
      if (!open) throw missing();
      return wire(open);
    },

    async find(executor: Db, id: number): Promise<AppealRow | null> {
      const [row] = await executor.select().from(creditAppeals).where(eq(creditAppeals.id, id));
      return row ?? null;
    },

    async queue(state: AppealState | undefined, page: { page: number; page_size: number }) {
      const where = state === undefined ? undefined : eq(creditAppeals.state, state);
      const { limit, offset } = slice(page);
      const list = await db
        .select()
        .from(creditAppeals)
        .where(where)
        .orderBy(desc(creditAppeals.id))
        .limit(limit)
        .offset(offset);
      return { total: await db.$count(creditAppeals, where), list };
    },

    /** Desk: writes the decision; what follows from it is the caller's. */
    async decide(
      tx: Tx,
      id: number,
      version: number,
      to: { state: 'granted' | 'refused'; reply: string },
    ): Promise<{ before: AppealRow; after: AppealRow }> {
      const [before] = await tx.select().from(creditAppeals).where(eq(creditAppeals.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version || before.state !== 'open') throw new Fault(30309);
      const [after] = await tx
        .update(creditAppeals)
        .set({ ...to, version: version + 1, decidedAt: await clock(tx) })
        .where(eq(creditAppeals.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },
  };
}
