/** SQL on frozen control limits; the owner stands in every call. */
import { count, desc, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { controlLimits } from './tables.ts';
import type { LimitsRow } from './tables.ts';

export async function listLimits(db: Db, owner: Owner, path?: string): Promise<LimitsRow[]> {
  return db
    .select()
    .from(controlLimits)
    .where(owned(controlLimits, owner, path === undefined ? undefined : eq(controlLimits.path, path)))
    .orderBy(desc(controlLimits.id));
}

export async function findLimits(db: Db, owner: Owner, id: number): Promise<LimitsRow | null> {
  const [row] = await db
    .select()
    .from(controlLimits)
    .where(owned(controlLimits, owner, eq(controlLimits.id, id)));
  return row ?? null;
}

/** Two that keep at the same time must not both count the room that is left. */
export async function lockLimits(tx: Tx, owner: Owner): Promise<number> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`control_limits ${owner.kind} ${owner.id}`}))`);
  const [row] = await tx.select({ n: count() }).from(controlLimits).where(owned(controlLimits, owner));
  return row?.n ?? 0;
}

type Fresh = Omit<LimitsRow, 'id' | 'ownerKind' | 'ownerId' | 'createdBy' | 'visibility' | 'createdAt'>;

/** null where the name is taken. */
export async function insertLimits(tx: Tx, owner: Owner, fresh: Fresh): Promise<LimitsRow | null> {
  const [row] = await tx
    .insert(controlLimits)
    .values({ ...belongsTo(owner), ...fresh, visibility: 'all' })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function deleteLimits(db: Db, owner: Owner, id: number): Promise<boolean> {
  const gone = await db
    .delete(controlLimits)
    .where(owned(controlLimits, owner, eq(controlLimits.id, id)))
    .returning({ id: controlLimits.id });
  return gone.length > 0;
}
