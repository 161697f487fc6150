/**
 * A database and a folder of data belong together: numbers of one mean nothing in the other. Both carry the number of
 * the installation, so that a server that was given two halves of different ones does not start.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { boolean, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { ConfigFault } from './config.ts';
import type { Db } from './db.ts';

const installation = pgTable('installation', {
  onlyOne: boolean('only_one').primaryKey().default(true),
  id: uuid('id').notNull().defaultRandom(),
  boundAt: timestamp('bound_at', { withTimezone: true }),
});

const Mark = z.object({ installation: z.uuid() });
export const MARK_FILE = 'installation.json';

export async function bindFolder(db: Db, folder: string): Promise<void> {
  await db.insert(installation).values({}).onConflictDoNothing();
  await db.transaction(async (tx) => {
    // Two servers that start at once do so one after the other here.
    const [row] = await tx.select().from(installation).for('update');
    if (!row) throw new Error('The installation has no number');
    const marked = await readMark(folder);
    if (marked !== null && marked !== row.id)
      throw new ConfigFault(
        `数据目录 ${folder} 属于另一个数据库，不能和现在的数据库一起用。请改正 HENGXI_DATA 或 DATABASE_URL；要换数据库，请用 npm run backup 和 npm run restore。`,
      );
    if (marked === row.id) return;
    if (row.boundAt)
      throw new ConfigFault(
        `这个数据库的表存放在另一个数据目录里，不在 ${folder}。几台服务器共用一个数据库时，HENGXI_DATA 须是同一个共享文件夹；原来的目录丢失时，请用 npm run restore 恢复。`,
      );
    await writeFile(join(folder, MARK_FILE), `${JSON.stringify({ installation: row.id })}\n`, { mode: 0o600 });
    await tx.update(installation).set({ boundAt: sql`now()` });
  });
}

async function readMark(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, MARK_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return Mark.parse(JSON.parse(text)).installation;
  } catch {
    throw new ConfigFault(
      `${join(folder, MARK_FILE)} 已损坏，无法确认数据目录属于哪个数据库。请用 npm run restore 恢复。`,
    );
  }
}
