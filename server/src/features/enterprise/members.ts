/** Members: named admins, suspended, removed with an heir, leaving. Exactly one owner at all times. */
import { and, asc, count, eq, ne, sql } from 'drizzle-orm';
import type { Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import { demandRole, enter, enterLocked, lockEnterprise } from './access.ts';
import type { Place } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import type { Holdings, Member, MemberChange, MemberQuery, RemoveQuery } from './schema.ts';
import { freeSeat, takeSeat } from './seats.ts';
import { members } from './tables.ts';
import type { MemberRow } from './tables.ts';

export function createMembers(context: Context) {
  const { db, clock, content, persons } = context;

  async function find(tx: Tx, eid: number, mid: number): Promise<MemberRow> {
    const [row] = await tx
      .select()
      .from(members)
      .where(and(eq(members.id, mid), eq(members.enterpriseId, eid)))
      .for('update');
    if (!row || row.state === 'left') throw missing();
    return row;
  }

  /** An admin acts on plain members; the owner on everybody but itself. */
  function demandPower(place: Place, target: MemberRow): void {
    demandRole(place.member, target.role === 'member' ? 'admin' : 'owner');
    if (target.role === 'owner') throw new Fault(30304);
  }

  async function wire(rows: MemberRow[], eid: number, me: number): Promise<Member[]> {
    const ids = rows.map(({ userId }) => userId);
    const [shown, seen, storage] = await Promise.all([
      persons.shown(db, ids),
      persons.lastSeen(db, eid),
      content.storage(db, eid),
    ]);
    return rows.map((row) => ({
      id: row.id,
      nickname: shown.get(row.userId)?.nickname ?? '已注销用户',
      phone: shown.get(row.userId)?.phone ?? null,
      role: row.role,
      state: row.state,
      joined_at: row.joinedAt.toISOString(),
      left_at: row.leftAt?.toISOString() ?? null,
      seen_at: seen.get(row.userId)?.toISOString() ?? null,
      storage_bytes: storage.get(row.userId) ?? 0,
      limits: { storage_bytes: row.limits.storage_bytes ?? null, analyses_day: row.limits.analyses_day ?? null },
      version: row.version,
      is_me: row.userId === me,
    }));
  }

  async function name(tx: Tx, userId: number): Promise<string> {
    return (await persons.shown(tx, [userId])).get(userId)?.nickname ?? `用户${userId}`;
  }

  return {
    async list(userId: number, eid: number, query: MemberQuery): Promise<{ total: number; list: Member[] }> {
      await enter(db, userId, eid, 'admin');
      const { keyword, state } = query;
      const where = and(eq(members.enterpriseId, eid), state ? eq(members.state, state) : ne(members.state, 'left'));
      const rank = sql`array_position(ARRAY['owner', 'admin', 'member'], ${members.role})`;
      const rowsQuery = db.select().from(members).where(where).orderBy(rank, asc(members.id));
      const { limit, offset } = slice(query);
      if (keyword === '') {
        const total = await db.$count(members, where);
        return { total, list: await wire(await rowsQuery.limit(limit).offset(offset), eid, userId) };
      }
      // Names belong to accounts; an enterprise has at most some thousand members.
      const all = await rowsQuery;
      const shown = await persons.shown(
        db,
        all.map((row) => row.userId),
      );
      const named = all.filter((row) => shown.get(row.userId)?.nickname.toLowerCase().includes(keyword.toLowerCase()));
      return { total: named.length, list: await wire(named.slice(offset, offset + limit), eid, userId) };
    },

    async change(userId: number, eid: number, mid: number, body: MemberChange): Promise<Member> {
      const nickname = await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'admin');
        const target = await find(tx, eid, mid);
        demandPower(place, target);
        if (target.version !== body.version) throw new Fault(30309);
        if (body.role && body.role !== target.role) demandRole(place.member, 'owner');
        if (body.state === 'active' && target.state === 'suspended') await takeSeat(tx, place.enterprise);
        if (body.state === 'suspended' && target.state === 'active') {
          await freeSeat(tx, place.enterprise);
          await persons.endSessions(tx, target.userId, eid);
        }
        const limits = body.limits ? { ...target.limits, ...body.limits } : target.limits;
        const after = { role: body.role ?? target.role, state: body.state ?? target.state, limits };
        await tx
          .update(members)
          .set({ ...after, version: target.version + 1 })
          .where(eq(members.id, mid));
        const who = await name(tx, target.userId);
        const { role, state } = target;
        await note(tx, place, {
          act: 'member.change',
          kind: 'member',
          target: who,
          before: { role, state, limits: target.limits },
          after,
        });
        return who;
      });
      if (body.state === 'suspended') await this.endWork(eid, mid);
      const [row] = await db.select().from(members).where(eq(members.id, mid));
      if (!row) throw new Error(`Member ${nickname} is gone`);
      const [shown] = await wire([row], eid, userId);
      if (!shown) throw missing();
      return shown;
    },

    /** Runs of somebody who may no longer work here; after the commit, because the engine is asked. */
    async endWork(eid: number, mid: number): Promise<void> {
      const [row] = await db.select().from(members).where(eq(members.id, mid));
      if (row) await content.endRuns(eid, row.userId);
    },

    /** For the box before a removal: by an admin, or of oneself. */
    async holdings(userId: number, eid: number, mid: number): Promise<Holdings> {
      const { member } = await enter(db, userId, eid);
      const [target] = await db
        .select()
        .from(members)
        .where(and(eq(members.id, mid), eq(members.enterpriseId, eid), ne(members.state, 'left')));
      if (!target) throw missing();
      if (target.userId !== userId) demandRole(member, 'admin');
      return content.holdings(db, eid, target.userId);
    },

    /** Ends a membership: every edge in one transaction, content to the heir. Of oneself: leaving. */
    async remove(userId: number, eid: number, mid: number, query: RemoveQuery): Promise<void> {
      const gone = await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'member');
        const target = await find(tx, eid, mid);
        if (target.role === 'owner') throw new Fault(30304);
        if (target.userId !== userId) demandPower(place, target);
        if (target.version !== query.version) throw new Fault(30309);
        const heir = await heirOf(tx, eid, target, query.heir_id);
        await content.handOver(tx, eid, target.userId, heir, { endShares: query.end_shares === '1' });
        await persons.endSessions(tx, target.userId, eid);
        if (target.state === 'active') await freeSeat(tx, place.enterprise);
        await tx
          .update(members)
          .set({ state: 'left', role: 'member', leftAt: await clock(tx), heirId: heir, version: target.version + 1 })
          .where(eq(members.id, mid));
        await note(tx, place, {
          act: target.userId === userId ? 'member.leave' : 'member.remove',
          kind: 'member',
          target: await name(tx, target.userId),
          before: { role: target.role, state: target.state },
          after: { heir: await name(tx, heir), shares_ended: query.end_shares === '1' },
        });
        return target.userId;
      });
      await content.endRuns(eid, gone);
    },

    /** Called when an account is removed or banned for good: the same as leaving, without anybody asking. */
    async dropPerson(tx: Tx, userId: number): Promise<void> {
      const rows = await tx
        .select()
        .from(members)
        .where(and(eq(members.userId, userId), ne(members.state, 'left')));
      for (const row of rows) {
        if (row.role === 'owner') throw new Fault(30304);
        const enterprise = await lockEnterprise(tx, row.enterpriseId);
        await content.handOver(tx, enterprise.id, userId, await heirOf(tx, enterprise.id, row), { endShares: false });
        await persons.endSessions(tx, userId, enterprise.id);
        if (row.state === 'active') await freeSeat(tx, enterprise);
        await tx
          .update(members)
          .set({ state: 'left', role: 'member', leftAt: await clock(tx), version: row.version + 1 })
          .where(eq(members.id, row.id));
      }
    },
  };

  /** The one named, who must be active here, else the owner. */
  async function heirOf(tx: Tx, eid: number, leaving: MemberRow, named?: number): Promise<number> {
    const [heir] = await tx
      .select()
      .from(members)
      .where(
        and(
          eq(members.enterpriseId, eid),
          eq(members.state, 'active'),
          ne(members.id, leaving.id),
          named === undefined ? eq(members.role, 'owner') : eq(members.id, named),
        ),
      );
    if (!heir) throw missing();
    return heir.userId;
  }
}

/** How many enterprises somebody is in; at most five. */
export async function countMemberships(tx: Tx, userId: number): Promise<number> {
  const [row] = await tx
    .select({ n: count() })
    .from(members)
    .where(and(eq(members.userId, userId), ne(members.state, 'left')));
  return row?.n ?? 0;
}
