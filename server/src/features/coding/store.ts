/** SQL on 编码方案; the owner stands in every call. */
import { asc, count, eq, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { CodingSchemeBody } from './schema.ts';
import { codingSchemes } from './tables.ts';

export type SchemeRow = typeof codingSchemes.$inferSelect;

export async function listSchemes(db: Db, owner: Owner): Promise<SchemeRow[]> {
  return db.select().from(codingSchemes).where(owned(codingSchemes, owner)).orderBy(asc(codingSchemes.name));
}

/** How many there are besides the one of this name. */
export async function countOthers(db: Db, owner: Owner, name: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(codingSchemes)
    .where(owned(codingSchemes, owner, sql`${codingSchemes.name} <> ${name}`));
  return row?.n ?? 0;
}

/** A new one, or the one of this name with other rules. */
export async function putScheme(db: Db, owner: Owner, { name, rules }: CodingSchemeBody): Promise<SchemeRow> {
  const [row] = await db
    .insert(codingSchemes)
    .values({ ownerKind: owner.kind, ownerId: owner.id, name, rules })
    .onConflictDoUpdate({
      target: [codingSchemes.ownerKind, codingSchemes.ownerId, codingSchemes.name],
      set: { rules, updatedAt: sql`now()` },
    })
    .returning();
  if (!row) throw new Error('A coding scheme was not stored');
  return row;
}

export async function deleteScheme(db: Db, owner: Owner, id: number): Promise<boolean> {
  const gone = await db
    .delete(codingSchemes)
    .where(owned(codingSchemes, owner, eq(codingSchemes.id, id)))
    .returning({ id: codingSchemes.id });
  return gone.length > 0;
}
