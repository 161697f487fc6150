/** 常用流程: chains of processing steps kept under a name, read from a file, and run on other data of the same owner. */
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { whole } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json, pathPart } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { usersByIds } from '../accounts/service.ts';
import { Step } from '../files/schema.ts';
import type { ChainMatch, Stepped } from '../steps/schema.ts';
import type { Chain, Steps } from '../steps/service.ts';
import { TEXT_MOST } from '../steps/service.ts';
import { NAME_MOST, RECIPES_MOST } from './schema.ts';
import type {
  NewRecipe,
  RecipeChange,
  RecipeDetail,
  RecipeList,
  RecipeMade,
  RecipeOn,
  RecipeQuery,
  RecipeText,
  SavedRecipe,
} from './schema.ts';
import * as store from './store.ts';
import type { RecipeEntry } from './store.ts';
import type { RecipeRow } from './tables.ts';

export type Recipes = ReturnType<typeof createRecipes>;

const cut = (name: string, room = 0): string =>
  Array.from(name)
    .slice(0, NAME_MOST - room)
    .join('');

/** `清洗`, `清洗 2`, `清洗 3`: the first that is free. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n += 1) {
    const next = `${cut(name, 4)} ${n}`;
    if (!taken.has(next)) return next;
  }
}

const sized = ({ steps, ...row }: RecipeRow): RecipeEntry => ({ ...row, size: steps.length });

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export function createRecipes({ db, steps }: { db: Db; steps: Pick<Steps, 'kept'> }) {
  async function load(owner: Owner, id: number): Promise<RecipeRow> {
    const row = await store.findRecipe(db, owner, id);
    if (!row) throw missing();
    return row;
  }

  /** Authors are told where several people share a list. */
  async function wired(owner: Owner, rows: readonly RecipeEntry[]): Promise<SavedRecipe[]> {
    const others = owner.kind === 'enterprise' ? rows.flatMap(({ createdBy }) => createdBy ?? []) : [];
    const people = new Map(
      (await usersByIds(db, [...new Set(others)])).map(({ id, nickname }) => [id, nickname] as const),
    );
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      note: row.note,
      size: row.size,
      author: row.createdBy === null || row.createdBy === owner.member ? null : (people.get(row.createdBy) ?? null),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      used_at: isoOf(row.usedAt),
      deleted_at: isoOf(row.deletedAt),
    }));
  }

  async function wire(owner: Owner, row: RecipeRow): Promise<SavedRecipe> {
    const [saved] = await wired(owner, [sized(row)]);
    if (!saved) throw new Error('A recipe was lost on its way out');
    return saved;
  }

  const twin = (name: string): Fault => {
    const text = `已有名为“${name}”的流程`;
    return new Fault(30508, { text }, { fields: [{ field: 'name', code: 'recipe.name', text }] });
  };

  async function demandRoom(tx: Tx, { owner, isDemo }: Actor): Promise<void> {
    if ((await store.countRecipes(tx, owner)) < RECIPES_MOST) return;
    if (!isDemo) throw new Fault(30508, { text: `最多保存 ${RECIPES_MOST} 个常用流程，请先删除不用的` });
    // Everybody tries in the demo account: the one that was longest left alone gives way.
    const { list } = await store.listRecipes(db, owner, { page: RECIPES_MOST, page_size: 1, bin: '0' });
    for (const { id } of list) await store.binRecipe(tx, owner, id, RECIPES_MOST);
  }

  async function add(actor: Actor, chain: Chain, name: (tx: Tx) => Promise<string>): Promise<RecipeRow> {
    if (steps.kept.write(chain).length > TEXT_MOST)
      throw new Fault(30508, { text: `这些步骤写成文件超过 ${TEXT_MOST / 10_000} 万个字，不能保存为常用流程` });
    return db.transaction(async (tx) => {
      await store.lockList(tx, actor.owner);
      const chosen = await name(tx);
      await demandRoom(tx, actor);
      return store.insertRecipe(tx, actor.owner, { name: chosen, note: chain.note, steps: chain.steps });
    });
  }

  const beside = (owner: Owner, name: string) => async (tx: Tx) =>
    freeName(cut(name), await store.namesLike(tx, owner, cut(name, 4)));

  const chainOf = ({ name, note, steps: kept }: RecipeRow): Chain => ({ name, note, steps: Step.array().parse(kept) });

  return {
    async list(owner: Owner, query: RecipeQuery): Promise<RecipeList> {
      const { total, list } = await store.listRecipes(db, owner, query);
      return { total, list: await wired(owner, list) };
    },

    async read(owner: Owner, id: number): Promise<RecipeDetail> {
      const row = await load(owner, id);
      return { ...(await wire(owner, row)), ...steps.kept.outline(chainOf(row).steps) };
    },

    /** The chain of a version under a name. */
    async save(actor: Actor, { vid, name, note, replace }: NewRecipe): Promise<RecipeMade> {
      const { owner } = actor;
      const { steps: kept, left_out } = await steps.kept.of(owner, vid);
      const row = await add(actor, { name, note, steps: kept }, async (tx) => {
        const namesake = await store.findNamesake(tx, owner, name);
        if (namesake === null) return name;
        if (!replace) throw twin(name);
        await store.binRecipe(tx, owner, namesake, RECIPES_MOST);
        return name;
      });
      return { ...(await wire(owner, row)), left_out };
    },

    /** A chain from a file; where its name is taken it gets the next one that is free. */
    async take(actor: Actor, text: string): Promise<SavedRecipe> {
      const chain = steps.kept.read(text);
      return wire(actor.owner, await add(actor, chain, beside(actor.owner, chain.name)));
    },

    async change(owner: Owner, id: number, { name, note }: RecipeChange): Promise<SavedRecipe> {
      const row = await db.transaction(async (tx) => {
        await store.lockList(tx, owner);
        const known = await store.findRecipe(tx, owner, id);
        if (!known) throw missing();
        if (name !== undefined && (await store.findNamesake(tx, owner, name, id)) !== null) throw twin(name);
        return store.updateRecipe(tx, owner, id, {
          ...(name === undefined ? {} : { name }),
          ...(note === undefined ? {} : { note }),
        });
      });
      if (!row) throw missing();
      return wire(owner, row);
    },

    async copy(actor: Actor, id: number): Promise<SavedRecipe> {
      const chain = chainOf(await load(actor.owner, id));
      const name = `${cut(chain.name, 7)} 副本`;
      return wire(actor.owner, await add(actor, chain, beside(actor.owner, name)));
    },

    async remove(owner: Owner, id: number): Promise<void> {
      const gone = await db.transaction((tx) => store.binRecipe(tx, owner, id, RECIPES_MOST));
      if (!gone) throw missing();
    },

    async removeForGood(owner: Owner, id: number): Promise<void> {
      if (!(await store.deleteForGood(db, owner, id))) throw missing();
    },

    /** What is not in the bin is left as it is. */
    async restore(actor: Actor, id: number): Promise<SavedRecipe> {
      const { owner } = actor;
      const row = await db.transaction(async (tx) => {
        await store.lockList(tx, owner);
        const gone = await store.findRecipe(tx, owner, id, true);
        if (!gone) return store.findRecipe(tx, owner, id);
        await demandRoom(tx, actor);
        return store.restoreRecipe(tx, owner, id, await beside(owner, gone.name)(tx));
      });
      if (!row) throw missing();
      return wire(owner, row);
    },

    async text(owner: Owner, id: number): Promise<RecipeText> {
      const chain = chainOf(await load(owner, id));
      return { name: chain.name, text: steps.kept.write(chain) };
    },

    async match(owner: Owner, id: number, { vid, ...choice }: RecipeOn): Promise<ChainMatch> {
      const { steps: kept } = chainOf(await load(owner, id));
      return steps.kept.match(owner, vid, kept, choice);
    },

    async apply(actor: Actor, id: number, { vid, ...choice }: RecipeOn, wait: number): Promise<Stepped> {
      const { steps: kept } = chainOf(await load(actor.owner, id));
      const stepped = await steps.kept.follow(actor, vid, kept, choice, wait);
      await store.noteUse(db, actor.owner, id);
      return stepped;
    },

    /** What has been thirty days in the bin goes for good. */
    tidy: (): Promise<void> => store.deleteExpired(db),

    /** All of one owner as files that can be read in again, the bin included. */
    async *export(owner: Owner): AsyncGenerator<OwnerFile> {
      const rows = await store.allRecipes(db, whole(owner));
      if (rows.length > 0)
        yield json(
          'recipes.json',
          rows.map(({ name, note, steps: kept, createdAt, updatedAt, usedAt, deletedAt }) => ({
            name,
            note,
            size: kept.length,
            createdAt,
            updatedAt,
            usedAt,
            deletedAt,
          })),
        );
      for (const row of rows) {
        const content = new TextEncoder().encode(steps.kept.write(chainOf(row)));
        yield { path: `recipes/${row.id}-${pathPart(row.name)}.json`, content };
      }
    },
  };
}
