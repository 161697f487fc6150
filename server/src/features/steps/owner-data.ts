/** Own folders and hidden variables of everything one owner has, for an archive. */
import { asc, sql } from 'drizzle-orm';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { variableFolders } from './tables.ts';

export async function* exportFolders(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const { vid, folders, hidden, updatedAt } = variableFolders;
  const theirs = sql`SELECT v.vid FROM versions v JOIN files f ON f.fid = v.fid
    WHERE f.owner_kind = ${owner.kind} AND f.owner_id = ${owner.id}`;
  const lists = await db
    .select({ vid, folders, hidden, updatedAt })
    .from(variableFolders)
    .where(sql`${vid} IN (${theirs})`)
    .orderBy(asc(vid));
  yield json('variable-lists.json', lists);
}
