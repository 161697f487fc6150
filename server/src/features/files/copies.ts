/** A file with all its versions once more, for another owner: bytes are shared on disk, rows and keys are its own. */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned, whole } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../membership/service.ts';
import { newTableKey, newUploadKey } from '../../lib/blobs.ts';
import type { Blobs } from '../../lib/blobs.ts';
import type { Tables } from './engine.ts';
import { requireStorage } from './limits.ts';
import { countFiles, insertFile } from './store.ts';
import { files, namedFilters, uploads, versions } from './tables.ts';
import type { FileEntry, UploadRow } from './tables.ts';
import { addGarbage, usedBytes } from './upload-store.ts';

/** What lies on disk for a copy, before there is a row of it. */
export interface CopiedFile {
  file: FileEntry;
  /** Key of every table of the file, and of its copy. */
  tables: Map<string, string>;
  uploads: { row: UploadRow; key: string }[];
}

export interface StoredCopy {
  fid: number;
  /** Versions of the file, and those of the copy. */
  vids: Map<number, number>;
}

export function createCopies({
  db,
  blobs,
  tables,
  editions,
}: {
  db: Db;
  blobs: Blobs;
  tables: Tables;
  editions: Membership['editions'];
}) {
  const discard = async ({ tables: keys, uploads: sources }: CopiedFile): Promise<void> =>
    addGarbage(db, [...keys.values(), ...sources.map(({ key }) => key)], 0);

  return {
    /** Copies on disk what the owner has under this number; null where it is gone, in the bin, or somebody else's. */
    async make(owner: Owner, fid: number): Promise<CopiedFile | null> {
      const [file] = await db
        .select()
        .from(files)
        .where(owned(files, owner, eq(files.fid, fid), isNull(files.deletedAt), sql`${files.head} IS NOT NULL`));
      if (!file) return null;
      const history = await db
        .select({ key: versions.tableKey, uploadId: versions.uploadId })
        .from(versions)
        .where(eq(versions.fid, fid));
      const ids = [...new Set(history.flatMap(({ uploadId }) => uploadId ?? []))];
      const sources =
        ids.length === 0
          ? []
          : await db
              .select()
              .from(uploads)
              .where(and(inArray(uploads.uploadId, ids), eq(uploads.state, 'used')));
      const fileCopy: CopiedFile = { file, tables: new Map(), uploads: [] };
      try {
        for (const { key } of history) {
          const copy = newTableKey();
          fileCopy.tables.set(key, copy);
          await tables.copy(key, copy);
        }
        for (const row of sources) {
          const key = newUploadKey();
          fileCopy.uploads.push({ row, key });
          await blobs.copy(row.key, key);
        }
      } catch (error) {
        await discard(fileCopy);
        throw error;
      }
      return fileCopy;
    },

    /** Refuses what the new owner's edition has no room for, all of it together. */
    async demandRoom(owner: Owner, copies: readonly CopiedFile[]): Promise<void> {
      let used = await usedBytes(db, whole(owner));
      let usedByMember = await usedBytes(db, owner);
      let count = await countFiles(db, owner);
      for (const copy of copies) {
        const sizes = copy.uploads.map(({ row }) => row.size);
        // Several uploads of one file (a later import into it) are judged one by one, as they were.
        for (const size of sizes.length > 0 ? sizes : [0]) {
          await requireStorage(db, editions, owner, { size, used, usedByMember, files: count });
          used += size;
          usedByMember += size;
        }
        count += 1;
      }
    },

    async store(tx: Tx, owner: Owner, copy: CopiedFile): Promise<StoredCopy> {
      const { name, format, fid: source } = copy.file;
      const fid = await insertFile(tx, owner, { name, format, example: null });
      const ids = new Map<number, number>();
      for (const { row, key } of copy.uploads) {
        const { name: title, size, sha256, declaredSha256 } = row;
        const [inserted] = await tx
          .insert(uploads)
          .values({
            ...belongsTo(owner),
            key,
            name: title,
            size,
            received: size,
            sha256,
            declaredSha256,
            state: 'used',
          })
          .returning({ id: uploads.uploadId });
        if (inserted) ids.set(row.uploadId, inserted.id);
      }
      const vids = new Map<number, number>();
      const history = await tx.select().from(versions).where(eq(versions.fid, source)).orderBy(asc(versions.vid));
      for (const { vid, parent, replaces, uploadId, tableKey, dataKey: _data, ...facts } of history) {
        const copied = copy.tables.get(tableKey);
        // Made while the copy was made: it is not part of it.
        if (!copied) continue;
        const [inserted] = await tx
          .insert(versions)
          .values({
            ...facts,
            fid,
            parent: parent === null ? null : (vids.get(parent) ?? null),
            replaces: replaces === null ? null : (vids.get(replaces) ?? null),
            tableKey: copied,
            dataKey: null,
            uploadId: uploadId === null ? null : (ids.get(uploadId) ?? null),
          })
          .returning({ vid: versions.vid });
        if (inserted) vids.set(vid, inserted.vid);
      }
      const head =
        (copy.file.head === null ? undefined : vids.get(copy.file.head)) ?? [...vids.values()].at(-1) ?? null;
      await tx.update(files).set({ head }).where(eq(files.fid, fid));
      const named = await tx.select().from(namedFilters).where(eq(namedFilters.fid, source));
      for (const { id: _id, fid: _fid, ...filter } of named) await tx.insert(namedFilters).values({ ...filter, fid });
      return { fid, vids };
    },

    /** For copies that came to nothing. */
    discard,
  };
}
