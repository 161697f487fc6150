/** Reports with their revisions, results and presentation once more, in a project of another owner. Links outside,
 * pinned numbers and models stay with the original. */
import { asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { newTableKey } from '../files/service.ts';
import { parseDocument } from './context.ts';
import type { ReportsContext } from './context.ts';
import type { ReportDocument } from './schema.ts';
import { insertDocument, insertReport, insertRev, updateReport } from './store.ts';
import { configs, documents, reports, revs } from './tables.ts';
import type { ReportEntry, RevEntry } from './tables.ts';

interface CopiedResult {
  key: string;
  document: ReportDocument;
  kept: string | null;
  made: string | null;
}

/** What a copy will be made of; folders it names lie on disk already. */
export interface CopiedReport {
  entry: ReportEntry;
  revs: RevEntry[];
  results: Map<number, CopiedResult>;
}

/** The key a revision has on the copied table, where it was up to date on the original; null: the key stays. */
export type Rekey = (rev: RevEntry, path: string) => Promise<string | null>;

/** A model is its owner's alone, and what was written into the original's data is not in the copy's. */
function bare(document: ReportDocument, vids: Map<number, number>): ReportDocument {
  const element = (original: ReportDocument['parts'][number]['elements'][number]) => {
    if (original.type === 'model') return { ...original, model_id: null, kept: null, sha256: null };
    if (original.type === 'data')
      return { ...original, vid: original.vid === null ? null : (vids.get(original.vid) ?? null) };
    return original;
  };
  return { ...document, parts: document.parts.map((part) => ({ ...part, elements: part.elements.map(element) })) };
}

export function createCopies({ db, files }: Pick<ReportsContext, 'db' | 'files'>) {
  async function copied(key: string | null, copiedKeys: string[]): Promise<string | null> {
    if (key === null) return null;
    const copy = newTableKey();
    copiedKeys.push(copy);
    await files.tables.copy(key, copy);
    return copy;
  }

  const foldersOf = (list: readonly CopiedReport[]): string[] =>
    list
      .flatMap(({ results }) => [...results.values()].flatMap(({ kept, made }) => [kept, made]))
      .flatMap((key) => key ?? []);

  return {
    /** Finished reports the owner has, of one project or by their numbers; those in the bin are left. */
    find: (owner: Owner, which: { project: number } | { rids: number[] }): Promise<ReportEntry[]> =>
      db
        .select()
        .from(reports)
        .where(
          owned(
            reports,
            owner,
            'project' in which ? eq(reports.projectId, which.project) : inArray(reports.rid, which.rids),
            gt(reports.rev, 0),
            isNull(reports.deletedAt),
          ),
        )
        .orderBy(asc(reports.rid)),

    /** Reads a report and copies the folders of its results; `rekey` is asked about the revision that is shown. */
    async make(entry: ReportEntry, rekey: Rekey): Promise<CopiedReport> {
      const history = await db.select().from(revs).where(eq(revs.rid, entry.rid)).orderBy(asc(revs.rev));
      const stored = await db
        .select()
        .from(documents)
        .where(inArray(documents.id, [...new Set(history.map(({ documentId }) => documentId))]));
      const folders: string[] = [];
      try {
        const results = new Map<number, CopiedResult>();
        for (const { id, key, document, madeAt, kept, made } of stored)
          results.set(id, {
            key,
            document: parseDocument(document, madeAt),
            kept: await copied(kept, folders),
            made: await copied(made, folders),
          });
        const shown = history.find(({ rev }) => rev === entry.rev);
        const key = shown ? await rekey(shown, entry.path) : null;
        const result = shown && results.get(shown.documentId);
        if (shown && key !== null) shown.key = key;
        if (result && key !== null) result.key = key;
        return { entry, revs: history, results };
      } catch (error) {
        await files.discard(db, folders);
        throw error;
      }
    },

    /** `fids` and `vids`: files and versions that were copied along; a report without its file keeps its name only. */
    async store(
      tx: Tx,
      owner: Owner,
      projectId: number,
      { entry, revs: history, results }: CopiedReport,
      { fids, vids }: { fids: Map<number, number>; vids: Map<number, number> },
    ): Promise<number> {
      const { path, method, title, titled, pinned, note, frozen, rev, revs: count, fileName } = entry;
      const vid = entry.vid === null ? null : (vids.get(entry.vid) ?? null);
      const fid = entry.fid === null ? null : (fids.get(entry.fid) ?? null);
      const rid = await insertReport(tx, owner, { projectId, vid, fid, fileName, path, method, title });
      const ids = new Map<number, number>();
      for (const [id, { key, document, kept, made }] of results) {
        const text = JSON.stringify(bare(document, vids));
        ids.set(id, (await insertDocument(tx, owner, { key, document: text, kept, made })).id);
      }
      for (const { madeAt: _at, documentId, vid: on, ...facts } of history) {
        const document = ids.get(documentId);
        if (document === undefined) throw new Error(`A result of report ${entry.rid} is gone`);
        const moved = on === null ? null : (vids.get(on) ?? null);
        await insertRev(tx, { ...facts, rid, documentId: document, vid: moved });
      }
      await updateReport(tx, rid, { titled, pinned, note, frozen, rev, revs: count });
      const shown = await tx.select().from(configs).where(eq(configs.rid, entry.rid));
      for (const { rid: _rid, form: _form, ...config } of shown) {
        // What stood beside it are reports of the other project.
        const { beside: _beside, ...presentation } = config.presentation;
        await tx.insert(configs).values({ ...config, presentation, rid });
      }
      return rid;
    },

    /** For copies that came to nothing. */
    discard: (list: readonly CopiedReport[]): Promise<void> => files.discard(db, foldersOf(list)),

    /** Files that reports stand on. */
    filesOf: (list: readonly ReportEntry[]): number[] => [...new Set(list.flatMap(({ fid }) => fid ?? []))],
  };
}
