/** A processing method as a run: its result is the next version of the data, made in the moment the run ends. */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { Tx } from '../../lib/db.ts';
import type { Actor } from '../../lib/guard.ts';
import { FilterType } from '../files/schema.ts';
import type { Step } from '../files/schema.ts';
import { demandUnlocked, newTableKey } from '../files/service.ts';
import type { VersionFacts } from '../files/service.ts';
import { Form, ReportDocument } from '../reports/schema.ts';
import type { Finisher, Outcome, RunRow } from '../runs/service.ts';
import type { StepsContext } from './context.ts';
import { ownerOf } from '../../lib/guard.ts';
import { answerOf } from './context.ts';
import { accountOf, processChanges, processTitle, weightOf } from './describe.ts';
import { namesIn } from './names.ts';
import type { StepMade, Stepped } from './schema.ts';

const RUN_SECONDS = 300;
const RUN_MEMORY = 2048;

/** What the ending must know besides the engine's result; kept with the run. */
const Note = z.object({
  vid: z.number(),
  path: z.string(),
  method: z.string(),
  version: z.number(),
  form: Form,
  filter: z.object({ condition: z.string(), filter_type: FilterType }).nullable(),
  preview: z.boolean(),
  kept: z.string(),
});
type Note = z.infer<typeof Note>;

const Result = z.looseObject({ report: ReportDocument });

export interface Question {
  form: Form;
  filter: Note['filter'];
}

export function createMethods(context: StepsContext) {
  const { files, runs } = context;

  runs.registerPrepared('step', prepare);

  async function prepare(run: RunRow, outcome: Outcome): Promise<Finisher> {
    const note = Note.parse(run.note);
    if (outcome.state !== 'done') {
      return async (tx) => {
        await files.discard(tx, [note.kept]);
        return null;
      };
    }
    const { report } = Result.parse(outcome.result);
    if (note.preview) return async (): Promise<StepMade> => ({ fid: null, vid: null, warnings: [], report });
    return made(run, note, report);
  }

  async function made(run: RunRow, note: Note, report: ReportDocument): Promise<Finisher> {
    const owner = ownerOf(run);
    const parent = await files.versions.find(owner, note.vid);
    if (!parent) {
      return async (tx) => {
        await files.discard(tx, [note.kept]);
        return null;
      };
    }
    const meta = await files.tables.meta(note.kept);
    const columns = await files.versions.columns(owner, parent.vid);
    const { path, method, version, form, filter } = note;
    const account = accountOf(report);
    const step: Step = {
      op: 'process',
      by: run.userId,
      title: processTitle(method, account),
      changes: processChanges(account),
      // The seed makes a random choice the same one when the step is run again.
      params: {
        path,
        method,
        version,
        seed: report.seed,
        form,
        filter,
        names: namesIn([form, filter], columns),
        left_out: account.left_out ?? null,
        // On data that would not ask for it the step makes it all the same: later steps use it.
        made: account.added.map(({ name }) => name),
      },
    };
    const weighted = account.weight ? { ...parent, weight: weightOf(account.weight) } : parent;
    const planned = await files.versions.plan(weighted, { key: note.kept, meta, step });
    return async (tx: Tx): Promise<StepMade> => {
      const vid = await files.versions.insert(tx, owner, [planned]);
      return { fid: vid === null ? null : parent.fid, vid, warnings: planned.warnings, report };
    };
  }

  /** Looks ahead that are not over, by who looks where. */
  const looks = new Map<string, number>();

  function submit(
    actor: Actor,
    method: Declaration,
    version: VersionFacts,
    question: Question & Record<string, unknown>,
    preview: boolean,
  ): Promise<number> {
    const tableKey = newTableKey();
    const { form, filter } = question;
    const note: Note = {
      vid: version.vid,
      path: method.path,
      method: method.title,
      version: method.version,
      form,
      filter,
      preview,
      kept: tableKey,
    };
    return runs.submit({
      owner: actor.owner,
      userId: actor.userId,
      kind: 'step',
      engineKind: 'analysis',
      queue: method.queue === 'default' ? null : method.queue,
      payload: { ...question, rows_limit: null, seed: null, kept: tableKey, preview },
      note,
      memoryMb: RUN_MEMORY,
      timeoutS: RUN_SECONDS,
    });
  }

  return {
    /** `question` is what was judged; the run does exactly that. */
    async start(
      actor: Actor,
      method: Declaration,
      version: VersionFacts,
      question: Question & Record<string, unknown>,
      options: { preview: boolean; wait: number },
    ): Promise<Stepped> {
      if (!options.preview) demandUnlocked(version);
      const runId = await submit(actor, method, version, question, options.preview);
      return answerOf(await runs.wait(runId, options.wait));
    },

    /** `ahead` names the page that looks: nobody waits any more for the look it began before. */
    async lookAhead(
      actor: Actor,
      method: Declaration,
      version: VersionFacts,
      question: Question & Record<string, unknown>,
      { ahead, wait }: { ahead: string; wait: number },
    ): Promise<Stepped> {
      const place = `${actor.userId} ${ahead}`;
      const before = looks.get(place);
      if (before !== undefined) await runs.cancel(actor.owner, before).catch(() => null);
      const runId = await submit(actor, method, version, question, true);
      looks.set(place, runId);
      try {
        return answerOf(await runs.wait(runId, wait));
      } finally {
        if (looks.get(place) === runId) looks.delete(place);
      }
    },
  };
}
