/**
 * The embedded database with its statements kept prepared. PGlite itself parses, describes and plans every query anew,
 * in six exchanges, which costs ten times the query; here a text is parsed once, and each use of it is one exchange.
 * BEGIN travels with the first statement of a transaction. The bytes are read by the protocol of node-postgres: PGlite's
 * own reader costs as much as the queries, and PGlite would keep everything it has read. A thread of its own for the
 * database was tried: handing the bytes over costs more than it frees (sixteen users at once waited twice as long).
 */
import { Mutex, types as kinds } from '@electric-sql/pglite';
import type { ParserOptions, PGlite, QueryOptions, Results } from '@electric-sql/pglite';
import { DatabaseError, serialize } from 'pg-protocol';
import { CommandCompleteMessage, DataRowMessage, ParameterDescriptionMessage } from 'pg-protocol/dist/messages';
import { ReadyForQueryMessage, RowDescriptionMessage } from 'pg-protocol/dist/messages';
import type { BackendMessage as Message, Field } from 'pg-protocol/dist/messages';
import { Parser } from 'pg-protocol/dist/parser';

/** Takes bytes of the protocol to the database and brings its answer; one exchange at a time. */
export interface Line {
  exchange(message: Uint8Array): Promise<Buffer>;
  close(): Promise<void>;
}

type Value = string | number | bigint | boolean | object | null | undefined;
type Parsers = Record<string | number, (text: string, type?: number) => unknown>;
type Options = Pick<QueryOptions, 'rowMode' | 'parsers'>;
type Query = <T>(text: string, params?: Value[], options?: Options) => Promise<Results<T>>;

interface Transaction {
  query: Query;
  readonly closed: boolean;
}

/** What drizzle and the migrations use of a PGlite. */
export interface Embedded {
  query: Query;
  /** Several statements without parameters. */
  exec(text: string): Promise<void>;
  transaction<T>(act: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Statement {
  name: string;
  /** Types of its parameters. */
  types: number[];
  /** How its rows are made up; empty where it gives none. */
  fields: Field[];
}

/** Statements kept at once; the one unused for longest goes first. */
const MOST = 256;
/**
 * Plans are made for the tables as large as they are. Nothing else ever makes one anew: the embedded database has no
 * process that gathers statistics, and a plan from the first day would outlive it.
 */
const PLANS_LAST = 1000;

/** Commands whose count is that of rows changed. */
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'COPY', 'MERGE']);

const ARRAYS = `SELECT b.oid::int AS one, b.typarray::int AS many FROM pg_catalog.pg_type a
  JOIN pg_catalog.pg_type b ON b.oid = a.typelem WHERE a.typcategory = 'A' AND b.typarray <> 0 GROUP BY 1, 2`;

export const lineOf = (client: PGlite): Line => ({
  async exchange(message) {
    const parts: Buffer[] = [];
    // What it hands over is its own memory, which the next part overwrites.
    const onRawData = (part: Uint8Array): void => void parts.push(Buffer.from(part));
    await client.execProtocolRawStream(message, { syncToFs: false, onRawData });
    return Buffer.concat(parts);
  },
  close: () => client.close(),
});

/** Its log could not be written: what is acknowledged is safe, but the next query would never be answered. */
const isLogFault = ({ message }: Error): boolean => message.includes('pg_wal');

/** `onLogFault` is to end the process: it is called before any other query is sent. */
export async function overLine(line: Line, onLogFault: () => void = () => undefined): Promise<Embedded> {
  const statements = new Map<string, Statement>();
  const parsers: Parsers = { ...kinds.parsers };
  const serializers: Record<number, (value: unknown) => string> = { ...kinds.serializers };
  const parsersOf = parsersBeside(parsers);
  /** A query of its own waits for a transaction that is under way, and the other way round. */
  const alone = new Mutex();
  /** Within a transaction: a statement and what prepares it are not torn apart. */
  const inOrder = new Mutex();
  let made = 0;
  let used = 0;

  async function exchange(...parts: Uint8Array[]): Promise<Message[]> {
    const told = read(await line.exchange(Buffer.concat([...parts, serialize.sync()])));
    for (const one of told) {
      if (!(one instanceof DatabaseError)) continue;
      if (isLogFault(one)) onLogFault();
      throw one;
    }
    return told;
  }

  async function prepare(text: string): Promise<Statement> {
    made += 1;
    const name = `s${made}`;
    const told = await exchange(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const types = told.find((one) => one instanceof ParameterDescriptionMessage)?.dataTypeIDs ?? [];
    const fields = told.find((one) => one instanceof RowDescriptionMessage)?.fields ?? [];
    return { name, types, fields };
  }

  async function forget(text: string): Promise<void> {
    const name = statements.get(text)?.name;
    if (name === undefined) return;
    statements.delete(text);
    await exchange(serialize.close({ type: 'S', name }));
  }

  async function prepared(text: string): Promise<Statement> {
    const known = statements.get(text);
    const statement = known ?? (await prepare(text));
    statements.delete(text);
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (oldest !== undefined && statements.size > MOST) await forget(oldest);
    return statement;
  }

  function wire(value: Value, type: number | undefined): string | null {
    if (value === null || value === undefined) return null;
    const serializer = type === undefined ? undefined : serializers[type];
    if (serializer) return serializer(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** `before`: goes with it in the same exchange, once it is known that the text can be prepared. */
  async function run<T>(text: string, params: Value[], options: Options, before: () => Uint8Array[] = () => []) {
    const { name, types, fields } = await prepared(text);
    try {
      const values = params.map((value, index) => wire(value, types[index]));
      const first = before();
      const told = await exchange(...first, serialize.bind({ statement: name, values }), serialize.execute());
      const own =
        first.length === 0 ? told : told.slice(told.findIndex((one) => one instanceof ReadyForQueryMessage) + 1);
      // What the rows hold is the caller's word, as with the plain client.
      return resultOf(own, fields, parsersOf(options.parsers), options.rowMode === 'array') as Results<T>;
    } catch (error) {
      // Whatever was wrong with it (a table it names was changed): it begins anew.
      await forget(text).catch(() => undefined);
      throw error;
    }
  }

  const query: Query = <T>(text: string, params: Value[] = [], options: Options = {}) =>
    alone.runExclusive(async () => {
      used += 1;
      if (used % PLANS_LAST === 0) await exchange(serialize.query('DISCARD PLANS'));
      return run<T>(text, params, options);
    });

  async function transaction<T>(act: (tx: Transaction) => Promise<T>): Promise<T> {
    let isBegun = false;
    let isOver = false;
    const begin = (): Uint8Array[] => {
      if (isBegun) return [];
      isBegun = true;
      return [serialize.query('BEGIN')];
    };
    const tx: Transaction = {
      query: async (text, params = [], options = {}) => {
        if (isOver) throw new Error('Transaction is closed');
        return inOrder.runExclusive(() => run(text, params, options, begin));
      },
      get closed() {
        return isOver;
      },
    };
    const end = async (how: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
      isOver = true;
      if (isBegun) await inOrder.runExclusive(() => exchange(serialize.query(how)));
    };
    return alone.runExclusive(async () => {
      let result: T;
      try {
        result = await act(tx);
      } catch (error) {
        await end('ROLLBACK');
        throw error;
      }
      await end('COMMIT');
      return result;
    });
  }

  for (const { one, many } of (await query<{ one: number; many: number }>(ARRAYS)).rows) {
    parsers[many] = (text) => kinds.arrayParser(text, parsers[one] ?? String, many);
    serializers[many] = (list) => kinds.arraySerializer(list, serializers[one], many);
  }

  return {
    query,
    exec: async (text) => void (await alone.runExclusive(() => exchange(serialize.query(text)))),
    transaction,
    close: () => alone.runExclusive(() => line.close()),
  };
}

function read(bytes: Buffer): Message[] {
  const told: Message[] = [];
  new Parser().parse(bytes, (one) => told.push(one));
  return told;
}

/** The result of one statement, in the shape the plain client gives it. */
function resultOf(told: Message[], fields: Field[], parsers: Parsers, asArray: boolean): Results<unknown> {
  const readers = fields.map(({ dataTypeID }) => parsers[dataTypeID]);
  const valueOf = (text: string | null, at: number): unknown => {
    const reader = readers[at];
    return text === null || !reader ? text : reader(text, fields[at]?.dataTypeID);
  };
  const rows: unknown[] = [];
  let command = '';
  for (const one of told) {
    if (one instanceof CommandCompleteMessage) command = one.text;
    if (!(one instanceof DataRowMessage)) continue;
    // Null where the value is: the types of the library leave that out.
    const values = (one.fields as (string | null)[]).map(valueOf);
    rows.push(asArray ? values : Object.fromEntries(values.map((value, at) => [fields[at]?.name, value])));
  }
  const [verb = ''] = command.split(' ');
  const count = Number(/\d+$/.exec(command)?.[0] ?? Number.NaN);
  const changed = CHANGES.has(verb) ? count : 0;
  const shape = fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
  return {
    rows,
    fields: shape,
    command: verb,
    affectedRows: changed,
    ...(Number.isNaN(count) ? {} : { rowCount: count }),
  };
}

/** A caller's parsers laid over those of the client, once for each caller: there are hundreds. */
function parsersBeside(common: Parsers): (own: ParserOptions | undefined) => Parsers {
  const merged = new WeakMap<ParserOptions, Parsers>();
  return (own) => {
    if (!own) return common;
    const found = merged.get(own) ?? { ...common, ...own };
    merged.set(own, found);
    return found;
  };
}
