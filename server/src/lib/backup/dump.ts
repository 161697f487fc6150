/**
 * All rows of a database as lines of JSON, the same for both kinds of database: every value is the text the database
 * itself writes for it, so that nothing is rounded on the way.
 */

import type { Rows } from '../db.ts';

/** Of this process and this machine: whose lease runs, and to which folder the database belongs. */
export const LOCAL_TABLES = new Set(['servers', 'installation']);

export interface Table {
  name: string;
  columns: { name: string; type: string }[];
}

interface ListedTable extends Table {
  /** What its rows are put in order by. */
  order: string[];
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A report may be some megabytes long. */
const AT_ONCE = 50;

const TABLES = `SELECT c.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    coalesce((SELECT json_agg(a.attname ORDER BY array_position(i.indkey::int2[], a.attnum))
      FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[])
      WHERE i.indrelid = c.oid AND i.indisprimary), '[]') AS order
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname COLLATE "C"`;

export async function tablesOf(rows: Rows): Promise<ListedTable[]> {
  // The catalogue is the database's own; its shape is what the statement says.
  return (await rows(TABLES)) as unknown as ListedTable[];
}

export async function sequencesOf(rows: Rows): Promise<Record<string, string | null>> {
  const list = await rows(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename COLLATE "C"`,
  );
  return Object.fromEntries(list.map(({ name, last }) => [String(name), typeof last === 'string' ? last : null]));
}

/** The lines of a dump: its migrations, then each table with its rows, then how far the sequences are. */
export async function* dump(rows: Rows): AsyncGenerator<string> {
  const migrations = await rows('SELECT name, hash FROM migrations ORDER BY name COLLATE "C"');
  yield JSON.stringify({ migrations });
  for (const table of await tablesOf(rows)) {
    if (LOCAL_TABLES.has(table.name) || table.name === 'migrations') continue;
    const { name, columns } = table;
    yield JSON.stringify({ table: { name, columns } });
    yield* rowsOf(rows, table);
  }
  yield JSON.stringify({ sequences: await sequencesOf(rows) });
}

async function* rowsOf(rows: Rows, { name, columns, order }: ListedTable): AsyncGenerator<string> {
  const values = columns.map((column) => `${quote(column.name)}::text`).join(', ');
  const keys = (order.length > 0 ? order.map(quote) : columns.map((column) => `${quote(column.name)}::text`)).map(
    (key) => `${key} ASC NULLS FIRST`,
  );
  await rows(
    `DECLARE dumped NO SCROLL CURSOR FOR SELECT to_json(ARRAY[${values}]::text[])::text AS line FROM ${quote(name)} ORDER BY ${keys.join(', ')}`,
  );
  for (;;) {
    const some = await rows(`FETCH ${AT_ONCE} FROM dumped`);
    for (const { line } of some) yield String(line);
    if (some.length < AT_ONCE) break;
  }
  await rows('CLOSE dumped');
}

export const setSequence = (name: string, last: string): string =>
  `SELECT setval(${literal(`public.${quote(name)}`)}::regclass, ${Number(last)}, true)`;
