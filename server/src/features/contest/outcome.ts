/** What comes of it: results frozen at their publication, appeals, prizes given once, certificates. */
import { createHash, randomInt } from 'node:crypto';
import { and, asc, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { newUploadKey } from '../../lib/blobs.ts';
import type { Blobs } from '../../lib/blobs.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayOf } from '../../lib/clock.ts';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { Credits } from '../credits/service.ts';
import type { Membership } from '../membership/service.ts';
import { PARTICIPATION, certificateHtml } from './certificate.ts';
import { partsOf, totalOf } from './judging.ts';
import type { Judging, Scored } from './judging.ts';
import { MODEL_VERSION, awardOf, fitScores, ranked } from './model.ts';
import { appealsEnd, demandAppeals } from './phase.ts';
import type { Appeal, AppealBody, AppealState, OwnResults, PublicResults, Sheet, Verified } from './schema.ts';
import type { Seasons } from './seasons.ts';
import { appeals, certificates, contests, people, prizes, results, submissions, teams as teamTable } from './tables.ts';
import type { AppealRow, CertificateRow, ContestRow, ResultRow } from './tables.ts';
import type { Teams } from './teams.ts';
import { receiptText } from './works.ts';
import type { Works } from './works.ts';

const APPEALS_EACH = 3;
/** Without 0, 1, I, O: it may be read from paper. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE = /^([A-Z]{2}\d{2})-([2-9A-HJ-NP-Z]{5})-([2-9A-HJ-NP-Z]{5})([2-9A-HJ-NP-Z])$/;

/** The last sign tells a mistyped code from one that never was: weights below a prime find one wrong sign and two swapped. */
const checkOf = (signs: string): string =>
  SIGNS[[...signs].reduce((sum, sign, at) => sum + (at + 1) * SIGNS.indexOf(sign), 0) % 31] ?? '';

/** HX26-7K3QF-9M2DAX: fifty random bits and a sign to check them by. */
export function newCode(contest: string): string {
  const signs = Array.from({ length: 10 }, () => SIGNS[randomInt(SIGNS.length)]).join('');
  return `${contest}-${signs.slice(0, 5)}-${signs.slice(5)}${checkOf(signs)}`;
}

export function readCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  const found = CODE.exec(code);
  return found && checkOf(`${found[2]}${found[3]}`) === found[4] ? code : null;
}

/** 张*明 */
export function maskName(name: string): string {
  const signs = [...name];
  if (signs.length <= 1) return '*';
  return signs.length === 2 ? `${signs[0]}*` : `${signs[0]}${'*'.repeat(signs.length - 2)}${signs.at(-1)}`;
}

const finalAward = ({ award, correctedAward, disqualified }: ResultRow): string | null =>
  disqualified ? null : correctedAward === null ? award : correctedAward || null;

const wireAppeal = (row: AppealRow): Appeal => ({
  id: row.id,
  kind: row.kind,
  text: row.text,
  state: row.state,
  answer: row.answer,
  created_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString() ?? null,
});

interface Around {
  db: Db;
  blobs: Blobs;
  clock: Clock;
  seasons: Seasons;
  teams: Teams;
  works: Works;
  judging: Judging;
  credits: Pick<Credits, 'ledger'>;
  membership: Pick<Membership, 'grants'>;
  print: (html: string) => Promise<Uint8Array>;
  origin: () => string;
  organiser: string;
}

export type Outcome = ReturnType<typeof createOutcome>;

export function createOutcome(around: Around) {
  const { db, blobs, clock, seasons, teams, works, judging, credits, membership } = around;

  /** Everything that was locked, by paper; refuses while something is missing. */
  async function complete(tx: Tx, cid: number) {
    const finals = await works.final(tx, cid);
    const given = await judging.reviewsOf(
      tx,
      finals.map(({ id }) => id),
    );
    const papers = finals.map((submission) => ({
      submission,
      given: given.filter(({ assignment }) => assignment.submissionId === submission.id),
    }));
    const open = papers.filter((paper) => judging.lackOf(paper.given) > 0 || !paper.given.every(judging.isLocked));
    if (open.length > 0) throw new Fault(31318, { detail: `还有 ${open.length} 份作品没有评完` });
    return papers.map(({ submission, given: rows }) => ({ submission, scored: rows.filter(judging.isLocked) }));
  }

  async function ownTeam(cid: number, userId: number) {
    return teams.teamOf(db, cid, userId);
  }

  async function sheetOf(contest: ContestRow, userId: number): Promise<Sheet | null> {
    const person = await teams.personOf(db, contest.id, userId);
    if (person?.teamId == null) return null;
    const [row] = await db
      .select({ result: results, submission: submissions, team: teamTable })
      .from(results)
      .innerJoin(submissions, eq(submissions.id, results.submissionId))
      .innerJoin(teamTable, eq(teamTable.id, results.teamId))
      .where(and(eq(results.contestId, contest.id), eq(results.teamId, person.teamId)));
    if (!row) return null;
    const { result, submission, team } = row;
    const scored = (await judging.reviewsOf(db, [submission.id])).filter(judging.isLocked);
    return {
      receipt: receiptText(contest, team, submission.no),
      rank: result.rank,
      papers: await db.$count(results, eq(results.contestId, contest.id)),
      award: finalAward(result),
      corrected: result.correctedAward !== null || result.disqualified,
      disqualified: result.disqualified,
      raw: result.raw,
      adjusted: result.adjusted,
      se: result.se,
      method: result.method,
      reviews: scored.map(({ review }, at) => ({
        parts: partsOf(review.parts),
        total: totalOf(review.parts),
        judge_effect: result.judgeEffects?.[at] ?? null,
        comment: review.comment,
      })),
    };
  }

  async function giveTeam(tx: Tx, contest: ContestRow, result: ResultRow, now: Date): Promise<number> {
    const award = finalAward(result);
    const prize = contest.prizes.find((one) => one.award === award);
    const [team] = await tx.select().from(teamTable).where(eq(teamTable.id, result.teamId));
    const members = await tx.select().from(people).where(eq(people.teamId, result.teamId)).orderBy(asc(people.userId));
    let given = 0;
    for (const { userId, nameSealed } of members) {
      await tx.insert(certificates).values({
        contestId: contest.id,
        teamId: result.teamId,
        userId,
        code: newCode(contest.code),
        nameSealed,
        teamName: team?.name ?? '',
        award: award ?? PARTICIPATION,
        issuedAt: now,
      });
      if (!prize || prize.kind === 'none' || prize.value === 0) continue;
      const { kind, value } = prize;
      const fresh = await tx
        .insert(prizes)
        .values({ contestId: contest.id, userId, teamId: result.teamId, award: prize.award, kind, value, givenAt: now })
        .onConflictDoNothing()
        .returning({ userId: prizes.userId });
      if (fresh.length === 0) continue;
      given += 1;
      const occasion = `contest:${contest.id}:${userId}`;
      if (kind === 'credits')
        await credits.ledger.earn(tx, userId, value, {
          kind: 'campaign',
          key: occasion,
          title: `${contest.title}${prize.award}`,
          ref: occasion,
        });
      else
        await membership.grants.grant(tx, { userId, source: 'campaign', ref: occasion, days: value, lifetime: false });
    }
    return given;
  }

  /** Printed once: the file that is handed out is the one whose hash is told to who checks it. */
  async function printed(row: CertificateRow): Promise<Buffer> {
    if (row.key !== null && row.sha256 !== null) return blobs.read(row.key);
    if (row.nameSealed === null) throw missing();
    const contest = await seasons.load(db, row.contestId);
    const html = await certificateHtml({
      title: contest.title,
      holder: teams.open(row.nameSealed),
      team: row.teamName,
      award: row.award,
      code: row.code,
      day: dayOf(row.issuedAt),
      organiser: around.organiser,
      verify: `${around.origin()}/contest/result?verify=${row.code}`,
    });
    const bytes = Buffer.from(await around.print(html));
    // The key is known before the file is there: what no row knows is swept away.
    await db
      .update(certificates)
      .set({ key: newUploadKey() })
      .where(and(eq(certificates.id, row.id), isNull(certificates.key)));
    return db.transaction(async (tx) => {
      const [current] = await tx.select().from(certificates).where(eq(certificates.id, row.id)).for('update');
      if (!current || current.key === null) throw missing();
      // Somebody asked at the same time: theirs was first.
      if (current.sha256 !== null) return blobs.read(current.key);
      await blobs.write(current.key, 0, bytes);
      await blobs.seal(current.key);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await tx.update(certificates).set({ sha256 }).where(eq(certificates.id, row.id));
      return bytes;
    });
  }

  return {
    /** Awards in public, without a person's name. */
    async published(contest: ContestRow): Promise<PublicResults> {
      const rows = contest.publishedAt
        ? await db
            .select({ result: results, team: teamTable.name })
            .from(results)
            .innerJoin(teamTable, eq(teamTable.id, results.teamId))
            .where(eq(results.contestId, contest.id))
            .orderBy(asc(results.rank), asc(results.submissionId))
        : [];
      return {
        published_at: contest.publishedAt?.toISOString() ?? null,
        results_at: contest.resultsAt.toISOString(),
        method: rows[0]?.result.method ?? null,
        papers: rows.length,
        list: rows.flatMap(({ result, team }) => {
          const award = finalAward(result);
          return award === null ? [] : [{ rank: result.rank, team, award, corrected: result.correctedAward !== null }];
        }),
      };
    },

    async own(contest: ContestRow, userId: number): Promise<OwnResults> {
      const person = await teams.personOf(db, contest.id, userId);
      const mine = and(eq(certificates.contestId, contest.id), eq(certificates.userId, userId));
      const held = await db.select().from(certificates).where(mine).orderBy(asc(certificates.id));
      const [prize] = await db
        .select()
        .from(prizes)
        .where(and(eq(prizes.contestId, contest.id), eq(prizes.userId, userId)));
      const sent =
        person?.teamId == null
          ? []
          : await db.select().from(appeals).where(eq(appeals.teamId, person.teamId)).orderBy(desc(appeals.id));
      return {
        sheet: contest.publishedAt ? await sheetOf(contest, userId) : null,
        appeals: sent.map(wireAppeal),
        certificates: held.map(({ id, code, award, state, issuedAt }) => ({
          id,
          code,
          award,
          state,
          issued_at: issuedAt.toISOString(),
        })),
        prize: prize ? { award: prize.award, kind: prize.kind, value: prize.value } : null,
      };
    },

    async appeal(contest: ContestRow, userId: number, body: AppealBody): Promise<Appeal> {
      const now = await clock(db);
      demandAppeals(contest, now);
      const team = await ownTeam(contest.id, userId);
      try {
        return await db.transaction(async (tx) => {
          await teams.lockTeam(tx, team.id);
          const [own] = await tx.select().from(results).where(eq(results.teamId, team.id));
          if (!own) throw new Fault(31318, { detail: '您的队伍没有参评的作品' });
          if ((await tx.$count(appeals, eq(appeals.teamId, team.id))) >= APPEALS_EACH)
            throw new Fault(31318, { detail: `每队最多申诉 ${APPEALS_EACH} 次` });
          const [row] = await tx
            .insert(appeals)
            .values({
              contestId: contest.id,
              teamId: team.id,
              userId,
              kind: body.kind,
              text: body.text,
              createdAt: now,
            })
            .returning();
          if (!row) throw new Error('INSERT gave no row');
          return wireAppeal(row);
        });
      } catch (error) {
        if (violates(error, 'contest_appeals_one_open')) throw new Fault(31320);
        throw error;
      }
    },

    async withdrawAppeal(contest: ContestRow, userId: number, id: number): Promise<void> {
      const team = await ownTeam(contest.id, userId);
      await db.transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(appeals)
          .where(and(eq(appeals.id, id), eq(appeals.teamId, team.id)))
          .for('update');
        if (!row) throw missing();
        if (row.state !== 'open') throw new Fault(31318, { detail: '这份申诉已经答复' });
        await tx
          .update(appeals)
          .set({ state: 'withdrawn', version: row.version + 1 })
          .where(eq(appeals.id, id));
      });
    },

    async certificate(contest: ContestRow, userId: number, id: number): Promise<{ name: string; bytes: Buffer }> {
      const [row] = await db
        .select()
        .from(certificates)
        .where(and(eq(certificates.id, id), eq(certificates.contestId, contest.id), eq(certificates.userId, userId)));
      if (!row) throw missing();
      if (row.state !== 'valid')
        throw new Fault(31318, { detail: row.state === 'revoked' ? '证书已撤销' : '证书已换发' });
      return { name: `${row.code}.pdf`, bytes: await printed(row) };
    },

    /** For anybody who was shown a certificate. */
    async verify(text: string, sha256: string | undefined): Promise<Verified> {
      const code = readCode(text);
      if (code === null) throw new Fault(31310);
      const [row] = await db
        .select({ certificate: certificates, contest: contests.title })
        .from(certificates)
        .innerJoin(contests, eq(contests.id, certificates.contestId))
        .where(eq(certificates.code, code));
      if (!row) throw new Fault(31310);
      const { certificate: held, contest } = row;
      return {
        code,
        contest,
        holder: held.nameSealed === null ? '持有人已注销' : maskName(teams.open(held.nameSealed)),
        team: held.teamName,
        award: held.award,
        state: held.state,
        issued_at: held.issuedAt.toISOString(),
        file_matches: sha256 === undefined ? null : held.sha256 === sha256,
      };
    },

    desk: {
      /** Results are worked out and frozen; both operators are written down, for neither answers appeals. */
      async publish(tx: Tx, cid: number, version: number, by: readonly number[], now: Date) {
        const before = await seasons.lock(tx, cid, version);
        if (before.publishedAt) throw new Fault(31318, { detail: '结果已经公布' });
        if (!before.assignedAt) throw new Fault(31318, { detail: '还没有分配评委' });
        const papers = await complete(tx, cid);
        const fitted = fitScores(
          papers.flatMap(({ submission, scored }) =>
            scored.map(({ assignment, review }) => ({
              paper: submission.id,
              judge: assignment.judgeId,
              score: totalOf(review.parts),
            })),
          ),
        );
        const scoreOf = (id: number) => {
          const score = fitted.papers.get(id);
          if (!score) throw new Error(`The paper ${id} has no score`);
          return score;
        };
        const effectsOf = (scored: readonly Scored[]): number[] | null =>
          fitted.method === 'mean' ? null : scored.map(({ assignment }) => fitted.judges.get(assignment.judgeId) ?? 0);
        const order = ranked(papers, ({ submission }) => scoreOf(submission.id).adjusted);
        for (const { item, rank } of order)
          await tx.insert(results).values({
            submissionId: item.submission.id,
            contestId: cid,
            teamId: item.submission.teamId,
            ...scoreOf(item.submission.id),
            rank,
            award: awardOf(before.prizes, rank)?.award ?? null,
            method: fitted.method,
            methodVersion: MODEL_VERSION,
            judgeEffects: effectsOf(item.scored),
          });
        const after = await seasons.change(tx, before, { publishedAt: now, publishedBy: [...by] });
        return { before, after, papers: order.length, method: fitted.method };
      },

      /** Prizes and certificates, when appeals are over and answered; once. */
      async settle(tx: Tx, cid: number, version: number, now: Date) {
        const before = await seasons.lock(tx, cid, version);
        if (!before.publishedAt) throw new Fault(31318, { detail: '结果还没有公布' });
        if (before.settledAt) throw new Fault(31318, { detail: '奖励已经发放' });
        if (now < appealsEnd(before.publishedAt)) throw new Fault(31318, { detail: '公示期还没有结束' });
        const open = await tx.$count(appeals, and(eq(appeals.contestId, cid), eq(appeals.state, 'open')));
        if (open > 0) throw new Fault(31318, { detail: `还有 ${open} 份申诉没有答复` });
        const rows = await tx
          .select()
          .from(results)
          .where(and(eq(results.contestId, cid), eq(results.disqualified, false)))
          .orderBy(asc(results.submissionId));
        let given = 0;
        for (const row of rows) given += await giveTeam(tx, before, row, now);
        const after = await seasons.change(tx, before, { settledAt: now });
        return { before, after, given };
      },

      async appeals(state: AppealState | undefined, page: { page: number; page_size: number }) {
        const where = state === undefined ? undefined : eq(appeals.state, state);
        const { limit, offset } = slice(page);
        const list = await db
          .select({ appeal: appeals, team: teamTable, contest: contests })
          .from(appeals)
          .innerJoin(teamTable, eq(teamTable.id, appeals.teamId))
          .innerJoin(contests, eq(contests.id, appeals.contestId))
          .where(where)
          .orderBy(desc(appeals.id))
          .limit(limit)
          .offset(offset);
        return { total: await db.$count(appeals, where), list };
      },

      findAppeal: async (executor: Db, id: number): Promise<AppealRow | null> =>
        (await executor.select().from(appeals).where(eq(appeals.id, id)))[0] ?? null,

      /** By somebody who did not publish the results. `award` null: it stays as it is. */
      async decide(
        tx: Tx,
        id: number,
        version: number,
        to: { verdict: 'upheld' | 'rejected'; answer: string; award: string | null; disqualify: boolean },
        by: number,
        now: Date,
      ) {
        const [before] = await tx.select().from(appeals).where(eq(appeals.id, id)).for('update');
        if (!before) throw missing();
        if (before.version !== version) throw new Fault(30309);
        if (before.state !== 'open') throw new Fault(31318, { detail: '这份申诉已经答复或撤回' });
        const contest = await seasons.lock(tx, before.contestId);
        if (contest.publishedBy?.includes(by)) throw new Fault(31318, { detail: '申诉由没有参与公布结果的人答复' });
        if (contest.settledAt) throw new Fault(31318, { detail: '奖励已经发放' });
        if (to.verdict === 'rejected' && (to.award !== null || to.disqualify))
          throw new Fault(31318, { detail: '维持原结果时不能改奖项' });
        if (to.award && !contest.prizes.some(({ award }) => award === to.award))
          throw new Fault(31318, { detail: `没有“${to.award}”这个奖项` });
        if (to.award !== null || to.disqualify)
          await tx
            .update(results)
            .set({ correctedAward: to.disqualify ? '' : to.award, disqualified: to.disqualify })
            .where(eq(results.teamId, before.teamId));
        const [after] = await tx
          .update(appeals)
          .set({ state: to.verdict, answer: to.answer, decidedBy: by, decidedAt: now, version: version + 1 })
          .where(eq(appeals.id, id))
          .returning();
        return { before, after: after ?? before };
      },

      async certificates(code: string | undefined, page: { page: number; page_size: number }) {
        const where = code === undefined ? undefined : eq(certificates.code, code.toUpperCase());
        const { limit, offset } = slice(page);
        const list = await db
          .select()
          .from(certificates)
          .where(where)
          .orderBy(desc(certificates.id))
          .limit(limit)
          .offset(offset);
        return { total: await db.$count(certificates, where), list };
      },

      findCertificate: async (executor: Db, id: number): Promise<CertificateRow | null> =>
        (await executor.select().from(certificates).where(eq(certificates.id, id)))[0] ?? null,

      /** Revoked, or (with a name) replaced by one that says it right. */
      async changeCertificate(tx: Tx, id: number, version: number, name: string | null, now: Date) {
        const [before] = await tx.select().from(certificates).where(eq(certificates.id, id)).for('update');
        if (!before) throw missing();
        if (before.version !== version) throw new Fault(30309);
        if (before.state !== 'valid') throw new Fault(31318, { detail: '只能处理有效的证书' });
        const set = { version: version + 1 };
        await tx
          .update(certificates)
          .set({ ...set, state: name === null ? 'revoked' : 'replaced' })
          .where(eq(certificates.id, id));
        if (name === null) return { before, state: 'revoked' as const };
        const contest = await seasons.lock(tx, before.contestId);
        const { contestId, teamId, userId, teamName, award } = before;
        const [fresh] = await tx
          .insert(certificates)
          .values({
            contestId,
            teamId,
            userId,
            teamName,
            award,
            code: newCode(contest.code),
            nameSealed: teams.seal(name),
            issuedAt: now,
          })
          .returning({ id: certificates.id });
        await tx
          .update(certificates)
          .set({ replacedBy: fresh?.id ?? null })
          .where(eq(certificates.id, id));
        return { before, state: 'replaced' as const };
      },

      counts: async (cid: number) => {
        const [registered] = await db.select({ n: count() }).from(people).where(eq(people.contestId, cid));
        const [made] = await db.select({ n: count() }).from(teamTable).where(eq(teamTable.contestId, cid));
        const [sent] = await db
          .select({ n: sql<number>`count(DISTINCT ${submissions.teamId})::int` })
          .from(submissions)
          .where(and(eq(submissions.contestId, cid), eq(submissions.state, 'submitted')));
        return { people: registered?.n ?? 0, teams: made?.n ?? 0, works: sent?.n ?? 0 };
      },
    },

    keysOf: async (executor: Db): Promise<string[]> =>
      (await executor.select({ key: certificates.key }).from(certificates)).flatMap(({ key }) => (key ? [key] : [])),

    /** What a certificate says of a person goes; that it was given stays. */
    async forget(tx: Tx, userId: number): Promise<void> {
      await tx.update(certificates).set({ nameSealed: null, key: null }).where(eq(certificates.userId, userId));
      const mine = await tx.select({ id: appeals.id }).from(appeals).where(eq(appeals.userId, userId));
      if (mine.length > 0)
        await tx
          .update(appeals)
          .set({ text: '（账号已注销）' })
          .where(
            inArray(
              appeals.id,
              mine.map(({ id }) => id),
            ),
          );
    },
  };
}
