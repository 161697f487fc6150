/** States follow the clock: term, grace, read-only, frozen; nothing is deleted because a term has ended. */
import { and, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import { DAY_MS, stepAhead } from '../../lib/clock.ts';
import type { Tx } from '../../lib/db.ts';
import { lockEnterprise } from './access.ts';
import type { Context } from './context.ts';
import { countSeats } from './seats.ts';
import { createStorage } from './storage.ts';
import { enterprises, members, seatBlocks } from './tables.ts';
import type { EnterpriseState } from './tables.ts';

export const GRACE_DAYS = 15;
export const READONLY_DAYS = 90;
export const DISSOLVE_DAYS = 30;

/** Days before the end at which the owner is told; each once. */
const NOTICES = [30, 7, 1];

/** The state that the end of the last term gives at a moment; null before there was a term. */
export function stateAfter(endsAt: Date | null, now: Date): EnterpriseState | null {
  if (endsAt === null) return null;
  const days = (now.getTime() - endsAt.getTime()) / DAY_MS;
  if (days < GRACE_DAYS) return 'grace';
  return days < GRACE_DAYS + READONLY_DAYS ? 'readonly' : 'frozen';
}

export function createTerms(context: Context) {
  const { db, clock, content, persons } = context;
  const storage = createStorage(context);

  /** Brings seats and state up to date; the caller holds the row's lock. */
  async function settle(tx: Tx, eid: number): Promise<void> {
    const now = stepAhead(await clock(tx));
    const enterprise = await lockEnterprise(tx, eid);
    const { seats, endsAt } = await countSeats(tx, eid, now);
    const isCovered = seats > 0;
    // After the end everything still works for a while, with the seats there were at the last moment.
    if (!isCovered && endsAt !== null && endsAt <= now) await countSeatsAt(tx, eid, endsAt);
    const paid = await tx.$count(
      seatBlocks,
      and(
        eq(seatBlocks.enterpriseId, eid),
        isNull(seatBlocks.revokedAt),
        inArray(seatBlocks.source, ['order', 'ops']),
        lte(seatBlocks.fromAt, now),
        gt(seatBlocks.toAt, now),
      ),
    );
    const byTerm = isCovered ? (paid > 0 ? 'active' : 'trial') : (stateAfter(endsAt, now) ?? 'pending');
    const state = enterprise.heldAt === null ? byTerm : 'frozen';
    const isNewTerm = endsAt?.getTime() !== enterprise.endsAt?.getTime();
    const isDissolving = enterprise.state === 'dissolving';
    await tx
      .update(enterprises)
      .set({ ...(isDissolving ? { stateBefore: state } : { state }), ...(isNewTerm ? { noticed: 0 } : {}) })
      .where(eq(enterprises.id, eid));
  }

  /** Seats as they were just before a moment. */
  async function countSeatsAt(tx: Tx, eid: number, end: Date): Promise<void> {
    const { seats } = await countSeats(tx, eid, new Date(end.getTime() - 1));
    await tx.update(enterprises).set({ seats }).where(eq(enterprises.id, eid));
  }

  async function ownerOf(eid: number): Promise<number | null> {
    const [row] = await db
      .select()
      .from(members)
      .where(and(eq(members.enterpriseId, eid), eq(members.role, 'owner'), eq(members.state, 'active')));
    return row?.userId ?? null;
  }

  /** Tells the owner about an end that comes; each distance once. */
  async function notice(eid: number, now: Date): Promise<void> {
    const [row] = await db.select().from(enterprises).where(eq(enterprises.id, eid));
    if (!row?.endsAt || (row.state !== 'trial' && row.state !== 'active')) return;
    const left = (row.endsAt.getTime() - now.getTime()) / DAY_MS;
    const due = NOTICES.filter((days) => left <= days).length;
    if (due <= row.noticed) return;
    await db.update(enterprises).set({ noticed: due }).where(eq(enterprises.id, eid));
    const owner = await ownerOf(eid);
    if (owner !== null) await persons.tell(owner, `企业“${row.name}”将在 ${Math.ceil(left)} 天后到期，请及时续费。`);
  }

  async function remove(eid: number): Promise<void> {
    await db.transaction(async (tx) => {
      const row = await lockEnterprise(tx, eid);
      const now = await clock(tx);
      if (row.state !== 'dissolving' || !row.dissolvesAt || row.dissolvesAt > now) return;
      await tx.update(enterprises).set({ state: 'deleted', seatsUsed: 0 }).where(eq(enterprises.id, eid));
      const rows = await tx
        .update(members)
        .set({ state: 'left', role: 'member', leftAt: now })
        .where(and(eq(members.enterpriseId, eid), inArray(members.state, ['active', 'suspended'])))
        .returning();
      for (const { userId } of rows) await persons.endSessions(tx, userId, eid);
      await content.remove(tx, eid);
    });
  }

  return {
    settle,

    /** Called every few minutes: whatever the clock has changed since. */
    async sweep(): Promise<void> {
      const now = await clock(db);
      const living = await db
        .select({ id: enterprises.id, state: enterprises.state })
        .from(enterprises)
        .where(inArray(enterprises.state, ['trial', 'active', 'grace', 'readonly', 'dissolving']));
      for (const { id, state } of living) {
        if (state === 'dissolving') await remove(id);
        else {
          await db.transaction((tx) => settle(tx, id));
          await notice(id, now);
          await storage.look(id);
        }
      }
    },
  };
}
export type Terms = ReturnType<typeof createTerms>;
