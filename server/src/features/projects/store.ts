/** SQL on projects and their log. */
import { and, asc, count, desc, eq, ilike, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { HistoryRow, ProjectQuery } from './schema.ts';
import { projectEvents, projects } from './tables.ts';
import type { ProjectRow } from './tables.ts';

const LISTED = and(isNull(projects.deletedAt), eq(projects.draft, false));
const IN_ORDER = [asc(projects.place), desc(projects.id)];

export async function listProjects(
  db: Db,
  owner: Owner,
  query: ProjectQuery,
): Promise<{ total: number; list: ProjectRow[] }> {
  const keyword = query.keyword?.trim().replace(/[\\%_]/g, '\\$&');
  const where = owned(projects, owner, LISTED, keyword ? ilike(projects.name, `%${keyword}%`) : undefined);
  const list = await db
    .select()
    .from(projects)
    .where(where)
    .orderBy(...IN_ORDER)
    .limit(query.page_size)
    .offset((Math.max(1, query.page) - 1) * query.page_size);
  const [total] = await db.select({ n: count() }).from(projects).where(where);
  return { total: total?.n ?? 0, list };
}

/** A draft is found by its id (the analysis that made it goes on using it) but stands in no list. */
export async function loadProject(db: Db, owner: Owner, id: number): Promise<ProjectRow | null> {
  const [row] = await db
    .select()
    .from(projects)
    .where(owned(projects, owner, eq(projects.id, id), isNull(projects.deletedAt)));
  return row ?? null;
}

/** A new project stands on top of the list. */
export async function insertProject(
  db: Db,
  owner: Owner,
  fresh: { name: string; draft: boolean },
): Promise<ProjectRow> {
  const place = sql`(SELECT coalesce(min(place), 1) - 1 FROM projects WHERE owner_kind = ${owner.kind} AND owner_id = ${owner.id})`;
  const [row] = await db
    .insert(projects)
    .values({ ...fresh, place, ...belongsTo(owner) })
    .returning();
  if (!row) throw new Error('A project was not stored');
  return row;
}

export async function renameProject(db: Db, id: number, name: string): Promise<void> {
  await db
    .update(projects)
    .set({ name, draft: false, updatedAt: sql`now()` })
    .where(eq(projects.id, id));
}

/** Puts a project at a place of the list (from 1) and numbers the others anew around it. */
export async function moveProject(tx: Tx, owner: Owner, id: number, order: number): Promise<void> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(owned(projects, owner, LISTED))
    .orderBy(...IN_ORDER)
    .for('update');
  const others = rows.map((row) => row.id).filter((one) => one !== id);
  const ids = [...others.slice(0, order - 1), id, ...others.slice(order - 1)];
  await tx.execute(sql`
    UPDATE projects SET place = listed.place
    FROM unnest(${`{${ids.join(',')}}`}::int[]) WITH ORDINALITY AS listed (id, place)
    WHERE projects.id = listed.id`);
}

/** Places as the list shows them, from 1. */
export async function orderOf(db: Db, owner: Owner): Promise<Map<number, number>> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(owned(projects, owner, LISTED))
    .orderBy(...IN_ORDER);
  return new Map(rows.map((row, index) => [row.id, index + 1]));
}

export async function setDeleted(db: Db, id: number, isDeleted: boolean): Promise<void> {
  await db
    .update(projects)
    .set({ deletedAt: isDeleted ? sql`now()` : null })
    .where(eq(projects.id, id));
}

/** Something happened in it, in one statement: it leaves the state of a draft and counts as changed. */
export async function logEvent(tx: Tx, id: number, { act, text, rid, rev, title }: NewEvent): Promise<void> {
  await tx.execute(sql`
    WITH touched AS (UPDATE ${projects} SET draft = false, updated_at = now() WHERE id = ${id})
    INSERT INTO ${projectEvents} (project_id, act, text, rid, rev, title)
    VALUES (${id}, ${act}, ${text}, ${rid}, ${rev}, ${title})`);
}

export async function deleteProject(db: Db, id: number): Promise<void> {
  await db.delete(projects).where(eq(projects.id, id));
}

/** In the bin for thirty days, or a draft nobody went on with for a day. */
export async function expiredProjects(db: Db): Promise<number[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(
      or(
        lt(projects.deletedAt, sql`now() - interval '30 days'`),
        and(eq(projects.draft, true), lt(projects.updatedAt, sql`now() - interval '24 hours'`)),
      ),
    )
    .limit(100);
  return rows.map(({ id }) => id);
}

export type NewEvent = Pick<HistoryRow, 'act' | 'text' | 'rid' | 'rev' | 'title'>;

export async function insertEvent(tx: Db, projectId: number, event: NewEvent): Promise<void> {
  await tx.insert(projectEvents).values({ ...event, projectId });
}

export async function listEvents(
  db: Db,
  projectId: number,
  limit: number,
  offset: number,
): Promise<{ total: number; list: HistoryRow[] }> {
  const where = eq(projectEvents.projectId, projectId);
  const rows = await db
    .select()
    .from(projectEvents)
    .where(where)
    .orderBy(desc(projectEvents.id))
    .limit(limit)
    .offset(offset);
  const [total] = await db.select({ n: count() }).from(projectEvents).where(where);
  const list = rows.map(({ id, at, act, text, rid, rev, title }) => ({
    id,
    at: at.toISOString(),
    act,
    text,
    rid,
    rev,
    title,
  }));
  return { total: total?.n ?? 0, list };
}
