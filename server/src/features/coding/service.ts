/** 编码方案 for whoever is not this feature: all that one owner has, for an archive. */
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { listSchemes } from './store.ts';

export async function* exportSchemes(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const schemes = await listSchemes(db, owner);
  const kept = schemes.map(({ name, rules, updatedAt }) => ({ name, rules, updatedAt }));
  yield json('coding-schemes.json', kept);
}
