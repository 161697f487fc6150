/** Models: kept with the report that made them, in the list once they have a name. Files are the engine's, rows ours. */
import type { Declaration, Element, ModelElement } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { EngineFault, Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Files } from '../files/service.ts';
import type { ReportDocument } from '../reports/schema.ts';
import { Answered } from './schema.ts';
import type { AskBody, ModelDetail, ModelQuery, ModelRow } from './schema.ts';
import * as store from './store.ts';
import type { ModelEntry } from './tables.ts';

export { newModelKey } from './keys.ts';

/** What the server itself reads of a model field; the engine judges the rest. */
const ModelGiven = z.looseObject({ model_id: z.number().int().positive().max(2_147_483_647).nullish() });

export type Models = ReturnType<typeof createModels>;

/** What the engine must know to use a model; the owner was checked when it was found. */
export interface ModelHandle {
  model_id: number;
  name: string;
  key: string;
  sha256: string;
}

const handle = ({ id, name, method, key, sha256 }: ModelEntry): ModelHandle => ({
  model_id: id,
  name: name ?? method,
  key,
  sha256,
});

function wire(row: ModelEntry): ModelRow {
  const { id, name, path, method, task, card, bytes, fileName, projectId, rid, createdAt, namedAt } = row;
  return {
    model_id: id,
    name,
    path,
    method,
    task,
    target: card.target.label ?? card.target.name,
    features: card.features.length,
    rows: card.rows,
    scores: card.scores,
    bytes,
    file_name: fileName,
    project_id: projectId,
    report_id: rid,
    created_at: createdAt.toISOString(),
    named_at: namedAt?.toISOString() ?? null,
  };
}

const isKept = (element: Element): element is ModelElement & { kept: string; sha256: string } =>
  element.type === 'model' && element.kept !== null && element.sha256 !== null;

export function createModels({ db, engine, files }: Pick<Deps, 'db' | 'engine'> & { files: Files }) {
  async function load(owner: Owner, id: number): Promise<ModelEntry> {
    const found = await store.loadModel(db, owner, id);
    if (!found) throw missing();
    return found;
  }

  async function discardOrphans(tx: Tx): Promise<void> {
    const keys = await store.deleteOrphans(tx);
    if (keys.length > 0) await files.discard(tx, keys);
  }

  return {
    /** Gives every model of a fresh result its number; `link` ties them to the stored document. */
    async take(
      tx: Tx,
      owner: Owner,
      report: ReportDocument,
      from: { rid: number; projectId: number; fileName: string | null },
    ): Promise<{ report: ReportDocument; ids: number[] }> {
      const ids: number[] = [];
      const number = async (element: Element): Promise<Element> => {
        if (!isKept(element)) return element;
        const { card, kept: key, sha256, bytes } = element;
        const { path, method, task } = card;
        const id = await store.insertModel(tx, owner, { ...from, path, method, task, key, sha256, bytes, card });
        ids.push(id);
        return { ...element, model_id: id };
      };
      const parts = [];
      for (const part of report.parts) {
        const elements = [];
        for (const element of part.elements) elements.push(await number(element));
        parts.push({ ...part, elements });
      }
      // A report without models is the one that came, with its text.
      return ids.length === 0 ? { report, ids } : { report: { ...report, parts }, ids };
    },

    link: (tx: Tx, ids: number[], documentId: number): Promise<void> =>
      ids.length === 0 ? Promise.resolve() : store.linkModels(tx, ids, documentId),

    async list(owner: Owner, query: ModelQuery): Promise<{ total: number; list: ModelRow[] }> {
      const { total, list } = await store.listModels(db, owner, query);
      return { total, list: list.map(wire) };
    },

    async read(owner: Owner, id: number): Promise<ModelDetail> {
      const found = await load(owner, id);
      return { ...wire(found), card: found.card };
    },

    /** Saves a kept model under a name, or renames a saved one. */
    async rename(owner: Owner, id: number, name: string): Promise<ModelRow> {
      const named = await store.nameModel(db, owner, id, name);
      if (!named) throw missing();
      return wire(named);
    },

    /**
     * Out of the list of saved models. Its report shows the same result as before and keeps it; without a report its
     * file goes too.
     */
    async remove(owner: Owner, id: number): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await store.unnameModel(tx, owner, id))) throw missing();
        await discardOrphans(tx);
      });
    },

    /**
     * The saved model a form names, or the newest of the task; null where this owner has none. `path`: of this method
     * only.
     */
    async chosen(owner: Owner, id: number | null, task: string, path: string | null): Promise<ModelHandle | null> {
      const found = id === null ? await store.newestModel(db, owner, task, path) : await store.loadModel(db, owner, id);
      return found && found.name !== null && (path === null || found.path === path) ? handle(found) : null;
    },

    /** For each model field of a method, what the engine may open: the owner's own, or nothing at all. */
    async named(
      owner: Owner,
      method: Pick<Declaration, 'fields'>,
      form: Record<string, unknown>,
      path: string | null,
    ): Promise<Record<string, ModelHandle | null> | null> {
      const fields = method.fields.filter((field) => field.type === 'model');
      if (fields.length === 0) return null;
      const models = fields.map(async ({ key, task }) => {
        const id = ModelGiven.safeParse(form[key]).data?.model_id ?? null;
        return [key, await this.chosen(owner, id, task, path)] as const;
      });
      return Object.fromEntries(await Promise.all(models));
    },

    /** 试算: what the model says to typed values. */
    async ask(owner: Owner, id: number, { cases }: AskBody): Promise<Answered> {
      const found = await load(owner, id);
      try {
        return await engine.call('POST', '/answer', { model: handle(found), cases }, Answered, { timeoutMs: 20_000 });
      } catch (error) {
        if (error instanceof EngineFault && error.status === 422) throw new Fault(30601, { text: error.message });
        throw error;
      }
    },

    /** Called by the sweeper: kept models whose result is gone. */
    async sweep(): Promise<void> {
      await db.transaction(discardOrphans);
    },

    holds: async (executor: typeof db, owner: Owner): Promise<boolean> =>
      (await store.countOfOwner(executor, owner)) > 0,

    /** Everything of an account that ends. */
    async removeAll(tx: Tx, owner: Owner): Promise<void> {
      const keys = await store.deleteOfOwner(tx, owner);
      if (keys.length > 0) await files.discard(tx, keys);
    },
  };
}
