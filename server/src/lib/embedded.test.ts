import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from './db.ts';
import { drizzleOver, violates } from './db.ts';
import { connectionOf, openOver } from './embedded.ts';
import type { Embedded } from './embedded.ts';

let plain: PGlite;
let client: Embedded;
let db: Db;
let parsed = 0;

beforeAll(async () => {
  plain = await PGlite.create();
  const raw = plain.execProtocolRawSync.bind(plain);
  plain.execProtocolRawSync = (message) => {
    if (message[0] === 'P'.charCodeAt(0)) parsed += 1;
    return raw(message);
  };
  client = await openOver(connectionOf(plain));
  db = drizzleOver(client);
});
afterAll(() => client.close());
beforeEach(async () => {
  await client.exec(`DROP TABLE IF EXISTS things;
    CREATE TABLE things (id int PRIMARY KEY, name text, facts jsonb, made timestamptz, CONSTRAINT short CHECK (length(name) < 9000000));`);
  parsed = 0;
});

const put = (id: number, name: string | null = 'a', facts: unknown = null) =>
  db.execute(sql`INSERT INTO things VALUES (${id}, ${name}, ${JSON.stringify(facts)}::jsonb, '2026-01-02T03:04:05Z')`);
const all = async () => (await client.query<{ id: number }>('SELECT * FROM things ORDER BY id')).rows;

test('a text is parsed once, however often and with whatever values it is used, also within transactions', async () => {
  await put(1);
  await put(2, null);
  await db.transaction(async (tx) => {
    await tx.execute(sql`INSERT INTO things VALUES (${3}, ${'c'}, ${null}::jsonb, '2026-01-02T03:04:05Z')`);
  });
  expect(parsed).toBe(1);
  expect((await all()).map(({ id }) => id)).toEqual([1, 2, 3]);
});

test('answers are those of the plain client: rows, types, counts', async () => {
  await put(1, '名', { list: [1, null, 'x'] });
  const options = { rowMode: 'array' as const };
  const text = 'SELECT id, name, facts, made, count(*) OVER () AS n, NULL AS nothing FROM things WHERE id = ANY($1)';
  const expected = await plain.query(text, [[1, 2]], options);
  expect(await client.query(text, [[1, 2]], options)).toEqual(expected);
  expect(expected.rows).toEqual([[1, '名', { list: [1, null, 'x'] }, new Date('2026-01-02T03:04:05Z'), 1, null]]);
  const changed = await client.query('UPDATE things SET name = $1', ['b']);
  expect(changed).toMatchObject({ command: 'UPDATE', rowCount: 1, affectedRows: 1, rows: [] });
});

test('parsers of a caller hold for that caller alone', async () => {
  await put(1);
  const own = { parsers: { 1184: (value: string) => `told ${value.slice(0, 4)}` } };
  expect((await client.query('SELECT made FROM things', [], own)).rows).toEqual([{ made: 'told 2026' }]);
  expect((await client.query('SELECT made FROM things')).rows).toEqual([{ made: new Date('2026-01-02T03:04:05Z') }]);
});

test('values of some megabytes arrive whole', async () => {
  const long = '报告'.repeat(1_000_000);
  await put(1, long);
  expect((await client.query('SELECT name FROM things')).rows).toEqual([{ name: long }]);
});

test('bytes are stored as the text they are', async () => {
  await client.query('INSERT INTO things (id, name) VALUES ($1, $2)', [1, Buffer.from('{"表":1}')]);
  expect((await client.query('SELECT name FROM things')).rows).toEqual([{ name: '{"表":1}' }]);
});

test('a refused statement leaves the next one alone, and a transaction with one is undone', async () => {
  await put(1);
  const error: unknown = await put(1).then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(violates(error, 'things_pkey')).toBe(true);
  await put(2);
  const tried = db.transaction(async (tx) => {
    await tx.execute(sql`INSERT INTO things VALUES (${3})`);
    await tx.execute(sql`INSERT INTO things VALUES (${3})`);
  });
  await expect(tried).rejects.toThrow('Failed query');
  await expect(db.execute(sql`SELECT nonsense FROM things`)).rejects.toThrow('Failed query');
  await put(4);
  expect((await all()).map(({ id }) => id)).toEqual([1, 2, 4]);
});

test('after a table was changed its statements are made anew', async () => {
  await put(1);
  await all();
  await client.exec('ALTER TABLE things DROP COLUMN facts');
  await expect(all()).rejects.toThrow('cached plan must not change result type');
  expect(await all()).toEqual([{ id: 1, name: 'a', made: new Date('2026-01-02T03:04:05Z') }]);
});

test('a transaction that is over takes no more queries', async () => {
  let kept: Parameters<Parameters<Embedded['transaction']>[0]>[0] | undefined;
  await client.transaction(async (tx) => {
    kept = tx;
    await tx.query('SELECT 1');
  });
  await expect(kept?.query('SELECT 1')).rejects.toThrow('Transaction is closed');
});

test('statements that nobody uses any more go, and those in use stay', async () => {
  const kept = async () =>
    Number((await plain.exec('SELECT count(*) AS n FROM pg_prepared_statements'))[0]?.rows[0]?.['n']);
  await client.query('SELECT 0 AS often');
  const before = parsed;
  for (let i = 0; i < 300; i += 1) {
    await client.query(`SELECT ${i} AS once`);
    await client.query('SELECT 0 AS often');
  }
  expect(await kept()).toBe(256);
  expect(parsed - before).toBe(300);
});

test('a plan made for a small table does not outlive its growth', async () => {
  const plan = async () => {
    const [told] = await plain.exec(`SELECT name FROM pg_prepared_statements WHERE statement = '${text}'`);
    const [explained] = await plain.exec(`EXPLAIN EXECUTE ${String(told?.rows[0]?.['name'])} (7)`);
    return JSON.stringify(explained?.rows);
  };
  const text = 'SELECT name FROM things WHERE id = $1';
  await put(7);
  // Counted as one page, which is read from end to end.
  await client.exec('VACUUM things');
  for (let i = 0; i < 10; i += 1) await client.query(text, [7]);
  const early = await plan();
  await client.exec(`INSERT INTO things SELECT i, repeat('x', 100) FROM generate_series(100, 20000) AS i`);
  for (let i = 0; i < 1000; i += 1) await client.query(text, [7]);
  expect([early.includes('Index'), (await plan()).includes('Index')]).toEqual([false, true]);
});

test('when its log cannot be written, nothing more is asked of it', async () => {
  const line = connectionOf(plain);
  const faulty = await openOver(line, () => told.push('ended'));
  const told: string[] = [];
  await expect(faulty.query(`DO $$ BEGIN RAISE 'could not extend file "base/5/1"'; END $$`)).rejects.toThrow('extend');
  expect(told).toEqual([]);
  const raised = `DO $$ BEGIN RAISE 'could not write to file "pg_wal/xlogtemp.1": No space left on device'; END $$`;
  await expect(faulty.query(raised)).rejects.toThrow('pg_wal');
  expect(told).toEqual(['ended']);
});
