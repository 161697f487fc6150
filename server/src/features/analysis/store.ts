/** SQL on calls of analyses. */
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { calls } from './tables.ts';
import type { CallRow } from './tables.ts';

export type NewCall = Pick<CallRow, 'runId' | 'rid' | 'key' | 'kept' | 'keptTable' | 'keptModel' | 'plan'>;

export async function insertCall(tx: Tx, owner: Owner, fresh: NewCall): Promise<void> {
  await tx.insert(calls).values({ ...fresh, ownerKind: owner.kind, ownerId: owner.id });
}

/** Runs of a report that still go on. */
export async function openCalls(db: Db, owner: Owner, rid: number): Promise<CallRow[]> {
  return db
    .select()
    .from(calls)
    .where(owned(calls, owner, eq(calls.rid, rid), eq(calls.isOpen, true)));
}

export async function closeCall(tx: Tx, runId: number): Promise<CallRow | null> {
  const [row] = await tx.update(calls).set({ isOpen: false }).where(eq(calls.runId, runId)).returning();
  return row ?? null;
}
