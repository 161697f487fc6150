/** `npm run restore -- FILE [--replace]`: a backup into this configuration's database and folder. The server must be stopped. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { restore, whatIsThere } from './lib/backup/restore.ts';
import { ArchiveFault } from './lib/backup/tar.ts';
import { ConfigFault, readConfig } from './lib/config.ts';
import { prepareDataFolder } from './lib/data-folder.ts';
import { openScript } from './lib/db.ts';
import { livingServers } from './lib/servers.ts';

const USAGE = '用法：npm run restore -- 备份文件.tar.gz [--replace]';

async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const isReplacing = given.includes('--replace');
  const [file, ...rest] = given.filter((word) => word !== '--replace');
  if (!file || file.startsWith('-') || rest.length > 0) throw new ConfigFault(USAGE);
  const archive = resolve(file);
  if (!(await stat(archive).catch(() => null))) throw new ConfigFault(`没有这个文件：${archive}`);
  const config = readConfig(process.env);
  if (config.databaseUrl) await demandNoServer(config.databaseUrl);
  process.umask(0o077);
  await prepareDataFolder(config.data);
  const script = await openScript({ url: config.databaseUrl, folder: join(config.data, 'db') }).catch(
    (error: unknown) => {
      throw error instanceof ConfigFault ? new ConfigFault(`请先停止服务再恢复。${error.message}`) : error;
    },
  );
  try {
    const there = await whatIsThere(config.data, script);
    if (there && !isReplacing)
      throw new ConfigFault(
        `${there}，恢复会把它们全部换掉。确定要换，请加 --replace；要保留，请先备份或换一个空的目录和数据库。`,
      );
    const { made_at, tables, rows, files } = await restore(archive, config.data, script);
    const at = new Date(made_at).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' });
    process.stdout.write(
      `已恢复到 ${at} 的备份：${tables} 个表共 ${rows} 行，${files - 1} 个文件，与备份核对一致。现在可以启动服务。\n`,
    );
  } finally {
    await script.close();
  }
}

/** Of the embedded database the lock tells; of PostgreSQL the leases of its servers. */
async function demandNoServer(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ is_there: boolean }>(
      `SELECT to_regclass('public.servers') IS NOT NULL AS is_there`,
    );
    const [server] = rows[0]?.is_there ? await livingServers(drizzle({ client })) : [];
    if (server)
      throw new ConfigFault(`请先停止服务再恢复：${server.host} 上的服务（进程号 ${server.pid}）正在使用这个数据库`);
  } finally {
    await client.end();
  }
}

main().catch((error: unknown) => {
  const isTold = error instanceof ConfigFault || error instanceof ArchiveFault;
  const text = error instanceof Error ? (isTold ? error.message : error.stack) : String(error);
  process.stderr.write(`没有恢复：${text ?? '未知错误'}\n`);
  process.exit(1);
});
