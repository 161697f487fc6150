/** 文本编码: answers in words of a column, coded by people. Put together here. */
import type { Db, Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { usersByIds } from '../accounts/service.ts';
import type { Files } from '../files/service.ts';
import type { Runs } from '../runs/service.ts';
import { bookOf, editedBook, FIRST_BOOK } from './book.ts';
import { createAnswersEngine } from './engine.ts';
import { changed, marksOf, merged, openSuggestions } from './marks.ts';
import type { Change, Marked as MarkedAnswer } from './marks.ts';
import type {
  Acted,
  Answer,
  AnswerPage,
  AnswerQuery,
  BookBody,
  Code,
  Coding,
  CodingEntry,
  Marked,
  MarksBody,
  NewCoding,
} from './schema.ts';
import { createRounds } from './rounds.ts';
import * as store from './store.ts';
import type { FoundCoding, NewAct } from './store.ts';
import { createSuggestions } from './suggestions.ts';
import type { AnswerRow, Marks } from './tables.ts';
import { createWriting } from './writing.ts';

const CODINGS_MOST = 100;
/** Of all codings of an owner together. */
const CHARACTERS_MOST = 40_000_000;
const THRESHOLDS = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

export type AnswerCodings = ReturnType<typeof createAnswerCodings>;

const refuse = (text: string): Fault => new Fault(30508, { text });
const quoted = (name: string | undefined): string => `“${name ?? '已删除的编码'}”`;

export function createAnswerCodings({
  db,
  engine,
  files,
  runs,
  keys,
}: Pick<Deps, 'db' | 'engine' | 'keys'> & { files: Files; runs: Runs }) {
  const answers = createAnswersEngine(engine);
  const suggestions = createSuggestions({ db, files, runs });
  const rounds = createRounds({ db, keys });
  const writing = createWriting({ db, files, answers });
  const find = (owner: Owner, id: number): Promise<FoundCoding> => store.findCoding(db, owner, id);

  async function entry(coding: FoundCoding): Promise<CodingEntry> {
    const { open: _, ...progress } = await store.progressOf(db, coding);
    return entryOf(coding, progress);
  }

  async function read(actor: Actor, coding: FoundCoding): Promise<Coding> {
    const { id, book } = coding;
    const { open, ...progress } = await store.progressOf(db, coding);
    const counts = await store.countsOf(db, id);
    const used = new Set(book.flatMap((code) => (code.gone ? [] : [code.id])));
    const tenths = (await store.openCounts(db, coding)).filter(({ code }) => used.has(code));
    const taken = counts.filter(({ code }) => used.has(code)).reduce((sum, one) => sum + one.answers, 0);
    // Of what was taken at once some may have been taken off by hand since.
    const at_once = Math.min(taken, await store.takenAtOnce(db, id));
    const [undo, redo] = await Promise.all([false, true].map((undone) => store.nextAct(db, id, actor.userId, undone)));
    return {
      ...entryOf(coding, progress),
      masked: coding.masked,
      total: coding.total,
      answered: coding.answered,
      covered: coding.covered,
      codes: book,
      book_version: coding.bookVersion,
      counts: book.map(({ id: code }) => {
        const own = counts.find((one) => one.code === code);
        const suggested = tenths.filter((one) => one.code === code).reduce((sum, { n }) => sum + n, 0);
        return { code, answers: own?.answers ?? 0, rows: own?.rows ?? 0, suggested };
      }),
      open,
      by_p: THRESHOLDS.map((p) => ({
        p,
        marks: tenths.filter(({ tenth }) => tenth >= Math.round(p * 10)).reduce((sum, { n }) => sum + n, 0),
      })),
      suggested: coding.suggested,
      taken: { marks: taken, at_once },
      undo: undo?.title ?? null,
      redo: redo?.title ?? null,
      written: coding.written,
    };
  }

  /** One act on many answers: all of it or nothing, and it can be undone. */
  async function act(
    { owner, userId }: Actor,
    id: number,
    work: (
      tx: Tx,
      coding: FoundCoding,
    ) => Promise<{ before: MarkedAnswer[]; after: Marks[]; act: Omit<NewAct, 'before' | 'after'> }>,
  ): Promise<Acted> {
    return db.transaction(async (tx) => {
      const coding = await store.findCoding(tx, owner, id, true);
      const { before, after, act: made } = await work(tx, coding);
      if (after.length > 0) {
        await store.putMarks(tx, id, userId, after);
        await store.addAct(tx, id, userId, { ...made, before: before.map(marksOf), after });
        await store.updateCoding(tx, id, {});
      }
      return { title: made.title, answers: after.length, marks: made.marks, kept: 0 };
    });
  }

  /** Answers as they were before an act, where nobody has touched them since. */
  async function step({ owner, userId }: Actor, id: number, undone: boolean): Promise<Acted> {
    return db.transaction(async (tx) => {
      await store.findCoding(tx, owner, id, true);
      const last = await store.nextAct(tx, id, userId, undone);
      if (!last?.before || !last.after) throw refuse(undone ? '没有可以重做的编码' : '没有可以撤销的编码');
      const [from, to] = undone ? [last.before, last.after] : [last.after, last.before];
      const expected = new Map(from.map((marks) => [marks[0], JSON.stringify(marks)]));
      const now = new Map<number, string>();
      for (let part = 0; part < to.length; part += 5000)
        for (const row of await store.answersAt(
          tx,
          id,
          to.slice(part, part + 5000).map(([at]) => at),
        ))
          now.set(row.at, JSON.stringify(marksOf(row)));
      const free = to.filter(([at]) => now.get(at) === expected.get(at));
      await store.putMarks(tx, id, userId, free);
      await store.setUndone(tx, last, !undone);
      if (last.kind === 'settle' && free.length > 0) await rounds.resettle(tx, id, last.after, !undone);
      await store.updateCoding(tx, id, {});
      return { title: last.title, answers: free.length, marks: last.marks, kept: to.length - free.length };
    });
  }

  async function mark({ owner, userId }: Actor, id: number, body: MarksBody): Promise<Marked> {
    return db.transaction(async (tx) => {
      const coding = await store.findCoding(tx, owner, id, true);
      const book = bookOf(coding.book);
      for (const code of body.on)
        if (book.get(code)?.gone ?? true) throw refuse('这个编码已从码表里删除，请刷新后再试');
      const asked = new Map(body.answers.map(({ at, version }) => [at, version]));
      const rows = await store.answersAt(tx, id, [...asked.keys()]);
      const isOthers = (row: AnswerRow): boolean => row.version !== asked.get(row.at) && row.changedBy !== userId;
      const change: Change = { on: body.on, off: body.off, accept: body.accept ? 0 : null };
      const free = rows.filter((row) => !isOthers(row));
      const pairs = free.flatMap((row) => {
        const next = changed(row, change, book);
        return next ? [{ row, next }] : [];
      });
      const after = pairs.map(({ next }) => next);
      if (after.length > 0) {
        await store.putMarks(tx, id, userId, after);
        const title = titleOf(body, book, after.length);
        const marks = after.reduce((sum, [, codes]) => sum + codes.length, 0);
        await store.addAct(tx, id, userId, {
          kind: 'marks',
          title,
          marks,
          before: pairs.map(({ row }) => marksOf(row)),
          after,
        });
        await store.updateCoding(tx, id, {});
      }
      const fresh = await store.answersAt(
        tx,
        id,
        free.map(({ at }) => at),
      );
      return {
        answers: fresh.map((row) => answerOf(row, book)),
        conflicts: await conflictsOf(tx, rows.filter(isOthers), book),
      };
    });
  }

  async function conflictsOf(tx: Db, rows: AnswerRow[], book: ReadonlyMap<number, Code>): Promise<Marked['conflicts']> {
    const people = await usersByIds(tx, [...new Set(rows.flatMap(({ changedBy }) => changedBy ?? []))]);
    const names = new Map(people.map(({ id, nickname }) => [id, nickname]));
    return rows.map((row) => ({ answer: answerOf(row, book), by: names.get(row.changedBy ?? 0) ?? null }));
  }

  return {
    find,
    read: async (actor: Actor, id: number): Promise<Coding> => read(actor, await find(actor.owner, id)),

    async list(owner: Owner, fid?: number): Promise<{ total: number; list: CodingEntry[] }> {
      const list = await Promise.all((await store.listCodings(db, owner, { fid })).map(entry));
      return { total: list.length, list };
    },

    async add(actor: Actor, { vid, column: columnId, question, mask }: NewCoding): Promise<Coding> {
      const { owner, userId } = actor;
      const version = await files.versions.facts(owner, vid);
      const column = (await files.versions.columns(owner, vid)).find(({ id }) => id === columnId);
      if (!column) throw refuse('这份数据里没有这个变量，它可能已被删除');
      if (column.storage !== 'text') throw refuse(`“${column.label ?? column.name}”不是文字，不用编码；请选文本变量`);
      const used = await store.usedBy(db, owner);
      if (used.codings >= CODINGS_MOST) throw refuse(`最多建立 ${CODINGS_MOST} 份文本编码，请先删除不用的`);
      const found = await answers.read(version.tableKey, { column: columnId, mask });
      const characters = found.texts.reduce((sum, text) => sum + text.length, 0);
      if (used.characters + characters > CHARACTERS_MOST)
        throw refuse(`编码里的回答合计最多 ${CHARACTERS_MOST / 10_000} 万字，请先删除不用的文本编码`);
      const fresh = {
        fid: version.fid,
        vid,
        columnId,
        question:
          question ??
          Array.from(column.label ?? column.name)
            .slice(0, 60)
            .join(''),
        masked: mask,
        total: found.total,
        answered: found.answered,
        covered: found.masked,
        characters,
        book: FIRST_BOOK,
        nextCode: FIRST_BOOK.length + 1,
        createdBy: userId,
      };
      const id = await db.transaction((tx) => store.insertCoding(tx, fresh, found));
      return read(actor, await find(owner, id));
    },

    async remove(owner: Owner, id: number): Promise<void> {
      await find(owner, id);
      await store.deleteCoding(db, id);
    },

    async editBook(actor: Actor, id: number, { codes, version }: BookBody): Promise<Coding> {
      await db.transaction(async (tx) => {
        const coding = await store.findCoding(tx, actor.owner, id, true);
        if (coding.bookVersion !== version) throw refuse('码表已在别处修改，请刷新后再改');
        const { codes: book, next } = editedBook(coding.book, codes, coding.nextCode);
        await store.updateCoding(tx, id, { book, nextCode: next, bookVersion: version + 1 });
      });
      return read(actor, await find(actor.owner, id));
    },

    async answers(owner: Owner, id: number, query: AnswerQuery): Promise<AnswerPage> {
      const coding = await find(owner, id);
      const book = bookOf(coding.book);
      const { total, rows, list } = await store.pageOfAnswers(db, coding, query);
      return { total, rows, list: list.map((row) => answerOf(row, book)) };
    },

    mark,

    accept: (actor: Actor, id: number, p: number): Promise<Acted> =>
      act(actor, id, async (tx, coding) => {
        const book = bookOf(coding.book);
        const change: Change = { on: [], off: [], accept: p };
        const pairs = (await store.openMarks(tx, coding)).flatMap((row) => {
          const next = changed(row, change, book);
          return next ? [{ row, next }] : [];
        });
        const marks = pairs.reduce((sum, { row, next }) => sum + next[1].length - row.codes.length, 0);
        const which = p === 1 ? '按词语给出的' : `概率不低于 ${p} 的`;
        return {
          before: pairs.map(({ row }) => row),
          after: pairs.map(({ next }) => next),
          act: { kind: 'accept', title: `接受${which} ${marks.toLocaleString('en-US')} 条建议`, marks },
        };
      }),

    merge: (actor: Actor, id: number, from: number, into: number): Promise<Acted> =>
      act(actor, id, async (tx, coding) => {
        const book = bookOf(coding.book);
        const [source, target] = [book.get(from), book.get(into)];
        if (!source || !target || target.gone || from === into) throw refuse('请选两个不同的编码来合并');
        if (['unclear', 'invalid'].includes(target.kind)) throw refuse(`不能合并到${quoted(target.name)}`);
        const before = await store.marksWith(tx, id, from);
        const after = before.map((row) => merged(row, from, into));
        return {
          before,
          after,
          act: { kind: 'merge', title: `把${quoted(source.name)}并入${quoted(target.name)}`, marks: after.length },
        };
      }),

    undo: (actor: Actor, id: number): Promise<Acted> => step(actor, id, false),
    redo: (actor: Actor, id: number): Promise<Acted> => step(actor, id, true),

    suggest: async (actor: Actor, id: number, wait: number) =>
      suggestions.suggest(actor, await find(actor.owner, id), wait),
    draft: async (actor: Actor, id: number, k: number, wait: number) =>
      suggestions.draft(actor, await find(actor.owner, id), k, wait),

    write: async (actor: Actor, id: number) =>
      writing.write(actor, await find(actor.owner, id), await rounds.about(id)),

    rounds,

    forget: async (tx: Tx, userId: number): Promise<void> => {
      await store.forgetCoder(tx, userId);
      await rounds.forget(tx, userId);
    },
  };
}

function entryOf(coding: FoundCoding, progress: CodingEntry['progress']): CodingEntry {
  return {
    id: coding.id,
    fid: coding.fid,
    vid: coding.vid,
    file: coding.file,
    column: coding.columnId,
    question: coding.question,
    progress,
    created_at: coding.createdAt.toISOString(),
    updated_at: coding.updatedAt.toISOString(),
  };
}

function answerOf(row: AnswerRow, book: ReadonlyMap<number, Code>): Answer {
  const isUsed = (id: number): boolean => !(book.get(id)?.gone ?? true);
  return {
    at: row.at,
    text: row.text,
    rows: row.rows,
    first_row: row.firstRow,
    codes: row.codes.filter(isUsed),
    by_hand: row.byHand.filter(isUsed),
    rejected: row.rejected.filter(isUsed),
    suggested: openSuggestions(row, book).map(({ code, p }) => ({ code, p: Math.round(p * 1e4) / 1e4 })),
    version: row.version,
  };
}

function titleOf({ on, off, accept }: MarksBody, book: ReadonlyMap<number, Code>, answers: number): string {
  const names = (ids: number[]): string =>
    ids
      .slice(0, 3)
      .map((id) => quoted(book.get(id)?.name))
      .join('');
  const what = [
    ...(on.length > 0 ? [`加上${names(on)}`] : []),
    ...(off.length > 0 ? [`去掉${names(off)}`] : []),
    ...(accept ? ['接受建议'] : []),
  ].join('、');
  return `${what}：${answers.toLocaleString('en-US')} 条回答`;
}

/** Code books and every coded answer of one owner, those of files in the bin too, for an archive. */
export async function* exportCodings(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  for (const coding of await store.listCodings(db, owner, { bin: true })) {
    const { id, question, file, book } = coding;
    const coded = await store.usedMarks(db, coding);
    const codes = new Map(coded);
    const rows = [];
    for (let from = 0; from < coded.length; from += 5000) {
      const part = coded.slice(from, from + 5000).map(([at]) => at);
      rows.push(...(await store.answersAt(db, id, part)).map(({ at, text }) => ({ text, codes: codes.get(at) })));
    }
    yield json(`text-codings/${id}.json`, { question, file, codes: book, answers: rows });
  }
}
