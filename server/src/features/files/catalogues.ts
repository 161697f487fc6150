/** The value labels of a SAS catalogue for a version that was imported without it: an edit like any other. */
import { CATALOGUE_FORMAT } from '@hengxi/contracts/upload-formats';
import { z } from 'zod';
import { Fault } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { RowsFileQuery, Tables } from './engine.ts';
import { extensionOf } from './limits.ts';
import type { ColumnEdit, ImportReport } from './schema.ts';
import type { UploadRow } from './tables.ts';
import type { Uploads } from './uploads.ts';
import type { Versions } from './versions.ts';

const WANTED = 'sas7bcat.wanted';
const Wanted = z.looseObject({ formats: z.record(z.string(), z.string()) });
/** With two labels or more the numbers are names of categories, as at the import. */
const CATEGORIES = 2;

export function demandWhole({ state, size, received }: UploadRow): void {
  if (state === 'open') throw new Fault(30505, { left: size - received });
}

/** A whole upload of the same owner that holds value labels. */
export async function catalogueOf(uploads: Uploads, owner: Owner, id: number): Promise<RowsFileQuery> {
  const upload = await uploads.load(owner, id);
  if (extensionOf(upload.name) !== CATALOGUE_FORMAT)
    throw new Fault(30508, { text: `“${upload.name}”不是 SAS 的值标签目录（.${CATALOGUE_FORMAT}）` });
  demandWhole(upload);
  return { upload: upload.key, name: upload.name };
}

/** Which column has which format, as the import noted it. */
function formatsIn({ warnings, columns }: ImportReport): Map<string, string> {
  const facts = warnings.find(({ code }) => code === WANTED)?.facts;
  const { formats } = Wanted.catch({ formats: {} }).parse(facts ?? {});
  return new Map(
    columns.flatMap(({ id, name, original_name }) => {
      const form = formats[original_name ?? name] ?? formats[name];
      return form === undefined ? [] : [[id, form] as const];
    }),
  );
}

export function createCatalogues({
  uploads,
  tables,
  versions,
}: {
  uploads: Uploads;
  tables: Tables;
  versions: Versions;
}) {
  return {
    /** What the catalogue changes in the version; refused where it explains none of its formats. */
    async edits(owner: Owner, vid: number, uploadId: number): Promise<ColumnEdit[]> {
      const catalogue = await catalogueOf(uploads, owner, uploadId);
      const formats = formatsIn(await versions.importReport(owner, vid));
      if (formats.size === 0) throw new Fault(30508, { text: '这份数据没有用到 SAS 的自定义格式，不需要值标签目录' });
      const there = new Set((await versions.columns(owner, vid)).map(({ id }) => id));
      const asked = Object.fromEntries([...formats].filter(([id]) => there.has(id)));
      const { labels } = await tables.labels(catalogue, asked);
      const edits = Object.entries(labels).map(([id, levels]) => ({
        id,
        levels,
        ...(levels.length >= CATEGORIES ? { measure: '定类' as const } : {}),
      }));
      if (edits.length === 0) {
        const wanted = [...new Set(Object.values(asked))].slice(0, 5).join('、');
        throw new Fault(30508, { text: `“${catalogue.name}”里没有这份数据用到的格式（${wanted}）` });
      }
      return edits;
    },
  };
}
