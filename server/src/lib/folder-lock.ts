/** One process per embedded database: PGlite itself lets two open the same folder, and both lose data. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigFault } from './config.ts';
import { isAlive, ownMark } from './processes.ts';
import type { ProcessMark } from './processes.ts';

export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock');
  const mine = ownMark();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await writeFile(file, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
      return async () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = await readHolder(file);
    if (holder && isAlive(holder))
      throw new ConfigFault(`数据目录正在被另一个服务进程使用（进程号 ${holder.pid}）：${folder}`);
    await rm(file, { force: true });
  }
  throw new ConfigFault(`无法锁定数据目录：${folder}`);
}

async function readHolder(file: string): Promise<ProcessMark | null> {
  try {
    const holder: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('started' in holder)) return null;
    return typeof holder.pid === 'number' && typeof holder.started === 'string'
      ? { pid: holder.pid, started: holder.started }
      : null;
  } catch {
    return null; // half written by a process that was killed, or removed in between
  }
}
