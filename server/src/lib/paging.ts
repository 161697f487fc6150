import { count, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** `page` counts from 1, and 0 means 1. */
export const slice = ({
  page,
  page_size: size,
}: {
  page: number;
  page_size: number;
}): { limit: number; offset: number } => ({
  limit: size,
  offset: (Math.max(1, page) - 1) * size,
});

/** Beyond so many rows a list of the desk says "more than"; nobody leafs so far, and a whole count reads a whole table. */
export const COUNTED = 10_000;

/** How many rows there are, up to one more than are counted. */
export async function countSome(db: Db, table: PgTable, where: SQL | undefined): Promise<number> {
  const some = db
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(where)
    .limit(COUNTED + 1)
    .as('some');
  const [row] = await db.select({ n: count() }).from(some);
  return row?.n ?? 0;
}
