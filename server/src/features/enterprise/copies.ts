/** 复制到企业 and 复制到个人: always a copy, in one transaction with the logs of both ends. */
import { desc, eq } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { slice } from '../../lib/paging.ts';
import { enter, enterLocked, mayRead, writeFault } from './access.ts';
import type { Place } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import type { CopiedRow, CopyBody, Copied } from './schema.ts';
import { contentCopies, enterprises } from './tables.ts';
import { settingsOf } from './tenants.ts';

const NAMES_LOGGED = 20;

export function createCopies({ db, copier }: Context) {
  function demand({ enterprise }: Place, to: CopyBody['to']): void {
    if (to === 'enterprise') {
      const fault = writeFault(enterprise);
      if (fault) throw fault;
      return;
    }
    if (!mayRead(enterprise)) throw new Fault(30307);
    if (!settingsOf(enterprise).export_allowed) throw new Fault(30310);
  }

  /** Content is found on its own channel only: what goes in lies in the person's space, what goes out in this one. */
  function ends({ userId, owner }: Actor, eid: number, to: CopyBody['to']): { from: Owner; into: Owner } {
    const personal: Owner = { kind: 'user', id: userId };
    const shared: Owner = { kind: 'enterprise', id: eid, member: userId };
    if (to === 'enterprise') {
      if (owner.kind !== 'user') throw new Fault(30201);
      return { from: personal, into: shared };
    }
    if (owner.kind !== 'enterprise' || owner.id !== eid) throw missing();
    return { from: shared, into: personal };
  }

  return {
    async make(actor: Actor, eid: number, body: CopyBody): Promise<Copied> {
      const { to, files, projects, reports } = body;
      demand(await enter(db, actor.userId, eid), to);
      const { from, into } = ends(actor, eid, to);
      const prepared = await copier(from, into, { files, projects, reports });
      if (!prepared) throw new Fault(30317);
      try {
        return await db.transaction(async (tx) => {
          const place = await enterLocked(tx, actor.userId, eid, 'member');
          // The setting or the term may have changed while bytes were copied.
          demand(place, to);
          const isIn = to === 'enterprise';
          const copy = await prepared.store(tx, isIn ? '个人空间' : `企业“${place.enterprise.name}”`);
          const names = [...prepared.files, ...prepared.projects];
          await note(tx, place, {
            act: isIn ? 'content.copy_in' : 'content.copy_out',
            kind: 'content',
            target: names.slice(0, NAMES_LOGGED).join('、'),
            after: { files: prepared.files.length, projects: prepared.projects.length, reports: prepared.reports },
          });
          await tx.insert(contentCopies).values({
            enterpriseId: eid,
            userId: actor.userId,
            direction: isIn ? 'in' : 'out',
            files: prepared.files,
            projects: prepared.projects,
            reports: prepared.reports,
          });
          return { ...copy, reports: prepared.reports };
        });
      } catch (error) {
        await prepared.discard();
        throw error;
      }
    },

    /** The person's end of the log: own copies in and out, newest first, of enterprises left too. */
    async mine(
      userId: number,
      page: { page: number; page_size: number },
    ): Promise<{ total: number; list: CopiedRow[] }> {
      const where = eq(contentCopies.userId, userId);
      const { limit, offset } = slice(page);
      const rows = await db
        .select({ row: contentCopies, name: enterprises.name })
        .from(contentCopies)
        .innerJoin(enterprises, eq(enterprises.id, contentCopies.enterpriseId))
        .where(where)
        .orderBy(desc(contentCopies.id))
        .limit(limit)
        .offset(offset);
      return {
        total: await db.$count(contentCopies, where),
        list: rows.map(({ row, name }) => ({
          id: row.id,
          enterprise_name: name,
          to: row.direction === 'in' ? 'enterprise' : 'personal',
          files: row.files,
          projects: row.projects,
          reports: row.reports,
          at: row.createdAt.toISOString(),
        })),
      };
    },
  };
}

/** Of a person whose account is removed: the enterprise's own log stays. */
export const forgetCopies = async (db: Db, userId: number): Promise<void> =>
  void (await db.delete(contentCopies).where(eq(contentCopies.userId, userId)));
