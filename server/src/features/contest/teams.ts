/** Who takes part: registration and teams, until registration ends. A person is in one team at most. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { shortCode } from '../../lib/codes.ts';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';
import { demandSignup } from './phase.ts';
import { CONTEST_LIMITS } from './schema.ts';
import type { RegisterBody, Team, TeamBody } from './schema.ts';
import type { Seasons } from './seasons.ts';
import { contests, people, teams } from './tables.ts';
import type { ContestRow, PersonRow, TeamRow } from './tables.ts';

const CODE_LENGTH = 8;

/** HX26-0137 */
export const numberText = ({ code }: Pick<ContestRow, 'code'>, { number }: Pick<TeamRow, 'number'>): string =>
  `${code}-${String(number).padStart(4, '0')}`;

export type Teams = ReturnType<typeof createTeams>;

export function createTeams({ db, keys, seasons }: { db: Db; keys: Keys; seasons: Seasons }) {
  const seal = (value: string): string => keys.seal('contest', value);
  /** Two years after a season its names are gone. */
  const open = (sealed: string): string => (sealed === '' ? '已删除' : keys.open('contest', sealed));

  async function personOf(executor: Db, cid: number, userId: number): Promise<PersonRow | null> {
    const [row] = await executor
      .select()
      .from(people)
      .where(and(eq(people.contestId, cid), eq(people.userId, userId)));
    return row ?? null;
  }

  /** The team under its lock; every change of its members comes through here. */
  async function lockTeam(tx: Tx, teamId: number): Promise<TeamRow> {
    const [row] = await tx.select().from(teams).where(eq(teams.id, teamId)).for('update');
    if (!row) throw missing();
    return row;
  }

  /** The person under the lock, so that two teams at once never both get them. */
  async function lockPerson(tx: Tx, cid: number, userId: number): Promise<PersonRow> {
    const [row] = await tx
      .select()
      .from(people)
      .where(and(eq(people.contestId, cid), eq(people.userId, userId)))
      .for('update');
    if (!row) throw new Fault(31312);
    return row;
  }

  const membersOf = (executor: Db, teamId: number): Promise<PersonRow[]> =>
    executor.select().from(people).where(eq(people.teamId, teamId)).orderBy(asc(people.id));

  /** Somebody leaves: the next one leads, and a team without anybody ends. */
  async function takeOut(tx: Tx, person: PersonRow, team: TeamRow): Promise<void> {
    await tx.update(people).set({ teamId: null }).where(eq(people.id, person.id));
    const [next] = await membersOf(tx, team.id);
    if (!next) await tx.delete(teams).where(eq(teams.id, team.id));
    else if (team.captainId === person.userId)
      await tx.update(teams).set({ captainId: next.userId }).where(eq(teams.id, team.id));
  }

  async function captained(tx: Tx, cid: number, userId: number): Promise<{ team: TeamRow; me: PersonRow }> {
    const me = await lockPerson(tx, cid, userId);
    if (me.teamId === null) throw new Fault(31323);
    const team = await lockTeam(tx, me.teamId);
    if (team.captainId !== userId) throw new Fault(31321);
    return { team, me };
  }

  async function memberOf(tx: Tx, team: TeamRow, member: number): Promise<PersonRow> {
    const found = (await membersOf(tx, team.id)).find(({ id }) => id === member);
    if (!found) throw missing();
    return found;
  }

  return {
    seal,
    open,
    personOf,
    lockTeam,
    membersOf,

    /** The team somebody is in; 31312 and 31323 where there is none. */
    async teamOf(executor: Db, cid: number, userId: number): Promise<TeamRow> {
      const me = await personOf(executor, cid, userId);
      if (!me) throw new Fault(31312);
      if (me.teamId === null) throw new Fault(31323);
      const [team] = await executor.select().from(teams).where(eq(teams.id, me.teamId));
      if (!team) throw new Fault(31323);
      return team;
    },

    async register(row: ContestRow, userId: number, body: RegisterBody, now: Date): Promise<void> {
      demandSignup(row, now);
      if (await seasons.isJudge(db, row.id, userId)) throw new Fault(31317);
      const facts = {
        nameSealed: seal(body.real_name),
        schoolSealed: seal(body.school),
        rulesVersion: row.rulesVersion,
      };
      await db
        .insert(people)
        .values({ contestId: row.id, userId, ...facts, source: body.source || null, createdAt: now })
        .onConflictDoUpdate({ target: [people.contestId, people.userId], set: facts });
    },

    async make(row: ContestRow, userId: number, body: TeamBody, now: Date): Promise<void> {
      demandSignup(row, now);
      const { name, tutor, tutor_school: tutorSchool } = body;
      try {
        await db.transaction(async (tx) => {
          const me = await lockPerson(tx, row.id, userId);
          if (me.teamId !== null) throw new Fault(31303);
          const [counted] = await tx
            .update(contests)
            .set({ teamCount: sql`${contests.teamCount} + 1` })
            .where(eq(contests.id, row.id))
            .returning({ number: contests.teamCount });
          const [team] = await tx
            .insert(teams)
            .values({
              contestId: row.id,
              number: counted?.number ?? 0,
              name,
              code: shortCode(CODE_LENGTH),
              captainId: userId,
              tutorSealed: tutor ? seal(tutor) : null,
              tutorSchoolSealed: tutorSchool ? seal(tutorSchool) : null,
            })
            .returning({ id: teams.id });
          if (!team) throw new Error('INSERT gave no row');
          await tx.update(people).set({ teamId: team.id }).where(eq(people.id, me.id));
        });
      } catch (error) {
        if (violates(error, 'contest_teams_name')) throw new Fault(31313, { name });
        throw error;
      }
    },

    async join(row: ContestRow, userId: number, code: string, now: Date): Promise<void> {
      demandSignup(row, now);
      await db.transaction(async (tx) => {
        const me = await lockPerson(tx, row.id, userId);
        const [known] = await tx
          .select({ id: teams.id })
          .from(teams)
          .where(and(eq(teams.contestId, row.id), eq(teams.code, code)));
        if (!known) throw new Fault(31314);
        if (me.teamId === known.id) return;
        if (me.teamId !== null) throw new Fault(31303);
        const team = await lockTeam(tx, known.id);
        if ((await membersOf(tx, team.id)).length >= CONTEST_LIMITS.members) throw new Fault(31304);
        await tx.update(people).set({ teamId: team.id }).where(eq(people.id, me.id));
      });
    },

    async leave(row: ContestRow, userId: number, now: Date): Promise<void> {
      demandSignup(row, now);
      await db.transaction(async (tx) => {
        const me = await lockPerson(tx, row.id, userId);
        if (me.teamId === null) throw new Fault(31323);
        await takeOut(tx, me, await lockTeam(tx, me.teamId));
      });
    },

    async setCaptain(row: ContestRow, userId: number, member: number, now: Date): Promise<void> {
      demandSignup(row, now);
      await db.transaction(async (tx) => {
        const { team } = await captained(tx, row.id, userId);
        const next = await memberOf(tx, team, member);
        await tx.update(teams).set({ captainId: next.userId }).where(eq(teams.id, team.id));
      });
    },

    /** Takes somebody out of the team; the code changes, or they would be back at once. */
    async remove(row: ContestRow, userId: number, member: number, now: Date): Promise<void> {
      demandSignup(row, now);
      await db.transaction(async (tx) => {
        const { team } = await captained(tx, row.id, userId);
        const other = await memberOf(tx, team, member);
        if (other.userId === userId) throw new Fault(31318, { detail: '自己退出请用“退出队伍”' });
        await takeOut(tx, other, team);
        await tx
          .update(teams)
          .set({ code: shortCode(CODE_LENGTH) })
          .where(eq(teams.id, team.id));
      });
    },

    async shown(
      row: ContestRow,
      userId: number,
    ): Promise<{ me: { name: string; school: string } | null; team: Team | null }> {
      const me = await personOf(db, row.id, userId);
      if (!me) return { me: null, team: null };
      const shownMe = { name: open(me.nameSealed), school: open(me.schoolSealed) };
      if (me.teamId === null) return { me: shownMe, team: null };
      const [team] = await db.select().from(teams).where(eq(teams.id, me.teamId));
      if (!team) return { me: shownMe, team: null };
      const members = await membersOf(db, team.id);
      return {
        me: shownMe,
        team: {
          id: team.id,
          number: numberText(row, team),
          name: team.name,
          code: team.code,
          tutor: team.tutorSealed && open(team.tutorSealed),
          tutor_school: team.tutorSchoolSealed && open(team.tutorSchoolSealed),
          is_captain: team.captainId === userId,
          members: members.map((member) => ({
            id: member.id,
            name: open(member.nameSealed),
            school: open(member.schoolSealed),
            is_captain: member.userId === team.captainId,
            is_me: member.userId === userId,
          })),
        },
      };
    },

    /** The account ends: out of the team whatever the phase; what the team sent stays with the others. */
    async forget(tx: Tx, userId: number): Promise<void> {
      const mine = await tx.select().from(people).where(eq(people.userId, userId));
      for (const person of mine) {
        if (person.teamId === null) continue;
        const team = await lockTeam(tx, person.teamId);
        await tx.update(people).set({ teamId: null }).where(eq(people.id, person.id));
        const [next] = await membersOf(tx, team.id);
        // A team of nobody keeps its number and its results, and none of what tells of people.
        if (!next)
          await tx.update(teams).set({ tutorSealed: null, tutorSchoolSealed: null }).where(eq(teams.id, team.id));
        else if (team.captainId === userId)
          await tx.update(teams).set({ captainId: next.userId }).where(eq(teams.id, team.id));
      }
      await tx.delete(people).where(eq(people.userId, userId));
    },
  };
}
