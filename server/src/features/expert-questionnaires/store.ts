/** SQL on projects, rounds and experts; the owner stands in every call that names a project. */
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { AnswerValue, Content, Kind, Stored, Verdict } from './schema.ts';
import { answers, contacts, people, projects, rounds, sheets, versions } from './tables.ts';
import type { ExpertRow, ProjectRow, RoundRow, SheetRow, VersionRow } from './tables.ts';

const ours = (owner: Owner, id?: number) =>
  owned(projects, owner, isNull(projects.deletedAt), id === undefined ? undefined : eq(projects.id, id));

export async function listProjects(db: Db, owner: Owner): Promise<ProjectRow[]> {
  return db.select().from(projects).where(ours(owner)).orderBy(desc(projects.id));
}

export async function listBin(db: Db, owner: Owner): Promise<ProjectRow[]> {
  return db
    .select()
    .from(projects)
    .where(owned(projects, owner, isNotNull(projects.deletedAt)))
    .orderBy(desc(projects.deletedAt));
}

const binned = (owner: Owner, id: number) => owned(projects, owner, isNotNull(projects.deletedAt), eq(projects.id, id));

export async function restoreProject(tx: Tx, owner: Owner, id: number): Promise<boolean> {
  const back = await tx
    .update(projects)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(binned(owner, id))
    .returning({ id: projects.id });
  return back.length > 0;
}

/** With everything asked and answered. */
export async function deleteForGood(db: Db, owner: Owner, id: number): Promise<boolean> {
  const gone = await db.delete(projects).where(binned(owner, id)).returning({ id: projects.id });
  return gone.length > 0;
}

/** Thirty days in the bin are over. */
export async function deleteExpired(db: Db): Promise<void> {
  await db.delete(projects).where(lt(projects.deletedAt, sql`now() - interval '30 days'`));
}

export async function findProject(db: Db, owner: Owner, id: number): Promise<ProjectRow | null> {
  const [row] = await db.select().from(projects).where(ours(owner, id));
  return row ?? null;
}

/** Held until the transaction ends: rounds, experts and states of one project change one after the other. */
export async function lockProject(tx: Tx, owner: Owner, id: number): Promise<ProjectRow | null> {
  const [row] = await tx.select().from(projects).where(ours(owner, id)).for('update');
  return row ?? null;
}

export async function insertProject(
  db: Db,
  owner: Owner,
  fresh: { kind: Kind; title: string; content: Content },
): Promise<ProjectRow> {
  const [row] = await db
    .insert(projects)
    .values({ ...belongsTo(owner), ...fresh })
    .returning();
  if (!row) throw new Error('INSERT gave no row');
  return row;
}

export async function updateProject(db: Db, id: number, change: Partial<typeof projects.$inferInsert>): Promise<void> {
  await db
    .update(projects)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(projects.id, id));
}

/** How many of an owner's projects of a kind are being asked. */
export async function countRunning(db: Db, owner: Owner, kind: Kind, but: number): Promise<number> {
  const running = and(eq(projects.kind, kind), inArray(projects.state, ['collecting', 'between']));
  const [row] = await db
    .select({ n: count() })
    .from(projects)
    .where(and(ours(owner), running, sql`${projects.id} <> ${but}`));
  return row?.n ?? 0;
}

export async function insertVersion(
  tx: Tx,
  version: { projectId: number; number: number; content: Content; reason: string },
): Promise<void> {
  await tx.insert(versions).values(version);
}

export async function listVersions(db: Db, projectId: number): Promise<VersionRow[]> {
  return db.select().from(versions).where(eq(versions.projectId, projectId)).orderBy(asc(versions.number));
}

export async function findVersion(db: Db, projectId: number, number: number): Promise<VersionRow> {
  const [row] = await db
    .select()
    .from(versions)
    .where(and(eq(versions.projectId, projectId), eq(versions.number, number)));
  if (!row) throw new Error(`Project ${projectId} has no version ${number}`);
  return row;
}

export async function listRounds(db: Db, projectId: number): Promise<RoundRow[]> {
  return db.select().from(rounds).where(eq(rounds.projectId, projectId)).orderBy(asc(rounds.number));
}

const isRound = (projectId: number, number: number) => and(eq(rounds.projectId, projectId), eq(rounds.number, number));

/** `share`: closing waits until this transaction has ended. */
export async function findRound(
  db: Db,
  projectId: number,
  number: number,
  hold?: 'share' | 'update',
): Promise<RoundRow | null> {
  const query = db.select().from(rounds).where(isRound(projectId, number));
  const [row] = await (hold ? query.for(hold) : query);
  return row ?? null;
}

export async function insertRound(
  tx: Tx,
  round: Pick<RoundRow, 'projectId' | 'number' | 'version' | 'items' | 'feedback' | 'invited'> & { dueAt: Date },
): Promise<void> {
  await tx.insert(rounds).values(round);
}

export async function updateRound(
  tx: Tx,
  projectId: number,
  number: number,
  change: { state?: 'open' | 'closed'; dueAt?: Date; closed?: boolean; decisions?: Record<string, Verdict> },
): Promise<void> {
  const { closed, ...plain } = change;
  const closing = closed === undefined ? {} : { closedAt: closed ? sql`now()` : null };
  await tx
    .update(rounds)
    .set({ ...plain, ...closing })
    .where(isRound(projectId, number));
}

/** Whoever could answer while this round has been open: later arrivals too, those who had left before not. */
export async function countInvited(tx: Tx, projectId: number, number: number): Promise<void> {
  await tx
    .update(rounds)
    .set({
      invited: sql`(SELECT count(*)::int FROM expert_people p WHERE p.project_id = ${projectId}
        AND (p.withdrawn_at IS NULL OR p.withdrawn_at > ${rounds.openedAt}))`,
    })
    .where(and(isRound(projectId, number), eq(rounds.state, 'open')));
}

export async function listPeople(db: Db, projectId: number): Promise<{ expert: ExpertRow; name: string | null }[]> {
  return db
    .select({ expert: people, name: contacts.name })
    .from(people)
    .leftJoin(contacts, eq(contacts.expertId, people.id))
    .where(eq(people.projectId, projectId))
    .orderBy(asc(people.number));
}

export async function countPeople(db: Db, projectId: number): Promise<number> {
  const active = and(eq(people.projectId, projectId), isNull(people.withdrawnAt));
  const [row] = await db.select({ n: count() }).from(people).where(active);
  return row?.n ?? 0;
}

export async function insertPerson(
  tx: Tx,
  projectId: number,
  { channel, name, digest }: { channel: ExpertRow['channel']; name: string | null; digest: (id: number) => string },
): Promise<ExpertRow> {
  const next = sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM expert_people WHERE project_id = ${projectId})`;
  const [row] = await tx.insert(people).values({ projectId, number: next, channel }).returning();
  if (!row) throw new Error('INSERT gave no row');
  const own = digest(row.id);
  await tx.update(people).set({ digest: own }).where(eq(people.id, row.id));
  if (name !== null) await tx.insert(contacts).values({ expertId: row.id, name });
  return { ...row, digest: own };
}

export async function findPerson(db: Db, projectId: number, id: number, hold?: 'update'): Promise<ExpertRow | null> {
  const query = db
    .select()
    .from(people)
    .where(and(eq(people.projectId, projectId), eq(people.id, id)));
  const [row] = await (hold ? query.for(hold) : query);
  return row ?? null;
}

export async function updatePerson(db: Db, id: number, change: Partial<typeof people.$inferInsert>): Promise<void> {
  await db.update(people).set(change).where(eq(people.id, id));
}

export async function deletePerson(tx: Tx, id: number): Promise<void> {
  await tx.delete(people).where(eq(people.id, id));
}

/** Whoever holds the link; null for unknown and revoked ones alike, and while the project is in the bin. */
export async function findByDigest(db: Db, digest: string): Promise<{ project: ProjectRow; expert: ExpertRow } | null> {
  const [row] = await db
    .select({ project: projects, expert: people })
    .from(people)
    .innerJoin(projects, and(eq(projects.id, people.projectId), isNull(projects.deletedAt)))
    .where(eq(people.digest, digest));
  return row ?? null;
}

export async function findPublic(db: Db, digest: string, hold = false): Promise<ProjectRow | null> {
  const query = db
    .select()
    .from(projects)
    .where(and(eq(projects.publicDigest, digest), isNull(projects.deletedAt)));
  const [row] = await (hold ? query.for('update') : query);
  return row ?? null;
}

export async function listSheets(db: Db, projectId: number): Promise<SheetRow[]> {
  return db.select().from(sheets).where(eq(sheets.projectId, projectId)).orderBy(asc(sheets.id));
}

/** Of one expert, the rounds in their order. */
export async function sheetsOf(db: Db, expertId: number): Promise<SheetRow[]> {
  return db.select().from(sheets).where(eq(sheets.expertId, expertId)).orderBy(asc(sheets.round));
}

/** Made with the first answer; held until the transaction ends. */
export async function holdSheet(tx: Tx, projectId: number, round: number, expertId: number): Promise<SheetRow> {
  await tx.insert(sheets).values({ projectId, round, expertId }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(sheets)
    .where(and(eq(sheets.projectId, projectId), eq(sheets.round, round), eq(sheets.expertId, expertId)))
    .for('update');
  if (!row) throw new Error('A sheet was not stored');
  return row;
}

export async function updateSheet(tx: Tx, id: number, late: boolean, submit: boolean): Promise<SheetRow> {
  const [row] = await tx
    .update(sheets)
    .set({
      savedAt: sql`now()`,
      isLate: late,
      ...(submit ? { submittedAt: sql`coalesce(${sheets.submittedAt}, now())` } : {}),
    })
    .where(eq(sheets.id, id))
    .returning();
  if (!row) throw new Error('A sheet is gone');
  return row;
}

/** The answers that count, by sheet: of each key the highest revision. */
export async function readAnswers(db: Db, ids: readonly number[]): Promise<Map<number, Map<string, Stored>>> {
  const found = new Map<number, Map<string, Stored>>(ids.map((id) => [id, new Map()]));
  if (ids.length === 0) return found;
  const rows = await db
    .selectDistinctOn([answers.sheetId, answers.key])
    .from(answers)
    .where(inArray(answers.sheetId, [...ids]))
    .orderBy(answers.sheetId, answers.key, desc(answers.revision));
  for (const { sheetId, key, value, revision } of rows) found.get(sheetId)?.set(key, { value, revision });
  return found;
}

export async function insertAnswers(
  tx: Tx,
  sheetId: number,
  fresh: readonly { key: string; value: AnswerValue; revision: number }[],
): Promise<void> {
  // A null of JSON, not of SQL: outside one's field is an answer too.
  const values = fresh.map(({ value, ...one }) => ({ ...one, sheetId, value: value ?? sql<null>`'null'::jsonb` }));
  if (values.length > 0) await tx.insert(answers).values(values);
}

export async function deleteSheets(tx: Tx, expertId: number, openRound: number | null): Promise<void> {
  if (openRound === null) return;
  await tx.delete(sheets).where(and(eq(sheets.expertId, expertId), eq(sheets.round, openRound)));
}

/** How many experts and sheets each of these projects has, in its present round. */
export async function countsOf(db: Db, list: readonly ProjectRow[]) {
  const ids = list.map(({ id }) => id);
  if (ids.length === 0)
    return {
      experts: new Map<number, number>(),
      rounds: new Map<string, RoundRow>(),
      submitted: new Map<string, number>(),
    };
  const active = await db
    .select({ id: people.projectId, n: count() })
    .from(people)
    .where(and(inArray(people.projectId, ids), isNull(people.withdrawnAt)))
    .groupBy(people.projectId);
  const sent = await db
    .select({ id: sheets.projectId, round: sheets.round, n: count() })
    .from(sheets)
    .where(and(inArray(sheets.projectId, ids), gt(sheets.submittedAt, new Date(0))))
    .groupBy(sheets.projectId, sheets.round);
  const all = await db.select().from(rounds).where(inArray(rounds.projectId, ids));
  return {
    experts: new Map(active.map(({ id, n }) => [id, n])),
    submitted: new Map(sent.map(({ id, round, n }) => [`${id}:${round}`, n])),
    rounds: new Map(all.map((row) => [`${row.projectId}:${row.number}`, row])),
  };
}
