/** A restoration: everything is read and checked first, then the database and the folder change over. */
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { ConfigFault } from '../config.ts';
import type { Script } from '../db.ts';
import { MARK_FILE } from '../installation.ts';
import { ownMark } from '../processes.ts';
import { DATABASE, requireDiskSpace, readArchive, unpack } from './archive.ts';
import type { Manifest } from './archive.ts';
import { NOT_DATA } from './backup.ts';
import { load } from './load.ts';
import type { Loaded } from './load.ts';

/** Stands in a folder whose restoration was interrupted between the database and the files. */
const UNFINISHED = 'restoring.json';

export async function demandWhole(data: string): Promise<void> {
  if ((await readdir(data)).includes(UNFINISHED))
    throw new ConfigFault('上次恢复中断了，数据不完整。请重新运行 npm run restore -- 备份文件 --replace');
}

/** What stands in the way of a restoration; null: nothing. */
export async function whatIsThere(data: string, script: Script): Promise<string | null> {
  for (const entry of await readdir(data, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || entry.name.startsWith('.') || NOT_DATA.has(entry.name)) continue;
    if ((await readdir(join(data, entry.name))).length > 0) return `数据目录 ${data} 里已有 ${entry.name}`;
  }
  const [there] = await script.rows(`SELECT to_regclass('public.users') IS NOT NULL AS is_there`);
  const [users] = there?.['is_there'] ? await script.rows('SELECT 1 AS n FROM users LIMIT 1') : [];
  return users ? '数据库里已有用户' : null;
}

export interface Restored extends Loaded, Pick<Manifest, 'made_at' | 'files' | 'bytes'> {}

/** `script`: the target's database, held by nobody else. What was in either of them is gone afterwards. */
export async function restore(file: string, data: string, script: Script): Promise<Restored> {
  await requireDiskSpace(data, await readArchive(file));
  const { pid, started } = ownMark();
  const folder = join(data, 'run', `restore-${pid}-${started}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const { database, made_at, files, bytes } = await unpack(file, folder);
    await writeFile(join(data, UNFINISHED), `${JSON.stringify({ made_at })}\n`, { mode: 0o600 });
    const isThere = await changeDatabase(script, join(folder, DATABASE), database, data).catch(
      async (error: unknown) => {
        // Undone as a whole; the files were not touched yet.
        await rm(join(data, UNFINISHED), { force: true });
        throw error;
      },
    );
    await changeFiles(join(folder, 'data'), data, join(folder, 'before'));
    await rm(join(data, UNFINISHED));
    return { ...isThere, made_at, files, bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The copy is an installation of its own: beside the first one its halves must not be mistaken for that one's. */
async function changeDatabase(script: Script, lines: string, digest: string, data: string): Promise<Loaded> {
  const loaded = await load(
    script,
    createInterface({ input: createReadStream(lines), crlfDelay: Number.POSITIVE_INFINITY }),
    digest,
  );
  const id = randomUUID();
  await script.run(`DELETE FROM installation; INSERT INTO installation (id, bound_at) VALUES ('${id}', now())`);
  await writeFile(join(data, MARK_FILE), `${JSON.stringify({ installation: id })}\n`, { mode: 0o600 });
  return loaded;
}

async function changeFiles(from: string, data: string, before: string): Promise<void> {
  await mkdir(before, { mode: 0o700 });
  for (const entry of await readdir(data, { withFileTypes: true }))
    if (entry.isDirectory() && !entry.name.startsWith('.') && !NOT_DATA.has(entry.name))
      await rename(join(data, entry.name), join(before, entry.name));
  for (const name of await readdir(from)) await rename(join(from, name), join(data, name));
}
