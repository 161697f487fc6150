/** Steps: everything that makes a version from a version. Put together here; other features see nothing but this face. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Deps } from '../../lib/deps.ts';
import { missing } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Edited, Step } from '../files/schema.ts';
import { demandUnlocked, keepCondition, newTableKey, newerFault } from '../files/service.ts';
import type { Branching, Files, VersionFacts } from '../files/service.ts';
import type { Membership } from '../membership/service.ts';
import type { Models } from '../models/service.ts';
import type { TextAnalysis } from '../text-analysis/service.ts';
import type { Runs } from '../runs/service.ts';
import { createMatching } from './chain-match.ts';
import { createChains } from './chains.ts';
import { cellsStep, goneText } from './describe.ts';
import { replaceStep, rowColumnStep } from './grid-edits.ts';
import { createFolders } from './folders.ts';
import { namedSets, setsStep } from './sets.ts';
import { createMethods } from './methods.ts';
import { namesIn } from './names.ts';
import { readRecipe, rulesOf, textOf } from './recipe.ts';
import type { Chain } from './recipe.ts';
import type { CellsEdit, ChainChoice, EditsBody, Replace, SetEdit, ShapeEdit } from './schema.ts';

export { TEXT_MOST } from './recipe.ts';
export type { Chain } from './recipe.ts';
export { exportFolders } from './owner-data.ts';

export type Steps = ReturnType<typeof createSteps>;

export function createSteps(
  deps: Pick<Deps, 'db' | 'engine'> & {
    files: Files;
    runs: Runs;
    membership: Pick<Membership, 'usage' | 'unlocks'>;
    models: Pick<Models, 'named'>;
    texts: Pick<TextAnalysis, 'named'>;
    method: (path: string) => Declaration;
  },
) {
  const { files } = deps;
  const folders = createFolders(deps);
  const chains = createChains({ ...deps, folders });
  const declared = (path: string): Declaration | null => {
    try {
      return deps.method(path);
    } catch {
      return null;
    }
  };
  const matching = createMatching({ ...deps, declared });

  async function editCells({ owner, userId }: Actor, vid: number, body: CellsEdit, how: Branching): Promise<Edited> {
    const { cells, of, theirs = false } = body;
    const version = await files.versions.facts(owner, vid);
    demandUnlocked(version);
    const typed = of === undefined ? null : await files.versions.facts(owner, of);
    if (typed && typed.fid !== version.fid) throw missing();
    const head = how.branch ? null : await files.versions.newer(owner, version);
    if (head) {
      const carried = await files.tables.carry(head.tableKey, (typed ?? version).tableKey, cells);
      throw await newerFault(deps.db, head, carried);
    }
    const columns = await files.versions.columns(owner, vid);
    const key = newTableKey();
    const from = typed ? { of: typed.tableKey, theirs } : {};
    const {
      changes: told,
      left_out,
      own_cases,
      ...meta
    } = await files.tables.cells(version.tableKey, key, cells, from);
    const lost = left_out > 0 ? [goneText(left_out)] : [];
    if (told.length === 0) {
      await files.discard(deps.db, [key]);
      return { vid, warnings: lost };
    }
    const isKnown = own_cases || (await hasRowsOfImport(version));
    const changes = told.map(({ case: row, ...change }) => (row && isKnown ? { ...change, case: row } : change));
    const step = cellsStep(
      changes,
      columns,
      namesIn(
        changes.map(({ column }) => column),
        columns,
      ),
    );
    const made = await files.versions.add(owner, version, { key, meta, step: { ...step, by: userId } }, how);
    return { ...made, warnings: [...made.warnings, ...lost] };
  }

  /** A table of before rows were told apart keeps no cases, although a step may have taken rows away. */
  async function hasRowsOfImport(version: VersionFacts): Promise<boolean> {
    return (await files.versions.chain(version)).at(-1)?.rows === version.rows;
  }

  async function ready({ owner }: Actor, vid: number, how: Branching): Promise<VersionFacts> {
    const version = await files.versions.facts(owner, vid);
    demandUnlocked(version);
    await files.versions.demandHead(owner, version, how);
    return version;
  }

  async function replaceText(actor: Actor, vid: number, asked: Replace, how: Branching): Promise<Edited> {
    const version = await ready(actor, vid, how);
    const columns = await files.versions.columns(actor.owner, vid);
    const { seek, with: by, filter_type } = asked;
    const condition = keepCondition(asked.condition, filter_type);
    const key = newTableKey();
    const { told, ...meta } = await files.tables.replace(version.tableKey, { table: key, seek, with: by, condition });
    if (told.cells === 0) {
      await files.discard(deps.db, [key]);
      return { vid, warnings: [`没有找到“${seek.text}”，数据没有改动`] };
    }
    const step = replaceStep({ seek, with: by, condition }, told, columns, namesIn([seek.columns, condition], columns));
    return files.versions.add(actor.owner, version, { key, meta, step: { ...step, by: actor.userId } }, how);
  }

  async function reshape(actor: Actor, vid: number, { shape, of }: ShapeEdit, how: Branching): Promise<Edited> {
    const version = await ready(actor, vid, how);
    const typed = of === undefined ? null : await files.versions.facts(actor.owner, of);
    if (typed && typed.fid !== version.fid) throw missing();
    const columns = await files.versions.columns(actor.owner, vid);
    const key = newTableKey();
    const from = typed ? { of: typed.tableKey } : {};
    const { act, ...meta } = await files.tables.shape(version.tableKey, { table: key, act: shape, ...from });
    const step = rowColumnStep(act, columns, version.rows - meta.rows);
    return files.versions.add(actor.owner, version, { key, meta, step: { ...step, by: actor.userId } }, how);
  }

  async function editSets({ owner, userId }: Actor, vid: number, wanted: SetEdit[], how: Branching): Promise<Edited> {
    const version = await files.versions.facts(owner, vid);
    demandUnlocked(version);
    await files.versions.demandHead(owner, version, how);
    const columns = await files.versions.columns(owner, vid);
    const sets = namedSets(wanted, columns);
    if (JSON.stringify(sets) === JSON.stringify(version.sets)) return { vid, warnings: [] };
    const key = newTableKey();
    const meta = await files.tables.edit(version.tableKey, key, [], sets);
    const step = setsStep(version.sets, sets, namesIn(sets, columns));
    return files.versions.add(owner, version, { key, meta: { ...meta, sets }, step: { ...step, by: userId } }, how);
  }

  return {
    methods: createMethods(deps),
    folders,
    change: chains.change,
    replay: chains.replay,
    recipe: chains.recipe,
    /** Chains that are kept by name: taken from a version, read from a text, judged on another version, and run there. */
    kept: {
      of: async (owner: Owner, vid: number): Promise<Chain & { left_out: string[] }> => {
        const { name, steps } = await chains.stepsOf(owner, vid);
        return { name, note: '', ...rulesOf(steps) };
      },
      read: (text: string): Chain => readRecipe(text, declared),
      write: textOf,
      outline: matching.outline,
      match: matching.match,
      follow: async (actor: Actor, vid: number, steps: readonly Step[], choice: ChainChoice, wait: number) =>
        chains.follow(actor, vid, await matching.fitted(actor.owner, vid, steps, choice), wait),
    },

    edit: async (actor: Actor, vid: number, body: EditsBody, how: Branching): Promise<Edited> => {
      if ('catalogue' in body)
        return files.versions.edit(actor, vid, await files.catalogues.edits(actor.owner, vid, body.catalogue), how);
      if ('cells' in body) return editCells(actor, vid, body, how);
      if ('replace' in body) return replaceText(actor, vid, body.replace, how);
      if ('shape' in body) return reshape(actor, vid, body, how);
      return 'sets' in body ? editSets(actor, vid, body.sets, how) : files.versions.edit(actor, vid, body.columns, how);
    },
  };
}
