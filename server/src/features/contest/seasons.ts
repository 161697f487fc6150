/** Seasons: what is shown of one, its problems, and what the desk does with it before and while it runs. */
import { createHash } from 'node:crypto';
import { and, asc, desc, eq, isNotNull } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import { appealsEnd, phaseOf, shownInstant } from './phase.ts';
import type { Contest, Prize, Problems } from './schema.ts';
import { contestFiles, contests, judges, notices } from './tables.ts';
import type { ContestRow } from './tables.ts';

const NOTICES = 100;
const FILES = 10;

export interface SeasonTimes {
  signupFrom: Date;
  signupTo: Date;
  answerFrom: Date;
  answerTo: Date;
  resultsAt: Date;
}
export interface SeasonDraft extends SeasonTimes {
  code: string;
  title: string;
  summary: string;
  rules: string;
  problems: string;
  prizes: Prize[];
}

const NAMES: Record<keyof SeasonTimes, string> = {
  signupFrom: '报名开始',
  signupTo: '报名截止',
  answerFrom: '赛题发布',
  answerTo: '提交截止',
  resultsAt: '计划公布',
};
const KEYS: readonly (keyof SeasonTimes)[] = ['signupFrom', 'signupTo', 'answerFrom', 'answerTo', 'resultsAt'];

function demandOrder(times: SeasonTimes): void {
  const { signupFrom, signupTo, answerFrom, answerTo, resultsAt } = times;
  const inOrder = signupFrom < signupTo && signupTo <= answerFrom && answerFrom < answerTo && answerTo < resultsAt;
  if (!inOrder) throw new Fault(31318, { detail: '时间顺序应为：报名开始、报名截止、赛题发布、提交截止、计划公布' });
}

export const shownPhases = (row: ContestRow): Contest['phases'] => ({
  signup_from: row.signupFrom.toISOString(),
  signup_to: row.signupTo.toISOString(),
  answer_from: row.answerFrom.toISOString(),
  answer_to: row.answerTo.toISOString(),
  results_at: row.resultsAt.toISOString(),
  published_at: row.publishedAt?.toISOString() ?? null,
  appeals_to: row.publishedAt ? appealsEnd(row.publishedAt).toISOString() : null,
  settled_at: row.settledAt?.toISOString() ?? null,
});

export type Seasons = ReturnType<typeof createSeasons>;

export function createSeasons({ db }: { db: Db }) {
  const isOpen = isNotNull(contests.openedAt);

  async function find(executor: Db, cid: number): Promise<ContestRow | null> {
    const [row] = await executor.select().from(contests).where(eq(contests.id, cid));
    return row ?? null;
  }

  async function lock(tx: Tx, cid: number, version?: number): Promise<ContestRow> {
    const [row] = await tx.select().from(contests).where(eq(contests.id, cid)).for('update');
    if (!row) throw missing();
    if (version !== undefined && row.version !== version) throw new Fault(30309);
    return row;
  }

  async function change(tx: Tx, row: ContestRow, set: Partial<ContestRow>): Promise<ContestRow> {
    const [after] = await tx
      .update(contests)
      .set({ ...set, version: row.version + 1 })
      .where(eq(contests.id, row.id))
      .returning();
    if (!after) throw missing();
    return after;
  }

  return {
    find,
    lock,
    change,

    /** A season that visitors may know of. */
    async load(executor: Db, cid: number): Promise<ContestRow> {
      const row = await find(executor, cid);
      if (!row?.openedAt) throw missing();
      return row;
    },

    /** The one asked for, or the newest; null where none was opened yet. */
    async current(cid: number | undefined): Promise<ContestRow | null> {
      const [row] = await db
        .select()
        .from(contests)
        .where(and(isOpen, cid === undefined ? undefined : eq(contests.id, cid)))
        .orderBy(desc(contests.id))
        .limit(1);
      if (!row && cid !== undefined) throw missing();
      return row ?? null;
    },

    async shown(row: ContestRow, now: Date): Promise<Omit<Contest, 'me' | 'team'>> {
      const told = await db
        .select()
        .from(notices)
        .where(eq(notices.contestId, row.id))
        .orderBy(desc(notices.id))
        .limit(NOTICES);
      const { id, code, title, summary, rules, rulesVersion, prizes } = row;
      return {
        id,
        code,
        title,
        summary,
        rules,
        rules_version: rulesVersion,
        phase: phaseOf(row, now),
        server_now: now.toISOString(),
        phases: shownPhases(row),
        prizes,
        notices: told.map(({ kind, text, at }) => ({ kind, text, at: at.toISOString() })),
      };
    },

    async isJudge(executor: Db, cid: number, userId: number): Promise<boolean> {
      const mine = and(eq(judges.contestId, cid), eq(judges.userId, userId), eq(judges.active, true));
      return (await executor.$count(judges, mine)) > 0;
    },

    async problems(row: ContestRow, now: Date): Promise<Problems> {
      if (now < row.answerFrom) throw new Fault(31308, { at: shownInstant(row.answerFrom) });
      const files = await db
        .select({ id: contestFiles.id, name: contestFiles.name, size: contestFiles.size, sha256: contestFiles.sha256 })
        .from(contestFiles)
        .where(eq(contestFiles.contestId, row.id))
        .orderBy(asc(contestFiles.id));
      return { problems: row.problems, files };
    },

    async file(row: ContestRow, fileId: number, now: Date) {
      if (now < row.answerFrom) throw new Fault(31308, { at: shownInstant(row.answerFrom) });
      const [file] = await db
        .select()
        .from(contestFiles)
        .where(and(eq(contestFiles.contestId, row.id), eq(contestFiles.id, fileId)));
      if (!file) throw missing();
      return { name: file.name, text: file.content, sha256: file.sha256 };
    },

    desk: {
      async list(page: { page: number; page_size: number }): Promise<{ total: number; list: ContestRow[] }> {
        const { limit, offset } = slice(page);
        const list = await db.select().from(contests).orderBy(desc(contests.id)).limit(limit).offset(offset);
        return { total: await db.$count(contests), list };
      },

      async make(tx: Tx, draft: SeasonDraft): Promise<ContestRow> {
        demandOrder(draft);
        const [row] = await tx.insert(contests).values(draft).onConflictDoNothing().returning();
        if (!row) throw new Fault(31318, { detail: `编号 ${draft.code} 已被使用` });
        return row;
      },

      /** Times move by `postpone` once a season is open; rules stand from the first registration on. */
      async edit(tx: Tx, cid: number, version: number, draft: Omit<SeasonDraft, 'code'>, now: Date) {
        const before = await lock(tx, cid, version);
        const isSame = KEYS.every((key) => before[key].getTime() === draft[key].getTime());
        if (before.openedAt && !isSame) throw new Fault(31318, { detail: '大赛已经开放，改时间请用“延期”' });
        demandOrder(draft);
        const begun = before.openedAt !== null && now >= before.signupFrom;
        const rulesMoved =
          draft.rules !== before.rules || JSON.stringify(draft.prizes) !== JSON.stringify(before.prizes);
        if (begun && rulesMoved) throw new Fault(31318, { detail: '报名已经开始，规则和奖项不能再改，请发“更正”' });
        if (begun && now >= before.answerFrom && draft.problems !== before.problems)
          throw new Fault(31318, { detail: '赛题已经发布，不能再改，请发“更正”' });
        const rulesVersion = before.rulesVersion + (draft.rules === before.rules ? 0 : 1);
        return { before, after: await change(tx, before, { ...draft, rulesVersion }) };
      },

      async open(tx: Tx, cid: number, version: number, now: Date) {
        const before = await lock(tx, cid, version);
        if (before.openedAt) throw new Fault(31318, { detail: '大赛已经开放' });
        if (before.rules === '') throw new Fault(31318, { detail: '请先写好规则' });
        if (now >= before.signupTo) throw new Fault(31318, { detail: '报名截止时间已过' });
        return { before, after: await change(tx, before, { openedAt: now }) };
      },

      /** For all alike, with a reason, never earlier; what is over stays. */
      async postpone(tx: Tx, cid: number, version: number, to: SeasonTimes & { reason: string }, now: Date) {
        const before = await lock(tx, cid, version);
        if (before.publishedAt) throw new Fault(31318, { detail: '结果已经公布' });
        if (before.assignedAt && to.answerTo.getTime() !== before.answerTo.getTime())
          throw new Fault(31318, { detail: '已经分配评委，提交截止时间不能再改' });
        const moved = KEYS.filter((key) => to[key].getTime() !== before[key].getTime());
        if (moved.length === 0) throw new Fault(31318, { detail: '时间没有变化' });
        for (const key of moved) {
          if (to[key] < before[key]) throw new Fault(31318, { detail: `${NAMES[key]}只能延后，不能提前` });
          if (before[key] <= now) throw new Fault(31318, { detail: `${NAMES[key]}已经过去，不能再改` });
        }
        demandOrder(to);
        const { reason, ...times } = to;
        const text = moved
          .map((key) => `${NAMES[key]}由 ${shownInstant(before[key])} 延至 ${shownInstant(to[key])}`)
          .join('；');
        await tx
          .insert(notices)
          .values({ contestId: cid, kind: 'postponed', text: `${text}（北京时间）。原因：${reason}`, at: now });
        return { before, after: await change(tx, before, times) };
      },

      async notice(tx: Tx, cid: number, kind: 'correction' | 'answer', text: string, now: Date): Promise<void> {
        await lock(tx, cid);
        await tx.insert(notices).values({ contestId: cid, kind, text, at: now });
      },

      async addFile(tx: Tx, cid: number, name: string, text: string, now: Date): Promise<string> {
        const row = await lock(tx, cid);
        if (row.openedAt && now >= row.answerFrom)
          throw new Fault(31318, { detail: '赛题已经发布，不能再换文件，请发“更正”' });
        const sha256 = createHash('sha256').update(text).digest('hex');
        const values = { content: text, size: Buffer.byteLength(text), sha256 };
        if ((await tx.$count(contestFiles, eq(contestFiles.contestId, cid))) >= FILES)
          throw new Fault(31318, { detail: `最多 ${FILES} 个文件` });
        await tx
          .insert(contestFiles)
          .values({ contestId: cid, name, ...values })
          .onConflictDoUpdate({ target: [contestFiles.contestId, contestFiles.name], set: values });
        return sha256;
      },
    },
  };
}
