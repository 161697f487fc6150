/**
 * Reports as documents: a run of the server writes them in a process of its own, the file is kept for a day beside the
 * other exports. What the document says is fixed when it is asked for: the revision and the presentation of that moment.
 */
import type { Chapter } from '@hengxi/contracts/report/blocks';
import { readPresentation } from '@hengxi/contracts/report/presentation';
import { date } from '@hengxi/contracts/format';
import { z } from 'zod';
import type { Deps } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { happened } from '../../lib/product-events.ts';
import { Exported } from '../exports/schema.ts';
import type { Exports } from '../exports/service.ts';
import type { Projects } from '../projects/service.ts';
import type { Reports } from '../reports/service.ts';
import type { Run } from '../runs/schema.ts';
import type { Outcome, RunRow, Runs } from '../runs/service.ts';
import { findBrowser } from './browser.ts';
import { fetchStoredRows, MAX_ROWS, type ReadPage } from './stored-rows.ts';
import { type JobFiles, makeDocument } from './document-process.ts';
import { packData } from './package-data.ts';
import { CombineOptions, ExportOptions, ReportFormat } from './schema.ts';
import type { CombineExportBody, ProjectExportBody, ReportExportBody } from './schema.ts';
import { Refused } from './writers/job.ts';

const KIND = 'report_export';
const TIMEOUT_MS = 300_000;
/** Title of reports from several projects. */
const ANY_PROJECT = '报告汇编';
const COMBINED = '多模型合并';

const ExportRequest = z.object({
  format: ReportFormat,
  options: ExportOptions,
  /** The reports are models of one table. */
  combine: CombineOptions.nullable().default(null),
  name: z.string(),
  title: z.string(),
  file: z.string(),
  reports: z.array(z.object({ rid: z.number(), rev: z.number(), presentation: z.record(z.string(), z.unknown()) })),
});
type ExportRequest = z.infer<typeof ExportRequest>;

export type ReportExports = ReturnType<typeof createReportExports>;

interface Needs {
  projects: Projects;
  reports: Reports;
  exports: Exports;
  runs: Runs;
}

export function createReportExports(deps: Pick<Deps, 'config'> & Needs) {
  const { config, projects, reports, exports, runs } = deps;
  exports.handOut(KIND);

  runs.registerLocal(KIND, { work: perform, timeoutMs: TIMEOUT_MS }, async (tx, run, outcome) => {
    const asked = ExportRequest.safeParse(run.payload);
    if (outcome.state === 'done') {
      const subject = asked.data?.reports.map(({ rid }) => rid).join(',') ?? run.id;
      await happened(tx, ownerOf(run), { kind: 'report_exported', subject });
      return Exported.parse(outcome.result);
    }
    if (asked.success) void exports.made.remove(asked.data.file).catch(() => undefined);
    return null;
  });

  async function perform(
    run: RunRow,
    hand: Parameters<Parameters<Runs['registerLocal']>[1]['work']>[1],
  ): Promise<Outcome> {
    const asked = ExportRequest.parse(run.payload);
    const owner = ownerOf(run);
    const progress = (done: number, of: number, text: string): void => hand.progress({ done, of: of || null, text });
    try {
      progress(0, 0, '读取报告');
      const chapters = await chaptersOf(owner, asked, hand.signal);
      const file = exports.made.path(asked.file);
      const { format, options, title, name, combine } = asked;
      const job = {
        chapters,
        combine,
        format,
        options,
        title,
        date: date(run.createdAt),
        file,
        browser: findBrowser(config.chromium),
      };
      const bringInto = (folder: string) => bring(owner, asked, chapters, folder, hand.signal);
      const written = await makeDocument(job, bringInto, { signal: hand.signal, progress });
      const rows = chapters.length;
      const result: Exported = {
        file: asked.file,
        name: name + written.extension,
        bytes: written.bytes,
        rows,
        notes: written.notes,
      };
      return { state: 'done', result, refusal: null, error: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const fields = [{ field: null, code: error.code, text: error.message }];
      return { state: 'refused', result: null, refusal: { fields }, error: null };
    }
  }

  async function chaptersOf(owner: Owner, { reports: list }: ExportRequest, signal: AbortSignal): Promise<Chapter[]> {
    const chapters: Chapter[] = [];
    for (const { rid, rev, presentation } of list) {
      signal.throwIfAborted();
      const openedReport = await reports.read(owner, 0, rid, rev).catch(() => {
        throw new Refused('export.gone', '要导出的报告已经删除');
      });
      const { document: report, title, made_at: madeAt, note } = openedReport;
      chapters.push({ report, title, madeAt, note, presentation: readPresentation(presentation) });
    }
    return chapters;
  }

  /** What the reports do not hold themselves, as far as the format takes it: rows of long tables, the data of a package. */
  async function bring(owner: Owner, asked: ExportRequest, chapters: Chapter[], folder: string, signal: AbortSignal) {
    const beside: JobFiles = { kept: [], data: [] };
    const { format, options } = asked;
    for (const [i, { rid, rev }] of asked.reports.entries()) {
      const report = chapters[i]?.report;
      if (report === undefined) continue;
      const read: ReadPage = (query) => reports.tableRows(owner, 0, rid, { ...query, rev });
      beside.kept.push(
        ...(await fetchStoredRows(report, i, {
          most: asked.combine === null ? MAX_ROWS[format] : 0,
          folder,
          read,
          signal,
        })),
      );
      if (format !== 'package') continue;
      const used = await reports.usedData.of(owner, rid, rev);
      beside.data.push(await packData(used, { folder, chapter: i, withCells: options.data, signal }));
    }
    return beside;
  }

  async function submit(
    actor: Actor,
    asked: Omit<ExportRequest, 'file' | 'combine'> & { combine?: CombineOptions },
  ): Promise<Run> {
    await exports.made.demandSpace();
    const payload: ExportRequest = { combine: null, ...asked, file: exports.newFileKey() };
    const id = await runs.submit({ owner: actor.owner, userId: actor.userId, kind: KIND, payload });
    return runs.wire(await runs.read(actor.owner, id));
  }

  const presentationOf = async (owner: Owner, rid: number): Promise<Record<string, unknown>> =>
    (await reports.configs.read(owner, 0, rid, 'analysis')).presentation;

  return {
    async one(actor: Actor, project: number, rid: number, body: ReportExportBody): Promise<Run> {
      const { owner } = actor;
      const report = await reports.read(owner, project, rid, body.rev);
      const { name: projectName } = await projects.load(owner, report.project_id);
      const { format, options } = body;
      return submit(actor, {
        format,
        options,
        title: report.title,
        name: nameOf([projectName, report.title, date(new Date())]),
        reports: [{ rid, rev: report.rev, presentation: await presentationOf(owner, rid) }],
      });
    },

    /** Several reports of a project as chapters of one document. */
    async several(actor: Actor, project: number, body: ProjectExportBody): Promise<Run> {
      const { owner } = actor;
      const projectName = project === 0 ? ANY_PROJECT : (await projects.load(owner, project)).name;
      const { format, options } = body;
      if (new Set(body.reports).size < body.reports.length) throw new Fault(30090, { detail: '同一份报告只能选一次' });
      const list = [];
      for (const rid of body.reports) {
        const { rev } = await reports.read(owner, project, rid);
        list.push({ rid, rev, presentation: await presentationOf(owner, rid) });
      }
      const name = nameOf([projectName, `${list.length} 份报告`, date(new Date())]);
      return submit(actor, { format, options, title: projectName, name, reports: list });
    },

    /** Several regressions, or revisions of them, as one table. */
    async combine(actor: Actor, project: number, { models, options }: CombineExportBody): Promise<Run> {
      const { owner } = actor;
      const list = [];
      for (const model of models) {
        const { rid, rev } = await reports.read(owner, project, model.rid, model.rev ?? undefined);
        list.push({ rid, rev, presentation: {} });
      }
      const name = nameOf([COMBINED, `${list.length} 个模型`, date(new Date())]);
      const format = 'xlsx' as const;
      return submit(actor, {
        format,
        options: ExportOptions.parse({}),
        combine: options,
        title: COMBINED,
        name,
        reports: list,
      });
    },

    stop: (): Promise<void> => runs.closeLocal(),
  };
}

/** 项目_报告_日期, without what file systems refuse. */
function nameOf(parts: readonly string[]): string {
  const clean = parts.join('_').replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_');
  return Array.from(clean).slice(0, 120).join('');
}
