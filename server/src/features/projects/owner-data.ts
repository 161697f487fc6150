/** Everything one owner has here, for an archive; and moved out for good. */
import { asc, eq, sql } from 'drizzle-orm';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { projectEvents, projects } from './tables.ts';

export async function* exportProjects(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const list = await db
    .select()
    .from(projects)
    .where(owned(projects, owner, eq(projects.draft, false)))
    .orderBy(asc(projects.id));
  const shown = [];
  for (const { ownerKind: _kind, ownerId: _id, draft: _draft, ...project } of list) {
    const events = await db
      .select()
      .from(projectEvents)
      .where(eq(projectEvents.projectId, project.id))
      .orderBy(asc(projectEvents.id));
    shown.push({ ...project, history: events });
  }
  yield json('projects.json', shown);
}

/** As if thrown away a month ago: the sweeper removes them for good. */
export async function expireProjects(tx: Tx, owner: Owner): Promise<void> {
  await tx
    .update(projects)
    .set({ deletedAt: sql`now() - interval '31 days'`, name: '已注销' })
    .where(owned(projects, owner));
}
