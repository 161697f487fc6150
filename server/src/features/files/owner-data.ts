/** Everything one owner has here: whether there is anything, as an archive, and moved out for good. */
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { json, pathPart } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Blobs } from '../../lib/blobs.ts';
import { listNamedFilters } from './filter-store.ts';
import { files, uploads, versions } from './tables.ts';

export async function holdsFiles(db: Db, owner: Owner): Promise<boolean> {
  const [row] = await db.select({ fid: files.fid }).from(files).where(owned(files, owner)).limit(1);
  return row !== undefined;
}

/** The uploads as they came, how every version follows from them, and the named filters. */
export async function* exportFiles(db: Db, blobs: Blobs, owner: Owner): AsyncGenerator<OwnerFile> {
  const list = await db.select().from(files).where(owned(files, owner)).orderBy(asc(files.fid));
  for (const file of list) {
    const folder = `files/${file.fid}-${pathPart(file.name)}`;
    const history = await db
      .select({
        vid: versions.vid,
        parent: versions.parent,
        number: versions.number,
        rows: versions.rows,
        columns: versions.columns,
        step: versions.step,
        sets: versions.sets,
        questionnaire: versions.questionnaire,
        filter: versions.filter,
        weight: versions.weight,
        split: versions.split,
        createdAt: versions.createdAt,
      })
      .from(versions)
      .where(eq(versions.fid, file.fid))
      .orderBy(asc(versions.number));
    const { fid, name, format, head, createdAt, updatedAt, deletedAt } = file;
    const filters = await listNamedFilters(db, fid);
    const facts = { fid, name, format, head, createdAt, updatedAt, deletedAt, history, filters };
    yield json(`${folder}/versions.json`, facts);
    const sources = db
      .select({ id: versions.uploadId })
      .from(versions)
      .where(and(eq(versions.fid, fid), isNotNull(versions.uploadId)));
    const originals = await db
      .select({ id: uploads.uploadId, key: uploads.key, name: uploads.name })
      .from(uploads)
      .where(and(inArray(uploads.uploadId, sources), eq(uploads.state, 'used')));
    for (const upload of originals)
      yield {
        path: `${folder}/upload-${upload.id}-${pathPart(upload.name)}`,
        content: () => blobs.open(upload.key),
      };
  }
}

/** As if thrown away a month ago: the sweepers remove rows and bytes as they do for any other file. */
export async function expireFiles(tx: Tx, owner: Owner): Promise<void> {
  const longAgo = sql`now() - interval '31 days'`;
  await tx.update(files).set({ deletedAt: longAgo, name: '已注销' }).where(owned(files, owner));
  await tx.update(uploads).set({ touchedAt: longAgo }).where(owned(uploads, owner));
}
