/** The contest, put together: seasons, teams, works, judging, outcome. Other features see nothing but this face. */
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm';
import { Blobs } from '../../lib/blobs.ts';
import { databaseClock } from '../../lib/clock.ts';
import type { Deps } from '../../lib/deps.ts';
import type { Db, Tx } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { json, pathPart } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Credits } from '../credits/service.ts';
import type { Membership } from '../membership/service.ts';
import { createJudging } from './judging.ts';
import { createOutcome } from './outcome.ts';
import { createSeasons } from './seasons.ts';
import type { CurrentContest } from './schema.ts';
import {
  appeals,
  assignments,
  certificates,
  contests,
  people,
  prizes,
  submissions,
  teams as teamTable,
  workUploads,
} from './tables.ts';
import { createTeams } from './teams.ts';
import { createUpkeep } from './upkeep.ts';
import type { Tell } from './upkeep.ts';
import { createWorks } from './works.ts';

export { aliasText, totalOf } from './judging.ts';
export { numberText } from './teams.ts';
export { phaseOf } from './phase.ts';
export type { SeasonDraft } from './seasons.ts';
export type { AppealRow, CertificateRow, ContestRow, JudgeRow } from './tables.ts';

export type Contests = ReturnType<typeof createContests>;

interface Around extends Pick<Deps, 'config' | 'db' | 'keys' | 'clock'> {
  credits: Pick<Credits, 'ledger'>;
  membership: Pick<Membership, 'grants'>;
  /** A page of HTML as PDF. */
  print: (html: string) => Promise<Uint8Array>;
  tell: Tell;
}

export function createContests({ config, db, keys, clock = databaseClock, credits, membership, print, tell }: Around) {
  const blobs = new Blobs(config.data, 'contest');
  const seasons = createSeasons({ db });
  const teams = createTeams({ db, keys, seasons });
  const works = createWorks({ db, blobs, clock, seasons, teams });
  const judging = createJudging({ db, clock, seasons, teams, works });
  const outcome = createOutcome({
    db,
    blobs,
    clock,
    seasons,
    teams,
    works,
    judging,
    credits,
    membership,
    print,
    origin: () => config.publicUrl?.origin ?? `http://${config.host}:${config.port}`,
    organiser: config.company.name ?? '',
  });

  const upkeep = createUpkeep({ db, clock, tell });

  /** What nobody is left to have sent is not judged, and its files go. */
  async function endTeam(tx: Tx, teamId: number): Promise<void> {
    const [team] = await tx
      .select({ publishedAt: contests.publishedAt })
      .from(teamTable)
      .innerJoin(contests, eq(contests.id, teamTable.contestId))
      .where(eq(teamTable.id, teamId));
    const mine = eq(workUploads.teamId, teamId);
    await tx.update(workUploads).set({ state: 'refused', reason: '作者已注销账号', name: '' }).where(mine);
    if (!team || team.publishedAt) return;
    const sent = tx.select({ id: submissions.id }).from(submissions).where(eq(submissions.teamId, teamId));
    await tx
      .update(assignments)
      .set({ droppedAt: await clock(tx), dropReason: '作者已注销账号' })
      .where(and(inArray(assignments.submissionId, sent), isNull(assignments.droppedAt)));
    await tx.update(submissions).set({ state: 'withdrawn', completedAt: null }).where(eq(submissions.teamId, teamId));
  }

  return {
    seasons,
    teams,
    works,
    judging,
    outcome,
    clock: (): Promise<Date> => clock(db),
    /** A season that visitors may know of; every call on one begins here. */
    load: (cid: number) => seasons.load(db, cid),
    prepare: (): Promise<void> => blobs.prepare(),

    /** The season of the page, with what the caller is in it. */
    async current(cid: number | undefined, userId: number | null): Promise<CurrentContest> {
      const now = await clock(db);
      const row = await seasons.current(cid);
      if (!row) return { contest: null, server_now: now.toISOString(), is_judge: false };
      const shown = await seasons.shown(row, now);
      const isJudge = userId !== null && (await seasons.isJudge(db, row.id, userId));
      const own = userId === null ? { me: null, team: null } : await teams.shown(row, userId);
      const me = own.me && { ...own.me, is_judge: isJudge };
      return { contest: { ...shown, me, team: own.team }, server_now: now.toISOString(), is_judge: isJudge };
    },

    /** For taking everything away. */
    async *belongings({ kind, id }: Owner): AsyncGenerator<OwnerFile> {
      if (kind !== 'user') return;
      const mine = await db.select().from(people).where(eq(people.userId, id)).orderBy(asc(people.id));
      const held = await db
        .select()
        .from(certificates)
        .where(eq(certificates.userId, id))
        .orderBy(asc(certificates.id));
      const files = await works.sentBy(db, id);
      yield json('contest/contest.json', {
        registrations: mine.map((row) => ({
          contest_id: row.contestId,
          name: teams.open(row.nameSealed),
          school: teams.open(row.schoolSealed),
          rules_version: row.rulesVersion,
          created_at: row.createdAt,
        })),
        submissions: await db
          .select({ no: submissions.no, state: submissions.state, arrived_at: submissions.arrivedAt })
          .from(submissions)
          .where(eq(submissions.userId, id))
          .orderBy(asc(submissions.id)),
        appeals: await db
          .select({
            kind: appeals.kind,
            text: appeals.text,
            state: appeals.state,
            answer: appeals.answer,
            created_at: appeals.createdAt,
          })
          .from(appeals)
          .where(eq(appeals.userId, id))
          .orderBy(asc(appeals.id)),
        prizes: await db
          .select({ award: prizes.award, kind: prizes.kind, value: prizes.value, given_at: prizes.givenAt })
          .from(prizes)
          .where(eq(prizes.userId, id)),
        certificates: held.map(({ code, award, state, issuedAt }) => ({ code, award, state, issued_at: issuedAt })),
      });
      for (const { id: number, key, name } of files)
        yield { path: `contest/${number}-${pathPart(name)}`, content: () => works.open(key) };
    },

    async forget(tx: Tx, userId: number): Promise<void> {
      const mine = await tx.select({ teamId: people.teamId }).from(people).where(eq(people.userId, userId));
      await teams.forget(tx, userId);
      for (const { teamId } of mine)
        if (teamId !== null && (await teams.membersOf(tx, teamId)).length === 0) await endTeam(tx, teamId);
      await judging.forget(tx, userId);
      await outcome.forget(tx, userId);
    },

    /** Files nobody submitted, refused ones, and those of accounts that ended. */
    async tidy(executor: Db = db): Promise<void> {
      await upkeep.remind();
      await upkeep.forgetOld();
      await works.tidy();
      const kept = await executor
        .select({ key: workUploads.key })
        .from(workUploads)
        .where(ne(workUploads.state, 'refused'));
      const known = new Set([...kept.map(({ key }) => key), ...(await outcome.keysOf(executor))]);
      for (const key of await blobs.keys()) if (!known.has(key)) await blobs.remove(key);
    },
  };
}
