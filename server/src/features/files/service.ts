/** Files: uploads, imports, versions. Put together here; other features see nothing but this face. */
import type { Deps } from '../../lib/deps.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../membership/service.ts';
import type { Runs } from '../runs/service.ts';
import { exportFiles } from './owner-data.ts';
import { Blobs } from '../../lib/blobs.ts';
import { createCatalogues } from './catalogues.ts';
import { createCopies } from './copies.ts';
import { createTables } from './engine.ts';
import { createImports } from './imports.ts';
import { createLibrary } from './library.ts';
import { createNewFiles } from './new-files.ts';
import { createSweeper } from './sweeper.ts';
import { addGarbage } from './upload-store.ts';
import { Uploads } from './uploads.ts';
import { LateUsage } from './usage.ts';
import { createTypedCounts } from './typed-counts.ts';
import { createVersions } from './versions.ts';

export { expireFiles, holdsFiles } from './owner-data.ts';
export { newTableKey } from '../../lib/blobs.ts';
export type { CopiedFile } from './copies.ts';
export { demandUnlocked } from './lock.ts';
export { CellsMeta, keepCondition, Replaced, TableMeta } from './engine.ts';
export type { RowCase, CellChange, SampleQuery as SampleAsked } from './engine.ts';
export { visibleFiles } from './store.ts';
export type { VersionFacts } from './store.ts';
export { saveConflict as newerFault } from './save-conflict.ts';
export type { Branching } from './save-conflict.ts';
export { namedTables } from './datasets.ts';
export type { TableHandle } from './datasets.ts';
export { moved as movedQuestionnaire } from './questionnaire/kept.ts';
export type { PlannedVersion } from './versions.ts';

export type Files = ReturnType<typeof createFiles>;

export function createFiles(
  deps: Pick<Deps, 'config' | 'db' | 'engine' | 'log'> & { runs: Runs; membership: Membership },
) {
  const { config, db, engine, log, runs } = deps;
  const { editions } = deps.membership;
  const blobs = new Blobs(config.data);
  const usage = new LateUsage();
  const tables = createTables(engine);
  const uploads = new Uploads(db, blobs, editions);
  const versions = createVersions({ db, tables, usage, editions });
  const library = createLibrary({ db, usage, editions });
  const made = createNewFiles({ tables, data: config.data });
  return {
    usage,
    tables,
    uploads,
    library,
    imports: createImports({ db, runs, tables, uploads }),
    versions,
    catalogues: createCatalogues({ uploads, tables, versions }),
    made,
    counts: createTypedCounts({ db, tables, made }),
    copies: createCopies({ db, blobs, tables, editions }),
    sweeper: createSweeper({ db, blobs, tables, library, log }),
    export: (owner: Owner) => exportFiles(db, blobs, owner),
    /** Folders of tables that nobody needs; removed from disk by the sweeper. */
    discard: (executor: typeof db, keys: string[], hours = 0) => addGarbage(executor, keys, hours),
  };
}
