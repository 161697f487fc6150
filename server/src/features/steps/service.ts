/** Steps: everything that makes a version from a version. Put together here; other features see nothing but this face. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Deps } from '../../lib/deps.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Edited } from '../files/schema.ts';
import { demandUnlocked, newTableKey } from '../files/service.ts';
import type { Files } from '../files/service.ts';
import type { Models } from '../models/service.ts';
import type { Runs } from '../runs/service.ts';
import { createChains } from './chains.ts';
import { cellsStep } from './describe.ts';
import { createFolders } from './folders.ts';
import { namedSets, setsStep } from './sets.ts';
import { createMethods } from './methods.ts';
import { namesIn } from './names.ts';
import type { CellEdit, EditsBody, SetEdit } from './schema.ts';

export { exportFolders } from './belongings.ts';

export type Steps = ReturnType<typeof createSteps>;

export function createSteps(
  deps: Pick<Deps, 'db'> & {
    files: Files;
    runs: Runs;
    models: Pick<Models, 'named'>;
    method: (path: string) => Declaration;
  },
) {
  const { files } = deps;
  const folders = createFolders(deps);
  const chains = createChains({ ...deps, folders });

  async function editCells({ owner, userId }: Actor, vid: number, cells: CellEdit[]): Promise<Edited> {
    const version = await files.versions.facts(owner, vid);
    demandUnlocked(version);
    const columns = await files.versions.columns(owner, vid);
    const key = newTableKey();
    const { changes, ...meta } = await files.tables.cells(version.tableKey, key, cells);
    if (changes.length === 0) {
      await files.discard(deps.db, [key]);
      return { vid, warnings: [] };
    }
    const step = cellsStep(
      changes,
      columns,
      namesIn(
        changes.map(({ column }) => column),
        columns,
      ),
    );
    return files.versions.add(owner, version, { key, meta, step: { ...step, by: userId } });
  }

  async function editSets({ owner, userId }: Actor, vid: number, wanted: SetEdit[]): Promise<Edited> {
    const version = await files.versions.facts(owner, vid);
    demandUnlocked(version);
    const columns = await files.versions.columns(owner, vid);
    const sets = namedSets(wanted, columns);
    if (JSON.stringify(sets) === JSON.stringify(version.sets)) return { vid, warnings: [] };
    const key = newTableKey();
    const meta = await files.tables.edit(version.tableKey, key, [], sets);
    const step = setsStep(version.sets, sets, namesIn(sets, columns));
    return files.versions.add(owner, version, { key, meta: { ...meta, sets }, step: { ...step, by: userId } });
  }

  return {
    methods: createMethods(deps),
    folders,
    change: chains.change,
    replay: chains.replay,

    edit: async (actor: Actor, vid: number, body: EditsBody): Promise<Edited> => {
      if ('catalogue' in body)
        return files.versions.edit(actor, vid, await files.catalogues.edits(actor.owner, vid, body.catalogue));
      if ('cells' in body) return editCells(actor, vid, body.cells);
      return 'sets' in body ? editSets(actor, vid, body.sets) : files.versions.edit(actor, vid, body.columns);
    },
  };
}
