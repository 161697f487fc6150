/** SQL on named filters. The caller has checked that the file is the owner's. */
import { and, asc, count, eq } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import type { NamedFilter, NamedFilterBody } from './schema.ts';
import { namedFilters } from './tables.ts';

const FIELDS = {
  id: namedFilters.id,
  name: namedFilters.name,
  condition: namedFilters.condition,
  filter_type: namedFilters.filterType,
  reduce_num: namedFilters.reduceNum,
};

export async function listNamedFilters(db: Db, fid: number): Promise<NamedFilter[]> {
  return db.select(FIELDS).from(namedFilters).where(eq(namedFilters.fid, fid)).orderBy(asc(namedFilters.id));
}

export async function countNamedFilters(db: Db, fid: number): Promise<number> {
  const [row] = await db.select({ n: count() }).from(namedFilters).where(eq(namedFilters.fid, fid));
  return row?.n ?? 0;
}

export async function insertNamedFilter(db: Db, fid: number, body: NamedFilterBody): Promise<NamedFilter> {
  const { name, condition, filter_type: filterType, reduce_num: reduceNum } = body;
  const [row] = await db.insert(namedFilters).values({ fid, name, condition, filterType, reduceNum }).returning(FIELDS);
  if (!row) throw new Error('A filter was not stored');
  return row;
}

export async function updateNamedFilter(
  db: Db,
  fid: number,
  id: number,
  body: NamedFilterBody,
): Promise<NamedFilter | null> {
  const { name, condition, filter_type: filterType, reduce_num: reduceNum } = body;
  const [row] = await db
    .update(namedFilters)
    .set({ name, condition, filterType, reduceNum })
    .where(and(eq(namedFilters.fid, fid), eq(namedFilters.id, id)))
    .returning(FIELDS);
  return row ?? null;
}

export async function deleteNamedFilter(db: Db, fid: number, id: number): Promise<boolean> {
  const gone = await db
    .delete(namedFilters)
    .where(and(eq(namedFilters.fid, fid), eq(namedFilters.id, id)))
    .returning({ id: namedFilters.id });
  return gone.length > 0;
}
