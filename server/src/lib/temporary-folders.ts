/**
 * Folders for one piece of work in the system's temporary folder, where also a browser without rights may read. Their
 * names tell whose they are: what a killed server left is recognised at the next start.
 */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, ownMark } from './processes.ts';

const OWNED = /^hengxi-(?:export|print)-(\d+)-(\d+)-\w{6}$/;
/** As former versions named them; no piece of work lasts as long as this. */
const UNOWNED = /^hengxi-(?:export|print)-\w{6}$/;
const UNOWNED_MS = 2 * 3_600_000;

export async function makeTemporaryFolder(kind: 'export' | 'print'): Promise<string> {
  const { pid, started } = ownMark();
  return mkdtemp(join(tmpdir(), `hengxi-${kind}-${pid}-${started}-`));
}

export const removeTemporaryFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** Removes the folders of processes that are gone; gives how many. Those of other users are not ours to judge. */
export async function sweepTemporaryFolders(base = tmpdir()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(base).catch(() => [])) {
    const folder = join(base, name);
    if (!(await isLeft(name, folder))) continue;
    const isGone = await removeTemporaryFolder(folder).then(
      () => true,
      () => false,
    );
    if (isGone) removed += 1;
  }
  return removed;
}

async function isLeft(name: string, folder: string): Promise<boolean> {
  const [, pid, started = ''] = OWNED.exec(name) ?? [];
  if (pid === undefined && !UNOWNED.test(name)) return false;
  const found = await lstat(folder).catch(() => null);
  if (!found?.isDirectory() || found.uid !== process.getuid?.()) return false;
  return pid === undefined ? Date.now() - found.mtimeMs > UNOWNED_MS : !isAlive({ pid: Number(pid), started });
}
