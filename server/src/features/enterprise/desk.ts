/** What the operator's desk does with enterprises: seats and terms, an owner replaced by papers, freezing, trials. */
import { and, desc, eq, ilike, inArray, isNull, sql } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import { lockEnterprise } from './access.ts';
import type { Context } from './context.ts';
import { changeLimits, readLimits } from './limits.ts';
import { enterprises, members, seatBlocks, transfers, trials } from './tables.ts';
import type { EnterpriseRow, EnterpriseState } from './tables.ts';
import type { Terms } from './terms.ts';

export interface Changed {
  before: EnterpriseRow;
  after: EnterpriseRow;
}
type Trial = typeof trials.$inferSelect;

export function createDeskWork({ db, clock, persons }: Context, terms: Terms) {
  async function rowOf(executor: Db, eid: number): Promise<EnterpriseRow> {
    const [row] = await executor.select().from(enterprises).where(eq(enterprises.id, eid));
    if (!row) throw missing();
    return row;
  }

  /** One change under the row's lock, on the version that was looked at; seats and state follow. */
  async function change(tx: Tx, eid: number, version: number, work: (row: EnterpriseRow) => Promise<void>) {
    const before = await lockEnterprise(tx, eid);
    if (before.version !== version) throw new Fault(30309);
    await work(before);
    await terms.settle(tx, eid);
    await tx
      .update(enterprises)
      .set({ version: version + 1 })
      .where(eq(enterprises.id, eid));
    return { before, after: await rowOf(tx, eid) };
  }

  async function grantTrial(tx: Tx, enterpriseId: number): Promise<void> {
    const now = await clock(tx);
    const { trialDays, trialSeats } = await readLimits(tx);
    const toAt = new Date(now.getTime() + trialDays * DAY_MS);
    await tx.insert(seatBlocks).values({ enterpriseId, seats: trialSeats, fromAt: now, toAt, source: 'trial' });
  }

  const ownerOf = async (executor: Db, eid: number): Promise<number | null> => {
    const [row] = await executor
      .select()
      .from(members)
      .where(and(eq(members.enterpriseId, eid), eq(members.role, 'owner'), eq(members.state, 'active')));
    return row?.userId ?? null;
  };

  async function decide(tx: Tx, eid: number, version: number, state: 'granted' | 'refused', reason: string) {
    return change(tx, eid, version, async () => {
      const [trial] = await tx
        .update(trials)
        .set({ state, reason })
        .where(and(eq(trials.enterpriseId, eid), eq(trials.state, 'waiting')))
        .returning();
      if (!trial) throw new Fault(30309);
      if (state === 'granted') await grantTrial(tx, eid);
    });
  }

  return {
    ownerOf,
    grantTrial,
    limits: { read: readLimits, change: changeLimits },

    /** Newest first; by number, part of the name, state. With the trial that waits, if one does. */
    async list(query: {
      page: number;
      page_size: number;
      id?: number | undefined;
      name?: string | undefined;
      state?: EnterpriseState | 'trial_waiting' | undefined;
    }): Promise<{ total: number; list: { row: EnterpriseRow; trial: Trial | null }[] }> {
      const waiting = db.select({ id: trials.enterpriseId }).from(trials).where(eq(trials.state, 'waiting'));
      const where = and(
        query.id === undefined ? undefined : eq(enterprises.id, query.id),
        query.name === undefined ? undefined : ilike(enterprises.name, `%${query.name.replace(/[\\%_]/g, '\\$&')}%`),
        query.state === undefined
          ? undefined
          : query.state === 'trial_waiting'
            ? inArray(enterprises.id, waiting)
            : eq(enterprises.state, query.state),
      );
      const { limit, offset } = slice(query);
      const rows = await db
        .select()
        .from(enterprises)
        .where(where)
        .orderBy(desc(enterprises.id))
        .limit(limit)
        .offset(offset);
      const ids = rows.map(({ id }) => id);
      const open =
        ids.length === 0
          ? []
          : await db
              .select()
              .from(trials)
              .where(and(inArray(trials.enterpriseId, ids), eq(trials.state, 'waiting')));
      return {
        total: await db.$count(enterprises, where),
        list: rows.map((row) => ({ row, trial: open.find(({ enterpriseId }) => enterpriseId === row.id) ?? null })),
      };
    },

    find: async (executor: Db, eid: number): Promise<EnterpriseRow | null> => rowOf(executor, eid).catch(() => null),

    /** More seats, until a day, beside those that were bought. */
    giveSeats: (tx: Tx, eid: number, version: number, given: { seats: number; until: Date }): Promise<Changed> =>
      change(tx, eid, version, async () => {
        const now = await clock(tx);
        if (given.until <= now) throw new Fault(30408, { detail: '截止时间须在将来' });
        const { seats, until: toAt } = given;
        await tx.insert(seatBlocks).values({ enterpriseId: eid, seats, fromAt: now, toAt, source: 'ops' });
      }),

    /** The seats of the last moment of the term go on for some days. */
    extend: (tx: Tx, eid: number, version: number, days: number): Promise<Changed> =>
      change(tx, eid, version, async (row) => {
        const blocks = await tx
          .select()
          .from(seatBlocks)
          .where(and(eq(seatBlocks.enterpriseId, eid), isNull(seatBlocks.revokedAt)));
        const last = row.endsAt;
        if (!last) throw new Fault(30408, { detail: '企业还没有服务期限，请先增加席位' });
        const now = await clock(tx);
        const from = last > now ? last : now;
        const seats = blocks
          .filter(({ toAt }) => toAt.getTime() === last.getTime())
          .reduce((sum, one) => sum + one.seats, 0);
        const toAt = new Date(from.getTime() + days * DAY_MS);
        await tx.insert(seatBlocks).values({ enterpriseId: eid, seats, fromAt: from, toAt, source: 'ops' });
      }),

    /** By papers, where the owner cannot hand over: a member takes its place, who was it stays as a member. */
    replaceOwner: (tx: Tx, eid: number, version: number, userId: number): Promise<Changed> =>
      change(tx, eid, version, async () => {
        const active = await tx
          .select()
          .from(members)
          .where(and(eq(members.enterpriseId, eid), eq(members.state, 'active')))
          .for('update');
        const [from, to] = [active.find(({ role }) => role === 'owner'), active.find((one) => one.userId === userId)];
        if (!from || !to || from.id === to.id) throw new Fault(30408, { detail: '新所有者须是该企业的在职成员' });
        const bump = sql`${members.version} + 1`;
        await tx.update(members).set({ role: 'member', version: bump }).where(eq(members.id, from.id));
        await tx.update(members).set({ role: 'owner', version: bump }).where(eq(members.id, to.id));
        await tx
          .update(transfers)
          .set({ state: 'cancelled', decidedAt: await clock(tx) })
          .where(and(eq(transfers.enterpriseId, eid), eq(transfers.state, 'pending')));
      }),

    /** Frozen whatever the term says, and every member's session on its channel ends; or let go again. */
    hold: (tx: Tx, eid: number, version: number, reason: string | null): Promise<Changed> =>
      change(tx, eid, version, async (row) => {
        if ((row.heldAt !== null) === (reason !== null)) throw new Fault(30309);
        await tx
          .update(enterprises)
          .set({ heldAt: reason === null ? null : await clock(tx), heldReason: reason })
          .where(eq(enterprises.id, eid));
        if (reason === null) return;
        const inside = await tx.select().from(members).where(eq(members.enterpriseId, eid));
        for (const { userId } of inside) await persons.endSessions(tx, userId, eid);
      }),

    /** null: so many bytes for each seat again. */
    setStorage: (tx: Tx, eid: number, version: number, bytes: number | null): Promise<Changed> =>
      change(tx, eid, version, async () => {
        await tx.update(enterprises).set({ storageBytes: bytes }).where(eq(enterprises.id, eid));
      }),

    approveTrial: (tx: Tx, eid: number, version: number): Promise<Changed> => decide(tx, eid, version, 'granted', ''),
    refuseTrial: (tx: Tx, eid: number, version: number, reason: string): Promise<Changed> =>
      decide(tx, eid, version, 'refused', reason),
  };
}
