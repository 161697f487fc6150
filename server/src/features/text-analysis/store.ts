/** SQL on dictionaries and pictures; the owner stands in every call. */
import { asc, count, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { DictionaryChange, DictionaryKind, NewDictionary } from './schema.ts';
import { textDictionaries as dictionaries, textPictures as pictures } from './tables.ts';
import type { DictionaryRow } from './tables.ts';

export async function listDictionaries(db: Db, owner: Owner, kind?: DictionaryKind): Promise<DictionaryRow[]> {
  return db
    .select()
    .from(dictionaries)
    .where(owned(dictionaries, owner, kind === undefined ? undefined : eq(dictionaries.kind, kind)))
    .orderBy(asc(dictionaries.kind), asc(dictionaries.name));
}

/** Without their lines, which may be many. */
export async function listEntries(db: Db, owner: Owner, kind?: DictionaryKind) {
  const { id, kind: kindColumn, name, version, updatedAt } = dictionaries;
  return db
    .select({ id, kind: kindColumn, name, version, updatedAt, size: sql<number>`jsonb_array_length(lines)` })
    .from(dictionaries)
    .where(owned(dictionaries, owner, kind === undefined ? undefined : eq(dictionaries.kind, kind)))
    .orderBy(asc(dictionaries.kind), asc(dictionaries.name));
}

export async function findDictionary(db: Db, owner: Owner, id: number): Promise<DictionaryRow | null> {
  const [row] = await db
    .select()
    .from(dictionaries)
    .where(owned(dictionaries, owner, eq(dictionaries.id, id)));
  return row ?? null;
}

export async function countDictionaries(db: Db, owner: Owner): Promise<number> {
  const [row] = await db.select({ n: count() }).from(dictionaries).where(owned(dictionaries, owner));
  return row?.n ?? 0;
}

/** null where one of this kind has the name already. */
export async function insertDictionary(db: Db, owner: Owner, fresh: NewDictionary): Promise<DictionaryRow | null> {
  const [row] = await db
    .insert(dictionaries)
    .values({ ...belongsTo(owner), ...fresh })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/** Only on the version that was read; null where another has come since. */
export async function updateDictionary(
  db: Db,
  owner: Owner,
  id: number,
  { name, lines, version }: DictionaryChange,
): Promise<DictionaryRow | null> {
  const [row] = await db
    .update(dictionaries)
    .set({ name, lines, version: version + 1, updatedAt: sql`now()` })
    .where(owned(dictionaries, owner, eq(dictionaries.id, id), eq(dictionaries.version, version)))
    .returning();
  return row ?? null;
}

/** Another one of this kind and name. */
export async function hasNamesake(db: Db, owner: Owner, { id, kind }: DictionaryRow, name: string): Promise<boolean> {
  const [row] = await db
    .select({ n: count() })
    .from(dictionaries)
    .where(owned(dictionaries, owner, eq(dictionaries.kind, kind), eq(dictionaries.name, name), sql`id <> ${id}`));
  return (row?.n ?? 0) > 0;
}

export async function deleteDictionary(db: Db, owner: Owner, id: number, kind?: DictionaryKind): Promise<boolean> {
  const same = kind === undefined ? undefined : eq(dictionaries.kind, kind);
  const gone = await db
    .delete(dictionaries)
    .where(owned(dictionaries, owner, eq(dictionaries.id, id), same))
    .returning({ id: dictionaries.id });
  return gone.length > 0;
}

export interface NewPicture {
  mime: string;
  size: number;
  jpeg: Uint8Array;
  shape: string[];
}

/** The oldest beyond `most` go: a form that names one of these says so. */
export async function insertPicture(tx: Tx, owner: Owner, fresh: NewPicture, most: number): Promise<number> {
  const [row] = await tx
    .insert(pictures)
    .values({ ...belongsTo(owner), ...fresh })
    .returning({ id: pictures.id });
  if (!row) throw new Error('A picture was not stored');
  const newest = tx
    .select({ id: pictures.id })
    .from(pictures)
    .where(owned(pictures, owner))
    .orderBy(sql`id DESC`)
    .limit(most);
  await tx.delete(pictures).where(owned(pictures, owner, sql`id NOT IN ${newest}`));
  return row.id;
}

export async function findPicture(db: Db, owner: Owner, id: number) {
  const [row] = await db
    .select()
    .from(pictures)
    .where(owned(pictures, owner, eq(pictures.id, id)));
  return row ?? null;
}

export async function deletePicture(db: Db, owner: Owner, id: number): Promise<boolean> {
  const gone = await db
    .delete(pictures)
    .where(owned(pictures, owner, eq(pictures.id, id)))
    .returning({ id: pictures.id });
  return gone.length > 0;
}
