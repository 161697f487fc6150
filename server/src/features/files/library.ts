/** The list of files: finding, naming, moving to the bin and back, and removing for good. */
import { violates } from '../../lib/db.ts';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../membership/service.ts';
import type { FileDetail, FileList, FilePatch, FileQuery, FileRow, NamedFilter, NamedFilterBody } from './schema.ts';
import * as filters from './filter-store.ts';
import { demandUnlocked } from './lock.ts';
import * as store from './store.ts';
import type { FileItem, VersionFacts } from './store.ts';
import { addGarbage, deleteUpload, usedBytes } from './upload-store.ts';
import type { Usage } from './usage.ts';

/** Removal from disk waits, so that a backup taken meanwhile has every file its rows name. */
export const REMOVAL_HOURS = 48;
const NAMED_FILTERS_MAX = 100;

export type Library = ReturnType<typeof createLibrary>;

/** Where undo leads: to what was shown before. */
const undoOf = ({ replaces, parent }: VersionFacts): number | null => replaces ?? parent;

function wire(item: FileItem, reports: number): FileRow {
  const { version } = item;
  const { columns, makeup, findings, finding } = version.summary;
  return {
    fid: item.fid,
    name: item.name,
    format: item.format,
    example: item.example,
    size: version.size,
    vid: version.vid,
    number: item.version.number,
    versions: item.versions,
    rows: version.rows,
    columns,
    makeup,
    findings,
    finding,
    reports,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
    deleted_at: item.deletedAt?.toISOString() ?? null,
    locked: item.lockedAt !== null,
  };
}

export function createLibrary(deps: { db: Db; usage: Usage; editions: Membership['editions'] }) {
  const { db, usage, editions } = deps;

  async function load(owner: Owner, fid: number, bin = false): Promise<FileItem> {
    const file = await store.loadFile(db, owner, fid, bin);
    if (!file) throw missing();
    return file;
  }

  async function removeForGood(fid: number): Promise<void> {
    await db.transaction(async (tx) => {
      const keys = await store.storedKeys(tx, fid);
      await store.deleteFileForGood(tx, fid);
      const free: string[] = [];
      for (const { id, key } of keys.uploads) {
        if (await store.uploadIsNeeded(tx, id)) continue;
        await deleteUpload(tx, id);
        free.push(key);
      }
      await addGarbage(tx, [...keys.tables, ...free], REMOVAL_HOURS);
    });
  }

  return {
    async list(owner: Owner, query: FileQuery): Promise<FileList> {
      const { total, list } = await store.listFiles(db, owner, query);
      const reports = await usage.byFile(list.map(({ fid }) => fid));
      return {
        total,
        list: list.map((item) => wire(item, reports.get(item.fid) ?? 0)),
        used: await usedBytes(db, owner),
        quota: (await editions.limitsOf(db, owner)).storage_bytes,
      };
    },

    async read(owner: Owner, fid: number): Promise<FileDetail> {
      const item = await load(owner, fid, true);
      const history = await store.versionsOf(db, fid);
      const byVersion = await usage.byVersion(history.map(({ vid }) => vid));
      const byFile = await usage.byFile([fid]);
      const head = history.find(({ vid }) => vid === item.head);
      return {
        ...wire(item, byFile.get(fid) ?? 0),
        history: history.map(({ vid, number, parent, rows, summary, step, createdAt }) => ({
          vid,
          number,
          parent,
          rows,
          columns: summary.columns,
          title: step.title,
          created_at: createdAt.toISOString(),
          is_head: vid === item.head,
          reports: byVersion.get(vid) ?? 0,
        })),
        undo: head ? undoOf(head) : null,
        redo: history.filter((one) => !one.passing && undoOf(one) === item.head).at(-1)?.vid ?? null,
      };
    },

    async change(owner: Owner, fid: number, patch: FilePatch): Promise<FileDetail> {
      const change = {
        ...(patch.name === undefined ? {} : { name: patch.name }),
        ...(patch.head === undefined ? {} : { head: patch.head }),
        ...(patch.locked === undefined ? {} : { lockedAt: patch.locked ? new Date() : null }),
      };
      if (Object.keys(change).length === 0) throw new Fault(30090, { detail: '没有任何修改' });
      if (patch.head !== undefined && patch.locked !== false) demandUnlocked(await load(owner, fid));
      if (!(await store.updateFile(db, owner, fid, change))) throw missing();
      return this.read(owner, fid);
    },

    async toBin(owner: Owner, fid: number): Promise<void> {
      demandUnlocked(await load(owner, fid));
      if (!(await store.setBin(db, owner, fid, true))) throw missing();
    },

    async restore(owner: Owner, fid: number): Promise<FileDetail> {
      await load(owner, fid, true);
      try {
        // Restoring what is not in the bin changes nothing.
        await store.setBin(db, owner, fid, false);
      } catch (error) {
        if (!violates(error, 'files_example')) throw error;
        throw new Fault(30508, { text: '同一份示例数据已经在列表中' });
      }
      return this.read(owner, fid);
    },

    /** Only from the bin: what is in use is never removed by one wrong click. */
    async remove(owner: Owner, fid: number): Promise<void> {
      const file = await load(owner, fid, true);
      if (!file.deletedAt) throw new Fault(30509);
      await removeForGood(fid);
    },

    removeForGood,

    /** One version that is neither shown nor the only one. Its data stays on disk while a later version reads it. */
    async removeVersion(version: VersionFacts): Promise<void> {
      demandUnlocked(version);
      if (version.head === version.vid) throw new Fault(30508, { text: '不能删除当前版本，请先切换到其他版本' });
      const used = await usage.byVersion([version.vid]);
      const reports = used.get(version.vid) ?? 0;
      if (reports > 0) throw new Fault(30508, { text: `有 ${reports} 份报告使用这个版本，请先删除报告` });
      await db.transaction(async (tx) => {
        await store.deleteVersion(tx, version);
        const free: string[] = [];
        for (const key of new Set([version.tableKey, version.dataKey]))
          if (key && !(await store.folderIsNeeded(tx, key))) free.push(key);
        await addGarbage(tx, free, REMOVAL_HOURS);
      });
    },

    filters: {
      list: async (owner: Owner, fid: number): Promise<NamedFilter[]> => {
        await load(owner, fid);
        return filters.listNamedFilters(db, fid);
      },
      add: async (owner: Owner, fid: number, body: NamedFilterBody): Promise<NamedFilter> => {
        await load(owner, fid);
        if ((await filters.countNamedFilters(db, fid)) >= NAMED_FILTERS_MAX)
          throw new Fault(30508, { text: `每份数据最多保存 ${NAMED_FILTERS_MAX} 个筛选` });
        return filters.insertNamedFilter(db, fid, body);
      },
      change: async (owner: Owner, fid: number, id: number, body: NamedFilterBody): Promise<NamedFilter> => {
        await load(owner, fid);
        const changed = await filters.updateNamedFilter(db, fid, id, body);
        if (!changed) throw missing();
        return changed;
      },
      remove: async (owner: Owner, fid: number, id: number): Promise<void> => {
        await load(owner, fid);
        if (!(await filters.deleteNamedFilter(db, fid, id))) throw missing();
      },
    },
  };
}
