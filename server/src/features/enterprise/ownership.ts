/** Handing an enterprise over: asked by the owner, accepted or refused by the member it is meant for, within 72 hours. */
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { randomCode } from '../../lib/keys.ts';
import { enterLocked, lockEnterprise } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import type { TransferMade, TransferShown } from './schema.ts';
import { enterprises, members, transfers } from './tables.ts';
import type { TransferRow } from './tables.ts';

const HOURS = 72;

export function createOwnership(context: Context) {
  const { db, clock, keys, persons, origin } = context;
  const digest = (code: string): string => keys.digest('enterprise-transfer', code);

  const nameOf = async (executor: Db, userId: number): Promise<string> =>
    (await persons.shown(executor, [userId])).get(userId)?.nickname ?? `用户${userId}`;

  /** The pending transfer behind a code, for the two it concerns; 30308 for everybody else alike. */
  async function pending(executor: Db, userId: number, code: string): Promise<TransferRow> {
    const [row] = await executor
      .select()
      .from(transfers)
      .where(
        and(
          eq(transfers.codeDigest, digest(code)),
          eq(transfers.state, 'pending'),
          gt(transfers.endsAt, await clock(executor)),
        ),
      );
    if (!row || (row.toUser !== userId && row.fromUser !== userId)) throw new Fault(30308);
    return row;
  }

  return {
    /** A new request replaces the one that is open. The caller has proved who it is. */
    async ask(userId: number, eid: number, memberId: number): Promise<TransferMade> {
      const code = randomCode();
      const handover = await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'owner');
        const [target] = await tx
          .select()
          .from(members)
          .where(and(eq(members.id, memberId), eq(members.enterpriseId, eid), eq(members.state, 'active')));
        if (!target || target.userId === userId) throw missing();
        const now = await clock(tx);
        await tx
          .update(transfers)
          .set({ state: 'cancelled', decidedAt: now })
          .where(and(eq(transfers.enterpriseId, eid), eq(transfers.state, 'pending')));
        const endsAt = new Date(now.getTime() + HOURS * 3_600_000);
        await tx
          .insert(transfers)
          .values({ enterpriseId: eid, fromUser: userId, toUser: target.userId, codeDigest: digest(code), endsAt });
        const to = await nameOf(tx, target.userId);
        await note(tx, place, { act: 'transfer.ask', kind: 'member', target: to, after: { ends_at: endsAt } });
        return { to, endsAt, target: target.userId, name: place.enterprise.name };
      });
      const link = `${origin()}/enterprise/transfer?code=${code}`;
      await persons.tell(handover.target, `“${handover.name}”的所有者请您接任，请登录后打开链接处理：${link}`);
      return { link, to: handover.to, ends_at: handover.endsAt.toISOString() };
    },

    async cancel(userId: number, eid: number): Promise<void> {
      await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'owner');
        const [row] = await tx
          .update(transfers)
          .set({ state: 'cancelled', decidedAt: await clock(tx) })
          .where(and(eq(transfers.enterpriseId, eid), eq(transfers.state, 'pending')))
          .returning();
        if (!row) throw new Fault(30308);
        await note(tx, place, { act: 'transfer.cancel', kind: 'member', target: await nameOf(tx, row.toUser) });
      });
    },

    /** The request that is open now, for the page of the enterprise. */
    async open(executor: Db, eid: number): Promise<{ to: string; ends_at: string } | null> {
      const [row] = await executor
        .select()
        .from(transfers)
        .where(
          and(
            eq(transfers.enterpriseId, eid),
            eq(transfers.state, 'pending'),
            gt(transfers.endsAt, await clock(executor)),
          ),
        );
      return row ? { to: await nameOf(executor, row.toUser), ends_at: row.endsAt.toISOString() } : null;
    },

    async show(userId: number, code: string): Promise<TransferShown> {
      const row = await pending(db, userId, code);
      const [enterprise] = await db.select().from(enterprises).where(eq(enterprises.id, row.enterpriseId));
      if (!enterprise) throw new Fault(30308);
      return {
        enterprise_id: enterprise.id,
        enterprise_name: enterprise.name,
        from: await nameOf(db, row.fromUser),
        to: await nameOf(db, row.toUser),
        is_mine: row.toUser === userId,
        ends_at: row.endsAt.toISOString(),
      };
    },

    /** The caller has proved who it is. */
    async accept(userId: number, code: string): Promise<void> {
      await db.transaction(async (tx) => {
        const seen = await pending(tx, userId, code);
        const enterprise = await lockEnterprise(tx, seen.enterpriseId);
        const row = await pending(tx, userId, code);
        if (row.toUser !== userId) throw new Fault(30308);
        const active = (user: number) =>
          and(eq(members.enterpriseId, enterprise.id), eq(members.userId, user), eq(members.state, 'active'));
        const [from] = await tx
          .select()
          .from(members)
          .where(and(active(row.fromUser), eq(members.role, 'owner')));
        const [to] = await tx.select().from(members).where(active(userId));
        if (!from || !to) throw new Fault(30308);
        // The former first: there is never a second owner, and the trigger waits for the end of the transaction.
        await tx
          .update(members)
          .set({ role: 'admin', version: sql`${members.version} + 1` })
          .where(eq(members.id, from.id));
        await tx
          .update(members)
          .set({ role: 'owner', version: sql`${members.version} + 1` })
          .where(eq(members.id, to.id));
        await tx
          .update(transfers)
          .set({ state: 'done', decidedAt: await clock(tx) })
          .where(eq(transfers.id, row.id));
        await note(
          tx,
          { enterprise, member: { ...to, role: 'owner' } },
          {
            act: 'transfer.accept',
            kind: 'enterprise',
            target: enterprise.name,
            before: { owner: await nameOf(tx, row.fromUser) },
            after: { owner: await nameOf(tx, userId) },
          },
        );
      });
    },

    async refuse(userId: number, code: string): Promise<void> {
      await db.transaction(async (tx) => {
        const row = await pending(tx, userId, code);
        if (row.toUser !== userId) throw new Fault(30308);
        const [done] = await tx
          .update(transfers)
          .set({ state: 'refused', decidedAt: await clock(tx) })
          .where(and(eq(transfers.id, row.id), eq(transfers.state, 'pending')))
          .returning();
        if (!done) throw new Fault(30308);
      });
    },
  };
}
