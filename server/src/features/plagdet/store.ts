/** All SQL of compared texts. A library is a person's own: in an enterprise each member's. */
import { and, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { slice } from '../../lib/paging.ts';
import type { Claims, Figures } from './schema.ts';
import { checks, documents, plagdetLimits, segments } from './tables.ts';
import type { CheckRow, DocumentRow, LimitRow } from './tables.ts';

type Executor = Db | Tx;
/** When a check expired that its owner has deleted: nothing of it is left but that it was made. */
const DELETED = new Date(0);
type Page = { page: number; page_size: number };

export interface Library {
  ownerKind: Owner['kind'];
  ownerId: number;
  createdBy: number;
}

const inLibrary = (table: typeof documents | typeof segments, { ownerKind, ownerId, createdBy }: Library) =>
  and(eq(table.ownerKind, ownerKind), eq(table.ownerId, ownerId), eq(table.createdBy, createdBy));

export async function limitsOf(db: Db, edition: string): Promise<LimitRow> {
  const [row] = await db.select().from(plagdetLimits).where(eq(plagdetLimits.edition, edition));
  if (!row) throw new Error(`The edition ${edition} has no limits`);
  return row;
}

export async function totals(
  db: Executor,
  owner: Owner,
): Promise<{ ready: number; waiting: number; characters: number }> {
  const [row] = await db
    .select({
      ready: sql<number>`count(*) FILTER (WHERE ${documents.state} = 'ready')::int`,
      waiting: sql<number>`count(*) FILTER (WHERE ${documents.state} = 'waiting')::int`,
      characters: sql<number>`coalesce(sum(${documents.characters}) FILTER (WHERE ${documents.state} = 'ready'), 0)::int`,
    })
    .from(documents)
    .where(owned(documents, owner));
  return row ?? { ready: 0, waiting: 0, characters: 0 };
}

/** One after the other for each library: what is counted stays so until the row is written. */
export async function lockLibrary(tx: Tx, { kind, id, member }: Owner): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`plagdet ${kind} ${id} ${member ?? 0}`}))`);
}

export async function insertDocument(
  tx: Tx,
  row: Library & Pick<DocumentRow, 'name' | 'textKey' | 'consent'> & { uploadKey?: string; fromKey?: string },
): Promise<DocumentRow> {
  const [made] = await tx.insert(documents).values(row).returning();
  if (!made) throw new Error('INSERT gave no row');
  return made;
}

export async function pageOfDocuments(db: Db, owner: Owner, page: Page) {
  const where = owned(documents, owner);
  const list = await db
    .select()
    .from(documents)
    .where(where)
    .orderBy(desc(documents.id))
    .limit(slice(page).limit)
    .offset(slice(page).offset);
  const [row] = await db.select({ n: count() }).from(documents).where(where);
  return { total: row?.n ?? 0, list };
}

export async function findDocument(db: Executor, owner: Owner, id: number): Promise<DocumentRow | null> {
  const [row] = await db
    .select()
    .from(documents)
    .where(owned(documents, owner, eq(documents.id, id)));
  return row ?? null;
}

export async function deleteDocument(db: Executor, id: number): Promise<void> {
  await db.delete(documents).where(eq(documents.id, id));
}

export const readyDocuments = (db: Executor, owner: Owner) =>
  db
    .select({ id: documents.id, name: documents.name, textKey: documents.textKey, segmentKey: documents.segmentKey })
    .from(documents)
    .where(owned(documents, owner, eq(documents.state, 'ready')))
    .orderBy(documents.id);

/** The oldest that no run has taken on, those of a run that failed at the end. */
export const waitingOf = (db: Db, owner: Owner, most: number): Promise<DocumentRow[]> =>
  db
    .select()
    .from(documents)
    .where(owned(documents, owner, eq(documents.state, 'waiting'), isNull(documents.runId)))
    .orderBy(sql`${documents.reason} IS NOT NULL`, documents.id)
    .limit(most);

/** How many of them no other run has taken on meanwhile. */
export async function bindToRun(tx: Tx, ids: number[], runId: number): Promise<number> {
  const rows = await tx
    .update(documents)
    .set({ runId, reason: null })
    .where(and(inArray(documents.id, ids), eq(documents.state, 'waiting'), isNull(documents.runId)))
    .returning({ id: documents.id });
  return rows.length;
}

export async function openAdding(db: Db, owner: Owner): Promise<number | null> {
  const [row] = await db
    .select({ runId: documents.runId })
    .from(documents)
    .where(owned(documents, owner, eq(documents.state, 'waiting'), isNotNull(documents.runId)))
    .limit(1);
  return row?.runId ?? null;
}

export const documentsOfRun = (db: Executor, runId: number) =>
  db
    .select()
    .from(documents)
    .where(and(eq(documents.runId, runId), eq(documents.state, 'waiting')))
    .orderBy(documents.id);

/** They wait for another run. */
export async function releaseRun(tx: Tx, runId: number, reason: string | null): Promise<void> {
  await tx
    .update(documents)
    .set({ runId: null, reason })
    .where(and(eq(documents.runId, runId), eq(documents.state, 'waiting')));
}

export async function insertSegment(tx: Tx, key: string, library: Library, n: number): Promise<void> {
  await tx.insert(segments).values({ key, ...library, documents: n });
}

export async function isKnown(tx: Tx, library: Library, sha256: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(inLibrary(documents, library), eq(documents.state, 'ready'), eq(documents.sha256, sha256)));
  return row !== undefined;
}

export async function settleDocument(
  tx: Tx,
  id: number,
  set: Partial<Pick<DocumentRow, 'state' | 'segmentKey' | 'characters' | 'sha256' | 'reason'>>,
): Promise<void> {
  await tx
    .update(documents)
    .set({ ...set, uploadKey: null, fromKey: null })
    .where(eq(documents.id, id));
}

/** Segments in use with how many of their documents still count, smallest first. */
export async function segmentsInUse(db: Db) {
  const living = sql<number>`(SELECT count(*)::int FROM ${documents} d WHERE d.segment_key = ${segments.key} AND d.state = 'ready')`;
  return db
    .select({
      key: segments.key,
      ownerKind: segments.ownerKind,
      ownerId: segments.ownerId,
      createdBy: segments.createdBy,
      documents: segments.documents,
      living,
    })
    .from(segments)
    .where(isNull(segments.droppedAt))
    .orderBy(segments.documents);
}

export const livingIn = (db: Executor, key: string) =>
  db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.segmentKey, key), eq(documents.state, 'ready')))
    .orderBy(documents.id);

/** Documents that are still where they were move on to the new segment, and the old ones are dropped. */
export async function replaceSegments(
  tx: Tx,
  old: readonly string[],
  made: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0)
    await tx
      .update(documents)
      .set({ segmentKey: made })
      .where(and(inArray(documents.id, [...ids]), inArray(documents.segmentKey, [...old])));
  await dropSegments(tx, old);
}

export async function dropSegments(db: Executor, keys: readonly string[]): Promise<void> {
  if (keys.length > 0)
    await db
      .update(segments)
      .set({ droppedAt: sql`now()` })
      .where(inArray(segments.key, [...keys]));
}

/** Dropped so long ago that no check reads them. */
export async function forgetSegments(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .delete(segments)
    .where(
      and(
        isNotNull(segments.droppedAt),
        lt(segments.droppedAt, before),
        sql`NOT EXISTS (SELECT 1 FROM ${documents} d WHERE d.segment_key = ${segments.key})`,
      ),
    )
    .returning({ key: segments.key });
  return rows.map(({ key }) => key);
}

/** Uploads nobody has put into the library within a day. */
export const staleUploads = (db: Db, before: Date) =>
  db
    .delete(documents)
    .where(and(ne(documents.state, 'ready'), isNull(documents.runId), lt(documents.createdAt, before)))
    .returning({ id: documents.id });

export async function insertCheck(tx: Tx, row: typeof checks.$inferInsert): Promise<CheckRow> {
  const [made] = await tx.insert(checks).values(row).returning();
  if (!made) throw new Error('INSERT gave no row');
  return made;
}

export async function findCheck(db: Executor, owner: Owner, id: number, now: Date): Promise<CheckRow | null> {
  const [row] = await db
    .select()
    .from(checks)
    .where(owned(checks, owner, eq(checks.id, id), gte(checks.expiresAt, now)));
  return row ?? null;
}

export async function checkOfRun(db: Executor, runId: number): Promise<CheckRow | null> {
  const [row] = await db.select().from(checks).where(eq(checks.runId, runId));
  return row ?? null;
}

export async function sameCheck(db: Executor, owner: Owner, digest: string, now: Date): Promise<CheckRow | null> {
  const [row] = await db
    .select()
    .from(checks)
    .where(
      owned(
        checks,
        owner,
        eq(checks.digest, digest),
        inArray(checks.state, ['running', 'done']),
        gte(checks.expiresAt, now),
      ),
    )
    .orderBy(desc(checks.id))
    .limit(1);
  return row ?? null;
}

export async function pageOfChecks(db: Db, owner: Owner, page: Page, now: Date) {
  const where = owned(checks, owner, gte(checks.expiresAt, now));
  const list = await db
    .select()
    .from(checks)
    .where(where)
    .orderBy(desc(checks.id))
    .limit(slice(page).limit)
    .offset(slice(page).offset);
  const [row] = await db.select({ n: count() }).from(checks).where(where);
  return { total: row?.n ?? 0, list };
}

/** Free checks since a moment that have come to something or still may. */
export async function freeSince(db: Executor, owner: Owner, from: Date): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(checks)
    .where(
      owned(
        checks,
        owner,
        eq(checks.points, 0),
        gte(checks.createdAt, from),
        inArray(checks.state, ['running', 'done']),
      ),
    );
  return row?.n ?? 0;
}

export async function settleCheck(
  tx: Tx,
  id: number,
  set: Partial<Pick<CheckRow, 'state' | 'reason' | 'characters' | 'figures' | 'points'>>,
): Promise<void> {
  await tx.update(checks).set(set).where(eq(checks.id, id));
}

export async function claim(db: Db, id: number, claims: Claims, figures: Figures): Promise<void> {
  await db.update(checks).set({ claims, figures }).where(eq(checks.id, id));
}

export async function deleteCheck(db: Executor, id: number): Promise<void> {
  await db.delete(checks).where(eq(checks.id, id));
}

/** Deleted by its owner: it is found no more, and counts among the free ones of its day. */
export async function emptyCheck(db: Executor, id: number): Promise<void> {
  await db
    .update(checks)
    .set({
      name: '',
      otherName: null,
      reason: null,
      digest: '',
      figures: null,
      claims: { quoted: [], own: [], count: [] },
      expiresAt: DELETED,
    })
    .where(eq(checks.id, id));
}

/** Those that were deleted go with their day. */
export const deleteExpired = (db: Db, now: Date, day: Date) =>
  db
    .delete(checks)
    .where(
      and(
        lt(checks.expiresAt, now),
        ne(checks.state, 'running'),
        or(gt(checks.expiresAt, DELETED), lt(checks.createdAt, day)),
      ),
    )
    .returning();

/** Every key that a row names. */
export async function knownKeys(db: Db): Promise<Set<string>> {
  const rows = await db.execute(sql`
    SELECT unnest(ARRAY[upload_key, from_key, text_key, segment_key]) AS key FROM plagdet_documents
    UNION SELECT unnest(ARRAY[text_key, other_key, report_key]) FROM plagdet_checks
    UNION SELECT key FROM plagdet_segments`);
  const { rows: list } = rows as { rows: { key: string | null }[] };
  return new Set(list.flatMap(({ key }) => (key === null ? [] : [key])));
}

export const allOf = (db: Db, owner: Owner) => ({
  documents: db.select().from(documents).where(owned(documents, owner)).orderBy(documents.id),
  checks: db
    .select()
    .from(checks)
    .where(owned(checks, owner, gt(checks.expiresAt, DELETED)))
    .orderBy(checks.id),
});

export async function holdsAny(db: Db, userId: number): Promise<boolean> {
  const owner: Owner = { kind: 'user', id: userId };
  const [document] = await db.select({ id: documents.id }).from(documents).where(owned(documents, owner)).limit(1);
  const [check] = await db
    .select({ id: checks.id })
    .from(checks)
    .where(owned(checks, owner, gt(checks.expiresAt, DELETED)))
    .limit(1);
  return document !== undefined || check !== undefined;
}

/** All of a person's own, the libraries kept in enterprises included. */
export async function forget(tx: Tx, userId: number): Promise<void> {
  const mine = (table: typeof documents | typeof checks | typeof segments) =>
    or(and(eq(table.ownerKind, 'user'), eq(table.ownerId, userId)), eq(table.createdBy, userId));
  await tx.delete(documents).where(mine(documents));
  await tx.delete(checks).where(mine(checks));
  await tx
    .update(segments)
    .set({ droppedAt: sql`now()` })
    .where(mine(segments));
}
