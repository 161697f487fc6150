/** Own folders and hidden variables of the list: kept with a version, handed on to the versions made from it. */
import { inArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Column } from '../files/schema.ts';
import type { Files, VersionFacts } from '../files/service.ts';
import type { VariableFolder, VariableFolders, VariableFoldersBody } from './schema.ts';
import { variableFolders } from './tables.ts';

const NOTHING: VariableFolders = { folders: [], hidden: [] };

/** Of the first version in a line, from a version up to its import, that has its own; null where none has. */
async function load(db: Db, line: readonly VersionFacts[]): Promise<VariableFolders | null> {
  const vids = line.map(({ vid }) => vid);
  const rows = await db.select().from(variableFolders).where(inArray(variableFolders.vid, vids));
  const own = new Map(rows.map(({ vid, folders, hidden }) => [vid, { folders, hidden }]));
  const nearest = vids.find((vid) => own.has(vid));
  return nearest === undefined ? null : (own.get(nearest) ?? null);
}

async function keep(db: Db | Tx, vid: number, view: VariableFolders): Promise<void> {
  await db
    .insert(variableFolders)
    .values({ vid, ...view })
    .onConflictDoUpdate({ target: variableFolders.vid, set: { ...view, updatedAt: sql`now()` } });
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

/** Variables are called as `rename` says; those that it does not know are not listed. */
function mapped({ folders, hidden }: VariableFolders, rename: (id: string) => string | undefined): VariableFolders {
  const all = (ids: readonly string[]): string[] => ids.flatMap((id) => rename(id) ?? []);
  return { folders: folders.map((folder) => ({ ...folder, columns: all(folder.columns) })), hidden: all(hidden) };
}

/** Variables that the version no longer has are not listed. */
function left(view: VariableFolders, columns: readonly Column[]): VariableFolders {
  const known = new Set(columns.map(({ id }) => id));
  return mapped(view, (id) => (known.has(id) ? id : undefined));
}

export function createFolders({ db, files: { versions } }: { db: Db; files: Files }) {
  const lineOf = async (owner: Owner, vid: number) => versions.chain(await versions.facts(owner, vid));

  return {
    async read({ owner }: Actor, vid: number): Promise<VariableFolders> {
      const view = await load(db, await lineOf(owner, vid));
      return view ? left(view, await versions.columns(owner, vid)) : NOTHING;
    },

    async put({ owner }: Actor, vid: number, { folders, hidden }: VariableFoldersBody): Promise<VariableFolders> {
      const columns = await versions.columns(owner, vid);
      demandSound(folders);
      const before = hidden ? null : await load(db, await lineOf(owner, vid));
      const kept = left({ folders, hidden: [...new Set(hidden ?? before?.hidden)] }, columns);
      await keep(db, vid, kept);
      return kept;
    },

    /**
     * What a version made anew takes over from the list of version `like`, its variables found by name; null where
     * there is nothing to take, or where `base`, on which it is made, is another file with a list of its own.
     */
    async carried(owner: Owner, like: number, base: VersionFacts, columns: readonly Column[]) {
      const model = await versions.find(owner, like);
      const view = model && (await load(db, await versions.chain(model)));
      if (!model || !view) return null;
      if (base.fid !== model.fid && (await load(db, await versions.chain(base)))) return null;
      const names = new Map((await versions.columns(owner, like)).map(({ id, name }) => [id, name]));
      const ids = new Map(columns.map(({ id, name }) => [name, id]));
      return mapped(view, (id) => ids.get(names.get(id) ?? ''));
    },

    keep,
  };
}
