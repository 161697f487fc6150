/**
 * 整卷报告: the engine plans which analyses a questionnaire asks for, a run starts them one after the other as ordinary
 * analyses, and their reports are read and exported as one document. A part that is refused says why; the others go on.
 */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Started } from '../analysis/schema.ts';
import type { Analysis } from '../analysis/service.ts';
import type { FirstReportPlan } from '../files/schema.ts';
import type { Files, VersionFacts } from '../files/service.ts';
import type { Projects } from '../projects/service.ts';
import type { Reports } from '../reports/service.ts';
import { isOpen } from '../runs/service.ts';
import type { Outcome, RunRow, Runs } from '../runs/service.ts';
import type { NewSurveyReport, SurveyPart, SurveyPlan, SurveyReport } from './schema.ts';
import * as store from './store.ts';
import type { PartRow } from './tables.ts';

const KIND = 'survey_report';
const TIMEOUT_MS = 30 * 60_000;
const WAIT = 20;
const LISTED = 200;
const SHOWN = 10;
const NAME = 100;

const Asked = z.object({ project_id: z.number(), fills_missing: z.boolean(), is_demo: z.boolean() });

const Recorded = z.looseObject({ report_id: z.number() });

export type SurveyReports = ReturnType<typeof createSurveyReports>;

interface Needs {
  db: Db;
  analysis: Pick<Analysis, 'start'>;
  methods: { known: (path: string) => Declaration | null | undefined };
  files: Pick<Files, 'versions' | 'tables'>;
  projects: Projects;
  reports: Pick<Reports, 'list' | 'entitle'>;
  runs: Runs;
}

export function createSurveyReports({ db, analysis, methods, files, projects, reports, runs }: Needs) {
  runs.registerLocal(KIND, { work: perform, timeoutMs: TIMEOUT_MS, conducts: true }, async (_tx, run, { state }) =>
    state === 'done' ? { project_id: Asked.parse(run.payload).project_id } : null,
  );

  async function planOf(owner: Owner, vid: number): Promise<{ version: VersionFacts; plan: FirstReportPlan }> {
    const version = await files.versions.facts(owner, vid);
    const { questionnaire } = await files.versions.read(owner, vid);
    if (questionnaire === null) throw new Fault(30601, { text: '还没有确认问卷结构，请先在数据的“问卷”页核对并确认' });
    const plan = await files.tables.firstReport(version.tableKey, { questionnaire, sets: version.sets });
    return { version, plan };
  }

  /** Starts what has no result yet, one part after the other; told as it goes. */
  async function perform(
    run: RunRow,
    hand: Parameters<Parameters<Runs['registerLocal']>[1]['work']>[1],
  ): Promise<Outcome> {
    const { project_id: projectId, fills_missing: fillsMissing, is_demo: isDemo } = Asked.parse(run.payload);
    const actor: Actor = { owner: ownerOf(run), userId: run.userId ?? 0, sessionId: 0, isDemo, fillsMissing };
    const survey = await store.findSurvey(db, projectId);
    const left = (await store.partsOf(db, projectId)).filter(({ rid, trouble }) => rid === null && trouble === null);
    for (const [done, part] of left.entries()) {
      hand.signal.throwIfAborted();
      hand.progress({ done, of: left.length, text: part.title });
      if (survey) await make(actor, survey.vid, part, hand.signal);
    }
    return { state: 'done', result: { project_id: projectId }, refusal: null, error: null };
  }

  async function make(actor: Actor, vid: number, part: PartRow, signal: AbortSignal): Promise<void> {
    const method = methods.known(part.path);
    if (!method) return store.setPart(db, part, { trouble: '没有这个分析方法' });
    const earlier = await begunBefore(actor.owner, part, signal);
    if (earlier !== null) return keep(part, earlier);
    const query = { vid, project_id: part.projectId, wait: 1, draft: '0' as const };
    let started: Started;
    try {
      const answer = await analysis.start(actor, method, query, part.form);
      if (!('report_id' in answer)) throw new Error('A part of a survey report is an analysis');
      started = answer;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return store.setPart(db, part, { trouble: error.message });
    }
    await store.setPart(db, part, { runId: started.run_id });
    const trouble = started.run_id === null ? null : await ended(actor.owner, started.run_id, signal);
    if (trouble !== null) return store.setPart(db, part, { trouble });
    await keep(part, started.report_id);
  }

  async function keep(part: PartRow, rid: number): Promise<void> {
    await reports.entitle(rid, part.title);
    await store.setPart(db, part, { rid });
  }

  /** The report of an analysis that went on when the work stopped: it is not made a second time. */
  async function begunBefore(owner: Owner, { runId }: PartRow, signal: AbortSignal): Promise<number | null> {
    const run = runId === null ? null : await runs.read(owner, runId).catch(() => null);
    if (!run || (!isOpen(run) && run.state !== 'done')) return null;
    if ((await ended(owner, run.id, signal)) !== null) return null;
    return Recorded.safeParse((await runs.read(owner, run.id)).result).data?.report_id ?? null;
  }

  /** Null when the run is done, else why it is not; cancelled together with the whole. */
  async function ended(owner: Owner, id: number, signal: AbortSignal): Promise<string | null> {
    const cancel = (): void => void runs.cancel(owner, id).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      let run = await runs.wait(id, WAIT);
      while (isOpen(run)) run = await runs.wait(id, WAIT);
      signal.throwIfAborted();
      if (run.state === 'done') return null;
      if (run.state === 'cancelled') return '已取消';
      return run.refusal?.fields[0]?.text ?? run.error?.text ?? '计算没有完成';
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async function load(owner: Owner, projectId: number) {
    const project = await projects.load(owner, projectId);
    const survey = await store.findSurvey(db, projectId);
    if (!survey) throw missing();
    return { project, survey };
  }

  /** Of all reports of the project: people add their own to it. */
  async function revsOf(owner: Owner, projectId: number): Promise<Map<number, number>> {
    const known = new Map<number, number>();
    for (let page = 1; ; page += 1) {
      const { list } = await reports.list(owner, projectId, { bin: '0', page, page_size: LISTED });
      for (const { rid, rev } of list) known.set(rid, rev);
      if (list.length < LISTED) return known;
    }
  }

  async function read(owner: Owner, projectId: number): Promise<SurveyReport> {
    const { project, survey } = await load(owner, projectId);
    const run = await runs.read(owner, survey.runId).catch(() => null);
    const open = run !== null && isOpen(run);
    const known = await revsOf(owner, projectId);
    const rows = await store.partsOf(db, projectId);
    const current = rows.find(({ rid, trouble }) => rid === null && trouble === null);
    return {
      project_id: projectId,
      name: project.name,
      vid: survey.vid,
      created_at: survey.createdAt.toISOString(),
      left_out: survey.leftOut,
      run_id: survey.runId,
      open,
      parts: rows.map((row) => wire(row, known, open, row === current)),
    };
  }

  function wire(row: PartRow, known: ReadonlyMap<number, number>, open: boolean, isCurrent: boolean): SurveyPart {
    const { place, section, title, path, dropped, rid, trouble } = row;
    const base = { place, section, title, path, dropped, report_id: rid, rev: null };
    if (trouble !== null) return { ...base, state: 'refused', text: trouble };
    if (rid === null) return { ...base, state: open ? (isCurrent ? 'runs' : 'waits') : 'stopped', text: null };
    const rev = known.get(rid);
    if (rev === undefined) return { ...base, report_id: null, state: 'gone', text: '这份报告已删除' };
    return { ...base, rev, state: 'done', text: null };
  }

  const payloadOf = ({ fillsMissing, isDemo }: Actor, projectId: number): z.infer<typeof Asked> => ({
    project_id: projectId,
    fills_missing: fillsMissing,
    is_demo: isDemo,
  });

  return {
    async plan(owner: Owner, vid: number): Promise<SurveyPlan> {
      const { version, plan } = await planOf(owner, vid);
      const made = [];
      for (const { projectId, createdAt } of await store.surveysOf(db, vid, SHOWN)) {
        const project = await projects.find(owner, projectId);
        if (project) made.push({ project_id: projectId, name: project.name, created_at: createdAt.toISOString() });
      }
      const name = Array.from(`${version.name}：整卷报告`).slice(0, NAME).join('');
      return { ...plan, name, made };
    },

    async start(actor: Actor, { vid, name, parts }: NewSurveyReport): Promise<SurveyReport> {
      const { owner, userId } = actor;
      const { plan } = await planOf(owner, vid);
      const planned = new Map(plan.parts.map((part) => [part.key, part]));
      const chosen = parts.map(({ key, title }) => {
        const part = planned.get(key);
        if (part?.title !== title) throw new Fault(30601, { text: '问卷结构已经改变，请重新打开这一页再选择' });
        return part;
      });
      if (new Set(parts.map(({ key }) => key)).size < parts.length)
        throw new Fault(30090, { detail: '同一部分只能选一次' });
      const { id: projectId } = await projects.save(owner, 0, { name });
      const rows = chosen.map(({ section, title, path, form }, at) => ({ place: at + 1, section, title, path, form }));
      try {
        await runs.submit({ owner, userId, kind: KIND, payload: payloadOf(actor, projectId) }, (tx, runId) =>
          store.insertSurvey(tx, { projectId, vid, leftOut: plan.left_out, runId }, rows),
        );
      } catch (error) {
        await projects.remove(owner, projectId);
        throw error;
      }
      return read(owner, projectId);
    },

    read,

    /** Goes on with what has no result: after a stop, or to try again what was refused. */
    async resume(actor: Actor, projectId: number): Promise<SurveyReport> {
      const { owner, userId } = actor;
      const { open, run_id: before } = await read(owner, projectId);
      const busy = new Fault(30601, { text: '这份报告正在生成' });
      if (open) throw busy;
      await runs.submit({ owner, userId, kind: KIND, payload: payloadOf(actor, projectId) }, async (tx, runId) => {
        if (!(await store.takeUp(tx, { projectId, runId: before }, runId))) throw busy;
      });
      return read(owner, projectId);
    },

    async drop(owner: Owner, projectId: number, dropped: readonly number[]): Promise<SurveyReport> {
      await load(owner, projectId);
      await db.transaction((tx) => store.setDropped(tx, projectId, dropped));
      return read(owner, projectId);
    },

    /** What of a project is a part of which document; the reports themselves are with the others. */
    async *export(owner: Owner): AsyncGenerator<OwnerFile> {
      const list = [];
      for (let page = 1; ; page += 1) {
        const { list: some } = await projects.list(owner, { page, page_size: LISTED });
        for (const { id, name } of some) {
          const survey = await store.findSurvey(db, id);
          if (!survey) continue;
          const { runId: _, ...facts } = survey;
          list.push({ ...facts, name, parts: await store.partsOf(db, id) });
        }
        if (some.length < LISTED) break;
      }
      if (list.length > 0) yield json('survey-reports.json', list);
    },
  };
}
