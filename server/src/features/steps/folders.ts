/** Own folders of the variable list: kept with a version, handed on to the versions made from it. */
import { inArray, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Column } from '../files/schema.ts';
import type { Files } from '../files/service.ts';
import type { VariableFolder } from './schema.ts';
import { variableFolders } from './tables.ts';

/** Of the first version in a line, from a version up to its import, that has its own. */
async function loadFolders(db: Db, line: readonly number[]): Promise<VariableFolder[]> {
  const rows = await db
    .select()
    .from(variableFolders)
    .where(inArray(variableFolders.vid, [...line]));
  const own = new Map(rows.map(({ vid, folders }) => [vid, folders]));
  const nearest = line.find((vid) => own.has(vid));
  return (nearest === undefined ? undefined : own.get(nearest)) ?? [];
}

async function putFolders(db: Db, vid: number, folders: VariableFolder[]): Promise<void> {
  await db
    .insert(variableFolders)
    .values({ vid, folders })
    .onConflictDoUpdate({ target: variableFolders.vid, set: { folders, updatedAt: sql`now()` } });
}

function refuse(code: string, text: string): Fault {
  return new Fault(30508, { text }, { fields: [{ field: 'folders', code, text }] });
}

/** Names and ids are single, and a variable lies in one folder only. */
function demandSound(folders: readonly VariableFolder[]): void {
  const names = new Set<string>();
  const ids = new Set<string>();
  const columns = new Set<string>();
  for (const folder of folders) {
    if (names.has(folder.name)) throw refuse('folders.name', `已有文件夹“${folder.name}”`);
    if (ids.has(folder.id)) throw refuse('folders.id', `文件夹“${folder.name}”的编号重复`);
    for (const id of folder.columns) {
      if (columns.has(id)) throw refuse('folders.twice', `一个变量只能放在一个文件夹里，请检查“${folder.name}”`);
      columns.add(id);
    }
    names.add(folder.name);
    ids.add(folder.id);
  }
}

/** Variables that the version no longer has are not listed. */
function left(folders: readonly VariableFolder[], columns: readonly Column[]): VariableFolder[] {
  const known = new Set(columns.map(({ id }) => id));
  return folders.map((folder) => ({ ...folder, columns: folder.columns.filter((id) => known.has(id)) }));
}

export function createFolders({ db, files }: { db: Db; files: Files }) {
  return {
    async read({ owner }: Actor, vid: number): Promise<VariableFolder[]> {
      const line = await files.versions.chain(await files.versions.facts(owner, vid));
      const folders = await loadFolders(
        db,
        line.map((version) => version.vid),
      );
      return folders.length === 0 ? [] : left(folders, await files.versions.columns(owner, vid));
    },

    async put({ owner }: Actor, vid: number, folders: VariableFolder[]): Promise<VariableFolder[]> {
      const columns = await files.versions.columns(owner, vid);
      demandSound(folders);
      const kept = left(folders, columns);
      await putFolders(db, vid, kept);
      return kept;
    },
  };
}
