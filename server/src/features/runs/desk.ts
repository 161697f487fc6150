/** Runs of everybody as the operator's desk sees them: what waits, works or went wrong; never what was asked for. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { countSome, slice } from '../../lib/paging.ts';
import type { RunState } from './schema.ts';
import { runs } from './tables.ts';
import type { RunRow } from './tables.ts';

const shown = {
  id: runs.id,
  kind: runs.kind,
  /** The method of an analysis. */
  path: sql<string | null>`${runs.note} ->> 'path'`,
  state: runs.state,
  position: runs.position,
  ownerKind: runs.ownerKind,
  ownerId: runs.ownerId,
  userId: runs.userId,
  repeated: runs.repeated,
  error: runs.error,
  createdAt: runs.createdAt,
  startedAt: runs.startedAt,
  endedAt: runs.endedAt,
};
export type DeskRun = Omit<
  RunRow,
  'seq' | 'progress' | 'refusal' | 'result' | 'payload' | 'note' | 'queue' | 'serverId' | 'stopWanted'
> & {
  path: string | null;
};

export interface RunsWanted {
  states: readonly RunState[] | undefined;
  userId: number | undefined;
  page: number;
  page_size: number;
}

/** Newest first. */
export async function pageOfRuns(
  db: Db,
  { states, userId, ...page }: RunsWanted,
): Promise<{ total: number; list: DeskRun[] }> {
  const where = and(
    states === undefined ? undefined : inArray(runs.state, [...states]),
    userId === undefined ? undefined : eq(runs.userId, userId),
  );
  const { limit, offset } = slice(page);
  const list = await db.select(shown).from(runs).where(where).orderBy(desc(runs.id)).limit(limit).offset(offset);
  return { total: await countSome(db, runs, where), list };
}

export async function deskRun(db: Db, id: number): Promise<DeskRun | null> {
  const [row] = await db.select(shown).from(runs).where(eq(runs.id, id));
  return row ?? null;
}
