/** Files that were never uploaded: a table an analysis made becomes one. And what a report keeps beside its columns. */
import { createReadStream } from 'node:fs';
import type { ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tx } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Tables } from './engine.ts';
import type { Column, Finding, Imported, Step, Weight } from './schema.ts';
import { findingsOf } from './health-counts.ts';
import { insertFile, insertVersion } from './store.ts';
import { searchText, summarise } from './summary.ts';

export interface LookedAt {
  key: string;
  columns: Column[];
  rows: number;
  findings: readonly Finding[];
}

export function createNewFiles({ tables, data }: { tables: Tables; data: string }) {
  return {
    /** What the engine knows of such a table; asked before the transaction that makes the file. */
    async look(key: string): Promise<LookedAt> {
      const { columns, rows } = await tables.meta(key);
      return { key, columns, rows, findings: await findingsOf(tables, { key, columns, rows, sets: [] }) };
    },

    /** Its folder belongs to the new file from now on. */
    async make(
      tx: Tx,
      { owner, userId }: Actor,
      newFile: { name: string; table: LookedAt; step: Step; weight?: Weight },
    ): Promise<Imported> {
      const { key, columns, rows, findings } = newFile.table;
      const fid = await insertFile(tx, owner, { name: newFile.name, format: 'csv', example: null });
      const vid = await insertVersion(tx, owner, fid, {
        parent: null,
        tableKey: key,
        dataKey: null,
        uploadId: null,
        size: 0,
        rows,
        columns,
        importReport: null,
        step: { ...newFile.step, by: userId },
        summary: summarise(columns, findings),
        search: searchText(columns),
        ...(newFile.weight ? { weight: newFile.weight } : {}),
      });
      if (vid === null) throw new Error('A file made a moment ago is gone');
      return { fid, vid };
    },

    /** A file the engine wrote into a folder of its own making. Both names come from a stored report, and are checked. */
    async kept(key: string, name: string): Promise<{ size: number; open: () => ReadStream }> {
      if (!/^t_[0-9a-f]{32}$/u.test(key) || !/^[a-z][a-z0-9_]{0,60}$/u.test(name)) throw missing();
      const path = join(data, 'tables', key, 'files', name);
      const found = await stat(path).catch(() => null);
      if (!found?.isFile()) throw missing();
      return { size: found.size, open: () => createReadStream(path) };
    },
  };
}
