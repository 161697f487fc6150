/** SQL on 常用流程; the owner stands in every call. */
import { and, count, desc, eq, ilike, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { slice } from '../../lib/paging.ts';
import type { Step } from '../files/schema.ts';
import type { RecipeQuery } from './schema.ts';
import { stepRecipes as recipes } from './tables.ts';
import type { RecipeRow } from './tables.ts';

/** A chain may be large; lists do without it. */
const { steps: _, ...BARE } = {
  id: recipes.id,
  createdBy: recipes.createdBy,
  name: recipes.name,
  note: recipes.note,
  steps: recipes.steps,
  createdAt: recipes.createdAt,
  updatedAt: recipes.updatedAt,
  usedAt: recipes.usedAt,
  deletedAt: recipes.deletedAt,
};
const ENTRY = { ...BARE, size: sql<number>`jsonb_array_length(${recipes.steps})` };
export type RecipeEntry = Omit<RecipeRow, 'steps' | 'ownerKind' | 'ownerId' | 'visibility'> & { size: number };

const LIVE = isNull(recipes.deletedAt);

export async function listRecipes(
  db: Db,
  owner: Owner,
  query: RecipeQuery,
): Promise<{ total: number; list: RecipeEntry[] }> {
  const keyword = query.keyword?.trim().replace(/[\\%_]/g, '\\$&');
  const isBin = query.bin === '1';
  const where = owned(
    recipes,
    owner,
    isBin ? isNotNull(recipes.deletedAt) : LIVE,
    keyword ? or(ilike(recipes.name, `%${keyword}%`), ilike(recipes.note, `%${keyword}%`)) : undefined,
  );
  const { limit, offset } = slice(query);
  const latest = sql`coalesce(${recipes.usedAt}, ${recipes.updatedAt})`;
  const list = await db
    .select(ENTRY)
    .from(recipes)
    .where(where)
    .orderBy(desc(isBin ? recipes.deletedAt : latest), desc(recipes.id))
    .limit(limit)
    .offset(offset);
  const [total] = await db.select({ n: count() }).from(recipes).where(where);
  return { total: total?.n ?? 0, list };
}

export async function findRecipe(db: Db, owner: Owner, id: number, bin = false): Promise<RecipeRow | null> {
  const [row] = await db
    .select()
    .from(recipes)
    .where(owned(recipes, owner, eq(recipes.id, id), bin ? isNotNull(recipes.deletedAt) : LIVE));
  return row ?? null;
}

/** One writer of an owner's list at a time: its number and its names are counted before something is added. */
export async function lockList(tx: Tx, { kind, id }: Owner): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`step_recipes:${kind}:${id}`}))`);
}

export async function countRecipes(tx: Tx, owner: Owner): Promise<number> {
  const [row] = await tx
    .select({ n: count() })
    .from(recipes)
    .where(owned(recipes, owner, LIVE));
  return row?.n ?? 0;
}

/** Names that begin like this one: a free one is made beside them. */
export async function namesLike(tx: Tx, owner: Owner, name: string): Promise<Set<string>> {
  const start = `${name.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await tx
    .select({ name: recipes.name })
    .from(recipes)
    .where(owned(recipes, owner, LIVE, sql`${recipes.name} LIKE ${start}`));
  return new Set(rows.map((row) => row.name));
}

export async function findNamesake(tx: Tx, owner: Owner, name: string, besides?: number): Promise<number | null> {
  const other: SQL | undefined = besides === undefined ? undefined : ne(recipes.id, besides);
  const [row] = await tx
    .select({ id: recipes.id })
    .from(recipes)
    .where(owned(recipes, owner, LIVE, eq(recipes.name, name), other));
  return row?.id ?? null;
}

export async function insertRecipe(
  tx: Tx,
  owner: Owner,
  fresh: { name: string; note: string; steps: Step[] },
): Promise<RecipeRow> {
  const [row] = await tx
    .insert(recipes)
    .values({ ...fresh, ...belongsTo(owner) })
    .returning();
  if (!row) throw new Error('A recipe was not stored');
  return row;
}

export async function updateRecipe(
  tx: Tx,
  owner: Owner,
  id: number,
  to: { name?: string; note?: string },
): Promise<RecipeRow | null> {
  const [row] = await tx
    .update(recipes)
    .set({ ...to, updatedAt: sql`now()` })
    .where(owned(recipes, owner, LIVE, eq(recipes.id, id)))
    .returning();
  return row ?? null;
}

export async function noteUse(db: Db, owner: Owner, id: number): Promise<void> {
  await db
    .update(recipes)
    .set({ usedAt: sql`now()` })
    .where(owned(recipes, owner, eq(recipes.id, id)));
}

/** Into the bin; the oldest there beyond `most` go for good. */
export async function binRecipe(tx: Tx, owner: Owner, id: number, most: number): Promise<boolean> {
  const gone = await tx
    .update(recipes)
    .set({ deletedAt: sql`now()` })
    .where(owned(recipes, owner, LIVE, eq(recipes.id, id)))
    .returning({ id: recipes.id });
  const inBin = owned(recipes, owner, isNotNull(recipes.deletedAt));
  const newest = tx
    .select({ id: recipes.id })
    .from(recipes)
    .where(inBin)
    .orderBy(desc(recipes.deletedAt), desc(recipes.id))
    .limit(most);
  await tx.delete(recipes).where(and(inBin, sql`${recipes.id} NOT IN ${newest}`));
  return gone.length > 0;
}

export async function restoreRecipe(tx: Tx, owner: Owner, id: number, name: string): Promise<RecipeRow | null> {
  const [row] = await tx
    .update(recipes)
    .set({ deletedAt: null, name })
    .where(owned(recipes, owner, isNotNull(recipes.deletedAt), eq(recipes.id, id)))
    .returning();
  return row ?? null;
}

export async function deleteForGood(db: Db, owner: Owner, id: number): Promise<boolean> {
  const gone = await db
    .delete(recipes)
    .where(owned(recipes, owner, isNotNull(recipes.deletedAt), eq(recipes.id, id)))
    .returning({ id: recipes.id });
  return gone.length > 0;
}

/** Thirty days in the bin are over. */
export async function deleteExpired(db: Db): Promise<void> {
  await db.delete(recipes).where(lt(recipes.deletedAt, sql`now() - interval '30 days'`));
}

export async function allRecipes(db: Db, owner: Owner): Promise<RecipeRow[]> {
  return db.select().from(recipes).where(owned(recipes, owner)).orderBy(recipes.id);
}
