/** `npm run log -- verify`: recomputes the chain of the append-only log; exit 1 where a row does not fit. */
import { join } from 'node:path';
import { verifyLog } from './lib/act-log.ts';
import { ConfigFault, readConfig } from './lib/config.ts';
import { openDatabase } from './lib/db.ts';

async function main(): Promise<number> {
  if (process.argv[2] !== 'verify') throw new ConfigFault('用法：npm run log -- verify');
  const config = readConfig(process.env);
  const database = await openDatabase({ url: config.databaseUrl, folder: join(config.data, 'db') });
  try {
    const { rows, broken, hash } = await verifyLog(database.db);
    if (broken === null) {
      process.stdout.write(`操作日志完整：${rows} 行，末行摘要 ${hash}\n`);
      return 0;
    }
    process.stderr.write(`操作日志在第 ${broken} 行被改动（此前 ${rows} 行完整，摘要 ${hash}）\n`);
    return 1;
  } finally {
    await database.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const text = error instanceof Error ? (error instanceof ConfigFault ? error.message : error.stack) : String(error);
    process.stderr.write(`${text ?? '失败'}\n`);
    process.exit(1);
  },
);
