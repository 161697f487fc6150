/** SQL on uploads and on what waits to be removed from disk. */
import { and, count, desc, eq, gt, lt, lte, ne, sql, sum } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { garbage, uploads } from './tables.ts';
import type { UploadRow } from './tables.ts';

export interface NewUpload {
  key: string;
  name: string;
  size: number;
  declaredSha256: string | null;
}

export async function insertUpload(db: Db, owner: Owner, fresh: NewUpload): Promise<UploadRow> {
  const [row] = await db
    .insert(uploads)
    .values({ ...fresh, ...belongsTo(owner) })
    .returning();
  if (!row) throw new Error('An upload was not stored');
  return row;
}

export async function loadUpload(db: Db, owner: Owner, id: number): Promise<UploadRow | null> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(owned(uploads, owner, eq(uploads.uploadId, id)));
  return row ?? null;
}

/** What no file was made of yet, the newest first. */
export async function openUploads(db: Db, owner: Owner): Promise<UploadRow[]> {
  return db
    .select()
    .from(uploads)
    .where(owned(uploads, owner, ne(uploads.state, 'used')))
    .orderBy(desc(uploads.uploadId))
    .limit(100);
}

/** Uploads with a chunk within the last minute: a paused one holds no place. */
export async function busyUploads(db: Db, owner: Owner | null): Promise<number> {
  const isBusy = and(eq(uploads.state, 'open'), gt(uploads.touchedAt, sql`now() - interval '60 seconds'`));
  const [row] = await db
    .select({ n: count() })
    .from(uploads)
    .where(owner ? owned(uploads, owner, isBusy) : isBusy);
  return row?.n ?? 0;
}

/** Bytes of the owner (of an enterprise, or of one member in it) that count against the quota: everything uploaded and still kept. */
export async function usedBytes(db: Db, owner: Owner): Promise<number> {
  const [row] = await db
    .select({ bytes: sum(uploads.size) })
    .from(uploads)
    .where(owned(uploads, owner));
  return Number(row?.bytes ?? 0);
}

export async function advanceUpload(db: Db, id: number, received: number): Promise<void> {
  await db
    .update(uploads)
    .set({ received, touchedAt: sql`now()` })
    .where(eq(uploads.uploadId, id));
}

export async function completeUpload(db: Db, id: number, sha256: string): Promise<void> {
  await db
    .update(uploads)
    .set({ received: uploads.size, sha256, state: 'complete', touchedAt: sql`now()` })
    .where(eq(uploads.uploadId, id));
}

/** The upload is the source of a version now and stays as long as that version does. */
export async function useUpload(db: Db, id: number): Promise<void> {
  await db.update(uploads).set({ state: 'used' }).where(eq(uploads.uploadId, id));
}

export async function deleteUpload(db: Db, id: number): Promise<void> {
  await db.delete(uploads).where(eq(uploads.uploadId, id));
}

const KEPT_HOURS = 24;

/** When an upload counts as abandoned. */
export const endOf = ({ touchedAt }: UploadRow): Date => new Date(touchedAt.getTime() + KEPT_HOURS * 3_600_000);

/** Uploads nobody went on with for a day. */
export async function abandonedUploads(db: Db): Promise<UploadRow[]> {
  return db
    .select()
    .from(uploads)
    .where(and(ne(uploads.state, 'used'), lt(uploads.touchedAt, sql`now() - make_interval(hours => ${KEPT_HOURS})`)));
}

export async function openKeys(db: Db): Promise<string[]> {
  const rows = await db.select({ key: uploads.key }).from(uploads).where(eq(uploads.state, 'open'));
  return rows.map(({ key }) => key);
}

export async function addGarbage(db: Db, keys: string[], hours: number): Promise<void> {
  if (keys.length === 0) return;
  await db
    .insert(garbage)
    .values(keys.map((key) => ({ key, dueAt: sql`now() + make_interval(hours => ${hours})` })))
    .onConflictDoNothing();
}

export async function dueGarbage(db: Db): Promise<string[]> {
  const rows = await db
    .select({ key: garbage.key })
    .from(garbage)
    .where(lte(garbage.dueAt, sql`now()`))
    .limit(200);
  return rows.map(({ key }) => key);
}

export async function forgetGarbage(db: Db, key: string): Promise<void> {
  await db.delete(garbage).where(eq(garbage.key, key));
}
