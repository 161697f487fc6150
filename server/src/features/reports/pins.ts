/** Pinned numbers: a person's own list in a project. What belongs to a report that is gone is not shown. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { owned } from '../../lib/guard.ts';
import type { Actor } from '../../lib/guard.ts';
import type { PinnedNumber, Pins } from './schema.ts';
import { pins, reports } from './tables.ts';

interface Known {
  rid: number;
  title: string;
  vid: number | null;
}

/** Reports of the project the actor may see, by number. */
async function visible(db: Db, actor: Actor, project: number, rids: number[]): Promise<Map<number, Known>> {
  if (rids.length === 0) return new Map();
  const rows = await db
    .select({ rid: reports.rid, title: reports.title, vid: reports.vid })
    .from(reports)
    .where(
      owned(
        reports,
        actor.owner,
        eq(reports.projectId, project),
        inArray(reports.rid, rids),
        isNull(reports.deletedAt),
      ),
    );
  return new Map(rows.map((row) => [row.rid, row]));
}

export async function readPins(db: Db, actor: Actor, project: number): Promise<Pins> {
  const [row] = await db
    .select({ pins: pins.pins })
    .from(pins)
    .where(and(eq(pins.userId, actor.userId), eq(pins.projectId, project)));
  const list = row?.pins ?? [];
  const known = await visible(db, actor, project, [...new Set(list.map(({ rid }) => rid))]);
  return {
    list: list.flatMap((pin) => {
      const report = known.get(pin.rid);
      return report === undefined ? [] : [{ ...pin, title: report.title, vid: report.vid }];
    }),
  };
}

/** The whole list as it shall be; a report that is not there is as absent as a foreign one. */
export async function savePins(db: Db, actor: Actor, project: number, list: PinnedNumber[]): Promise<Pins> {
  const wanted = [...new Set(list.map(({ rid }) => rid))];
  const known = await visible(db, actor, project, wanted);
  if (wanted.some((rid) => !known.has(rid))) throw missing();
  const place = { userId: actor.userId, projectId: project };
  if (list.length === 0) {
    await db.delete(pins).where(and(eq(pins.userId, actor.userId), eq(pins.projectId, project)));
  } else {
    await db
      .insert(pins)
      .values({ ...place, pins: list })
      .onConflictDoUpdate({ target: [pins.userId, pins.projectId], set: { pins: list, updatedAt: sql`now()` } });
  }
  return readPins(db, actor, project);
}
