/** SQL on files and versions. Whatever belongs to somebody else, or lies in the bin, is not found. */
import { and, asc, count, desc, eq, ilike, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned, whole } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type {
  ActiveFilter,
  AnswerSet,
  Column,
  FileQuery,
  ImportReport,
  Questionnaire,
  Split,
  Step,
  Weight,
} from './schema.ts';
import type { Summary } from './summary.ts';
import { files, uploads, versions } from './tables.ts';
import type { FileEntry } from './tables.ts';

/** A version without its columns, which may be a megabyte. */
const FACTS = {
  vid: versions.vid,
  fid: versions.fid,
  parent: versions.parent,
  replaces: versions.replaces,
  passing: versions.passing,
  number: versions.number,
  tableKey: versions.tableKey,
  dataKey: versions.dataKey,
  uploadId: versions.uploadId,
  size: versions.size,
  rows: versions.rows,
  step: versions.step,
  summary: versions.summary,
  sets: versions.sets,
  questionnaire: versions.questionnaire,
  filter: versions.filter,
  weight: versions.weight,
  split: versions.split,
  createdAt: versions.createdAt,
  name: files.name,
  format: files.format,
  head: files.head,
  lockedAt: files.lockedAt,
  isExample: sql<boolean>`${files.example} IS NOT NULL`,
};

export interface VersionFacts {
  vid: number;
  fid: number;
  parent: number | null;
  replaces: number | null;
  passing: boolean;
  number: number;
  tableKey: string;
  dataKey: string | null;
  uploadId: number | null;
  size: number;
  rows: number;
  step: Step;
  summary: Summary;
  sets: AnswerSet[];
  questionnaire: Questionnaire | null;
  filter: ActiveFilter | null;
  weight: Weight | null;
  split: Split | null;
  createdAt: Date;
  name: string;
  format: string;
  head: number | null;
  lockedAt: Date | null;
  /** Whether the file is the example of a method. */
  isExample: boolean;
}

export interface FileItem extends FileEntry {
  version: { vid: number; number: number; rows: number; size: number; summary: Summary };
  versions: number;
}

/** Files an owner sees, for joining what another feature keeps of a file; with `bin` those in the bin too. */
export const visibleFiles = (db: Db, owner: Owner, { bin = false } = {}) =>
  db
    .select({ fid: files.fid, name: files.name })
    .from(files)
    .where(owned(files, owner, bin ? undefined : isNull(files.deletedAt)))
    .as('file');

const like = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;

const ORDER: Record<FileQuery['sort'], SQL[]> = {
  updated: [desc(files.updatedAt), desc(files.fid)],
  created: [desc(files.createdAt), desc(files.fid)],
  name: [asc(files.name), asc(files.fid)],
  size: [desc(versions.size), desc(files.fid)],
};

const ITEM = {
  file: files,
  vid: versions.vid,
  number: versions.number,
  rows: versions.rows,
  size: versions.size,
  summary: versions.summary,
  versions: sql<number>`(SELECT count(*)::int FROM versions v WHERE v.fid = ${files.fid})`,
};

function item(row: {
  file: FileEntry;
  vid: number;
  number: number;
  rows: number;
  size: number;
  summary: Summary;
  versions: number;
}): FileItem {
  const { file, vid, number, rows, size, summary } = row;
  return { ...file, version: { vid, number, rows, size, summary }, versions: row.versions };
}

export async function listFiles(db: Db, owner: Owner, query: FileQuery): Promise<{ total: number; list: FileItem[] }> {
  const pattern = query.keyword?.trim() ? like(query.keyword.trim()) : null;
  const where = owned(
    files,
    owner,
    query.bin === '1' ? isNotNull(files.deletedAt) : isNull(files.deletedAt),
    pattern ? or(ilike(files.name, pattern), ilike(versions.search, pattern)) : undefined,
  );
  const from = db.select(ITEM).from(files).innerJoin(versions, eq(versions.vid, files.head));
  const list = await from
    .where(where)
    .orderBy(...ORDER[query.sort])
    .limit(query.page_size)
    .offset((Math.max(1, query.page) - 1) * query.page_size);
  const [total] = await db
    .select({ n: count() })
    .from(files)
    .innerJoin(versions, eq(versions.vid, files.head))
    .where(where);
  return { total: total?.n ?? 0, list: list.map(item) };
}

/** `bin`: whether a file in the bin counts too. */
export async function loadFile(db: Db, owner: Owner, fid: number, bin = false): Promise<FileItem | null> {
  const [row] = await db
    .select(ITEM)
    .from(files)
    .innerJoin(versions, eq(versions.vid, files.head))
    .where(owned(files, owner, eq(files.fid, fid), bin ? undefined : isNull(files.deletedAt)));
  return row ? item(row) : null;
}

export async function findExample(db: Db, owner: Owner, path: string): Promise<{ fid: number; vid: number } | null> {
  const [row] = await db
    .select({ fid: files.fid, vid: files.head })
    .from(files)
    .where(owned(files, owner, eq(files.example, path), isNull(files.deletedAt)));
  return row?.vid ? { fid: row.fid, vid: row.vid } : null;
}

export async function loadVersion(db: Db, owner: Owner, vid: number): Promise<VersionFacts | null> {
  const [row] = await db
    .select(FACTS)
    .from(versions)
    .innerJoin(files, eq(files.fid, versions.fid))
    .where(owned(files, owner, eq(versions.vid, vid), isNull(files.deletedAt)));
  return row ?? null;
}

export async function loadColumns(db: Db, vid: number): Promise<Column[]> {
  const [row] = await db.select({ columns: versions.columns }).from(versions).where(eq(versions.vid, vid));
  return row?.columns ?? [];
}

export async function loadImportReport(db: Db, vid: number): Promise<ImportReport | null> {
  const [row] = await db.select({ report: versions.importReport }).from(versions).where(eq(versions.vid, vid));
  return row?.report ?? null;
}

/** All versions of a file, oldest first. */
export async function versionsOf(db: Db, fid: number): Promise<VersionFacts[]> {
  return db
    .select(FACTS)
    .from(versions)
    .innerJoin(files, eq(files.fid, versions.fid))
    .where(eq(versions.fid, fid))
    .orderBy(asc(versions.number));
}

export interface NewFile {
  name: string;
  format: string;
  example: string | null;
}

export async function insertFile(tx: Tx, owner: Owner, fresh: NewFile): Promise<number> {
  const [row] = await tx
    .insert(files)
    .values({ ...fresh, ...belongsTo(owner) })
    .returning({ fid: files.fid });
  if (!row) throw new Error('A file was not stored');
  return row.fid;
}

export interface NewVersion {
  parent: number | null;
  replaces?: number | null;
  passing?: boolean;
  tableKey: string;
  dataKey: string | null;
  uploadId: number | null;
  size: number;
  rows: number;
  columns: Column[];
  sets?: AnswerSet[];
  questionnaire?: Questionnaire | null;
  importReport: ImportReport | null;
  step: Step;
  summary: Summary;
  search: string;
  filter?: ActiveFilter | null;
  weight?: Weight | null;
  split?: Split | null;
}

/** The version shown, held until the transaction ends; null when the file is gone. */
export async function lockHead(tx: Tx, owner: Owner, fid: number): Promise<number | null> {
  const [file] = await tx
    .select({ head: files.head })
    .from(files)
    .where(owned(files, owner, eq(files.fid, fid)))
    .for('update');
  return file?.head ?? null;
}

/** Adds a version and makes it the head. Gives null when the file is gone or in the bin. */
export async function insertVersion(tx: Tx, owner: Owner, fid: number, fresh: NewVersion): Promise<number | null> {
  // The lock keeps two versions made at once from taking the same number.
  const [file] = await tx
    .select({ fid: files.fid })
    .from(files)
    .where(owned(files, owner, eq(files.fid, fid), isNull(files.deletedAt)))
    .for('update');
  if (!file) return null;
  const [row] = await tx
    .insert(versions)
    .values({ ...fresh, fid, number: sql`(SELECT coalesce(max(number), 0) + 1 FROM versions WHERE fid = ${fid})` })
    .returning({ vid: versions.vid });
  if (!row) throw new Error('A version was not stored');
  await tx
    .update(files)
    .set({ head: row.vid, updatedAt: sql`now()` })
    .where(eq(files.fid, fid));
  return row.vid;
}

export async function updateFile(
  db: Db,
  owner: Owner,
  fid: number,
  change: { name?: string; head?: number; lockedAt?: Date | null },
): Promise<boolean> {
  const changed = await db
    .update(files)
    .set({ ...change, updatedAt: sql`now()` })
    .where(
      owned(
        files,
        owner,
        eq(files.fid, fid),
        isNull(files.deletedAt),
        change.head === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM versions v WHERE v.vid = ${change.head} AND v.fid = ${files.fid})`,
      ),
    )
    .returning({ fid: files.fid });
  return changed.length > 0;
}

export async function setBin(db: Db, owner: Owner, fid: number, isDeleted: boolean): Promise<boolean> {
  const changed = await db
    .update(files)
    .set({ deletedAt: isDeleted ? sql`now()` : null })
    .where(owned(files, owner, eq(files.fid, fid), isDeleted ? isNull(files.deletedAt) : isNotNull(files.deletedAt)))
    .returning({ fid: files.fid });
  return changed.length > 0;
}

/** What a version has active; a key that is left out stays. */
export async function setActive(
  db: Db,
  vid: number,
  active: { filter?: ActiveFilter | null; weight?: Weight | null; split?: Split | null },
): Promise<void> {
  if (Object.keys(active).length === 0) return;
  await db.update(versions).set(active).where(eq(versions.vid, vid));
}

export async function setQuestionnaire(db: Db, vid: number, questionnaire: Questionnaire | null): Promise<void> {
  await db.update(versions).set({ questionnaire }).where(eq(versions.vid, vid));
}

/** Versions of the file for which nobody has said what the questionnaire asks. */
export async function withoutQuestionnaire(db: Db, fid: number): Promise<number[]> {
  const rows = await db
    .select({ vid: versions.vid })
    .from(versions)
    .where(and(eq(versions.fid, fid), isNull(versions.questionnaire)));
  return rows.map(({ vid }) => vid);
}

export async function setStep(db: Db, vid: number, step: Step): Promise<void> {
  await db.update(versions).set({ step }).where(eq(versions.vid, vid));
}

/** Keys of everything stored for a file: its tables and the uploads they came from. */
export async function storedKeys(
  db: Db,
  fid: number,
): Promise<{ tables: string[]; uploads: { id: number; key: string }[] }> {
  const tables = await db.select({ key: versions.tableKey }).from(versions).where(eq(versions.fid, fid));
  const sources = await db
    .selectDistinct({ id: uploads.uploadId, key: uploads.key })
    .from(versions)
    .innerJoin(uploads, eq(uploads.uploadId, versions.uploadId))
    .where(eq(versions.fid, fid));
  return { tables: tables.map(({ key }) => key), uploads: sources };
}

/** Versions and filters go with it; reports on it stay and lose their link. */
export async function deleteFileForGood(tx: Tx, fid: number): Promise<void> {
  await tx.update(files).set({ head: null }).where(eq(files.fid, fid));
  await tx.delete(files).where(eq(files.fid, fid));
}

/** Whether any version reads this folder, as its own or for its data. */
export async function folderIsNeeded(db: Db, key: string): Promise<boolean> {
  const rows = await db
    .select({ vid: versions.vid })
    .from(versions)
    .where(or(eq(versions.tableKey, key), eq(versions.dataKey, key)))
    .limit(1);
  return rows.length > 0;
}

/** Children are handed to the grandparent, so that the chain of steps stays whole for what remains. */
export async function deleteVersion(tx: Tx, version: VersionFacts): Promise<void> {
  await tx.update(versions).set({ parent: version.parent }).where(eq(versions.parent, version.vid));
  await tx.delete(versions).where(eq(versions.vid, version.vid));
}

export async function uploadIsNeeded(db: Db, uploadId: number): Promise<boolean> {
  const rows = await db.select({ vid: versions.vid }).from(versions).where(eq(versions.uploadId, uploadId)).limit(1);
  return rows.length > 0;
}

/** Files whose thirty days in the bin are over. */
export async function expiredFiles(db: Db): Promise<number[]> {
  const rows = await db
    .select({ fid: files.fid })
    .from(files)
    .where(lt(files.deletedAt, sql`now() - interval '30 days'`))
    .limit(100);
  return rows.map(({ fid }) => fid);
}

/** Files that are not in the bin. */
export async function countFiles(db: Db, owner: Owner): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(files)
    .where(owned(files, whole(owner), isNull(files.deletedAt)));
  return row?.n ?? 0;
}
