import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigFault } from './config.ts';
import { folderFault, prepareDataFolder } from './data-folder.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hengxi-folder-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('folders of data are closed to other users, also those that stand there already', async () => {
  const data = join(base, 'deep/data');
  await prepareDataFolder(data);
  expect([modeOf(data), readdirSync(data)]).toEqual(['700', []]);
  mkdirSync(join(data, 'tables'));
  chmodSync(join(data, 'tables'), 0o755);
  chmodSync(data, 0o755);
  await prepareDataFolder(data);
  expect([modeOf(data), modeOf(join(data, 'tables'))]).toEqual(['700', '700']);
});

test('a folder that cannot be written is refused with the reason', async () => {
  writeFileSync(join(base, 'file'), '');
  await expect(prepareDataFolder(join(base, 'file'))).rejects.toThrow(ConfigFault);
  await expect(prepareDataFolder(join(base, 'file/data'))).rejects.toThrow('路径中有一段不是文件夹');
  const told = (code: string): string =>
    String(folderFault(Object.assign(new Error(code), { code }), '/srv/data')?.message);
  expect(told('EROFS')).toBe(
    '数据目录（HENGXI_DATA）不能写入：/srv/data。所在的磁盘是只读的，请换一个位置或重新挂载为可写。',
  );
  expect(told('EACCES')).toContain('没有写入权限');
  expect(told('ENOSPC')).toContain('磁盘已满');
  expect(folderFault(new Error('other'), '/srv/data')).toBeNull();
});
