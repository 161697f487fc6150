/** The folder everything lies in: there, ours alone, and writable, or the reason why not. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigFault } from './config.ts';

const PRIVATE = 0o700;

export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE });
    const probe = join(folder, `.probe-${randomBytes(4).toString('hex')}`);
    await writeFile(probe, '衡析', { mode: 0o600 });
    await rm(probe);
    await closeToOthers(folder);
  } catch (error) {
    throw folderFault(error, folder) ?? error;
  }
}

/** Also what an earlier version, or a copy of the folder, left open. */
async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, PRIVATE);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await chmod(join(folder, entry.name), PRIVATE);
}

const REASONS: Record<string, string> = {
  EROFS: '所在的磁盘是只读的，请换一个位置或重新挂载为可写',
  EACCES: '没有写入权限，请改变文件夹的所有者或换一个位置',
  EPERM: '没有写入权限，请改变文件夹的所有者或换一个位置',
  ENOSPC: '磁盘已满，请腾出空间',
  EDQUOT: '磁盘配额已用完，请腾出空间',
  ENOTDIR: '路径中有一段不是文件夹',
  EEXIST: '这里已有一个同名的文件',
};

export function folderFault(error: unknown, folder: string): ConfigFault | null {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = REASONS[code];
  return reason ? new ConfigFault(`数据目录（HENGXI_DATA）不能写入：${folder}。${reason}。`) : null;
}
