/** A backup: the database at one moment and the files it names, while the server works on. */
import { createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Snapshot } from '../db.ts';
import { isAlive, ownMark } from '../processes.ts';
import { filesBelow, pack } from './archive.ts';
import type { Manifest } from './archive.ts';
import { dump } from './dump.ts';

/** Of this machine and this moment: the database has its own way into a backup, sockets and locks have none. */
export const NOT_DATA = new Set(['db', 'run']);

/** Writes all rows of one moment into a file. */
export async function dumpInto(file: string, snapshot: Snapshot): Promise<void> {
  await snapshot(async (rows) => {
    await pipeline(Readable.from(lined(dump(rows))), createWriteStream(file, { mode: 0o600 }));
  });
}

async function* lined(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/**
 * Stored files never change; they only come and go. A row names a file that is there already, and a file goes after its
 * row. So what is held (by a link) before the moment and what is held after it, together, is all that the rows name.
 */
export async function backUp(
  data: string,
  target: string,
  takeDump: (file: string) => Promise<void>,
  now: Date,
): Promise<Manifest> {
  await removeOrphanedSnapshots(join(data, 'run'));
  const { pid, started } = ownMark();
  const folder = join(data, 'run', `backup-${pid}-${started}`);
  const held = join(folder, 'data');
  await mkdir(held, { recursive: true, mode: 0o700 });
  try {
    await hold(data, held);
    const database = join(folder, 'database.ndjson');
    await takeDump(database);
    await hold(data, held);
    return await pack(target, database, await filesBelow(held), now);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps what is there from vanishing, without copying it where that can be. */
async function hold(data: string, held: string): Promise<void> {
  for (const entry of await readdir(data, { withFileTypes: true }))
    if (entry.isDirectory() && !entry.name.startsWith('.') && !NOT_DATA.has(entry.name))
      await holdBelow(join(data, entry.name), join(held, entry.name));
}

async function holdBelow(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    if (entry.name.startsWith('.')) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await holdBelow(source, target);
    else if (entry.isFile()) await holdFile(source, target);
  }
}

async function holdFile(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // Held already, or gone since it was listed.
    if (code === 'EEXIST' || code === 'ENOENT') return;
    // A file system without links.
    await copyFile(source, target);
  }
}

/** What a killed backup held. */
async function removeOrphanedSnapshots(run: string): Promise<void> {
  for (const name of await readdir(run).catch(() => [])) {
    const [, pid, started = ''] = /^(?:backup|restore)-(\d+)-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive({ pid: Number(pid), started }))
      await rm(join(run, name), { recursive: true, force: true });
  }
}

/** Whether a file would lie in a folder or below it, whatever the two are called. */
export async function isInside(folder: string, file: string): Promise<boolean> {
  const home = await stat(folder);
  for (let at = dirname(file), below = file; at !== below; below = at, at = dirname(at)) {
    const here = await stat(at).catch(() => null);
    if (here?.ino === home.ino && here.dev === home.dev) return true;
  }
  return false;
}
