/** Suggestions and drafts: runs of the engine, whose ending stores what came out. */
import { z } from 'zod';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Files } from '../files/service.ts';
import type { Finisher, RunRow, Runs } from '../runs/service.ts';
import { rulesIn } from './book.ts';
import { DraftedCode } from './schema.ts';
import type { CodingRun, SuggestedBy } from './schema.ts';
import * as store from './store.ts';
import type { FoundCoding } from './store.ts';

const RUN_SECONDS = 300;
const RUN_MEMORY = 2048;

const Note = z.object({
  coding: z.number(),
  act: z.enum(['suggest', 'draft']),
  book_version: z.number(),
  coded: z.number(),
});
const Suggested = z.looseObject({
  suggestions: z.array(z.tuple([z.number(), z.number(), z.number()])),
  learnt: z
    .looseObject({ agreed: z.array(z.object({ p: z.number(), suggested: z.number(), right: z.number() })) })
    .nullable(),
  why: z.string().nullable(),
});
const Drafted = z.looseObject({ codes: z.array(DraftedCode) });
const Ended = z.object({ codes: z.array(DraftedCode).nullable(), suggestions: z.number().nullable() });

export function createSuggestions({ db, files, runs }: { db: Db; files: Files; runs: Runs }) {
  runs.register('coding', finish);

  async function finish(tx: Tx, run: RunRow, outcome: { state: string; result?: unknown }): ReturnType<Finisher> {
    if (outcome.state !== 'done') return null;
    const note = Note.parse(run.note);
    if (note.act === 'draft') return { codes: Drafted.parse(outcome.result).codes, suggestions: null };
    // Gone in the meantime: nothing is to be kept.
    const coding = await store.findCoding(tx, ownerOf(run), note.coding, true).catch(() => null);
    if (!coding) return null;
    const { suggestions, learnt, why } = Suggested.parse(outcome.result);
    const byAnswer = new Map<number, { codes: number[]; likely: number[] }>();
    for (const [at, code, p] of suggestions) {
      const own = byAnswer.get(at) ?? { codes: [], likely: [] };
      own.codes.push(code);
      own.likely.push(p);
      byAnswer.set(at, own);
    }
    await store.putSuggestions(tx, coding.id, byAnswer);
    const suggested: SuggestedBy = {
      book_version: note.book_version,
      coded: note.coded,
      agreed: learnt?.agreed ?? null,
      why,
      at: new Date().toISOString(),
    };
    await store.updateCoding(tx, coding.id, { suggested });
    return { codes: null, suggestions: suggestions.length };
  }

  async function start(actor: Actor, coding: FoundCoding, asked: object, note: z.infer<typeof Note>, wait: number) {
    const version = coding.vid === null ? null : await files.versions.find(actor.owner, coding.vid);
    if (!version) throw new Fault(30508, { text: '编码时用的那一版数据已删除，不能再给建议' });
    const body = { column: coding.columnId, mask: coding.masked, ...asked };
    const id = await runs.submit({
      owner: actor.owner,
      userId: actor.userId,
      kind: 'coding',
      engineKind: 'answers',
      queue: 'text',
      payload: { act: note.act, key: version.tableKey },
      // Up to a hundred thousand marks: the coding holds them already.
      secret: { body },
      note,
      memoryMb: RUN_MEMORY,
      timeoutS: RUN_SECONDS,
    });
    return answerOf(await runs.wait(id, wait));
  }

  return {
    async suggest(actor: Actor, coding: FoundCoding, wait: number): Promise<CodingRun> {
      const marks = await store.usedMarks(db, coding);
      const note: z.infer<typeof Note> = {
        coding: coding.id,
        act: 'suggest',
        book_version: coding.bookVersion,
        coded: marks.length,
      };
      return start(actor, coding, { rules: rulesIn(coding.book), marks }, note, wait);
    },
    draft: (actor: Actor, coding: FoundCoding, k: number, wait: number): Promise<CodingRun> =>
      start(
        actor,
        coding,
        { k },
        { coding: coding.id, act: 'draft', book_version: coding.bookVersion, coded: 0 },
        wait,
      ),
  };
}

function answerOf(run: RunRow): CodingRun {
  if (run.state === 'refused') {
    const fields = run.refusal?.fields ?? [];
    throw new Fault(30601, { text: fields[0]?.text ?? '这些回答不能这样处理' }, { fields });
  }
  const ended = Ended.nullable().safeParse(run.result).data ?? { codes: null, suggestions: null };
  return { run_id: run.id, state: run.state, ...ended };
}
