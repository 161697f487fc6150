/** Shares as the operator's desk has them: found by what was reported, and stopped; without content and without codes. */
import { and, count, desc, eq, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { slice } from '../../lib/paging.ts';
import type { Projects } from '../projects/service.ts';
import { IS_LIVE } from './share-store.ts';
import { reports, shares } from './tables.ts';

const shown = {
  id: shares.id,
  rid: shares.rid,
  rev: shares.rev,
  createdAt: shares.createdAt,
  endsAt: shares.endsAt,
  endedAt: shares.endedAt,
  ownerKind: reports.ownerKind,
  ownerId: reports.ownerId,
  createdBy: reports.createdBy,
};
export type DeskShare = Pick<typeof shares.$inferSelect, 'id' | 'rid' | 'rev' | 'createdAt' | 'endsAt' | 'endedAt'> &
  Pick<typeof reports.$inferSelect, 'ownerKind' | 'ownerId' | 'createdBy'>;

export type ShareWanted = { code: string } | { userId: number };

/** All that somebody made, on the personal channel or in an enterprise. */
const madeBy = (userId: number): SQL | undefined =>
  or(and(eq(reports.ownerKind, 'user'), eq(reports.ownerId, userId)), eq(reports.createdBy, userId));

export function createShareDesk({ db, projects }: { db: Db; projects: Projects }) {
  const select = (executor: Db) =>
    executor.select(shown).from(shares).innerJoin(reports, eq(reports.rid, shares.rid)).$dynamic();

  return {
    /** Newest first. */
    async page(
      wanted: ShareWanted,
      page: { page: number; page_size: number },
    ): Promise<{ total: number; list: DeskShare[] }> {
      const where = 'code' in wanted ? eq(shares.code, wanted.code) : madeBy(wanted.userId);
      const { limit, offset } = slice(page);
      const list = await select(db)
        .where(where)
        .orderBy(desc(shares.createdAt), desc(shares.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db
        .select({ n: count() })
        .from(shares)
        .innerJoin(reports, eq(reports.rid, shares.rid))
        .where(where);
      return { total: all?.n ?? 0, list };
    },

    async find(executor: Db, id: number): Promise<DeskShare | null> {
      const [row] = await select(executor).where(eq(shares.id, id));
      return row ?? null;
    },

    /** Ends a live share; who made it finds that in the history of the project. False when it had ended already. */
    async stop(tx: Tx, id: number): Promise<boolean> {
      const [ended] = await tx
        .update(shares)
        .set({ endedAt: sql`now()` })
        .from(reports)
        .where(and(eq(shares.id, id), IS_LIVE, eq(reports.rid, shares.rid)))
        .returning({ rid: shares.rid, rev: shares.rev, title: reports.title, projectId: reports.projectId });
      if (!ended) return false;
      const { projectId, ...report } = ended;
      await projects.log(tx, projectId, { act: 'unshared', text: `${report.title}：分享已被平台停止`, ...report });
      return true;
    },
  };
}
