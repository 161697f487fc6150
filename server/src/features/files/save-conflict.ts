/** Somebody has gone on from a version: a save made on it is not stored, but told what there is now. */
import type { Db } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { usersByIds } from '../accounts/service.ts';
import type { Carried, Newer } from './schema.ts';
import type { VersionFacts } from './store.ts';

/** Whether the new version may stand beside a newer one, as somebody wants who has gone back to an old one. */
export interface Branching {
  branch: boolean;
}

/** 30511. `cells`: what would become of the cells that were to be saved, where they are cells. */
export async function saveConflict(db: Db, head: VersionFacts, cells: Carried | null = null): Promise<Fault> {
  const { vid, number, step, createdAt } = head;
  const [author] = step.by === undefined ? [] : await usersByIds(db, [step.by]);
  const data: Newer = {
    head: vid,
    number,
    title: step.title,
    author: author?.nickname ?? null,
    made_at: step.at ?? createdAt.toISOString(),
    cells,
  };
  const title = step.title.replaceAll('“', '‘').replaceAll('”', '’');
  return new Fault(30511, { n: number, title }, { data });
}
