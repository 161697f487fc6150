/** SQL on models. */
import { and, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { ModelQuery } from './schema.ts';
import { models } from './tables.ts';
import type { ModelEntry } from './tables.ts';

export type NewModel = Pick<
  ModelEntry,
  'path' | 'method' | 'task' | 'key' | 'sha256' | 'bytes' | 'card' | 'rid' | 'projectId' | 'fileName'
>;

export async function insertModel(tx: Tx, owner: Owner, fresh: NewModel): Promise<number> {
  const [row] = await tx
    .insert(models)
    .values({ ...fresh, ...belongsTo(owner) })
    .returning({ id: models.id });
  if (!row) throw new Error('A model was not stored');
  return row.id;
}

export async function linkModels(tx: Tx, ids: number[], documentId: number): Promise<void> {
  await tx.update(models).set({ documentId }).where(inArray(models.id, ids));
}

export async function loadModel(db: Db, owner: Owner, id: number): Promise<ModelEntry | null> {
  const [row] = await db
    .select()
    .from(models)
    .where(owned(models, owner, eq(models.id, id)));
  return row ?? null;
}

export async function newestModel(db: Db, owner: Owner, task: string, path: string | null): Promise<ModelEntry | null> {
  const [row] = await db
    .select()
    .from(models)
    .where(
      owned(
        models,
        owner,
        isNotNull(models.name),
        eq(models.task, task),
        path === null ? undefined : eq(models.path, path),
      ),
    )
    .orderBy(desc(models.namedAt), desc(models.id))
    .limit(1);
  return row ?? null;
}

export async function listModels(
  db: Db,
  owner: Owner,
  query: ModelQuery,
): Promise<{ total: number; list: ModelEntry[] }> {
  const wanted = owned(
    models,
    owner,
    isNotNull(models.name),
    query.task === undefined ? undefined : eq(models.task, query.task),
    query.path === undefined ? undefined : eq(models.path, query.path),
  );
  const [counted] = await db.select({ n: count() }).from(models).where(wanted);
  const list = await db
    .select()
    .from(models)
    .where(wanted)
    .orderBy(desc(models.namedAt), desc(models.id))
    .limit(query.page_size)
    .offset((Math.max(query.page, 1) - 1) * query.page_size);
  return { total: counted?.n ?? 0, list };
}

/** The first naming saves it; its place in the list is from then, before all named earlier whatever the clock does. */
export async function nameModel(db: Db, owner: Owner, id: number, name: string): Promise<ModelEntry | null> {
  const earlier = sql`SELECT max(m.named_at) + interval '1 microsecond' FROM models m
    WHERE m.owner_kind = ${owner.kind} AND m.owner_id = ${owner.id}`;
  const [row] = await db
    .update(models)
    .set({ name, namedAt: sql`coalesce(${models.namedAt}, greatest(now(), (${earlier})))` })
    .where(owned(models, owner, eq(models.id, id)))
    .returning();
  return row ?? null;
}

/** Out of the list; it stays with its report while there is one. False: no such saved model of this owner. */
export async function unnameModel(tx: Tx, owner: Owner, id: number): Promise<boolean> {
  const gone = await tx
    .update(models)
    .set({ name: null, namedAt: null })
    .where(owned(models, owner, eq(models.id, id), isNotNull(models.name)))
    .returning({ id: models.id });
  return gone.length > 0;
}

export async function deleteOfOwner(tx: Tx, owner: Owner): Promise<string[]> {
  const gone = await tx.delete(models).where(owned(models, owner)).returning({ key: models.key });
  return gone.map(({ key }) => key);
}

export async function countOfOwner(db: Db, owner: Owner): Promise<number> {
  const [row] = await db.select({ n: count() }).from(models).where(owned(models, owner));
  return row?.n ?? 0;
}

/** Models nobody named whose result is gone. */
export async function deleteOrphans(tx: Tx): Promise<string[]> {
  const gone = await tx
    .delete(models)
    .where(and(isNull(models.name), isNull(models.documentId)))
    .returning({ key: models.key });
  return gone.map(({ key }) => key);
}
