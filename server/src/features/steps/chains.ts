/** The list of steps of a version, changed or replayed: what follows the first difference is run anew, step by step. */
import { z } from 'zod';
import type { Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { AnswerSet, Step } from '../files/schema.ts';
import type { Column } from '../files/schema.ts';
import { demandUnlocked, movedQuestionnaire, namedTables, newTableKey } from '../files/service.ts';
import type { PlannedVersion, TableMeta, VersionFacts } from '../files/service.ts';
import type { Finisher, Outcome, RunRow } from '../runs/service.ts';
import { carryActive, moves } from './carry-filters.ts';
import type { StepsContext } from './context.ts';
import { ownerOf } from '../../lib/guard.ts';
import { cellReplayRequest, CellReplayResult, replayedCellStep } from './cell-replay.ts';
import { answerOf } from './context.ts';
import { accountBetween, goneText, processChanges, processTitle, StepWeight, weightOf } from './describe.ts';
import { namesIn, renumbered } from './names.ts';
import { replayRequest, replayedStep } from './grid-edits.ts';
import type { createFolders } from './folders.ts';
import { change } from './list-operations.ts';
import type { Link } from './list-operations.ts';
import { STEPS_MAX, writeRecipe } from './recipe.ts';
import type { Recipe, ReplayBody, StepMade, StepOp, Stepped } from './schema.ts';

const RUN_SECONDS = 600;
const RUN_MEMORY = 2048;

/** What the ending must know: the steps as they shall be, on which version, in which folders. */
const Note = z.object({
  base: z.number(),
  /** The version whose steps are run anew: its variable list is taken over. */
  like: z.number().optional(),
  steps: z.array(Step),
  tables: z.array(z.string()),
});
type Note = z.infer<typeof Note>;

/** `columns`: ids of the steps as they were → ids they have now. */
const Result = z.looseObject({
  steps: z.array(
    CellReplayResult.extend({
      changed: z.number().nullish(),
      left_out: z.string().nullish(),
      weight: StepWeight.nullish(),
    }),
  ),
  columns: z.record(z.string(), z.string()).default({}),
});
type Result = z.infer<typeof Result>;

interface Asking {
  /** An edit that changes nothing, for a step that is off. */
  nothing: unknown;
  isSameImport: boolean;
}

interface ChainsContext extends StepsContext {
  folders: ReturnType<typeof createFolders>;
}

const refuse = (text: string): Fault => new Fault(30601, { text });

export function createChains({ files, runs, models, texts, method, folders }: ChainsContext) {
  const { versions } = files;

  runs.registerPrepared('replay', prepare);

  /** The steps after the import, first to last, and the version of the import. */
  async function read(owner: Owner, vid: number): Promise<{ root: VersionFacts; links: Link[] }> {
    const [root, ...rest] = (await versions.chain(await versions.facts(owner, vid))).toReversed();
    if (!root) throw new Error('A version without a chain');
    const links: Link[] = [];
    for (const { vid: id, step, parent, createdAt } of rest) {
      const known = step.params['names'] !== undefined || parent === null;
      const names = known ? step.params['names'] : namesIn(step.params, await versions.columns(owner, parent));
      // What is run anew keeps who made it, and when.
      const at = step.at ?? createdAt.toISOString();
      links.push({ id, step: { ...step, at, params: { ...step.params, names } }, isTouched: false });
    }
    return { root, links };
  }

  /** New settings were made on the table that the step stood on: its names go with them. */
  async function withNames(owner: Owner, { id, step }: Link): Promise<Step> {
    if (step.params['names'] !== undefined) return step;
    const { parent } = await versions.facts(owner, id);
    const columns = parent === null ? [] : await versions.columns(owner, parent);
    return { ...step, params: { ...step.params, names: namesIn(step.params, columns) } };
  }

  /** A step as the engine replays it; refused, it goes by its number and the name that a person gave it. */
  async function payloadOf(owner: Owner, step: Step, asking: Asking, number: number): Promise<object> {
    const asked = { ...(await question(owner, step, asking, number)), number };
    return step.titled ? { ...asked, title: step.title } : asked;
  }

  /** One that is off changes nothing, but has a table like the others. */
  async function question(
    owner: Owner,
    step: Step,
    { nothing, isSameImport }: Asking,
    number: number,
  ): Promise<object> {
    const { params } = step;
    const names = params['names'] ?? {};
    if (step.disabled) return { edit: [nothing], names: {} };
    if (step.op === 'process') {
      const { path, form, filter, version, seed, made } = params;
      const given = z.record(z.string(), z.unknown()).catch({}).parse(form);
      const datasets = await namedTables(versions.find, owner, method(String(path)), given);
      return { path, form, filter, version, seed, made, names, ...(datasets === null ? {} : { datasets }) };
    }
    if (step.op === 'edit') return { edit: params['columns'], names };
    if (step.op === 'sets') return { edit: [nothing], sets: params['sets'], names };
    const byHand = replayRequest(step, isSameImport);
    if (byHand) return byHand;
    if (step.op === 'cells') return { cells: cellReplayRequest(params['cells'], isSameImport), names };
    // Codes belong to the answers people have read: other answers have none.
    if (typeof params['coding'] === 'number')
      throw refuse(
        `第 ${number} 步“${step.title}”是人工编码的结果，不能重新运行；请先停用这一步，再到“文本编码”里写回`,
      );
    // Steps of before the question was kept with them cannot be asked again.
    if (typeof params['path'] !== 'string')
      throw refuse(`第 ${number} 步“${step.title}”没有记下当时的分析设置，不能重新运行；请先停用或删除这一步`);
    const { path, form, filter, weight, split, fill_missing, version, seed, element } = params;
    const given = z.record(z.string(), z.unknown()).catch({}).parse(form);
    const named = await models.named(owner, method(path), given, null);
    const assets = await texts.named(owner, method(path), given);
    return { path, form, filter, weight, split, fill_missing, version, seed, element, names, models: named, assets };
  }

  async function submit(
    actor: Actor,
    base: VersionFacts,
    /** The places of the steps in the list as the person sees it, from 1. */
    numbers: number[],
    steps: Step[],
    like: number,
    wait: number,
  ): Promise<Stepped> {
    if (steps.length > STEPS_MAX) throw refuse(`一次最多重新运行 ${STEPS_MAX} 步`);
    const columns = await versions.columns(actor.owner, base.vid);
    const asking = {
      nothing: { id: columns[0]?.id ?? 'c1' },
      isSameImport: await haveOneImport(actor.owner, base, like),
    };
    const payload = {
      table: base.tableKey,
      steps: await Promise.all(steps.map((step, at) => payloadOf(actor.owner, step, asking, numbers[at] ?? at + 1))),
      tables: steps.map(() => newTableKey()),
    };
    const note: Note = { base: base.vid, like, steps, tables: payload.tables };
    const runId = await runs.submit({
      owner: actor.owner,
      userId: actor.userId,
      kind: 'replay',
      payload,
      note,
      memoryMb: RUN_MEMORY,
      timeoutS: RUN_SECONDS,
    });
    return answerOf(await runs.wait(runId, wait));
  }

  /** Rows are the same cases where both versions stem from one import. */
  async function haveOneImport(owner: Owner, base: VersionFacts, like: number): Promise<boolean> {
    const [one, other] = await Promise.all([base, await versions.facts(owner, like)].map(versions.chain));
    return one?.at(-1)?.vid === other?.at(-1)?.vid;
  }

  async function prepare(run: RunRow, outcome: Outcome): Promise<Finisher> {
    const note = Note.parse(run.note);
    const owner = ownerOf(run);
    const base = outcome.state === 'done' ? await versions.find(owner, note.base) : null;
    if (!base) {
      return async (tx: Tx) => {
        await files.discard(tx, note.tables);
        return null;
      };
    }
    const shown = note.like === undefined ? null : await versions.find(owner, note.like);
    const result = Result.parse(outcome.result);
    const planned = await plan(owner, base, shown, note, result);
    const lost = result.steps.flatMap(({ cells_gone: gone }, at) =>
      gone > 0 ? [`“${note.steps[at]?.title ?? ''}”${goneText(gone)}`] : [],
    );
    const columns = planned.at(-1)?.fresh.columns ?? [];
    const list = note.like === undefined ? null : await folders.carried(owner, note.like, base, columns);
    return async (tx: Tx): Promise<StepMade> => {
      const vid = await versions.insert(tx, owner, planned);
      if (vid !== null && list) await folders.keep(tx, vid, list);
      const warnings = [...lost, ...(planned.at(-1)?.warnings ?? [])];
      return { fid: vid === null ? null : base.fid, vid, warnings, report: null };
    };
  }

  /** `shown`: whose list was changed; on another file what is active there stays. */
  async function plan(
    owner: Owner,
    base: VersionFacts,
    shown: VersionFacts | null,
    note: Note,
    result: Result,
  ): Promise<PlannedVersion[]> {
    const ids = new Map(Object.entries(result.columns));
    let before = await files.tables.meta(base.tableKey);
    let { sets } = base;
    let weight: VersionFacts['weight'] | undefined;
    const planned: PlannedVersion[] = [];
    for (const [at, key] of note.tables.entries()) {
      const step = note.steps[at];
      if (!step) throw new Error('A replay with more tables than steps');
      const after = await files.tables.meta(key);
      const redone = step.disabled ? step : redo(step, before, after, ids, result.steps[at]);
      // Multiple-answer questions go from step to step; only a step of their own changes them.
      if (redone.op === 'sets' && !redone.disabled) sets = z.array(AnswerSet).parse(redone.params['sets']);
      const isLast = at === note.tables.length - 1;
      const { warnings, ...parent } = isLast
        ? await carrying(owner, base, shown, after.columns)
        : { ...base, warnings: [] };
      const asked = redone.disabled ? null : result.steps[at]?.weight;
      if (asked) weight = weightOf(asked);
      const from = weight === undefined ? parent : { ...parent, weight };
      // Sets that a method made are in its table; those of before come from the step before.
      const own = redone.op === 'process' && !redone.disabled ? (after.sets ?? sets) : sets;
      const next = await versions.plan(from, { key, meta: { ...after, sets: own }, step: redone });
      sets = next.fresh.sets ?? [];
      planned.push({ ...next, warnings: [...next.warnings, ...warnings] });
      before = after;
    }
    return planned;
  }

  /** The base with what is active on the version that is changed: a filter does not go because a step before it did. */
  async function carrying(
    owner: Owner,
    base: VersionFacts,
    shown: VersionFacts | null,
    to: Column[],
  ): Promise<VersionFacts & { warnings: string[] }> {
    if (shown?.fid !== base.fid) return { ...base, warnings: [] };
    const from = await versions.columns(owner, shown.vid);
    const tables = { from, base: await versions.columns(owner, base.vid), to };
    const { active, warnings } = carryActive(shown, tables);
    const ids = moves(tables);
    const { questionnaire: kept } = shown;
    const questionnaire = kept && movedQuestionnaire(kept, (id) => ids.get(id));
    return { ...base, ...active, questionnaire, warnings };
  }

  function redo(
    step: Step,
    before: TableMeta,
    after: TableMeta,
    ids: ReadonlyMap<string, string>,
    done: Result['steps'][number] | undefined,
  ): Step {
    const { path } = step.params;
    const declaration = typeof path === 'string' ? method(path) : null;
    const { names: _, ...params } = renumbered(step, ids, declaration);
    const fresh: Step = { ...step, params: { ...params, names: namesIn(params, before.columns) } };
    if (replayRequest(step, true) && done?.told)
      return replayedStep(fresh, done.told, before.columns, before.rows - after.rows);
    if (step.op === 'cells' && done) return replayedCellStep(fresh, done, before.columns);
    if (!declaration) return fresh;
    const account = { ...accountBetween(before, after, done?.changed ?? 0), weight: done?.weight };
    if (step.op === 'process') {
      fresh.params['left_out'] = done?.left_out ?? null;
      fresh.params['made'] = account.added.map(({ name }) => name);
    }
    const title = step.titled || step.op === 'data' ? step.title : processTitle(declaration.title, account);
    return { ...fresh, title, changes: processChanges(account) };
  }

  /** Nothing is left to be run: the version before the deleted steps comes once more, so that 撤销 brings them back. */
  async function cut(owner: Owner, base: VersionFacts, like: number): Promise<{ vid: number; warnings: string[] }> {
    const columns = await versions.columns(owner, base.vid);
    const list = await folders.carried(owner, like, base, columns);
    const { warnings, ...carrier } = await carrying(owner, base, await versions.find(owner, like), columns);
    const replayed = await versions.again(owner, carrier, async (tx, vid) => {
      if (list) await folders.keep(tx, vid, list);
    });
    return { ...replayed, warnings: [...replayed.warnings, ...warnings] };
  }

  return {
    async change(actor: Actor, vid: number, ops: StepOp[], wait: number): Promise<Stepped> {
      const { root, links: before } = await read(actor.owner, vid);
      demandUnlocked(root);
      const { links, kept, reworded } = change(before, ops, root.vid, actor.userId);
      const rest = await Promise.all(links.slice(kept).map((link) => withNames(actor.owner, link)));
      const base = await versions.facts(actor.owner, links[kept - 1]?.id ?? root.vid);
      const numbers = links.slice(kept).map(({ id }) => before.findIndex((link) => link.id === id) + 1);
      const stepped = rest.length > 0 ? await submit(actor, base, numbers, rest, vid, wait) : null;
      for (const { id, step } of reworded) await versions.retitle(id, step);
      if (stepped) return stepped;
      const isCut = before.length !== kept && base.head !== base.vid;
      const versionsMade = isCut
        ? await cut(actor.owner, { ...base, step: links.at(-1)?.step ?? base.step }, vid)
        : { vid: base.vid, warnings: [] };
      return { run_id: null, state: 'done', error: null, fid: base.fid, report: null, ...versionsMade };
    },

    /** The steps of a version as a text. */
    async recipe(owner: Owner, vid: number): Promise<Recipe> {
      const { root, links } = await read(owner, vid);
      return writeRecipe(
        root.name,
        links.map(({ step }) => step),
      );
    },

    /** What the version is called, and its steps after the import. */
    async stepsOf(owner: Owner, vid: number): Promise<{ name: string; steps: Step[] }> {
      const { root, links } = await read(owner, vid);
      return { name: root.name, steps: links.map(({ step }) => step) };
    },

    /** Steps that come from a recipe, on this version; who runs them has made them. */
    async follow(actor: Actor, vid: number, chain: readonly Step[], wait: number): Promise<Stepped> {
      const base = await versions.facts(actor.owner, vid);
      demandUnlocked(base);
      const made = { by: actor.userId, at: new Date().toISOString() };
      const steps = chain.map((step) => ({ ...step, ...made }));
      return submit(
        actor,
        base,
        steps.map((_, at) => at + 1),
        steps,
        vid,
        wait,
      );
    },

    /** All steps of a version on another table: usually the next upload of the same questionnaire. */
    async replay(actor: Actor, vid: number, { onto, disabled }: ReplayBody, wait: number): Promise<Stepped> {
      const { links: all } = await read(actor.owner, vid);
      // What does not fit the other table goes along switched off.
      const off = new Set(disabled);
      const links = all.map((link) => (off.has(link.id) ? { ...link, step: { ...link.step, disabled: true } } : link));
      if (links.length === 0) throw refuse('这份数据还没有处理步骤，没有可以重放的内容');
      const base = await versions.facts(actor.owner, onto);
      demandUnlocked(base);
      return submit(
        actor,
        base,
        links.map((_, at) => at + 1),
        links.map(({ step }) => step),
        vid,
        wait,
      );
    },
  };
}
