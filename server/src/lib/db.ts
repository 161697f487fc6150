/** The database: embedded (PGlite) or PostgreSQL by DATABASE_URL; one history of migrations for both. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import type { PgAsyncDatabase } from 'drizzle-orm/pg-core/async';
import type { PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { Client, Pool, types } from 'pg';
import type { ClientBase } from 'pg';
import { connectionOf, openOver } from './embedded.ts';
import type { Embedded } from './embedded.ts';
import { lockFolder } from './folder-lock.ts';
import { ROOT } from './programs.ts';

/** A connection or a transaction: a transaction is accepted wherever a Db is. */
export type Db = PgAsyncDatabase<PgQueryResultHKT>;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export interface Database {
  db: Db;
  kind: 'embedded' | 'postgres';
  /** Statements that all see the database as it is at one moment, however long they take. */
  snapshot: Snapshot;
  close(): Promise<void>;
}

/** Asks one statement. */
export type Rows = (text: string, params?: string[]) => Promise<Record<string, unknown>[]>;
export type Snapshot = <T>(act: (rows: Rows) => Promise<T>) => Promise<T>;

/** A connection for plain SQL; `run` takes several statements, which prepared queries cannot carry. */
export interface Script {
  run: (text: string) => Promise<void>;
  rows: Rows;
}

/** Held by whoever changes the tables themselves. */
const MIGRATING = 7_205_759;
const MIGRATIONS = join(ROOT, 'server/migrations');

export async function openDatabase(options: { url: string | null; folder: string }): Promise<Database> {
  return options.url ? openPostgres(options.url) : openEmbedded(options.folder);
}

/**
 * Of the 128 MB of buffers that PostgreSQL takes by default nothing comes back once they were filled, as cleaning up at
 * the start fills them. The system keeps the files in memory as well.
 */
const BUFFERS = ['-c', 'shared_buffers=32MB'];

async function openIn(folder: string): Promise<Embedded> {
  const startParams = [...PGlite.defaultStartParams, ...BUFFERS];
  return openOver(connectionOf(await PGlite.create({ dataDir: join(folder, 'pglite'), startParams })), endForLog);
}

async function openEmbedded(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(folder);
  const client = await openIn(folder);
  await migrateEmbedded(client);
  // Nothing there removes rows that were changed or deleted: without this an old installation grows and slows down.
  await client.exec('VACUUM');
  return {
    db: drizzleOver(client),
    kind: 'embedded',
    snapshot: embeddedSnapshot(client),
    close: async () => {
      await client.close();
      await unlock();
    },
  };
}

/** The exit code of an input or output error: the launcher starts the server anew. */
const IO_ERROR = 74;

function endForLog(): never {
  process.stderr.write('数据库日志无法写入，通常是磁盘已满；已确认的数据都在。服务将重新启动，请腾出磁盘空间。\n');
  process.exit(IO_ERROR);
}

/** drizzle uses no more of a PGlite than this. */
export const drizzleOver = (client: Embedded): Db => drizzlePglite({ client: client as unknown as PGlite });

/** Exposed for tests, which open embedded databases from a dump instead of a folder. */
export async function migrateEmbedded(client: Pick<Embedded, 'exec' | 'query'>): Promise<void> {
  await client.exec(`SET TIME ZONE 'UTC'`);
  await migrate(scriptOver(client));
}

/** Exposed for tests, as above. */
export const scriptOver = (client: Pick<Embedded, 'exec' | 'query'>): Script => ({
  run: (text) => client.exec(text),
  rows: async (text, params = []) => (await client.query<Record<string, unknown>>(text, params)).rows,
});

/** There is one connection: everybody else waits until the last statement. */
export const embeddedSnapshot =
  (client: Embedded): Snapshot =>
  (act) =>
    client.transaction((tx) =>
      act(async (text, params = []) => (await tx.query<Record<string, unknown>>(text, params)).rows),
    );

async function openPostgres(url: string): Promise<Database> {
  // int8 (counts, sums) stays far below 2^53 here; PGlite gives numbers already.
  types.setTypeParser(20, Number);
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 2000,
    options:
      '-c timezone=UTC -c statement_timeout=10000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=15000',
  });
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  const client = await pool.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${MIGRATING})`);
    await client.query('SET statement_timeout = 0');
    await migrate(scriptOn(client));
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${MIGRATING})`).catch(() => undefined);
    // Not reused: it carries the settings of migrating.
    client.release(true);
  }
  const snapshot: Snapshot = async (act) => {
    const reader = await pool.connect();
    try {
      await reader.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return await act(scriptOn(reader).rows);
    } finally {
      // Not reused: its transaction and its settings go with it.
      reader.release(true);
    }
  };
  return { db: drizzlePg({ client: pool }), kind: 'postgres', snapshot, close: async () => pool.end() };
}

const scriptOn = (client: Pick<ClientBase, 'query'>): Script => ({
  run: async (text) => void (await client.query(text)),
  rows: async (text, params = []) => (await client.query<Record<string, unknown>>(text, params)).rows,
});

/** One connection without limits of time for whoever is alone on the database; no server starts on it meanwhile. */
export async function openScript(options: {
  url: string | null;
  folder: string;
}): Promise<Script & { close: () => Promise<void> }> {
  if (!options.url) {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const unlock = await lockFolder(options.folder);
    const embedded = await openIn(options.folder);
    const close = async (): Promise<void> => {
      await embedded.close();
      await unlock();
    };
    return { ...scriptOver(embedded), close };
  }
  const client = new Client({ connectionString: options.url, options: '-c timezone=UTC' });
  await client.connect();
  await client.query(`SELECT pg_advisory_lock(${MIGRATING})`);
  return { ...scriptOn(client), close: () => client.end() };
}

export interface Migration {
  name: string;
  text: string;
  hash: string;
}

export function migrationFiles(): Migration[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(MIGRATIONS, name), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    });
}

/** Forward only; each file in a transaction of its own, in order of names; an applied file may not change afterwards. */
async function migrate(script: Script): Promise<void> {
  await script.run(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const applied = new Map(
    (await script.rows('SELECT name, hash FROM migrations')).map((row) => [row['name'], row['hash']]),
  );
  for (const { name, text, hash } of migrationFiles()) {
    const known = applied.get(name);
    if (known === hash) continue;
    if (known !== undefined)
      throw new Error(`Migration ${name} was changed after it had been applied; add a new file instead`);
    if (!/^[\w.-]+$/.test(name)) throw new Error(`Migration ${name} has an unusable name`);
    try {
      await script.run(
        `BEGIN; SET LOCAL lock_timeout = '3s';\n${text}\n;INSERT INTO migrations (name, hash) VALUES ('${name}', '${hash}'); COMMIT;`,
      );
    } catch (error) {
      await script.run('ROLLBACK');
      throw new Error(`Migration ${name} failed`, { cause: error });
    }
  }
}

/** True when the error is a violation of the named unique or check constraint. */
export function violates(error: unknown, constraint: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('constraint' in at && at.constraint === constraint) return true;
  }
  return false;
}

/** In the words of the pool: nobody gave a connection back, or the database did not answer. */
const CROWDED = new Set(['timeout exceeded when trying to connect', 'Connection terminated due to connection timeout']);

/** No connection came in time: too much at once. The next attempt may succeed. */
export function isCrowded(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (CROWDED.has(at.message)) return true;
  return false;
}

/** A deadlock or a failed serialisation: the same transaction may succeed when it is tried again. */
export function isCollision(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && (at.code === '40P01' || at.code === '40001')) return true;
  }
  return false;
}

/** One round trip; for readiness. */
export async function ping(db: Db): Promise<void> {
  await db.execute(sql`SELECT 1`);
}
