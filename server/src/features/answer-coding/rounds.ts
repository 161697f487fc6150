/** 双人编码: a sample is drawn, coded once more by somebody who sees no codes, compared, and settled. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Keys } from '../../lib/keys.ts';
import { usersByIds } from '../accounts/service.ts';
import { agreementOf, seeded } from './agreement.ts';
import { bookOf } from './book.ts';
import { changed, marksOf } from './marks.ts';
import type { Round, RoundKind, SecondBody, SecondCoding } from './schema.ts';
import * as store from './store.ts';
import { answers, roundAnswers, rounds } from './tables.ts';
import type { Marks, RoundAnswer, RoundRow } from './tables.ts';

const LEAST_CODED = 20;
const [SAMPLE_LEAST, SAMPLE_MOST, SAMPLE_SHARE] = [50, 200, 0.1];
const BLIND_DAYS = 7;
const ROUNDS_MOST = 20;

const refuse = (text: string): Fault => new Fault(30508, { text });

export function createRounds({ db, keys }: { db: Db; keys: Keys }) {
  const codeOf = (id: number): string =>
    Buffer.from(keys.digest('coding round', String(id)), 'hex')
      .toString('base64url')
      .slice(0, 22);
  const digestOf = (code: string): string => keys.digest('coding round code', code);

  const answersIn = (at: Db, id: number): Promise<RoundAnswer[]> =>
    at.select().from(roundAnswers).where(eq(roundAnswers.roundId, id)).orderBy(asc(roundAnswers.place));

  async function wire(row: RoundRow): Promise<Round> {
    const list = await answersIn(db, row.id);
    const [coder] = row.coder === null ? [] : await usersByIds(db, [row.coder]);
    const isOver = row.endedAt !== null;
    const used = row.book.filter(({ gone }) => !gone).map(({ id }) => id);
    const pairs = list.map(({ first, second }) => [first, second ?? []] as const);
    return {
      id: row.id,
      kind: row.kind,
      code: codeOf(row.id),
      size: list.length,
      done: list.filter(({ second }) => second !== null).length,
      coder: coder?.nickname ?? null,
      book_version: row.bookVersion,
      created_at: row.createdAt.toISOString(),
      ended_at: row.endedAt?.toISOString() ?? null,
      agreement: isOver ? agreementOf(pairs, used, row.seed) : null,
      differing: isOver
        ? list
            .filter(({ first, second }) => sorted(first) !== sorted(second ?? []))
            .map(({ place, text, first, second, settled }) => ({ place, text, first, second: second ?? [], settled }))
        : [],
    };
  }

  const list = async (codingId: number): Promise<Round[]> => {
    const rows = await db.select().from(rounds).where(eq(rounds.codingId, codingId)).orderBy(desc(rounds.id));
    return Promise.all(rows.map(wire));
  };

  /** The round of a link, for whoever may code it; the first who opens an invitation becomes its coder. */
  async function open(tx: Tx, { userId }: Actor, code: string): Promise<RoundRow> {
    const [row] = await tx
      .select()
      .from(rounds)
      .where(eq(rounds.digest, digestOf(code)))
      .for('update');
    if (!row) throw missing();
    if (row.coder === userId) return row;
    if (row.coder !== null || row.endedAt) throw missing();
    if (row.createdBy === userId)
      throw refuse('这是给另一位编码者的邀请，请把链接发给对方；自己再编一次请选“自己隔 7 天再编”');
    await tx
      .update(rounds)
      .set({ coder: userId })
      .where(and(eq(rounds.id, row.id), isNull(rounds.coder)));
    return { ...row, coder: userId };
  }

  async function secondOf(tx: Tx, row: RoundRow): Promise<SecondCoding> {
    const coding = await store.questionOf(tx, row.codingId);
    const all = await answersIn(tx, row.id);
    return {
      question: coding,
      codes: row.book,
      ended: row.endedAt !== null,
      answers: all.map(({ place, text, second }) => ({ place, text, codes: second })),
    };
  }

  return {
    list: async ({ owner }: Actor, id: number): Promise<{ list: Round[] }> => {
      await store.findCoding(db, owner, id);
      return { list: await list(id) };
    },

    async start({ owner, userId }: Actor, id: number, kind: RoundKind): Promise<{ list: Round[] }> {
      await db.transaction(async (tx) => {
        const coding = await store.findCoding(tx, owner, id, true);
        const known = await tx.select({ id: rounds.id }).from(rounds).where(eq(rounds.codingId, id));
        if (known.length >= ROUNDS_MOST) throw refuse(`一份编码最多 ${ROUNDS_MOST} 轮双人编码，请先删除不用的`);
        const coded = new Map(await store.usedMarks(tx, coding));
        const rested = kind === 'self' ? await restedOf(tx, id, userId) : null;
        const candidates = [...coded.keys()]
          .filter((at) => rested === null || rested.has(at))
          .toSorted((a, b) => a - b);
        if (candidates.length < LEAST_CODED)
          throw refuse(
            kind === 'self'
              ? `自己再编一次要隔 ${BLIND_DAYS} 天；你自己编完满 ${BLIND_DAYS} 天的回答现在有 ${candidates.length} 条，至少要 ${LEAST_CODED} 条`
              : `先编码至少 ${LEAST_CODED} 条不同的回答，再请人双人编码；现在有 ${candidates.length} 条`,
          );
        const size = Math.min(SAMPLE_MOST, Math.max(SAMPLE_LEAST, Math.ceil(candidates.length * SAMPLE_SHARE)));
        const [last] = await tx.select({ n: sql<number>`coalesce(max(id), 0)::int` }).from(rounds);
        const seed = 20240101 + (last?.n ?? 0);
        const [row] = await tx
          .insert(rounds)
          .values({
            codingId: id,
            kind,
            coder: kind === 'self' ? userId : null,
            seed,
            book: coding.book.filter(({ gone }) => !gone),
            bookVersion: coding.bookVersion,
            createdBy: userId,
          })
          .returning({ id: rounds.id });
        if (!row) throw new Error('A round was not stored');
        await tx
          .update(rounds)
          .set({ digest: digestOf(codeOf(row.id)) })
          .where(eq(rounds.id, row.id));
        const drawn = shuffled(candidates, seed).slice(0, size);
        const texts = new Map((await store.answersAt(tx, id, drawn)).map(({ at, text }) => [at, text]));
        await tx.insert(roundAnswers).values(
          drawn.map((at, place) => ({
            roundId: row.id,
            place,
            at,
            text: texts.get(at) ?? '',
            first: coded.get(at) ?? [],
          })),
        );
      });
      return { list: await list(id) };
    },

    async remove({ owner }: Actor, id: number, round: number): Promise<void> {
      await store.findCoding(db, owner, id);
      const gone = await db
        .delete(rounds)
        .where(and(eq(rounds.id, round), eq(rounds.codingId, id)))
        .returning({ id: rounds.id });
      if (gone.length === 0) throw missing();
    },

    read: (actor: Actor, code: string): Promise<SecondCoding> =>
      db.transaction(async (tx) => secondOf(tx, await open(tx, actor, code))),

    code: (actor: Actor, code: string, { place, codes }: SecondBody): Promise<void> =>
      db.transaction(async (tx) => {
        const row = await open(tx, actor, code);
        if (row.endedAt) throw refuse('这一轮已经提交，不能再改');
        const known = new Set(row.book.map(({ id }) => id));
        if (codes.length === 0 || codes.some((one) => !known.has(one))) throw refuse('请选码表里的编码，至少一个');
        const put = await tx
          .update(roundAnswers)
          .set({ second: [...new Set(codes)].toSorted((a, b) => a - b) })
          .where(and(eq(roundAnswers.roundId, row.id), eq(roundAnswers.place, place)))
          .returning({ place: roundAnswers.place });
        if (put.length === 0) throw missing();
      }),

    finish: (actor: Actor, code: string): Promise<SecondCoding> =>
      db.transaction(async (tx) => {
        const row = await open(tx, actor, code);
        const left = (await answersIn(tx, row.id)).filter(({ second }) => second === null).length;
        if (left > 0) throw refuse(`还有 ${left} 条没有编码，编完再提交`);
        const endedAt = row.endedAt ?? new Date();
        await tx.update(rounds).set({ endedAt }).where(eq(rounds.id, row.id));
        return secondOf(tx, { ...row, endedAt });
      }),

    /** 裁定: the codes both settle on become those of the answer, in an act that can be undone. */
    async settle(
      { owner, userId }: Actor,
      id: number,
      round: number,
      { place, codes }: SecondBody,
    ): Promise<{ list: Round[] }> {
      await db.transaction(async (tx) => {
        const coding = await store.findCoding(tx, owner, id, true);
        const [row] = await tx
          .select()
          .from(rounds)
          .where(and(eq(rounds.id, round), eq(rounds.codingId, id)));
        if (!row?.endedAt) throw missing();
        const book = bookOf(coding.book);
        if (codes.length === 0) throw refuse('裁定要有至少一个编码');
        if (codes.some((one) => book.get(one)?.gone ?? true)) throw refuse('这个编码已从码表里删除，请刷新后再试');
        const [one] = await tx
          .update(roundAnswers)
          .set({ settled: codes })
          .where(and(eq(roundAnswers.roundId, round), eq(roundAnswers.place, place)))
          .returning({ at: roundAnswers.at });
        const [answer] = one ? await store.answersAt(tx, id, [one.at]) : [];
        if (!answer) throw missing();
        const off = answer.codes.filter((code) => !codes.includes(code) && !(book.get(code)?.gone ?? true));
        const after = changed(answer, { on: codes, off, accept: null }, book);
        if (!after) return;
        await store.putMarks(tx, id, userId, [after]);
        const act = { kind: 'settle', title: '裁定 1 条回答', marks: codes.length } as const;
        await store.addAct(tx, id, userId, { ...act, before: [marksOf(answer)], after: [after] });
        await store.updateCoding(tx, id, {});
      });
      return { list: await list(id) };
    },

    /** An act of settling was undone: its answers are open again; or done again: they are settled as they were. */
    async resettle(tx: Tx, codingId: number, after: readonly Marks[], isUndone: boolean): Promise<void> {
      const ended = tx
        .select({ id: rounds.id })
        .from(rounds)
        .where(and(eq(rounds.codingId, codingId), isNotNull(rounds.endedAt)));
      for (const [at, codes] of after)
        await tx
          .update(roundAnswers)
          .set({ settled: isUndone ? null : codes })
          .where(
            and(
              inArray(roundAnswers.roundId, ended),
              eq(roundAnswers.at, at),
              isUndone ? isNotNull(roundAnswers.settled) : isNull(roundAnswers.settled),
            ),
          );
    },

    /** For the data that codes are written into: how far the last finished round agreed. */
    async about(codingId: number): Promise<string[]> {
      const last = (await list(codingId)).find(({ agreement }) => agreement !== null);
      if (!last?.agreement) return [];
      const { n, mean_kappa: mean, alpha } = last.agreement;
      const shown = (value: number | null): string => (value === null ? '—' : value.toFixed(2));
      const who = last.kind === 'self' ? '同一人隔 7 天再编' : '两人分别编码';
      return [`${who} ${n} 条：平均 κ = ${shown(mean)}，Krippendorff α（MASI）= ${shown(alpha)}`];
    },

    forget: async (tx: Tx, userId: number): Promise<void> => {
      await tx.update(rounds).set({ createdBy: null }).where(eq(rounds.createdBy, userId));
      // An open round begins anew with whoever holds the link next: agreement is that of two people. Nobody else codes
      // one's own again. A finished round keeps its codes without a name.
      const open = and(eq(rounds.coder, userId), isNull(rounds.endedAt));
      await tx.delete(rounds).where(and(open, eq(rounds.kind, 'self')));
      const left = tx.select({ id: rounds.id }).from(rounds).where(open);
      await tx.update(roundAnswers).set({ second: null }).where(inArray(roundAnswers.roundId, left));
      await tx.update(rounds).set({ coder: null }).where(eq(rounds.coder, userId));
    },
  };
}

const sorted = (codes: readonly number[]): string => codes.toSorted((a, b) => a - b).join();

function shuffled(list: readonly number[], seed: number): number[] {
  const random = seeded(seed);
  const out = [...list];
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] ?? 0, out[i] ?? 0];
  }
  return out;
}

/** Answers this person has coded, and nobody has changed for a week. */
async function restedOf(tx: Tx, id: number, userId: number): Promise<Set<number>> {
  const rows = await tx
    .select({ at: answers.at })
    .from(answers)
    .where(
      and(
        eq(answers.codingId, id),
        eq(answers.changedBy, userId),
        sql`${answers.changedAt} <= now() - interval '7 days'`,
      ),
    );
  return new Set(rows.map(({ at }) => at));
}
