/** How results become reports: a draft while the first run goes on, then one revision per result, stored exactly once. */
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { textOf, withString } from '../../lib/json-text.ts';
import type { Split, Weight } from '../files/schema.ts';
import type { Projects } from '../projects/service.ts';
import { parseDocument } from './context.ts';
import type { ReportsContext } from './context.ts';
import { describeRev } from './describe.ts';
import type { Form, ReportDocument } from './schema.ts';
import * as store from './store.ts';
import type { FilterUsed } from './tables.ts';

/** Everything that decides a result, and where it belongs. */
export interface Plan {
  path: string;
  /** Title of the method. */
  method: string;
  vid: number | null;
  fid: number | null;
  fileName: string | null;
  /** Whether the file is the example of a method. */
  isExample: boolean;
  projectId: number;
  rid: number;
  key: string;
  form: Form;
  filter: FilterUsed | null;
  weight: Weight | null;
  split: Split | null;
  fillMissing: 0 | 1;
}

/** A result known from an earlier run, or a fresh one with the folder it may have written. */
export type RunResult =
  { documentId: number } | { document: ReportDocument; kept: string | null; made?: string | null };

export interface Recorded {
  rev: number;
  document: ReportDocument;
  documentId: number;
}

export function createRecorder({ db, files, projects }: Pick<ReportsContext, 'db' | 'files' | 'projects'>) {
  return {
    /** The owner's newest whole result with this key. */
    known: (owner: Owner, key: string): Promise<{ documentId: number } | null> => store.findDocument(db, owner, key),

    /** The report that the next result goes to: alive, of this method, not frozen. */
    async target(owner: Owner, rid: number, path: string): Promise<{ rid: number; projectId: number }> {
      const entry = await store.loadEntry(db, owner, null, rid);
      if (!entry) throw missing();
      if (entry.path !== path) throw new Fault(30601, { text: '这份报告属于另一个方法，请新建一份报告' });
      if (entry.frozen) throw new Fault(30603);
      return { rid, projectId: entry.projectId };
    },

    /** A report without a result yet: in no list, and gone within a day unless a run of it ends well. */
    openDraft: (owner: Owner, plan: Omit<Plan, 'rid'>): Promise<number> => {
      const { path, method, vid, fid, fileName, projectId } = plan;
      return store.insertReport(db, owner, { path, method, vid, fid, fileName, projectId, title: method });
    },

    /** A title of its own from the beginning, which results do not change. */
    entitle: (rid: number, title: string): Promise<void> => store.updateReport(db, rid, { title, titled: true }),

    /** Removes a draft whose only run failed at once; a report with a result stays as it is. */
    dropDraft: async (owner: Owner, rid: number): Promise<void> => {
      const entry = await store.loadEntry(db, owner, null, rid);
      if (entry?.rev !== 0) return;
      await db.transaction(async (tx) => void (await store.deleteReport(tx, rid)));
    },

    /** Stores a result as the next revision; null when the report was removed or frozen meanwhile. */
    async record(tx: Tx, owner: Owner, plan: Plan, runResult: RunResult): Promise<Recorded | null> {
      const entry = await store.lockEntry(tx, owner, plan.rid);
      if (!entry || entry.frozen) {
        if ('kept' in runResult)
          await files.discard(
            tx,
            [runResult.kept, runResult.made].flatMap((key) => key ?? []),
          );
        return null;
      }
      const current = entry.rev > 0 ? await store.loadRev(tx, entry.rid, entry.rev) : null;
      const before = current && (await documentOf(tx, current.documentId));
      const known = 'documentId' in runResult ? runResult.documentId : null;
      const given = 'documentId' in runResult ? await documentOf(tx, runResult.documentId) : runResult.document;
      // The same result again is no revision; only what is newer than the shown one counts.
      if (known !== null && current?.key === plan.key && current.documentId === known)
        return { rev: entry.rev, document: given, documentId: known };
      const rev = entry.revs + 1;
      const title = entry.titled ? entry.title : given.title || plan.method;
      const { key, vid, fid, fileName, method, form, filter, weight, split, fillMissing } = plan;
      const fresh = { rid: entry.rid, rev, key, vid, form, filter, weight, split, fillMissing };
      const shown = { title, rev, revs: rev, vid, fid, fileName, method };
      const { documentId, document } =
        'documentId' in runResult
          ? await storeKnown(tx, { ...fresh, documentId: runResult.documentId }, shown, given)
          : await storeFresh(tx, owner, runResult, fresh, shown);
      await logRev(tx, projects, plan, { title, rev, before, document });
      return { rev, document, documentId };
    },
  };
}

/** Key of a result stopped early: whoever runs the same settings again wants the whole of it. */
const ANSWERS_NOTHING = '';

/** What was stored is given back as it would be read: it is large, and reading it again would cost more than the rest. */
async function storeFresh(
  tx: Tx,
  owner: Owner,
  { document, kept, made = null }: { document: ReportDocument; kept: string | null; made?: string | null },
  rev: Omit<store.Rev, 'madeAt' | 'documentId'>,
  shown: store.ShownResult,
): Promise<{ documentId: number; document: ReportDocument }> {
  const key = document.stopped ? ANSWERS_NOTHING : rev.key;
  const fresh = { key, document: textOf(document), kept, made };
  const { id, madeAt } = await store.insertResult(tx, owner, fresh, rev, shown);
  return { documentId: id, document: withString(document, 'made_at', madeAt.toISOString()) };
}

async function storeKnown(
  tx: Tx,
  rev: Omit<store.Rev, 'madeAt'>,
  shown: store.ShownResult,
  document: ReportDocument,
): Promise<{ documentId: number; document: ReportDocument }> {
  await store.insertRev(tx, rev);
  await store.updateReport(tx, rev.rid, shown);
  return { documentId: rev.documentId, document };
}

async function documentOf(tx: Db, id: number): Promise<ReportDocument> {
  const stored = await store.loadDocument(tx, id);
  if (!stored) throw new Error('A result known a moment ago is gone');
  return parseDocument(stored.document, stored.madeAt);
}

async function logRev(
  tx: Tx,
  projects: Projects,
  plan: Plan,
  made: { title: string; rev: number; before: ReportDocument | null; document: ReportDocument },
): Promise<void> {
  const { title, rev, before, document } = made;
  await projects.log(tx, plan.projectId, {
    act: rev === 1 ? 'created' : 'updated',
    text: describeRev(plan.method, before, document),
    rid: plan.rid,
    rev,
    title,
  });
}
