/** Reports: what an analysis found, kept revision by revision, and what its owner does with it. */
import { rowsCondition } from '@hengxi/contracts/report/row-ranges';
import type { Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Files } from '../files/service.ts';
import type { Projects } from '../projects/service.ts';
import { applyAction } from './actions.ts';
import { createConfigs } from './configs.ts';
import { inProject, parseDocument } from './context.ts';
import { createCopies } from './copies.ts';
import type { ReportsContext, Shown } from './context.ts';
import { createDerivedData } from './derived-data.ts';
import { createRecorder } from './recorder.ts';
import { namedColumns, reasonsOf, sampleQuestion } from './sample.ts';
import { TableRows } from './schema.ts';
import type {
  FileQuery,
  ReportAct,
  ReportDetail,
  ReportQuery,
  ReportRow,
  SampleQuery,
  SampleRows,
  TableRowsQuery,
} from './schema.ts';
import { createShareDesk } from './share-desk.ts';
import { createShares } from './shares.ts';
import type { Sharing } from './shares.ts';
import * as store from './store.ts';
import type { ListedReport } from './store.ts';
import { createSourceData } from './source-data.ts';

export { endSharesOf, expireReports, exportReports } from './owner-data.ts';
export type { CopiedReport, Rekey } from './copies.ts';
export type { Plan } from './recorder.ts';
export type { ShareWanted } from './share-desk.ts';
export type { SourceData as UsedData } from './source-data.ts';

export type Reports = ReturnType<typeof createReports>;

function wire(row: ListedReport): ReportRow {
  const { rid, projectId, vid, fid, fileName, path, method, title, pinned, note, frozen, rev, revs, key, isShared } =
    row;
  return {
    rid,
    project_id: projectId,
    vid,
    fid,
    file_name: fileName,
    path,
    method,
    title,
    pinned,
    note,
    frozen,
    rev,
    revs,
    key,
    shared: isShared,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    deleted_at: row.deletedAt?.toISOString() ?? null,
  };
}

export function createReports(
  deps: Pick<Deps, 'db' | 'limiter' | 'log'> & { files: Files; projects: Projects; sharing: Sharing },
) {
  const { db, files, projects } = deps;

  files.usage.connect({
    reportsOfFiles: (fids) => store.countByFile(db, fids),
    reportsOfVersions: (vids) => store.countByVersion(db, vids),
  });
  projects.connect({ count: (ids) => store.countByProject(db, ids), toBin: store.binProject });

  async function load(owner: Owner, project: number, rid: number, bin = false): Promise<ListedReport> {
    const report = await store.loadReport(db, owner, inProject(project), rid, bin);
    if (!report) throw missing();
    return report;
  }

  async function shown(row: ListedReport, wanted?: number): Promise<Shown> {
    const rev = await store.loadRev(db, row.rid, wanted ?? row.rev);
    const found = rev ? await store.loadDocument(db, rev.documentId) : null;
    if (!rev || !found) throw missing();
    return { rev, document: parseDocument(found.document, found.madeAt), kept: found.kept, made: found.made };
  }

  async function detail(
    owner: Owner,
    project: number,
    rid: number,
    wanted?: number,
    bin = false,
  ): Promise<ReportDetail> {
    const row = await load(owner, project, rid, bin);
    const { rev, document } = await shown(row, wanted);
    const history = await store.listRevs(db, rid);
    return {
      ...wire(row),
      rev: rev.rev,
      key: rev.key,
      vid: rev.vid,
      form: rev.form,
      filter: rev.filter,
      weight: rev.weight,
      split: rev.split,
      document,
      made_at: document.made_at,
      history: history.map(({ rev: number, key, madeAt }) => ({ rev: number, key, made_at: madeAt.toISOString() })),
    };
  }

  async function removeForGood(rid: number): Promise<void> {
    await db.transaction(async (tx) => files.discard(tx, await store.deleteReport(tx, rid)));
  }

  const context: ReportsContext = { db, files, projects, load, shown };

  return {
    ...createRecorder(context),
    configs: createConfigs({ db }),
    shares: createShares({ ...context, limiter: deps.limiter, sharing: deps.sharing }),
    shareDesk: createShareDesk(context),
    data: createDerivedData(context),
    copies: createCopies(context),
    usedData: createSourceData(context),

    async list(owner: Owner, project: number, query: ReportQuery): Promise<{ total: number; list: ReportRow[] }> {
      if (project !== 0) await projects.load(owner, project);
      const { total, list } = await store.listReports(db, owner, inProject(project), query);
      return { total, list: list.map(wire) };
    },

    read: detail,

    /** 404 for a project that is not there or not the owner's. */
    demandProject: async (owner: Owner, project: number): Promise<void> => void (await projects.load(owner, project)),

    /** Whether no run of a report has ended well yet. */
    isUnborn: (tx: Tx, rid: number): Promise<boolean> => store.isUnborn(tx, rid),

    async act(owner: Owner, project: number, rid: number, act: ReportAct): Promise<ReportDetail> {
      const row = await load(owner, project, rid, true);
      if (row.deletedAt && !('restore' in act)) throw missing();
      if ('rev' in act && !(await store.loadRev(db, rid, act.rev))) throw missing();
      await db.transaction((tx: Tx) => applyAction(tx, projects, row, act));
      return detail(owner, project, rid);
    },

    async remove(owner: Owner, project: number, rid: number, forever: boolean): Promise<void> {
      const row = await load(owner, project, rid, true);
      if (forever) {
        if (!row.deletedAt) throw new Fault(30601, { text: '请先把报告移到回收站' });
        await removeForGood(rid);
        return;
      }
      if (row.deletedAt) throw missing();
      await db.transaction(async (tx) => {
        await store.setBin(tx, rid, true);
        await projects.log(tx, row.projectId, {
          act: 'deleted',
          text: `${row.title}：移到回收站`,
          rid,
          rev: row.rev,
          title: row.title,
        });
      });
    },

    async rows(owner: Owner, project: number, rid: number, query: SampleQuery): Promise<SampleRows> {
      const row = await load(owner, project, rid);
      const { rev, document } = await shown(row, query.rev);
      const version = rev.vid === null ? null : await files.versions.find(owner, rev.vid);
      if (!version) throw new Fault(30601, { text: '这份报告所用的数据已经删除，无法列出各行' });
      const ids = namedColumns(document);
      const all = new Map((await files.versions.columns(owner, version.vid)).map((column) => [column.id, column]));
      const columns = ids.flatMap((id) => all.get(id) ?? []);
      if (query.set === 'numbered') {
        const found = await files.tables.rows(version.tableKey, {
          offset: query.offset,
          limit: query.limit,
          columns: columns.map(({ id }) => id),
          sort: [],
          condition: rowsCondition(query.numbers ?? []),
          find: null,
        });
        const { total, rows, index } = found;
        return { total, columns, rows, index, reasons: rows.map(() => []) };
      }
      const asked = sampleQuestion(document, rev.filter, { ...query, set: query.set });
      const { total, rows, index } = await files.tables.sample(version.tableKey, {
        offset: query.offset,
        limit: query.limit,
        columns: columns.map(({ id }) => id),
        sample: asked,
      });
      return { total, columns, rows, index, reasons: rows.map((cells) => reasonsOf(cells, columns, asked)) };
    },

    /** A file the analysis wrote: its size, and how to read it. */
    async file(owner: Owner, project: number, rid: number, query: FileQuery) {
      const { document, kept } = await shown(await load(owner, project, rid), query.rev);
      const elements = document.parts.flatMap((part) => part.elements);
      const found = elements.find((one) => one.type === 'file' && one.file_id === query.file);
      if (!kept || found?.type !== 'file') throw missing();
      return files.made.kept(kept, query.file);
    },

    /** Rows of a long table beyond those in the document. */
    async tableRows(owner: Owner, project: number, rid: number, query: TableRowsQuery): Promise<TableRows> {
      const { document, kept } = await shown(await load(owner, project, rid), query.rev);
      const isNamed = document.parts.some(({ elements }) =>
        elements.some((one) => one.type === 'table' && one.more?.file === query.file),
      );
      if (!kept || !isNamed) throw missing();
      const { file, offset, limit } = query;
      return files.tables.keptRows(kept, { file, offset, limit }, TableRows);
    },

    /** Called by the sweeper of this feature: what has been long enough in the bin, and drafts nobody finished. */
    async sweep(): Promise<void> {
      for (const rid of await store.expiredReports(db)) await removeForGood(rid);
      for (const id of await projects.expired()) {
        for (const rid of await store.idsOfProject(db, id)) await removeForGood(rid);
        await projects.removeForGood(id);
      }
    },
  };
}
