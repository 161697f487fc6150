/** SQL on reports, revisions and documents. The owner stands in every look-up; drafts (rev 0) are in no list. */
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { ReportQuery } from './schema.ts';
import { configs, documents, reports, revs, shares } from './tables.ts';
import type { ReportEntry, RevEntry } from './tables.ts';

export type Rev = RevEntry;

export interface ListedReport extends ReportEntry {
  key: string;
  isShared: boolean;
}

const LIVE_SHARE = sql<boolean>`EXISTS (
  SELECT 1 FROM shares s WHERE s.rid = ${reports.rid} AND s.ended_at IS NULL AND (s.ends_at IS NULL OR s.ends_at > now()))`;
const LISTED = { report: reports, key: revs.key, isShared: LIVE_SHARE };
const shownRev = and(eq(revs.rid, reports.rid), eq(revs.rev, reports.rev));

/** Reports of a project, or of all projects with `projectId` null; pinned ones first. */
export async function listReports(
  db: Db,
  owner: Owner,
  projectId: number | null,
  query: ReportQuery,
): Promise<{ total: number; list: ListedReport[] }> {
  const where = owned(
    reports,
    owner,
    gt(reports.rev, 0),
    query.bin === '1' ? isNotNull(reports.deletedAt) : isNull(reports.deletedAt),
    projectId === null ? undefined : eq(reports.projectId, projectId),
    query.vid === undefined ? undefined : eq(reports.vid, query.vid),
    query.fid === undefined ? undefined : eq(reports.fid, query.fid),
  );
  const rows = await db
    .select(LISTED)
    .from(reports)
    .innerJoin(revs, shownRev)
    .where(where)
    .orderBy(desc(reports.pinned), desc(reports.updatedAt), desc(reports.rid))
    .limit(query.page_size)
    .offset((Math.max(1, query.page) - 1) * query.page_size);
  const [total] = await db.select({ n: count() }).from(reports).where(where);
  return { total: total?.n ?? 0, list: rows.map(({ report, key, isShared }) => ({ ...report, key, isShared })) };
}

/** A finished report; `bin`: also from the bin. */
export async function loadReport(
  db: Db,
  owner: Owner,
  projectId: number | null,
  rid: number,
  bin = false,
): Promise<ListedReport | null> {
  const [row] = await db
    .select(LISTED)
    .from(reports)
    .innerJoin(revs, shownRev)
    .where(
      owned(
        reports,
        owner,
        eq(reports.rid, rid),
        projectId === null ? undefined : eq(reports.projectId, projectId),
        bin ? undefined : isNull(reports.deletedAt),
      ),
    );
  return row ? { ...row.report, key: row.key, isShared: row.isShared } : null;
}

/** A report or a draft of one, outside the bin. */
export async function loadEntry(
  db: Db,
  owner: Owner,
  projectId: number | null,
  rid: number,
): Promise<ReportEntry | null> {
  const [row] = await db
    .select()
    .from(reports)
    .where(
      owned(
        reports,
        owner,
        eq(reports.rid, rid),
        projectId === null ? undefined : eq(reports.projectId, projectId),
        isNull(reports.deletedAt),
      ),
    );
  return row ?? null;
}

export async function lockEntry(tx: Tx, owner: Owner, rid: number): Promise<ReportEntry | null> {
  const [row] = await tx
    .select()
    .from(reports)
    .where(owned(reports, owner, eq(reports.rid, rid), isNull(reports.deletedAt)))
    .for('update');
  return row ?? null;
}

export type NewReport = Pick<ReportEntry, 'projectId' | 'vid' | 'fid' | 'fileName' | 'path' | 'method' | 'title'>;

export async function insertReport(db: Db, owner: Owner, fresh: NewReport): Promise<number> {
  const [row] = await db
    .insert(reports)
    .values({ ...fresh, ...belongsTo(owner) })
    .returning({ rid: reports.rid });
  if (!row) throw new Error('A report was not stored');
  return row.rid;
}

export type ReportChange = Partial<
  Pick<
    ReportEntry,
    'title' | 'titled' | 'pinned' | 'note' | 'frozen' | 'rev' | 'revs' | 'vid' | 'fid' | 'fileName' | 'path' | 'method'
  >
>;

/** What a report tells of the result it shows. */
export type ShownResult = Pick<ReportEntry, 'title' | 'rev' | 'revs' | 'vid' | 'fid' | 'fileName' | 'method'>;

export async function updateReport(db: Db, rid: number, change: ReportChange): Promise<void> {
  await db
    .update(reports)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(reports.rid, rid));
}

export async function setBin(db: Db, rid: number, isDeleted: boolean): Promise<void> {
  await db
    .update(reports)
    .set({ deletedAt: isDeleted ? sql`now()` : null })
    .where(eq(reports.rid, rid));
}

export async function binProject(tx: Tx, projectId: number): Promise<void> {
  await tx
    .update(reports)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(reports.projectId, projectId), isNull(reports.deletedAt)));
}

// --- revisions and documents -----------------------------------------------------------------------------------------

export interface StoredDocument {
  id: number;
  document: string;
  kept: string | null;
  /** Folder of a whole new table that no file holds yet. */
  made: string | null;
  madeAt: Date;
}

const DOCUMENT = {
  id: documents.id,
  document: documents.document,
  kept: documents.kept,
  made: documents.made,
  madeAt: documents.madeAt,
};

/** The newest result of the owner with this key. */
export async function findDocument(db: Db, owner: Owner, key: string): Promise<{ documentId: number } | null> {
  const [row] = await db
    .select({ documentId: documents.id })
    .from(documents)
    .where(owned(documents, owner, eq(documents.key, key)))
    .orderBy(desc(documents.id))
    .limit(1);
  return row ?? null;
}

export async function loadDocument(db: Db, id: number): Promise<StoredDocument | null> {
  const [row] = await db.select(DOCUMENT).from(documents).where(eq(documents.id, id));
  return row ?? null;
}

export interface NewDocument {
  key: string;
  document: string | Buffer;
  kept: string | null;
  made: string | null;
}

export async function insertDocument(tx: Tx, owner: Owner, fresh: NewDocument): Promise<{ id: number; madeAt: Date }> {
  const [row] = await tx
    .insert(documents)
    // Both clients send bytes as the text they are.
    .values({ ...fresh, document: sql`${fresh.document}`, ownerKind: owner.kind, ownerId: owner.id })
    .returning({ id: documents.id, madeAt: documents.madeAt });
  if (!row) throw new Error('A document was not stored');
  return row;
}

const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** A fresh result: its document, the revision that shows it and what the report tells of it, in one statement. */
export async function insertResult(
  tx: Tx,
  owner: Owner,
  fresh: NewDocument,
  rev: Omit<RevEntry, 'madeAt' | 'documentId'>,
  shown: ShownResult,
): Promise<{ id: number; madeAt: Date }> {
  // Both clients send bytes as the text they are.
  const answer: unknown = await tx.execute(sql`
    WITH document AS (
      INSERT INTO ${documents} (owner_kind, owner_id, key, document, kept, made)
      VALUES (${owner.kind}, ${owner.id}, ${fresh.key}, ${fresh.document}, ${fresh.kept}, ${fresh.made})
      RETURNING id, made_at
    ), rev AS (
      INSERT INTO ${revs} (rid, rev, key, document_id, vid, form, filter, weight, split, fill_missing)
      SELECT ${rev.rid}::int, ${rev.rev}::int, ${rev.key}::text, id, ${rev.vid}::int, ${json(rev.form)}::jsonb,
        ${json(rev.filter)}::jsonb, ${json(rev.weight)}::jsonb, ${json(rev.split)}::jsonb, ${rev.fillMissing}::int
      FROM document
    ), report AS (
      UPDATE ${reports} SET title = ${shown.title}, rev = ${shown.rev}, revs = ${shown.revs}, vid = ${shown.vid},
        fid = ${shown.fid}, file_name = ${shown.fileName}, method = ${shown.method}, updated_at = now()
      WHERE rid = ${rev.rid}
    )
    SELECT id, made_at FROM document`);
  // Both drivers answer with `rows`, which their common type does not say.
  const [row] = (answer as { rows: { id: number; made_at: string | Date }[] }).rows;
  if (!row) throw new Error('A document was not stored');
  return { id: row.id, madeAt: new Date(row.made_at) };
}

/** The folder belongs to a file now. */
export async function handOverMade(tx: Tx, id: number): Promise<void> {
  await tx.update(documents).set({ made: null }).where(eq(documents.id, id));
}

export async function replaceDocument(db: Db, id: number, document: string): Promise<void> {
  await db.update(documents).set({ document }).where(eq(documents.id, id));
}

export async function insertRev(tx: Tx, rev: Omit<RevEntry, 'madeAt'>): Promise<void> {
  await tx.insert(revs).values(rev);
}

export async function loadRev(db: Db, rid: number, rev: number): Promise<RevEntry | null> {
  const [row] = await db
    .select()
    .from(revs)
    .where(and(eq(revs.rid, rid), eq(revs.rev, rev)));
  return row ?? null;
}

export async function listRevs(db: Db, rid: number): Promise<{ rev: number; key: string; madeAt: Date }[]> {
  return db
    .select({ rev: revs.rev, key: revs.key, madeAt: revs.madeAt })
    .from(revs)
    .where(eq(revs.rid, rid))
    .orderBy(revs.rev);
}

// --- counts for others -----------------------------------------------------------------------------------------------

async function countBy(
  db: Db,
  column: typeof reports.fid | typeof reports.projectId,
  ids: number[],
): Promise<Map<number, number>> {
  const rows = await db
    .select({ id: column, n: count() })
    .from(reports)
    .where(and(inArray(column, ids), gt(reports.rev, 0), isNull(reports.deletedAt)))
    .groupBy(column);
  return new Map(rows.flatMap(({ id, n }) => (id === null ? [] : [[id, n] as const])));
}

export const countByFile = (db: Db, fids: number[]): Promise<Map<number, number>> => countBy(db, reports.fid, fids);
export const countByProject = (db: Db, ids: number[]): Promise<Map<number, number>> =>
  countBy(db, reports.projectId, ids);

/** Any revision counts: rows behind an older one are read from its version. */
export async function countByVersion(db: Db, vids: number[]): Promise<Map<number, number>> {
  const rows = await db
    .select({ vid: revs.vid, n: sql<number>`count(DISTINCT ${revs.rid})::int` })
    .from(revs)
    .innerJoin(reports, eq(reports.rid, revs.rid))
    .where(and(inArray(revs.vid, vids), isNull(reports.deletedAt)))
    .groupBy(revs.vid);
  return new Map(rows.flatMap(({ vid, n }) => (vid === null ? [] : [[vid, n] as const])));
}

export async function isUnborn(tx: Db, rid: number): Promise<boolean> {
  const [row] = await tx.select({ rev: reports.rev }).from(reports).where(eq(reports.rid, rid));
  return row === undefined || row.rev === 0;
}

// --- removal ---------------------------------------------------------------------------------------------------------

/** Thirty days in the bin, or a draft that has been left alone for a day. */
export async function expiredReports(db: Db): Promise<number[]> {
  const rows = await db
    .select({ rid: reports.rid })
    .from(reports)
    .where(
      or(
        lt(reports.deletedAt, sql`now() - interval '30 days'`),
        and(eq(reports.rev, 0), lt(reports.updatedAt, sql`now() - interval '24 hours'`)),
      ),
    )
    .limit(200);
  return rows.map(({ rid }) => rid);
}

/** Revisions, presentation and shares go with it, and results that no other report shows; gives the folders those kept. */
export async function deleteReport(tx: Tx, rid: number): Promise<string[]> {
  const shown = await tx.selectDistinct({ id: revs.documentId }).from(revs).where(eq(revs.rid, rid));
  await tx.delete(configs).where(eq(configs.rid, rid));
  await tx.delete(shares).where(eq(shares.rid, rid));
  await tx.delete(revs).where(eq(revs.rid, rid));
  await tx.delete(reports).where(eq(reports.rid, rid));
  if (shown.length === 0) return [];
  const used = tx
    .select({ one: sql`1` })
    .from(revs)
    .where(eq(revs.documentId, documents.id));
  const ids = shown.map(({ id }) => id);
  const gone = await tx
    .delete(documents)
    .where(and(inArray(documents.id, ids), notExists(used)))
    .returning({ kept: documents.kept, made: documents.made });
  return gone.flatMap(({ kept, made }) => [kept, made].filter((key) => key !== null));
}

export async function idsOfProject(db: Db, projectId: number): Promise<number[]> {
  const rows = await db.select({ rid: reports.rid }).from(reports).where(eq(reports.projectId, projectId));
  return rows.map(({ rid }) => rid);
}
