/** The data a report was made from: its variables as they were, and their cells page by page, for the 复现包. */
import type { Owner } from '../../lib/guard.ts';
import type { Cell, Column } from '../files/schema.ts';
import type { ReportsContext } from './context.ts';
import { namedColumns } from './sample.ts';

/** What the engine gives at once. */
const PAGE = 500;

export interface SourceData {
  vid: number;
  /** Name of the file and number of the version in it. */
  name: string;
  number: number;
  rows: number;
  columns: Column[];
  /** All rows of the version, whether the filter keeps them or not; values as they are stored. */
  pages: () => AsyncGenerator<Cell[][]>;
}

const NAMED = /\{([^{}]+)\}/g;

export function createSourceData({ files, load, shown }: ReportsContext) {
  return {
    /** Null where the data is gone. */
    async of(owner: Owner, rid: number, wanted: number): Promise<SourceData | null> {
      const { rev, document } = await shown(await load(owner, 0, rid), wanted);
      const version = rev.vid === null ? null : await files.versions.find(owner, rev.vid);
      if (!version) return null;
      const filtering = [...(rev.filter?.condition ?? '').matchAll(NAMED)].map(([, id]) => id ?? '');
      const ids = new Set([...namedColumns(document), ...filtering]);
      const columns = (await files.versions.columns(owner, version.vid)).filter(({ id }) => ids.has(id));
      const { vid, name, number, rows, tableKey } = version;
      async function* pages(): AsyncGenerator<Cell[][]> {
        const asked = { columns: columns.map(({ id }) => id), sort: [], find: null, condition: null };
        for (let offset = 0; offset < rows;) {
          const page = await files.tables.rows(tableKey, { ...asked, offset, limit: PAGE });
          if (page.rows.length === 0) return;
          yield page.rows;
          offset += page.rows.length;
        }
      }
      return { vid, name, number, rows, columns, pages };
    },
  };
}
