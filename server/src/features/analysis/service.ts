/** Analyses: one way for every method. Judged first, answered from a known result where there is one, else a run. */
import { availableParallelism } from 'node:os';
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import { Admission } from '../../lib/admission.ts';
import type { Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { EngineFault, Fault, missing } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { happened } from '../../lib/product-events.ts';
import { KeyedMutex } from '../../lib/keyed-mutex.ts';
import { namedTables, newTableKey } from '../files/service.ts';
import type { Files, TableHandle, VersionFacts } from '../files/service.ts';
import { LimitData } from '../membership/schema.ts';
import type { Membership } from '../membership/service.ts';
import type { Projects } from '../projects/service.ts';
import { ReportDocument } from '../reports/schema.ts';
import type { Form } from '../reports/schema.ts';
import type { Plan, Reports } from '../reports/service.ts';
import type { Outcome, RunRow, Runs } from '../runs/service.ts';
import type { Stepped } from '../steps/schema.ts';
import type { Steps } from '../steps/service.ts';
import type { ControlLimits } from '../control-limits/service.ts';
import { newModelKey } from '../models/service.ts';
import type { ModelHandle, Models } from '../models/service.ts';
import type { TextAnalysis } from '../text-analysis/service.ts';
import type { Methods } from './methods.ts';
import { bareForm, ownChoices, readRequest } from './request.ts';
import type { AnalysisRequest, FilterUsed } from './request.ts';
import { AnalysisResult, Draft, Recommendation, Selector } from './schema.ts';
import type { Limit, LookAhead, RunQuery, Started } from './schema.ts';
import { closeCall, insertCall, openCalls } from './store.ts';
import type { CallRow } from './tables.ts';

export type Analysis = ReturnType<typeof createAnalysis>;

type Dependencies = Pick<Deps, 'db' | 'engine' | 'limiter'>;

/** A call that takes longer no longer keeps others from beginning. */
const PATIENCE_MS = 200;
const RUN_SECONDS = 300;
const RUN_MEMORY = 2048;

/** What the engine is asked, the same for a draft and a run. */
interface Question extends AnalysisRequest {
  path: string;
  table: string | null;
  fill_missing: 0 | 1;
  models?: Record<string, ModelHandle | null>;
  /** Dictionaries and pictures the form names. */
  assets?: Record<string, Record<string, unknown> | null>;
  datasets?: Record<string, TableHandle[]>;
}

/** A question whose run is within the edition; `limit`: analyses a day. */
interface Allowed {
  question: Question;
  queue: string;
  limit: number | null;
}

/** Failed by our fault, refused for its data, or cancelled before it began: nothing was used. */
const isUncounted = (run: RunRow, { state }: Outcome): boolean =>
  ['failed', 'lost', 'refused'].includes(state) || (state === 'cancelled' && run.startedAt === null);

/** Where a result will belong; `isNew`: this call opened the report. */
interface Place {
  rid: number;
  projectId: number;
  isNew: boolean;
}

/** Documents kept for the calls that wait; some megabytes at most. */
const FRESH_MOST = 32;

const foldersOf = ({ kept, keptTable, keptModel }: CallRow): string[] =>
  [kept, keptTable, keptModel].filter((key) => key !== null);

/** Which of the folders offered the engine has used. */
function keptBy(report: ReportDocument, call: CallRow): { kept: string | null; made: string | null } {
  const elements = report.parts.flatMap((part) => part.elements);
  const uses = (key: string | null): boolean =>
    elements.some(
      (one) =>
        (one.type === 'data' && one.kept === key) ||
        (key === call.kept && (one.type === 'file' || (one.type === 'table' && Boolean(one.more?.file)))),
    );
  return { kept: uses(call.kept) ? call.kept : null, made: uses(call.keptTable) ? call.keptTable : null };
}

export function createAnalysis(
  deps: Dependencies & {
    methods: Methods;
    files: Files;
    projects: Projects;
    reports: Reports;
    runs: Runs;
    steps: Steps;
    models: Models;
    limits: Pick<ControlLimits, 'named'>;
    texts: Pick<TextAnalysis, 'named'>;
    usage: Membership['usage'];
    unlocks: Membership['unlocks'];
    /** A person has analysed data of their own. */
    analysed: (tx: Tx, userId: number) => Promise<void>;
  },
) {
  const {
    db,
    engine,
    methods,
    files,
    projects,
    reports,
    runs,
    steps,
    models,
    limits,
    texts,
    usage,
    unlocks,
    analysed,
  } = deps;

  const turns = new KeyedMutex();
  /** Documents of runs that have just ended, for the call that waits for them; the oldest go first. */
  const fresh = new Map<number, ReportDocument>();

  runs.register('analysis', finish);

  async function versionOf(owner: Owner, method: Declaration, vid: number | undefined): Promise<VersionFacts | null> {
    if (method.needs_data === false) return null;
    if (vid !== undefined) return files.versions.facts(owner, vid);
    if (method.needs_data !== true) return null;
    throw new Fault(30090, { detail: '缺少 vid' });
  }

  async function questionOf(
    actor: Actor,
    method: Declaration,
    version: VersionFacts | null,
    body: Form,
  ): Promise<Question> {
    const asked = readRequest(body, method, version);
    const named = await models.named(actor.owner, method, body, methods.twinOf(method));
    const words = await texts.named(actor.owner, method, body);
    const kept = await limits.named(actor.owner, method, body);
    const assets: Question['assets'] = words === null && kept === null ? undefined : { ...words, ...kept };
    const datasets = await namedTables(files.versions.find, actor.owner, method, body);
    return {
      path: method.path,
      table: version?.tableKey ?? null,
      fill_missing: actor.fillsMissing ? 1 : 0,
      ...asked,
      ...(named === null ? {} : { models: named }),
      ...(assets === undefined ? {} : { assets }),
      ...(datasets === null ? {} : { datasets }),
    };
  }

  /** The engine's word on a form, from metadata alone. */
  async function judge(question: Question): Promise<Draft> {
    try {
      return await engine.call('POST', '/draft', question, Draft);
    } catch (error) {
      if (error instanceof EngineFault && error.status === 400) throw new Fault(30090, { detail: error.message });
      throw error;
    }
  }

  function demandFit({ fields }: Draft): void {
    const [first] = fields;
    if (first) throw new Fault(30601, { text: first.text }, { fields });
  }

  /** The report named, or a new draft in the project named, or in a new one. */
  async function placeOf(owner: Owner, query: RunQuery, plan: Omit<Plan, 'rid' | 'projectId'>): Promise<Place> {
    if (query.report_id) return { ...(await reports.target(owner, query.report_id, plan.path)), isNew: false };
    const projectId = query.project_id
      ? (await projects.load(owner, query.project_id)).id
      : await projects.draft(owner, query.project_name || plan.fileName || plan.method);
    return { rid: await reports.openDraft(owner, { ...plan, projectId }), projectId, isNew: true };
  }

  /** Runs of the same report whose answer nobody waits for any more. */
  async function supersede(owner: Owner, place: Place, key: string): Promise<number | null> {
    if (place.isNew) return null;
    let same: number | null = null;
    for (const call of await openCalls(db, owner, place.rid)) {
      if (call.key === key) same = call.runId;
      else await runs.cancel(owner, call.runId);
    }
    return same;
  }

  async function submit(actor: Actor, { question, queue, limit }: Allowed, plan: Plan): Promise<number> {
    const tableKey = newTableKey();
    const keptTable = newTableKey();
    const keptModel = newModelKey();
    const { rid, key } = plan;
    return runs.submit(
      {
        owner: actor.owner,
        userId: actor.userId,
        kind: 'analysis',
        payload: {
          ...question,
          rows_limit: null,
          seed: null,
          kept: tableKey,
          kept_table: keptTable,
          kept_model: keptModel,
        },
        note: { rid, project_id: plan.projectId, vid: plan.vid, path: plan.path },
        queue: queue === 'default' ? null : queue,
        memoryMb: RUN_MEMORY,
        timeoutS: RUN_SECONDS,
      },
      async (tx, runId) => {
        await usage.count(tx, actor.owner, rid, limit);
        await insertCall(tx, actor.owner, { runId, rid, key, kept: tableKey, keptTable, keptModel, plan });
      },
    );
  }

  /** A first run that came to nothing gives its count back, unless another run of the report goes on. */
  async function uncount(tx: Tx, owner: Owner, rid: number): Promise<void> {
    if ((await openCalls(tx, owner, rid)).length > 0 || !(await reports.isUnborn(tx, rid))) return;
    await usage.giveBack(tx, owner, rid);
  }

  /** What the limits of the edition are asked about. */
  function askedOf(
    owner: Owner,
    method: Declaration | null,
    version: VersionFacts | null,
    filter: FilterUsed | null,
    counts: boolean,
  ): Parameters<typeof usage.judge>[0] {
    const isProcessing = method?.kind === 'processing';
    const used = async (): Promise<number> => {
      if (!version) return 0;
      if (!filter) return version.rows;
      return (await files.versions.count(owner, version.vid, filter.condition, filter.filter_type)).count;
    };
    return {
      owner,
      method: method && { path: method.path, title: method.title, tier: method.tier },
      table: version && { bytes: version.size, rows: version.rows, used },
      limitsRows: !isProcessing,
      counts: counts && !isProcessing,
    };
  }

  /** Called once when a run ends: a result becomes the next revision of its report. */
  async function finish(tx: Tx, run: RunRow, outcome: Outcome): Promise<AnalysisResult | null> {
    const call = await closeCall(tx, run.id);
    if (!call) return null;
    if (outcome.state !== 'done') {
      await files.discard(tx, foldersOf(call));
      if (isUncounted(run, outcome)) await uncount(tx, ownerOf(run), call.rid);
      return null;
    }
    const { report: given } = z.looseObject({ report: ReportDocument }).parse(outcome.result);
    const owner = ownerOf(run);
    const { report, ids } = await models.take(tx, owner, given, call.plan);
    const recorded = await reports.record(tx, owner, call.plan, { document: report, ...keptBy(report, call) });
    if (!recorded) return null;
    keepFresh(run.id, recorded.document);
    await models.link(tx, ids, recorded.documentId);
    const { projectId, rid, key, fid, path, isExample } = call.plan;
    if (owner.kind === 'user') {
      await happened(tx, owner, { kind: 'analysis_succeeded', subject: key, method: path, isExample });
      if (fid !== null && !isExample) await analysed(tx, owner.id);
    }
    return { project_id: projectId, report_id: rid, rev: recorded.rev, key, stopped: report.stopped };
  }

  function keepFresh(runId: number, document: ReportDocument): void {
    fresh.set(runId, document);
    const [oldest] = fresh.keys();
    if (fresh.size > FRESH_MOST && oldest !== undefined) fresh.delete(oldest);
  }

  /** The state after the wait, as the call answers it. */
  async function answer(actor: Actor, place: Place, runId: number, wait: number): Promise<Started> {
    const run = await runs.wait(runId, wait);
    if (run.state === 'refused') {
      if (place.isNew) await reports.dropDraft(actor.owner, place.rid);
      const fields = run.refusal?.fields ?? [];
      throw new Fault(30601, { text: fields[0]?.text ?? '这份数据不能用这个方法分析' }, { fields });
    }
    const base = {
      run_id: runId,
      state: run.state,
      project_id: place.projectId,
      report_id: place.rid,
      cached: false,
      error: run.error,
    };
    const result = AnalysisResult.nullable().safeParse(run.result).data;
    if (run.state !== 'done' || !result) return { ...base, rev: null, report: null };
    const known = fresh.get(runId);
    fresh.delete(runId);
    const document = known ?? (await reports.read(actor.owner, 0, result.report_id, result.rev)).document;
    return { ...base, rev: result.rev, report: document };
  }

  const admission = new Admission(2 * availableParallelism(), PATIENCE_MS);

  async function perform(actor: Actor, method: Declaration, query: RunQuery, body: Form): Promise<Started | Stepped> {
    const version = await versionOf(actor.owner, method, query.vid);
    const question = await questionOf(actor, method, version, body);
    const draft = await judge(question);
    demandFit(draft);
    // Whether it counts is decided when the run is accepted: a known result does not.
    const { fault, reason, limit } = await usage.judge(askedOf(actor.owner, method, version, question.filter, false));
    if (fault) throw fault;
    if (reason === 'unlocked') await unlocks.use(actor.owner, method.path);
    if (method.kind !== 'processing')
      return analyse(actor, method, version, {
        question,
        queue: method.queue,
        limit,
        draft,
        query,
        own: ownChoices(body),
      });
    if (!version) throw new Fault(30090, { detail: '缺少 vid' });
    const options = { preview: body['_preview'] === true, wait: query.wait };
    return steps.methods.start(actor, method, version, { ...question }, options);
  }

  async function analyse(
    actor: Actor,
    method: Declaration,
    version: VersionFacts | null,
    asked: Allowed & { draft: Draft; query: RunQuery; own: Form },
  ): Promise<Started> {
    const { owner } = actor;
    const { question, draft, query } = asked;
    const { form, filter, weight, split, fill_missing: fillMissing } = question;
    const bare = {
      path: method.path,
      method: method.title,
      vid: version?.vid ?? null,
      fid: version?.fid ?? null,
      fileName: version?.name ?? null,
      isExample: version?.isExample ?? false,
      key: draft.key,
      form: { ...form, ...asked.own },
      filter,
      weight,
      split,
      fillMissing,
    };
    const place = await placeOf(owner, query, bare);
    const plan: Plan = { ...bare, rid: place.rid, projectId: place.projectId };
    // Two calls for one report at once: the later one decides what the report shows.
    const begun = await turns.run(place.rid, () => begin(actor, place, asked, plan));
    return typeof begun === 'number' ? answer(actor, place, begun, query.wait) : begun;
  }

  /** A known result, or the run to wait for. */
  async function begin(actor: Actor, place: Place, allowed: Allowed, plan: Plan): Promise<Started | number> {
    const same = await supersede(actor.owner, place, plan.key);
    return same ?? (await fromKnown(actor.owner, plan)) ?? submitOrForget(actor, place, allowed, plan);
  }

  async function fromKnown(owner: Owner, plan: Plan): Promise<Started | null> {
    const known = await reports.known(owner, plan.key);
    if (!known) return null;
    const recorded = await db.transaction((tx) => reports.record(tx, owner, plan, { documentId: known.documentId }));
    if (!recorded) throw missing();
    const { rev, document } = recorded;
    const place = { project_id: plan.projectId, report_id: plan.rid };
    return { run_id: null, state: 'done', ...place, rev, cached: true, report: document, error: null };
  }

  async function submitOrForget(actor: Actor, place: Place, allowed: Allowed, plan: Plan): Promise<number> {
    try {
      return await submit(actor, allowed, plan);
    } catch (error) {
      // The run was never taken: nobody knows the report opened for it.
      if (place.isNew) await reports.dropDraft(actor.owner, place.rid);
      throw error;
    }
  }

  return {
    start: (actor: Actor, method: Declaration, query: RunQuery, body: Form): Promise<Started | Stepped> =>
      admission.enter(() => perform(actor, method, query, body)),

    /** A step's form while it is filled in, judged and looked ahead in one call. */
    lookAhead: (
      actor: Actor,
      method: Declaration,
      query: RunQuery & { ahead: string },
      body: Form,
    ): Promise<LookAhead> =>
      admission.enter(async () => {
        const version = await versionOf(actor.owner, method, query.vid);
        if (method.kind !== 'processing' || !version) throw new Fault(30090, { detail: '只有数据处理的方法能预览' });
        const question = await questionOf(actor, method, version, body);
        const draft = await judge(question);
        if (draft.fields.length > 0) return { ...draft, step: null };
        const { fault } = await usage.judge(askedOf(actor.owner, method, version, question.filter, false));
        if (fault) throw fault;
        return { ...draft, step: await steps.methods.lookAhead(actor, method, version, { ...question }, query) };
      }),

    async draft(actor: Actor, method: Declaration, query: RunQuery, body: Form): Promise<Draft> {
      const version = await versionOf(actor.owner, method, query.vid);
      return judge(await questionOf(actor, method, version, body));
    },

    /** The key a stored revision has on another table; null where it names a model, or the form no longer fits. */
    async keyOn(table: string | null, path: string, rev: AnalysisRequest & { fillMissing: number }) {
      const method = methods.known(path);
      if (!method || method.fields.some(({ type }) => type === 'model')) return null;
      const { filter, split, weight } = rev;
      const form = bareForm(rev.form);
      try {
        return (await judge({ path, table, form, filter, split, weight, fill_missing: rev.fillMissing === 1 ? 1 : 0 }))
          .key;
      } catch (error) {
        if (error instanceof EngineFault || error instanceof Fault) return null;
        throw error;
      }
    },

    async recommend(owner: Owner, vid: number, columns: string[]): Promise<Recommendation[]> {
      const { tableKey } = await files.versions.facts(owner, vid);
      return engine.call('POST', '/recommend', { table: tableKey, columns }, z.array(Recommendation));
    },

    selectors: (): Promise<Selector[]> => engine.call('GET', '/selectors', undefined, z.array(Selector)),

    /** Tells beforehand what a run would be answered. */
    async limit(owner: Owner, algo: string | undefined, vid: number | undefined): Promise<Limit> {
      const method = algo === undefined ? null : methods.find(algo);
      const version = vid === undefined ? null : await files.versions.facts(owner, vid);
      const filter = version?.filter
        ? { condition: version.filter.condition, filter_type: version.filter.filter_type }
        : null;
      const verdict = await usage.judge(askedOf(owner, method, version, filter, true));
      const { fault, allowed, reason, limit, resets_at, until } = verdict;
      const used = verdict.used ?? (await usage.today(owner)).used;
      const data = LimitData.safeParse(fault?.extras.data).data ?? null;
      return { allowed, reason, msg: fault?.message ?? null, data, limit, used, resets_at, until };
    },

    async example(actor: Actor, path: string): Promise<{ fid: number; vid: number }> {
      const { declaration, bytes } = await methods.example(path);
      return files.imports.example(actor, declaration.path, declaration.title, bytes);
    },
  };
}
