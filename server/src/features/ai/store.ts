/** All SQL of AI readings. */
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import type { ReadingSentence } from './schema.ts';
import { aiConsents, aiReadings } from './tables.ts';
import type { AiReadingRow } from './tables.ts';

export interface Attempt {
  reportId: number;
  resultKey: string;
  attempt: number;
}

const isAttempt = ({ reportId, resultKey, attempt }: Attempt) =>
  and(eq(aiReadings.reportId, reportId), eq(aiReadings.resultKey, resultKey), eq(aiReadings.attempt, attempt));

/** The newest first. */
export const readingsOf = (db: Db, reportId: number): Promise<AiReadingRow[]> =>
  db.select().from(aiReadings).where(eq(aiReadings.reportId, reportId)).orderBy(desc(aiReadings.id));

/** False where this attempt has been begun before: nothing was written. */
export async function begin(tx: Tx, attempt: Attempt, runId: number, provider: string): Promise<boolean> {
  const rows = await tx
    .insert(aiReadings)
    .values({ ...attempt, runId, provider })
    .onConflictDoNothing()
    .returning({ id: aiReadings.id });
  return rows.length > 0;
}

export async function finish(
  tx: Tx,
  attempt: Attempt,
  end: { state: 'done' | 'failed'; sentences: ReadingSentence[]; reason: string | null },
): Promise<void> {
  await tx.update(aiReadings).set(end).where(isAttempt(attempt));
}

export async function consentOf(db: Db, userId: number): Promise<number> {
  const [row] = await db.select().from(aiConsents).where(eq(aiConsents.userId, userId));
  return row?.version ?? 0;
}

export async function consent(db: Db, userId: number, version: number): Promise<void> {
  await db
    .insert(aiConsents)
    .values({ userId, version })
    .onConflictDoUpdate({ target: aiConsents.userId, set: { version, givenAt: sql`now()` } });
}

export async function withdraw(executor: Db | Tx, userId: number): Promise<void> {
  await executor.delete(aiConsents).where(eq(aiConsents.userId, userId));
}

export async function forget(tx: Tx, userId: number): Promise<void> {
  await withdraw(tx, userId);
  await tx.execute(sql`DELETE FROM ai_readings WHERE report_id IN
    (SELECT rid FROM reports WHERE owner_kind = 'user' AND owner_id = ${userId})`);
}

/** Oldest first. */
export const readingsOfOwner = (db: Db, { kind, id }: Owner): Promise<AiReadingRow[]> =>
  db
    .select()
    .from(aiReadings)
    .where(sql`${aiReadings.reportId} IN (SELECT rid FROM reports WHERE owner_kind = ${kind} AND owner_id = ${id})`)
    .orderBy(aiReadings.id);
