/** `npm run backup -- FILE`: everything in one file, also while the server runs. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { askForDump } from './lib/backup/dump-socket.ts';
import { backUp, dumpInto, isInside } from './lib/backup/backup.ts';
import { ArchiveFault } from './lib/backup/tar.ts';
import { ConfigFault, readConfig } from './lib/config.ts';
import { openDatabase } from './lib/db.ts';
import { bindFolder } from './lib/installation.ts';

async function main(): Promise<void> {
  const [file, ...rest] = process.argv.slice(2);
  if (!file || file.startsWith('-') || rest.length > 0)
    throw new ConfigFault('用法：npm run backup -- 备份文件.tar.gz');
  const target = resolve(file);
  const config = readConfig(process.env);
  if (await stat(target).catch(() => null)) throw new ConfigFault(`已有这个文件，不会覆盖：${target}`);
  if (!(await stat(config.data).catch(() => null))) throw new ConfigFault(`没有数据目录：${config.data}`);
  if (await isInside(config.data, target)) throw new ConfigFault('备份不能放在数据目录里，请换一个位置');
  process.umask(0o077);
  const takeDump = async (to: string): Promise<void> => {
    if (!config.databaseUrl && (await askForDump(config.data, to))) return;
    const database = await openDatabase({ url: config.databaseUrl, folder: join(config.data, 'db') });
    try {
      await bindFolder(database.db, config.data);
      await dumpInto(to, database.snapshot);
    } finally {
      await database.close();
    }
  };
  const { files, bytes } = await backUp(config.data, target, takeDump, new Date());
  const { size } = await stat(target);
  process.stdout.write(
    `已备份到 ${target}：数据库和 ${files - 1} 个文件，共 ${mb(bytes)}，压缩后 ${mb(size)}。\n备份里有密钥和全部数据，请妥善保管。\n`,
  );
  if (config.dataKey || config.sessionKeys.length > 0)
    process.stdout.write('环境变量里的密钥（HENGXI_DATA_KEY 等）不在备份里，请另外保存，恢复后要用同一个。\n');
}

const mb = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

main().catch((error: unknown) => {
  const isTold = error instanceof ConfigFault || error instanceof ArchiveFault;
  const text = error instanceof Error ? (isTold ? error.message : error.stack) : String(error);
  process.stderr.write(`没有备份：${text ?? '未知错误'}\n`);
  process.exit(1);
});
