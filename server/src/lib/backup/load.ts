/**
 * Puts the lines of a dump into a database, in one transaction: what was there is gone, the tables are made as they
 * were at the time of the backup, filled, and brought up to this version. A fault anywhere leaves everything as it was.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { migrationFiles } from '../db.ts';
import type { Migration, Script } from '../db.ts';
import { dump, LOCAL_TABLES, quote, setSequence, tablesOf } from './dump.ts';
import type { Table } from './dump.ts';
import { ArchiveFault } from './tar.ts';

const Named = z.object({ name: z.string().regex(/^[\w.-]+$/), hash: z.string().regex(/^[0-9a-f]{64}$/) });
const Head = z.strictObject({ migrations: z.array(Named).max(10_000) });
const TableLine = z.strictObject({
  table: z.strictObject({
    name: z.string().max(63),
    columns: z.array(z.strictObject({ name: z.string().max(63), type: z.string().max(100) })).min(1),
  }),
});
const SequencesLine = z.strictObject({ sequences: z.record(z.string(), z.string().regex(/^\d+$/).nullable()) });
const Row = z.array(z.string().nullable());

const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 ** 2;

/** Which of our migrations the backup had; one we do not know is of a later version. */
export function readHead(line: string): { had: Migration[]; since: Migration[] } {
  const head = Head.safeParse(parsed(line));
  if (!head.success) throw new ArchiveFault('备份里的数据库内容无法识别');
  const known = new Map(migrationFiles().map((file) => [file.name, file]));
  const names = new Set(head.data.migrations.map(({ name }) => name));
  for (const { name, hash } of head.data.migrations)
    if (known.get(name)?.hash !== hash) throw new ArchiveFault(`备份来自更新的版本（${name}），请先升级程序再恢复`);
  const all = [...known.values()];
  return { had: all.filter(({ name }) => names.has(name)), since: all.filter(({ name }) => !names.has(name)) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export interface Loaded {
  tables: number;
  rows: number;
}

/** `digest`: SHA-256 of all lines; what the database holds afterwards is dumped again and must have the same. */
export async function load(script: Script, lines: AsyncIterable<string>, digest: string): Promise<Loaded> {
  const input = lines[Symbol.asyncIterator]();
  const { had, since } = readHead(String((await input.next()).value ?? ''));
  await script.run('BEGIN');
  try {
    await script.run(`SET LOCAL TIME ZONE 'UTC'`);
    await script.run('DROP SCHEMA public CASCADE');
    await script.run('CREATE SCHEMA public');
    await script.run(
      'CREATE TABLE migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    for (const migration of had) await apply(script, migration);
    const loaded = await withoutGuards(script, () => fill(script, { [Symbol.asyncIterator]: () => input }));
    if ((await digestOf(dump(script.rows))) !== digest)
      throw new ArchiveFault('恢复后的数据库与备份不一致，已撤销，没有改动任何内容');
    for (const migration of since) await apply(script, migration);
    await script.run('COMMIT');
    return loaded;
  } catch (error) {
    await script.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function apply(script: Script, { name, text, hash }: Migration): Promise<void> {
  await script.run(`${text}\n;INSERT INTO migrations (name, hash) VALUES ('${name}', '${hash}')`);
}

export async function digestOf(lines: AsyncIterable<string>): Promise<string> {
  const hash = createHash('sha256');
  for await (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/**
 * Rows come in the order of the tables' names: references are checked when all are there, and triggers, which did their
 * work when the rows were first written, stay quiet. An owner of the tables may do this, no other right is needed.
 */
async function withoutGuards<T>(script: Script, act: () => Promise<T>): Promise<T> {
  const references = await script.rows(`SELECT conrelid::regclass::text AS owner, quote_ident(conname) AS name,
      pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`);
  const triggers = await script.rows(`SELECT tgrelid::regclass::text AS owner, quote_ident(tgname) AS name,
      CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END AS enable
    FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'`);
  const alter = async (owner: unknown, what: string): Promise<void> =>
    script.run(`ALTER TABLE ${String(owner)} ${what}`);
  for (const { owner, name } of references) await alter(owner, `DROP CONSTRAINT ${String(name)}`);
  for (const { owner, name } of triggers) await alter(owner, `DISABLE TRIGGER ${String(name)}`);
  const result = await act();
  for (const { owner, name, enable } of triggers) await alter(owner, `${String(enable)} TRIGGER ${String(name)}`);
  for (const { owner, name, definition } of references)
    await alter(owner, `ADD CONSTRAINT ${String(name)} ${String(definition)}`);
  return result;
}

async function fill(script: Script, lines: AsyncIterable<string>): Promise<Loaded> {
  const known = new Map((await tablesOf(script.rows)).map((table) => [table.name, table]));
  for (const { name } of known.values())
    if (!LOCAL_TABLES.has(name) && name !== 'migrations') await script.run(`DELETE FROM ${quote(name)}`);
  const loaded: Loaded = { tables: 0, rows: 0 };
  let batch: Batch | null = null;
  let isWhole = false;
  for await (const line of lines) {
    if (isWhole) throw new ArchiveFault('备份里的数据库内容无法识别');
    if (line.startsWith('[')) {
      if (!batch) throw new ArchiveFault('备份里的数据库内容无法识别');
      await batch.add(line);
      loaded.rows += 1;
      continue;
    }
    await batch?.flush();
    batch = null;
    const value = parsed(line);
    const table = TableLine.safeParse(value);
    if (table.success) {
      batch = new Batch(script, checked(table.data.table, known));
      loaded.tables += 1;
    } else {
      await setSequences(script, value);
      isWhole = true;
    }
  }
  if (!isWhole) throw new ArchiveFault('备份里的数据库内容不完整');
  return loaded;
}

/** Names from an archive become part of statements only where the database itself knows them. */
function checked(table: Table, known: ReadonlyMap<string, Table>): Table {
  const own = known.get(table.name);
  if (!own || LOCAL_TABLES.has(table.name) || JSON.stringify(own.columns) !== JSON.stringify(table.columns))
    throw new ArchiveFault(`备份里的表 ${JSON.stringify(table.name)} 与它的版本不符`);
  return own;
}

async function setSequences(script: Script, value: unknown): Promise<void> {
  const sequences = SequencesLine.safeParse(value);
  if (!sequences.success) throw new ArchiveFault('备份里的数据库内容无法识别');
  const known = await script.rows(`SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`);
  for (const { name } of known) {
    const last = sequences.data.sequences[String(name)];
    if (last) await script.rows(setSequence(String(name), last));
  }
}

/** Rows of one table, written some at a time. */
class Batch {
  readonly #script: Script;
  readonly #width: number;
  readonly #statement: string;
  #lines: string[] = [];
  #bytes = 0;

  constructor(script: Script, { name, columns }: Table) {
    this.#script = script;
    this.#width = columns.length;
    const names = columns.map((column) => quote(column.name)).join(', ');
    const values = columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ');
    this.#statement = `INSERT INTO ${quote(name)} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM jsonb_array_elements($1::jsonb) AS line`;
  }

  async add(line: string): Promise<void> {
    const row = Row.safeParse(parsed(line));
    if (!row.success || row.data.length !== this.#width) throw new ArchiveFault('备份里的数据库内容无法识别');
    this.#lines.push(line);
    this.#bytes += line.length;
    if (this.#lines.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    await this.#script.rows(this.#statement, [`[${this.#lines.join(',')}]`]);
    this.#lines = [];
    this.#bytes = 0;
  }
}
