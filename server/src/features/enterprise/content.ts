/** Content of an enterprise as its members see it: what is open to all, who made it, shares outside, handing over. */
import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Tx } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import { enter, enterLocked } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import type { ContentChange, ContentEntry, ContentQuery, ReassignBody, ShareEntry } from './schema.ts';
import { members } from './tables.ts';
import type { MemberRow } from './tables.ts';

const NAMES_LOGGED = 20;

export function createContent({ db, content, persons }: Context) {
  const nameOf = async (executor: Tx, userId: number): Promise<string> =>
    (await persons.shown(executor, [userId])).get(userId)?.nickname ?? `用户${userId}`;

  return {
    /** One's own and what is open to all; for admins too: nobody reads private content unseen. */
    async list(userId: number, eid: number, query: ContentQuery): Promise<{ total: number; list: ContentEntry[] }> {
      await enter(db, userId, eid);
      const { total, list } = await content.list(db, eid, userId, { kind: query.kind, ...slice(query) });
      const shown = await persons.shown(
        db,
        list.flatMap(({ maker }) => maker ?? []),
      );
      return {
        total,
        list: list.map(({ kind, id, name, maker, visibility, at }) => ({
          kind,
          id,
          name,
          visibility,
          maker: maker === null ? '' : (shown.get(maker)?.nickname ?? '已注销用户'),
          is_mine: maker === userId,
          updated_at: at.toISOString(),
        })),
      };
    },

    /** Opens one's own content to the enterprise, or takes it back; what is not one's own is left alone. */
    async open(userId: number, eid: number, body: ContentChange): Promise<{ changed: number }> {
      return db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'member');
        const names = await content.open(tx, eid, userId, body);
        if (names.length > 0)
          await note(tx, place, {
            act: body.visibility === 'all' ? 'content.open' : 'content.close',
            kind: 'content',
            target: names.slice(0, NAMES_LOGGED).join('、'),
            after: { visibility: body.visibility, count: names.length },
          });
        return { changed: names.length };
      });
    },

    /** Of the whole enterprise for admins, of oneself for members. */
    async shares(
      userId: number,
      eid: number,
      query: { page: number; page_size: number },
    ): Promise<{ total: number; list: ShareEntry[] }> {
      const { member } = await enter(db, userId, eid);
      const { total, list } = await content.shares(db, eid, member.role === 'member' ? userId : null, slice(query));
      const shown = await persons.shown(
        db,
        list.flatMap(({ sharer }) => sharer ?? []),
      );
      return {
        total,
        list: list.map(({ code, title, rid, sharer, at, until }) => ({
          code,
          title,
          rid,
          sharer: sharer === null ? '' : (shown.get(sharer)?.nickname ?? '已注销用户'),
          created_at: at.toISOString(),
          ends_at: until?.toISOString() ?? null,
        })),
      };
    },

    async endShare(userId: number, eid: number, code: string): Promise<void> {
      await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'member');
        const title = await content.endShare(tx, eid, place.member.role === 'member' ? userId : null, code);
        if (title === null) throw missing();
        await note(tx, place, { act: 'share.end', kind: 'share', target: title });
      });
    },

    /** Single things, or all a member made, go to another; with a reason that the member is told and the log keeps. */
    async reassign(userId: number, eid: number, body: ReassignBody): Promise<{ moved: number }> {
      const done = await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'admin');
        const { from_member: fromId, to_member: toId, files, projects, reason } = body;
        const rows = await tx
          .select()
          .from(members)
          .where(and(eq(members.enterpriseId, eid), inArray(members.id, [fromId, toId]), ne(members.state, 'left')));
        const find = (id: number): MemberRow => {
          const row = rows.find((one) => one.id === id);
          if (!row) throw missing();
          return row;
        };
        const [from, to] = [find(fromId), find(toId)];
        if (from.id === to.id || to.state !== 'active') throw missing();
        const isWhole = files === undefined && projects === undefined;
        const held = isWhole ? await content.holdings(tx, eid, from.userId) : null;
        const moved = held
          ? held.files + held.projects
          : await content.reassign(tx, eid, from.userId, to.userId, { files, projects });
        if (isWhole) await content.handOver(tx, eid, from.userId, to.userId, { endShares: false });
        await note(tx, place, {
          act: 'content.reassign',
          kind: 'member',
          target: await nameOf(tx, from.userId),
          after: { to: await nameOf(tx, to.userId), moved, whole: isWhole },
          reason,
        });
        return { moved, from: from.userId, name: place.enterprise.name };
      });
      await persons.tell(done.from, `企业“${done.name}”的管理员转交了您的 ${done.moved} 项内容，原因：${body.reason}`);
      return { moved: done.moved };
    },
  };
}
