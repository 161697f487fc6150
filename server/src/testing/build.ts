/**
 * build(): the real application on a real database with a fake engine. The database is embedded, made from one dump
 * that is kept between runs (0.5 s instead of 4 s); with TEST_DATABASE_URL it is a fresh database of that server.
 */
import { randomBytes, createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { Client } from 'pg';
import { createApp } from '../app.ts';
import type { Application } from '../app.ts';
import type { Clock } from '../lib/clock.ts';
import { readConfig } from '../lib/config.ts';
import type { Config } from '../lib/config.ts';
import { drizzleOver, embeddedSnapshot, migrateEmbedded, migrationFiles, openDatabase, scriptOver } from '../lib/db.ts';
import type { Database, Db, Script, Snapshot } from '../lib/db.ts';
import type { Deps } from '../lib/deps.ts';
import { connectionOf, openOver } from '../lib/embedded.ts';
import type { Embedded } from '../lib/embedded.ts';
import { EngineClient } from '../lib/engine-client.ts';
import { loadKeys } from '../lib/keys.ts';
import { Limiter } from '../lib/limits.ts';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { newServerId } from '../lib/servers.ts';
import { plantSeeds } from '../composition/seeds/seeds.ts';
import { FakeEngine } from './fake-engine.ts';

export interface World extends Application {
  db: Db;
  deps: Deps;
  engine: FakeEngine;
  snapshot: Snapshot;
  /** Empties every table but the sample data of a new product, and the fake engine; for beforeEach. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface BuildOptions {
  config?: Partial<Config>;
  env?: NodeJS.ProcessEnv;
  limiter?: Limiter;
  clock?: Clock;
  /** A second server on the database and the folder of this one, with an engine of its own. */
  beside?: World;
  /** Collects the lines of the log. */
  logTo?: string[];
}

export async function build(options: BuildOptions = {}): Promise<World> {
  const { beside } = options;
  const data = beside?.deps.config.data ?? mkdtempSync(join(tmpdir(), 'hengxi-test-'));
  const engine = new FakeEngine();
  await engine.start();
  const database = beside ? borrowed(beside) : await worldDatabase();
  if (!beside) await plantSeeds(database.db);
  const config: Config = {
    ...readConfig({ HENGXI_DATA: data, HENGXI_LOG_LEVEL: 'silent', ...options.env }),
    ...options.config,
  };
  const keys = await loadKeys({ folder: join(data, 'keys'), sessionKeys: config.sessionKeys, dataKey: config.dataKey });
  const { logTo } = options;
  const log = logTo ? createLog('trace', { write: (line) => void logTo.push(line) }) : createLog(config.logLevel);
  const client = new EngineClient({ socket: null, host: '127.0.0.1', port: engine.port, secret: engine.secret }, log);
  // Limits are tested on their own; elsewhere tests may call as often as they like.
  const limiter = options.limiter ?? new Limiter(() => 0, Number.POSITIVE_INFINITY);
  const clock = options.clock ? { clock: options.clock } : {};
  const deps: Deps = {
    config,
    db: database.db,
    engine: client,
    keys,
    limiter,
    log,
    metrics: createMetrics(),
    server: newServerId(),
    ...clock,
  };
  const closeRest = async (): Promise<void> => {
    await client.close();
    await engine.stop();
    await database.close();
    if (!beside) rmSync(data, { recursive: true, force: true });
  };
  const application = await createApp(deps).catch(async (error: unknown) => {
    await closeRest();
    throw error;
  });
  await application.app.ready();
  application.runs.follow();
  await until(() => client.isConnected);
  return {
    ...application,
    db: database.db,
    snapshot: database.snapshot,
    deps,
    engine,
    reset: async () => {
      engine.reset();
      application.runs.forget();
      await empty(database.db);
      await plantSeeds(database.db);
    },
    close: async () => {
      await application.app.close();
      await closeRest();
    },
  };
}

/** Its owner closes it. */
const borrowed = ({ db, snapshot }: World): Database => ({
  db,
  kind: 'postgres',
  snapshot,
  close: async () => undefined,
});

/** Rows of a statement; both databases' drivers answer with `rows`. */
export async function rowsOf(db: Db, statement: SQL): Promise<any[]> {
  const answer: any = await db.execute(statement);
  return answer.rows;
}

/** Waits for a condition; the limit is generous, because tests share the machine with much else. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('The condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** DELETE instead of TRUNCATE: on a real server a truncation writes files for every table, 0.5 s a test. */
async function empty(db: Db): Promise<void> {
  await db.execute(sql`
    DO $$ DECLARE name text; BEGIN
      SET LOCAL session_replication_role = replica;
      -- Append-only tables whose guard fires even so.
      CREATE TEMP TABLE guards ON COMMIT DROP AS
        SELECT tgrelid::regclass::text AS owner, quote_ident(tgname) AS guard FROM pg_trigger WHERE tgenabled = 'A' AND NOT tgisinternal;
      FOR name IN SELECT format('ALTER TABLE %s DISABLE TRIGGER %s', owner, guard) FROM guards LOOP
        EXECUTE name;
      END LOOP;
      FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' LOOP
        EXECUTE 'DELETE FROM ' || name;
      END LOOP;
      FOR name IN SELECT quote_ident(sequencename) FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
        EXECUTE 'ALTER SEQUENCE ' || name || ' RESTART';
      END LOOP;
      FOR name IN SELECT format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %s', owner, guard) FROM guards LOOP
        EXECUTE name;
      END LOOP;
      DROP TABLE guards;
    END $$`);
}

/** Embedded databases of worlds that were closed, emptied: the next test file of this process takes one instead of starting its own. */
const spare: Database[] = [];

async function worldDatabase(): Promise<Database> {
  if (process.env['TEST_DATABASE_URL']) return testDatabase();
  const database = spare.pop() ?? (await testDatabase());
  const giveBack = async (): Promise<void> => {
    await empty(database.db);
    spare.push(database);
  };
  return { ...database, close: giveBack };
}

/** A migrated database of its own: embedded, or a fresh one of the server in TEST_DATABASE_URL. */
export async function testDatabase(): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  return server ? freshPostgres(server) : freshEmbedded();
}

async function freshEmbedded(): Promise<Database> {
  const embedded = await embeddedFromDump();
  return {
    db: drizzleOver(embedded),
    kind: 'embedded',
    snapshot: embeddedSnapshot(embedded),
    close: () => embedded.close(),
  };
}

/** An embedded database as plain SQL. */
export async function testScript(): Promise<Script & { close: () => Promise<void> }> {
  const embedded = await embeddedFromDump();
  return { ...scriptOver(embedded), close: () => embedded.close() };
}

async function embeddedFromDump(): Promise<Embedded> {
  const client = await PGlite.create({ loadDataDir: await templateDump() });
  await client.exec(`SET TIME ZONE 'UTC'`);
  return openOver(connectionOf(client));
}

/** Keyed by the migrations' content: a changed migration makes a new dump. */
async function templateDump(): Promise<Blob> {
  const folder = resolve(import.meta.dirname, '../../../.cache');
  const digest = createHash('sha256');
  for (const { name, hash } of migrationFiles()) digest.update(`${name} ${hash}\n`);
  const file = join(folder, `test-database-${digest.digest('hex').slice(0, 16)}.tar`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const client = await PGlite.create();
    await migrateEmbedded(await openOver(connectionOf(client)));
    const bytes = Buffer.from(await (await client.dumpDataDir('none')).arrayBuffer());
    await client.close();
    // Two test processes may do this at once; a rename is whole or not at all.
    const part = `${file}.${process.pid}`;
    writeFileSync(part, bytes);
    for (const old of readdirSync(folder).filter((name) => /^test-database-\w+\.tar$/.test(name)))
      rmSync(join(folder, old), { force: true });
    renameSync(part, file);
  }
  return new Blob([new Uint8Array(readFileSync(file))]);
}

async function freshPostgres(server: string): Promise<Database> {
  const { url, drop } = await emptyPostgres(server);
  const database = await openDatabase({ url, folder: '' });
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

/** A database of its own on the server in TEST_DATABASE_URL, with nothing in it. */
export async function emptyPostgres(server: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `hengxi_test_${randomBytes(6).toString('hex')}`;
  const admin = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`DROP DATABASE ${name} WITH (FORCE)`) };
}
