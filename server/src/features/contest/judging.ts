/**
 * Blind review: judges are drawn once nothing can arrive any more, see numbers instead of names, and lock what they gave.
 * Where the first three are far apart, a fourth reads the paper.
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import { DrawFault, JUDGES_EACH, SPREAD, conflictOf, draw, lots, newSeed, shuffled } from './draw.ts';
import type { Judge, Paper } from './draw.ts';
import { readPdf, withoutMetadata } from './pdf.ts';
import { COMMENT_CHARS, PARTS } from './schema.ts';
import type { Assignment, Assignments, Parts, ReviewBody } from './schema.ts';
import type { Seasons } from './seasons.ts';
import {
  assignments,
  contests,
  judges,
  people,
  reviews,
  submissions,
  teams as teamTable,
  workUploads,
} from './tables.ts';
import type { AssignmentRow, ContestRow, JudgeRow, ReviewRow, SubmissionRow } from './tables.ts';
import type { Teams } from './teams.ts';
import type { Works } from './works.ts';

export const totalOf = (parts: readonly number[]): number => parts.reduce((sum, points) => sum + points, 0);
export const partsOf = (points: readonly number[]): Parts => {
  const [question = 0, data = 0, method = 0, result = 0, writing = 0] = points;
  return { question, data, method, result, writing };
};
const pointsOf = (parts: Parts): number[] => PARTS.map((key) => parts[key]);
/** A-0137 */
export const aliasText = (alias: number | null): string => `A-${String(alias ?? 0).padStart(4, '0')}`;

export interface Scored {
  assignment: AssignmentRow;
  review: ReviewRow;
}

interface Around {
  db: Db;
  clock: Clock;
  seasons: Seasons;
  teams: Teams;
  works: Works;
}

export type Judging = ReturnType<typeof createJudging>;

export function createJudging({ db, clock, seasons, teams, works }: Around) {
  /** Who made a paper, as far as a judge must be kept away from it. */
  async function paperOf(executor: Db, { id, teamId }: SubmissionRow): Promise<Paper> {
    const [team] = await executor.select().from(teamTable).where(eq(teamTable.id, teamId));
    const members = await teams.membersOf(executor, teamId);
    const tutorSchool = team?.tutorSchoolSealed ? [teams.open(team.tutorSchoolSealed)] : [];
    return {
      id,
      schools: [...members.map(({ schoolSealed }) => teams.open(schoolSealed)), ...tutorSchool],
      users: members.map(({ userId }) => userId),
      tutor: team?.tutorSealed ? teams.open(team.tutorSealed) : null,
    };
  }

  const activeJudges = (executor: Db, cid: number): Promise<JudgeRow[]> =>
    executor
      .select()
      .from(judges)
      .where(and(eq(judges.contestId, cid), eq(judges.active, true)))
      .orderBy(asc(judges.id));

  /** Assignments of a paper that stand, with what was given. */
  async function reviewsOf(executor: Db, submissionIds: readonly number[]) {
    if (submissionIds.length === 0) return [];
    return executor
      .select({ assignment: assignments, review: reviews })
      .from(assignments)
      .leftJoin(reviews, eq(reviews.assignmentId, assignments.id))
      .where(and(inArray(assignments.submissionId, [...submissionIds]), isNull(assignments.droppedAt)))
      .orderBy(asc(assignments.id));
  }

  const isLocked = (row: { assignment: AssignmentRow; review: ReviewRow | null }): row is Scored =>
    row.review?.lockedAt != null;

  /** The one with the least to read of those who may and have not read it; by lot between equals. */
  async function pickJudge(tx: Tx, contest: ContestRow, submission: SubmissionRow): Promise<Judge | null> {
    const paper = await paperOf(tx, submission);
    const seen = await tx.select().from(assignments).where(eq(assignments.submissionId, submission.id));
    const free = (await activeJudges(tx, contest.id)).filter(
      (judge) => conflictOf(paper, judge) === null && !seen.some(({ judgeId }) => judgeId === judge.id),
    );
    if (free.length === 0) return null;
    const open = await tx
      .select({ judgeId: assignments.judgeId })
      .from(assignments)
      .where(and(eq(assignments.contestId, contest.id), isNull(assignments.droppedAt)));
    const load = ({ id }: Judge): number => open.filter(({ judgeId }) => judgeId === id).length;
    const least = Math.min(...free.map(load));
    const next = lots((contest.seed ?? 0) + submission.id * 7919 + seen.length);
    const [judge] = shuffled(
      free.filter((one) => load(one) === least),
      next,
    );
    return judge ?? null;
  }

  async function assign(tx: Tx, contest: ContestRow, submission: SubmissionRow, now: Date): Promise<boolean> {
    const judge = await pickJudge(tx, contest, submission);
    if (!judge) return false;
    await tx
      .insert(assignments)
      .values({ contestId: contest.id, submissionId: submission.id, judgeId: judge.id, assignedAt: now });
    return true;
  }

  /** What a paper still needs: 1 where the three are far apart and nobody else has it, or where one gave it up. */
  function lackOf(rows: readonly { assignment: AssignmentRow; review: ReviewRow | null }[]): number {
    if (rows.length < JUDGES_EACH) return JUDGES_EACH - rows.length;
    if (rows.length > JUDGES_EACH || !rows.every(isLocked)) return 0;
    const totals = rows.map(({ review }) => totalOf(review?.parts ?? []));
    return Math.max(...totals) - Math.min(...totals) > SPREAD ? 1 : 0;
  }

  /** Gives a paper the judges it lacks, as far as there are any. */
  async function fill(tx: Tx, contest: ContestRow, submissionId: number, now: Date): Promise<void> {
    const [submission] = await tx.select().from(submissions).where(eq(submissions.id, submissionId)).for('update');
    if (!submission || submission.state !== 'submitted') return;
    for (let lack = lackOf(await reviewsOf(tx, [submissionId])); lack > 0; lack -= 1)
      if (!(await assign(tx, contest, submission, now))) return;
  }

  async function own(executor: Db, userId: number, id: number) {
    const [row] = await executor
      .select({ assignment: assignments, judge: judges, contest: contests })
      .from(assignments)
      .innerJoin(judges, eq(judges.id, assignments.judgeId))
      .innerJoin(contests, eq(contests.id, assignments.contestId))
      .where(
        and(eq(assignments.id, id), eq(judges.userId, userId), eq(judges.active, true), isNull(assignments.droppedAt)),
      );
    if (!row) throw missing();
    return row;
  }

  function demandOpen(contest: ContestRow): void {
    if (contest.publishedAt) throw new Fault(31309);
  }

  /** Everybody begins with the same papers, so that they learn what the scale means before the others count. */
  async function demandCalibrated(executor: Db, { assignment, judge }: Awaited<ReturnType<typeof own>>): Promise<void> {
    if (assignment.isCalibration) return;
    const before = await executor
      .select({ lockedAt: reviews.lockedAt })
      .from(assignments)
      .leftJoin(reviews, eq(reviews.assignmentId, assignments.id))
      .where(
        and(eq(assignments.judgeId, judge.id), eq(assignments.isCalibration, true), isNull(assignments.droppedAt)),
      );
    if (before.some(({ lockedAt }) => lockedAt === null))
      throw new Fault(31318, { detail: '请先评完两份校准作品，再评其他作品' });
  }

  return {
    paperOf,
    reviewsOf,
    isLocked,
    lackOf,

    /** The papers of one judge; the calibration papers stand first and open the others. */
    async list(userId: number): Promise<Assignments[]> {
      const rows = await db
        .select({
          assignment: assignments,
          review: reviews,
          contest: contests,
          alias: teamTable.alias,
          pages: workUploads.pages,
        })
        .from(assignments)
        .innerJoin(judges, eq(judges.id, assignments.judgeId))
        .innerJoin(contests, eq(contests.id, assignments.contestId))
        .innerJoin(submissions, eq(submissions.id, assignments.submissionId))
        .innerJoin(teamTable, eq(teamTable.id, submissions.teamId))
        .innerJoin(workUploads, eq(workUploads.id, submissions.reportId))
        .leftJoin(reviews, eq(reviews.assignmentId, assignments.id))
        .where(and(eq(judges.userId, userId), eq(judges.active, true), isNull(assignments.droppedAt)))
        .orderBy(asc(assignments.id));
      const seasonIds = [...new Set(rows.map(({ contest }) => contest.id))].toSorted((a, b) => b - a);
      return seasonIds.map((cid) => {
        const ofSeason = rows.filter(({ contest }) => contest.id === cid);
        const isCalibrated = ofSeason.every(({ assignment, review }) => !assignment.isCalibration || review?.lockedAt);
        const list = ofSeason.map(({ assignment, review, alias, pages }): Assignment => ({
          id: assignment.id,
          paper: aliasText(alias),
          is_calibration: assignment.isCalibration,
          is_open: assignment.isCalibration || isCalibrated,
          pages,
          parts: review ? partsOf(review.parts) : null,
          comment: review?.comment ?? '',
          total: review ? totalOf(review.parts) : null,
          locked_at: review?.lockedAt?.toISOString() ?? null,
        }));
        return {
          contest: ofSeason[0]?.contest.title ?? '',
          is_open: ofSeason[0]?.contest.publishedAt === null,
          list: list.toSorted((a, b) => Number(b.is_calibration) - Number(a.is_calibration)),
        };
      });
    },

    /** The report without its metadata: what a program wrote beside the pages may name its author. */
    async report(userId: number, id: number): Promise<{ name: string; bytes: Buffer }> {
      const found = await own(db, userId, id);
      await demandCalibrated(db, found);
      const [row] = await db
        .select({ submission: submissions, alias: teamTable.alias })
        .from(submissions)
        .innerJoin(teamTable, eq(teamTable.id, submissions.teamId))
        .where(eq(submissions.id, found.assignment.submissionId));
      if (!row) throw missing();
      const bytes = withoutMetadata(readPdf(await works.bytes(db, row.submission.reportId)));
      return { name: `${aliasText(row.alias)}.pdf`, bytes };
    },

    async save(userId: number, id: number, { parts, comment, lock }: ReviewBody): Promise<void> {
      await db.transaction(async (tx) => {
        const found = await own(tx, userId, id);
        // Locks of one season come one after the other: of two that finish a paper one sees the other.
        const contest = await seasons.lock(tx, found.contest.id);
        demandOpen(contest);
        await demandCalibrated(tx, found);
        if (lock && [...comment].length < COMMENT_CHARS[0])
          throw new Fault(31318, { detail: `评语至少 ${COMMENT_CHARS[0]} 个字` });
        const [before] = await tx.select().from(reviews).where(eq(reviews.assignmentId, id)).for('update');
        if (before?.lockedAt) throw new Fault(31309);
        const now = await clock(tx);
        const set = { parts: pointsOf(parts), comment, savedAt: now, lockedAt: lock ? now : null };
        await tx
          .insert(reviews)
          .values({ assignmentId: id, ...set })
          .onConflictDoUpdate({ target: reviews.assignmentId, set });
        if (lock) await fill(tx, contest, found.assignment.submissionId, now);
      });
    },

    /** A judge knows the authors: somebody else reads it. */
    async declare(userId: number, id: number, reason: string): Promise<void> {
      await db.transaction(async (tx) => {
        const found = await own(tx, userId, id);
        const contest = await seasons.lock(tx, found.contest.id);
        demandOpen(contest);
        const [review] = await tx.select().from(reviews).where(eq(reviews.assignmentId, id));
        if (review?.lockedAt) throw new Fault(31309);
        const now = await clock(tx);
        await tx.delete(reviews).where(eq(reviews.assignmentId, id));
        await tx.update(assignments).set({ droppedAt: now, dropReason: reason }).where(eq(assignments.id, id));
        await fill(tx, contest, found.assignment.submissionId, now);
      });
    },

    desk: {
      async judges(cid: number | undefined, page: { page: number; page_size: number }) {
        const where = cid === undefined ? undefined : eq(judges.contestId, cid);
        const { limit, offset } = slice(page);
        const rows = await db
          .select({
            judge: judges,
            code: contests.code,
            given: sql<number>`(SELECT count(*)::int FROM ${assignments} WHERE ${assignments.judgeId} = ${judges.id} AND ${assignments.droppedAt} IS NULL)`,
            locked: sql<number>`(SELECT count(*)::int FROM ${assignments} JOIN ${reviews} ON ${reviews.assignmentId} = ${assignments.id} WHERE ${assignments.judgeId} = ${judges.id} AND ${assignments.droppedAt} IS NULL AND ${reviews.lockedAt} IS NOT NULL)`,
          })
          .from(judges)
          .innerJoin(contests, eq(contests.id, judges.contestId))
          .where(where)
          .orderBy(asc(judges.id))
          .limit(limit)
          .offset(offset);
        return { total: await db.$count(judges, where), list: rows };
      },

      findJudge: async (executor: Db, id: number): Promise<JudgeRow | null> =>
        (await executor.select().from(judges).where(eq(judges.id, id)))[0] ?? null,

      async addJudge(tx: Tx, cid: number, given: { userId: number; name: string; school: string }): Promise<JudgeRow> {
        const contest = await seasons.lock(tx, cid);
        demandOpen(contest);
        const [entered] = await tx
          .select({ id: people.id })
          .from(people)
          .where(and(eq(people.contestId, cid), eq(people.userId, given.userId)));
        if (entered) throw new Fault(31318, { detail: '这个账号已报名参赛，不能做评委' });
        const { name, school } = given;
        const [row] = await tx
          .insert(judges)
          .values({ contestId: cid, ...given })
          .onConflictDoUpdate({ target: [judges.contestId, judges.userId], set: { name, school, active: true } })
          .returning();
        if (!row) throw new Error('INSERT gave no row');
        return row;
      },

      /** What they have not locked goes to others. */
      async endJudge(tx: Tx, id: number, version: number): Promise<{ before: JudgeRow; after: JudgeRow }> {
        const [before] = await tx.select().from(judges).where(eq(judges.id, id)).for('update');
        if (!before) throw missing();
        if (before.version !== version) throw new Fault(30309);
        const contest = await seasons.lock(tx, before.contestId);
        demandOpen(contest);
        const now = await clock(tx);
        const [after] = await tx
          .update(judges)
          .set({ active: false, version: version + 1 })
          .where(eq(judges.id, id))
          .returning();
        const open = await tx
          .select({ id: assignments.id, submissionId: assignments.submissionId, lockedAt: reviews.lockedAt })
          .from(assignments)
          .leftJoin(reviews, eq(reviews.assignmentId, assignments.id))
          .where(and(eq(assignments.judgeId, id), isNull(assignments.droppedAt)));
        for (const { id: assignment, submissionId, lockedAt } of open) {
          if (lockedAt) continue;
          await tx.delete(reviews).where(eq(reviews.assignmentId, assignment));
          await tx
            .update(assignments)
            .set({ droppedAt: now, dropReason: '评委停用' })
            .where(eq(assignments.id, assignment));
          await fill(tx, contest, submissionId, now);
        }
        return { before, after: after ?? before };
      },

      /** The draw: once, when nothing can arrive any more. */
      async draw(
        tx: Tx,
        cid: number,
        version: number,
        now: Date,
        seed = newSeed(),
      ): Promise<{ before: ContestRow; after: ContestRow; papers: number }> {
        const before = await seasons.lock(tx, cid, version);
        if (before.assignedAt) throw new Fault(31318, { detail: '已经分配过评委' });
        if (!works.isClosed(before, now)) throw new Fault(31318, { detail: '提交截止 10 分钟以后才能分配评委' });
        const finals = await works.final(tx, cid);
        if (finals.length === 0) throw new Fault(31318, { detail: '没有提交的作品' });
        const panel = await activeJudges(tx, cid);
        const papers: Paper[] = [];
        for (const submission of finals) papers.push(await paperOf(tx, submission));
        const { pairs, seed: used } = await drawOrTell(tx, papers, panel, seed);
        const order = shuffled(finals, lots(used ^ 0x5bd1e995));
        for (const [at, { teamId }] of order.entries())
          await tx
            .update(teamTable)
            .set({ alias: at + 1 })
            .where(eq(teamTable.id, teamId));
        for (let at = 0; at < pairs.length; at += 1000)
          await tx.insert(assignments).values(
            pairs.slice(at, at + 1000).map(({ paper, judge, isCalibration }) => ({
              contestId: cid,
              submissionId: paper,
              judgeId: judge,
              isCalibration,
              assignedAt: now,
            })),
          );
        return {
          before,
          after: await seasons.change(tx, before, { seed: used, assignedAt: now }),
          papers: papers.length,
        };
      },

      /** By hand, where the lot found nobody; the same judges are kept away. */
      async give(tx: Tx, submissionId: number, judgeId: number, now: Date): Promise<AssignmentRow> {
        const [submission] = await tx.select().from(submissions).where(eq(submissions.id, submissionId)).for('update');
        const [judge] = await tx.select().from(judges).where(eq(judges.id, judgeId));
        if (!submission || !judge?.active || judge.contestId !== submission.contestId) throw missing();
        const contest = await seasons.lock(tx, submission.contestId);
        demandOpen(contest);
        if (!contest.assignedAt) throw new Fault(31318, { detail: '请先分配评委' });
        const conflict = conflictOf(await paperOf(tx, submission), judge);
        if (conflict) throw new Fault(31318, { detail: `不能指派：${conflict}` });
        const [row] = await tx
          .insert(assignments)
          .values({ contestId: contest.id, submissionId, judgeId, assignedAt: now })
          .onConflictDoNothing()
          .returning();
        if (!row) throw new Fault(31318, { detail: '这位评委已经分到过这份作品' });
        return row;
      },

      /** All papers with how far their review has come. */
      async papers(cid: number | undefined, page: { page: number; page_size: number }) {
        const where = and(
          eq(submissions.state, 'submitted'),
          cid === undefined ? undefined : eq(submissions.contestId, cid),
          sql`NOT EXISTS (SELECT 1 FROM contest_submissions later WHERE later.team_id = ${submissions.teamId} AND later.state = 'submitted' AND later.no > ${submissions.no})`,
        );
        const { limit, offset } = slice(page);
        const rows = await db
          .select({ submission: submissions, team: teamTable, contest: contests })
          .from(submissions)
          .innerJoin(teamTable, eq(teamTable.id, submissions.teamId))
          .innerJoin(contests, eq(contests.id, submissions.contestId))
          .where(where)
          .orderBy(asc(submissions.id))
          .limit(limit)
          .offset(offset);
        const given = await reviewsOf(
          db,
          rows.map(({ submission }) => submission.id),
        );
        return {
          total: await db.$count(submissions, where),
          list: rows.map((row) => ({
            ...row,
            given: given.filter(({ assignment }) => assignment.submissionId === row.submission.id),
          })),
        };
      },

      findPaper: async (executor: Db, id: number): Promise<SubmissionRow | null> =>
        (await executor.select().from(submissions).where(eq(submissions.id, id)))[0] ?? null,
    },

    /** The account of a judge ends. */
    async forget(tx: Tx, userId: number): Promise<void> {
      await tx.update(judges).set({ name: '已注销', school: '', active: false }).where(eq(judges.userId, userId));
    },
  };

  async function drawOrTell(tx: Tx, papers: Paper[], panel: JudgeRow[], seed: number) {
    try {
      return draw(papers, panel, seed);
    } catch (error) {
      if (!(error instanceof DrawFault)) throw error;
      const [paper] = await tx
        .select({ number: teamTable.number })
        .from(submissions)
        .innerJoin(teamTable, eq(teamTable.id, submissions.teamId))
        .where(eq(submissions.id, error.paper));
      throw new Fault(31318, {
        detail: `第 ${paper?.number ?? 0} 队的作品可以分给的评委不足 ${JUDGES_EACH} 位，请增加没有回避关系的评委`,
      });
    }
  }
}
