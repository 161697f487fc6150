/** All SQL on runs and download tickets. */
import { and, asc, count, desc, eq, getColumns, inArray, lt, not, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { belongsTo, owned } from '../../lib/guard.ts';
import { isOrphan } from '../../lib/servers.ts';
import type { Owner } from '../../lib/guard.ts';
import { OPEN_STATES } from './schema.ts';
import type { RunProgress, RunState } from './schema.ts';
import { downloads, runs } from './tables.ts';
import type { RunRow } from './tables.ts';

const isOpen = inArray(runs.state, [...OPEN_STATES]);

export interface NewRun {
  owner: Owner;
  userId: number;
  kind: string;
  payload: unknown;
  note?: unknown;
  /** A queue of which one run of a person works at a time. */
  queue?: string | null;
}

export async function insertRun(tx: Tx, run: NewRun, server: string): Promise<number> {
  const [row] = await tx
    .insert(runs)
    .values({
      ownerKind: run.owner.kind,
      ownerId: run.owner.id,
      userId: run.userId,
      kind: run.kind,
      state: 'waiting',
      payload: run.payload,
      note: run.note ?? null,
      queue: run.queue ?? null,
      serverId: server,
    })
    .returning({ id: runs.id });
  if (!row) throw new Error('INSERT gave no row');
  return row.id;
}

/**
 * Waiting runs of one owner and of all, without those that have `begun` since; the owner's submissions are serialized
 * until the transaction ends.
 */
export async function countWaiting(tx: Tx, owner: Owner, begun: number[]): Promise<{ own: number; all: number }> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`runs ${owner.kind} ${owner.id}`}))`);
  const [row] = await tx
    .select({ own: sql<number>`count(*) FILTER (WHERE ${owned(runs, owner)})`, all: count() })
    .from(runs)
    .where(and(eq(runs.state, 'waiting'), sql`${runs.id} <> ALL(${sql.param(begun)}::int[])`));
  return row ?? { own: 0, all: 0 };
}

export async function countAllWaiting(db: Db): Promise<number> {
  const [row] = await db.select({ n: count() }).from(runs).where(eq(runs.state, 'waiting'));
  return row?.n ?? 0;
}

export async function findRun(db: Db, owner: Owner, id: number): Promise<RunRow | null> {
  const [row] = await db
    .select()
    .from(runs)
    .where(owned(runs, owner, eq(runs.id, id)));
  return row ?? null;
}

/** Without an owner: for the engine's side of a run, never for a person's request. */
export async function runById(db: Db, id: number): Promise<RunRow | null> {
  const [row] = await db.select().from(runs).where(eq(runs.id, id));
  return row ?? null;
}

export interface RunPage {
  onlyOpen: boolean;
  /** Analyses made for this report. */
  rid: number | null;
  limit: number;
  offset: number;
}

export async function listRuns(db: Db, owner: Owner, page: RunPage): Promise<{ total: number; list: RunRow[] }> {
  const ofReport =
    page.rid === null ? undefined : and(eq(runs.kind, 'analysis'), sql`${runs.note} ->> 'rid' = ${String(page.rid)}`);
  const condition = owned(runs, owner, and(page.onlyOpen ? isOpen : undefined, ofReport));
  const [all] = await db.select({ n: count() }).from(runs).where(condition);
  const list = await db
    .select()
    .from(runs)
    .where(condition)
    .orderBy(desc(runs.id))
    .limit(page.limit)
    .offset(page.offset);
  return { total: all?.n ?? 0, list };
}

/** Runs of one person in a queue of its own: all open ones, and the one that ended last; the newest first. */
export async function runsOfQueue(db: Db, owner: Owner, userId: number, queue: string): Promise<RunRow[]> {
  const mine = owned(runs, owner, eq(runs.userId, userId), eq(runs.queue, queue));
  const open = await db.select().from(runs).where(and(mine, isOpen)).orderBy(desc(runs.id)).limit(50);
  const ended = await db
    .select()
    .from(runs)
    .where(and(mine, not(isOpen)))
    .orderBy(desc(runs.id))
    .limit(1);
  return [...open, ...ended];
}

export async function runsById(db: Db, ids: number[]): Promise<RunRow[]> {
  return db.select().from(runs).where(inArray(runs.id, ids));
}

export async function countOpen(db: Db): Promise<number> {
  const [row] = await db.select({ n: count() }).from(runs).where(isOpen);
  return row?.n ?? 0;
}

/** Of one person with one owner: ended runs of a kind, the days in Shanghai they were on, and what runs now of any kind. */
export async function workOf(
  db: Db,
  owner: { kind: 'user' | 'enterprise'; id: number },
  userId: number,
  kind: string,
): Promise<{ runs: number; days: number; open: number }> {
  const isDone = sql`${runs.kind} = ${kind} AND ${runs.state} = 'done'`;
  const [row] = await db
    .select({
      runs: count(sql`CASE WHEN ${isDone} THEN 1 END`),
      days: sql<number>`count(DISTINCT CASE WHEN ${isDone} THEN (${runs.createdAt} AT TIME ZONE 'Asia/Shanghai')::date END)::int`,
      open: count(sql`CASE WHEN ${isOpen} THEN 1 END`),
    })
    .from(runs)
    .where(and(eq(runs.ownerKind, owner.kind), eq(runs.ownerId, owner.id), eq(runs.userId, userId)));
  return row ?? { runs: 0, days: 0, open: 0 };
}

/** What one server works on. */
export async function openRunIds(db: Db, server: string): Promise<number[]> {
  const ofServer = and(isOpen, eq(runs.serverId, server));
  const rows = await db.select({ id: runs.id }).from(runs).where(ofServer).orderBy(asc(runs.id));
  return rows.map((row) => row.id);
}

/** Makes this server answer for open runs whose server is no more; of two that ask at once only one gets each. */
export async function takeOrphans(db: Db, server: string): Promise<number[]> {
  const isTaken = and(isOpen, sql`${runs.serverId} IS DISTINCT FROM ${server}`, isOrphan(runs.serverId));
  const rows = await db.update(runs).set({ serverId: server }).where(isTaken).returning({ id: runs.id });
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** Of these runs those that ended elsewhere, or are to be stopped. */
export async function remoteRequests(db: Db, ids: number[]): Promise<RunRow[]> {
  return db
    .select()
    .from(runs)
    .where(and(inArray(runs.id, ids), or(not(isOpen), eq(runs.stopWanted, true))));
}

export async function wantStop(db: Db, id: number, stopWanted: boolean): Promise<void> {
  await db
    .update(runs)
    .set({ stopWanted })
    .where(and(eq(runs.id, id), isOpen));
}

/** People who have open runs. */
export async function usersWithOpenRuns(db: Db): Promise<number[]> {
  const rows = await db.selectDistinct({ userId: runs.userId }).from(runs).where(isOpen);
  return rows.map((row) => row.userId);
}

export async function openRunsOf(db: Db, userId: number): Promise<RunRow[]> {
  return db
    .select()
    .from(runs)
    .where(and(eq(runs.userId, userId), isOpen));
}

export interface Advance {
  state: RunState;
  position: number | null;
  progress: RunProgress | null;
}

/** Moves an open run on; null when it has ended meanwhile. Progress that an event does not mention stays. */
export async function advance(db: Db, id: number, seq: number, to: Advance): Promise<RunRow | null> {
  const [row] = await db
    .update(runs)
    .set({
      state: to.state,
      seq: sql`greatest(${runs.seq} + 1, ${seq})`,
      position: to.position,
      ...(to.progress ? { progress: to.progress } : {}),
      ...(to.state === 'running' ? { startedAt: sql`coalesce(${runs.startedAt}, now())` } : {}),
    })
    .where(and(eq(runs.id, id), isOpen))
    .returning();
  return row ?? null;
}

/** Begins an open run once more, the first time it is asked; null otherwise. */
export async function repeatRun(db: Db, id: number, progress: RunProgress): Promise<RunRow | null> {
  const [row] = await db
    .update(runs)
    .set({ repeated: true, state: 'waiting', position: null, progress, startedAt: null, seq: sql`${runs.seq} + 1` })
    .where(and(eq(runs.id, id), eq(runs.repeated, false), isOpen))
    .returning();
  return row ?? null;
}

/**
 * An open run under the lock of the transaction that ends it; null when another ending came first. `worked`: seconds it
 * has worked of which nothing is written yet.
 */
export async function lockOpen(tx: Tx, id: number, worked: number | null): Promise<RunRow | null> {
  const began = sql<Date | null>`coalesce(${runs.startedAt}, greatest(${runs.createdAt},
    now() - make_interval(secs => ${worked})))`.mapWith(runs.startedAt);
  const [row] = await tx
    .select({ ...getColumns(runs), ...(worked === null ? {} : { startedAt: began }) })
    .from(runs)
    .where(and(eq(runs.id, id), isOpen))
    .for('update');
  return row ?? null;
}

/** Ends a run that is locked; the caller's transaction decides whether it holds. */
export async function endRun(tx: Tx, run: RunRow, result: unknown): Promise<RunRow> {
  const { id, state, refusal, error, startedAt } = run;
  const [row] = await tx
    .update(runs)
    .set({ state, refusal, error, startedAt, result, position: null, seq: sql`${runs.seq} + 1`, endedAt: sql`now()` })
    .where(eq(runs.id, id))
    .returning({ seq: runs.seq, endedAt: runs.endedAt });
  return { ...run, ...row, position: null, result };
}

export async function insertDownload(
  db: Db,
  ticketDigest: string,
  owner: Owner,
  object: { kind: string; id: number },
  seconds: number,
): Promise<void> {
  await db.delete(downloads).where(lt(downloads.endsAt, sql`now()`));
  await db.insert(downloads).values({
    ticketDigest,
    ...belongsTo(owner),
    kind: object.kind,
    objectId: object.id,
    endsAt: sql`now() + make_interval(secs => ${seconds})`,
  });
}

/** Takes a ticket out: whoever deletes the row has it. */
export async function takeDownload(
  db: Db,
  ticketDigest: string,
): Promise<{ owner: Owner; kind: string; id: number } | null> {
  const [row] = await db
    .delete(downloads)
    .where(eq(downloads.ticketDigest, ticketDigest))
    .returning({
      ownerKind: downloads.ownerKind,
      ownerId: downloads.ownerId,
      createdBy: downloads.createdBy,
      kind: downloads.kind,
      objectId: downloads.objectId,
      isLive: sql<boolean>`${downloads.endsAt} > now()`,
    });
  if (!row?.isLive) return null;
  const { ownerKind: kind, ownerId: id, createdBy } = row;
  const owner: Owner = kind === 'enterprise' && createdBy !== null ? { kind, id, member: createdBy } : { kind, id };
  return { owner, kind: row.kind, id: row.objectId };
}
