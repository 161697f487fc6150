/** Invitations: a link for several or one for a phone; the seat is taken when it is accepted. */
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { randomCode } from '../../lib/keys.ts';
import { slice } from '../../lib/paging.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { enter, enterLocked, lockEnterprise, writeFault } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import { countMemberships } from './members.ts';
import type { Invite, InviteBody, InviteShown, JoinedEnterprise } from './schema.ts';
import { takeSeat } from './seats.ts';
import { enterprises, invites, members } from './tables.ts';
import type { EnterpriseRow, InviteRow } from './tables.ts';

const ENTERPRISES_MAX = 5;

export function createInvites(context: Context, readPhone: (phone: string) => { digest: string; shown: string }) {
  const { db, clock, keys, persons, origin } = context;
  const digest = (code: string): string => keys.digest('enterprise-invite', code);
  const linkOf = (code: string): string => `${origin()}/enterprise/invite?code=${code}`;

  function stateOf(row: InviteRow, now: Date): Invite['state'] {
    if (row.withdrawnAt) return 'withdrawn';
    if (row.usesLeft === 0) return 'used';
    return row.endsAt <= now ? 'expired' : 'open';
  }

  function wire(row: InviteRow, maker: string, now: Date): Invite {
    const state = stateOf(row, now);
    return {
      id: row.id,
      link: state === 'open' ? linkOf(keys.open(`enterprise-invite ${row.enterpriseId}`, row.codeSealed)) : null,
      phone: row.phoneShown,
      uses_left: row.usesLeft,
      made_by: maker,
      created_at: row.createdAt.toISOString(),
      ends_at: row.endsAt.toISOString(),
      state,
    };
  }

  /** The open invitation behind a code, with its enterprise; 30302 for every other code alike. */
  async function open(tx: Tx, code: string, lock: boolean): Promise<{ invite: InviteRow; enterprise: EnterpriseRow }> {
    const now = await clock(tx);
    const alive = and(
      eq(invites.codeDigest, digest(code)),
      isNull(invites.withdrawnAt),
      gt(invites.usesLeft, 0),
      gt(invites.endsAt, now),
    );
    const [known] = await tx.select().from(invites).where(alive);
    if (!known) throw new Fault(30302);
    // The enterprise first, then its invitation: the order in which everybody locks.
    const [enterprise] = lock
      ? [await lockEnterprise(tx, known.enterpriseId)]
      : await tx.select().from(enterprises).where(eq(enterprises.id, known.enterpriseId));
    const [invite] = lock ? await tx.select().from(invites).where(alive).for('update') : [known];
    if (!invite || !enterprise || enterprise.state === 'deleted') throw new Fault(30302);
    return { invite, enterprise };
  }

  return {
    async list(userId: number, eid: number, query: { page: number; page_size: number }) {
      await enter(db, userId, eid, 'admin');
      const where = eq(invites.enterpriseId, eid);
      const { limit, offset } = slice(query);
      const rows = await db.select().from(invites).where(where).orderBy(desc(invites.id)).limit(limit).offset(offset);
      const [makers, now, total] = await Promise.all([
        persons.shown(
          db,
          rows.map((row) => row.madeBy),
        ),
        clock(db),
        db.$count(invites, where),
      ]);
      return { total, list: rows.map((row) => wire(row, makers.get(row.madeBy)?.nickname ?? '', now)) };
    },

    async make(userId: number, eid: number, body: InviteBody): Promise<{ total: number; list: Invite[] }> {
      const { phones, uses, days } = body;
      const { rows, now } = await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'admin');
        const refused = writeFault(place.enterprise);
        if (refused) throw refused;
        const at = await clock(tx);
        const endsAt = new Date(at.getTime() + days * DAY_MS);
        const targets = phones.length > 0 ? [...new Set(phones)].map(readPhone) : [null];
        const inserted = await tx
          .insert(invites)
          .values(
            targets.map((phone) => {
              const code = randomCode();
              return {
                enterpriseId: eid,
                codeDigest: digest(code),
                codeSealed: keys.seal(`enterprise-invite ${eid}`, code),
                phoneDigest: phone?.digest ?? null,
                phoneShown: phone?.shown ?? null,
                usesLeft: phone ? 1 : uses,
                madeBy: userId,
                endsAt,
              };
            }),
          )
          .returning();
        await note(tx, place, {
          act: 'invite.make',
          kind: 'invite',
          target: inserted.map(({ id }) => id).join(','),
          after: { phones: inserted.flatMap((row) => row.phoneShown ?? []), uses: phones.length > 0 ? 1 : uses, days },
        });
        return { rows: inserted, now: at };
      });
      const maker = (await persons.shown(db, [userId])).get(userId)?.nickname ?? '';
      return { total: rows.length, list: rows.map((row) => wire(row, maker, now)) };
    },

    async withdraw(userId: number, eid: number, id: number): Promise<void> {
      await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'admin');
        const [row] = await tx
          .update(invites)
          .set({ withdrawnAt: await clock(tx) })
          .where(and(eq(invites.id, id), eq(invites.enterpriseId, eid), isNull(invites.withdrawnAt)))
          .returning();
        if (!row) throw missing();
        await note(tx, place, { act: 'invite.withdraw', kind: 'invite', target: id });
      });
    },

    /** What the holder of a link sees before signing in. */
    async show(code: string): Promise<InviteShown> {
      const { invite, enterprise } = await db.transaction((tx) => open(tx, code, false));
      const inviter = (await persons.shown(db, [invite.madeBy])).get(invite.madeBy)?.nickname ?? '管理员';
      return {
        enterprise_id: enterprise.id,
        enterprise_name: enterprise.name,
        inviter,
        role: 'member',
        ends_at: invite.endsAt.toISOString(),
      };
    },

    async accept(userId: number, code: string): Promise<JoinedEnterprise> {
      return db.transaction(async (tx) => {
        const { invite, enterprise } = await open(tx, code, true);
        const me = (await persons.shown(tx, [userId])).get(userId);
        // Meant for one phone: for everybody else it is none.
        if (invite.phoneDigest && invite.phoneDigest !== me?.phoneDigest) throw new Fault(30302);
        const refused = writeFault(enterprise);
        if (refused) throw refused;
        const mine = and(eq(members.enterpriseId, enterprise.id), eq(members.userId, userId));
        const [known] = await tx
          .select()
          .from(members)
          .where(and(mine, sql`${members.state} <> 'left'`));
        if (known) throw new Fault(30303);
        if ((await countMemberships(tx, userId)) >= ENTERPRISES_MAX) throw new Fault(30312);
        await takeSeat(tx, enterprise);
        await tx
          .update(invites)
          .set({ usesLeft: invite.usesLeft - 1 })
          .where(eq(invites.id, invite.id));
        const [member] = await tx
          .insert(members)
          .values({ enterpriseId: enterprise.id, userId, role: 'member' })
          .returning();
        if (!member) throw new Error('INSERT gave no row');
        await note(
          tx,
          { enterprise, member },
          {
            act: 'member.join',
            kind: 'member',
            target: me?.nickname ?? String(userId),
            after: { invite: invite.id, role: 'member' },
          },
        );
        return { enterprise_id: enterprise.id, enterprise_name: enterprise.name };
      });
    },
  };
}
