/** SQL on shares and presentation. The caller has checked that the report is the owner's. */
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Config, Form } from './schema.ts';
import { configs, documents, reports, revs, shares } from './tables.ts';
import type { ShareEntry } from './tables.ts';

/** Neither ended nor over. */
export const IS_LIVE = and(isNull(shares.endedAt), or(isNull(shares.endsAt), gt(shares.endsAt, sql`now()`)));

export type NewShare = Pick<ShareEntry, 'code' | 'rid' | 'rev' | 'blocks' | 'hideSmall' | 'presentation' | 'title'>;

export async function insertShare(db: Db, fresh: NewShare, days: number | null): Promise<ShareEntry> {
  const endsAt = days === null ? null : sql`now() + make_interval(days => ${days})`;
  const [row] = await db
    .insert(shares)
    .values({ ...fresh, endsAt })
    .returning();
  if (!row) throw new Error('A share was not stored');
  return row;
}

export async function liveShares(db: Db, rid: number): Promise<ShareEntry[]> {
  return db
    .select()
    .from(shares)
    .where(and(eq(shares.rid, rid), IS_LIVE))
    .orderBy(desc(shares.createdAt));
}

/** Ends a live share of the owner; gives the report it belonged to. */
export async function endShare(db: Db, owner: Owner, code: string): Promise<{ rid: number } | null> {
  const [row] = await db
    .update(shares)
    .set({ endedAt: sql`now()` })
    .from(reports)
    .where(and(eq(shares.code, code), IS_LIVE, eq(reports.rid, shares.rid), owned(reports, owner)))
    .returning({ rid: shares.rid });
  return row ?? null;
}

export interface SharedRow {
  share: ShareEntry;
  method: string;
  document: string;
  madeAt: Date;
}

/** Everything a visitor's page is made of; null for unknown, ended and expired alike, and while the report is in the bin. */
export async function findShared(db: Db, code: string): Promise<SharedRow | null> {
  const [row] = await db
    .select({ share: shares, method: reports.method, document: documents.document, madeAt: documents.madeAt })
    .from(shares)
    .innerJoin(reports, eq(reports.rid, shares.rid))
    .innerJoin(revs, and(eq(revs.rid, shares.rid), eq(revs.rev, shares.rev)))
    .innerJoin(documents, eq(documents.id, revs.documentId))
    .where(and(eq(shares.code, code), IS_LIVE, isNull(reports.deletedAt)));
  return row ?? null;
}

export async function loadConfig(db: Db, rid: number, type: Config['report_type']): Promise<Config | null> {
  const [row] = await db
    .select()
    .from(configs)
    .where(and(eq(configs.rid, rid), eq(configs.reportType, type)));
  if (!row) return null;
  return { report_type: type, presentation: row.presentation, form: row.form, updated_at: row.updatedAt.toISOString() };
}

export interface ConfigChange {
  presentation?: Record<string, unknown>;
  form?: { form: Form; saved_at: string } | null;
}

export async function saveConfig(
  db: Db,
  rid: number,
  reportType: Config['report_type'],
  change: ConfigChange,
): Promise<void> {
  await db
    .insert(configs)
    .values({ rid, reportType, presentation: change.presentation ?? {}, form: change.form ?? null })
    .onConflictDoUpdate({ target: [configs.rid, configs.reportType], set: { ...change, updatedAt: sql`now()` } });
}
