/**
 * The embedded database with its statements kept prepared. PGlite itself parses, describes and plans every query anew,
 * in six exchanges, which costs ten times the query; here a text is parsed once, and each use of it is one exchange.
 * BEGIN travels with the first statement of a transaction. The bytes are read here, and by the protocol of node-postgres
 * where that is rare: PGlite's own reader costs as much as the queries, and PGlite would keep everything it has read. A
 * thread of its own for the database was tried: handing the bytes over costs more than it frees (sixteen users at once
 * waited twice as long).
 */
import { Mutex, types as kinds } from '@electric-sql/pglite';
import type { ParserOptions, PGlite, QueryOptions, Results } from '@electric-sql/pglite';
import { DatabaseError, serialize } from 'pg-protocol';
import { ParameterDescriptionMessage, RowDescriptionMessage } from 'pg-protocol/dist/messages';
import type { BackendMessage as Message, Field } from 'pg-protocol/dist/messages';
import { Parser } from 'pg-protocol/dist/parser';

/** Takes bytes of the protocol to the database and brings its answer; one exchange at a time. */
export interface Connection {
  exchange(message: Uint8Array): Promise<Buffer>;
  close(): Promise<void>;
}

type Value = string | number | bigint | boolean | object | null | undefined;
type Reader = ((text: string, type?: number) => unknown) | undefined;
type Parsers = Record<string | number, NonNullable<Reader>>;
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
  /** What reads its columns, for the parsers it was last used with. */
  readers: { by: Parsers; each: Reader[] } | null;
  /** When it was last used, in uses. */
  used: number;
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

export const connectionOf = (client: PGlite): Connection => ({
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
export async function openOver(line: Connection, onLogFault: () => void = () => undefined): Promise<Embedded> {
  const statements = new Map<string, Statement>();
  const parsers: Parsers = { ...kinds.parsers };
  const serializers: Record<number, (value: unknown) => string> = { ...kinds.serializers };
  const parsersOf = parsersBeside(parsers);
  /** A query of its own waits for a transaction that is under way, and the other way round. */
  const alone = new Mutex();
  /** Within a transaction: a statement and what prepares it are not torn apart. */
  const inOrder = new Mutex();
  let queryCount = 0;
  let used = 0;
  let asked = 0;

  async function exchange(...parts: Uint8Array[]): Promise<Buffer> {
    const answer = await line.exchange(Buffer.concat([...parts, SYNC]));
    const fault = faultIn(answer);
    if (!fault) return answer;
    if (isLogFault(fault)) onLogFault();
    throw fault;
  }

  async function prepare(text: string): Promise<Statement> {
    queryCount += 1;
    const name = `s${queryCount}`;
    const told = read(await exchange(serialize.parse({ name, text }), serialize.describe({ type: 'S', name })));
    const types = told.find((one) => one instanceof ParameterDescriptionMessage)?.dataTypeIDs ?? [];
    const fields = told.find((one) => one instanceof RowDescriptionMessage)?.fields ?? [];
    return { name, types, fields, readers: null, used };
  }

  async function forget(text: string): Promise<void> {
    const name = statements.get(text)?.name;
    if (name === undefined) return;
    statements.delete(text);
    await exchange(serialize.close({ type: 'S', name }));
  }

  async function prepared(text: string): Promise<Statement> {
    used += 1;
    const known = statements.get(text);
    if (known) {
      known.used = used;
      return known;
    }
    const statement = await prepare(text);
    statements.set(text, statement);
    if (statements.size > MOST) await forget(oldestOf(statements));
    return statement;
  }

  /** Bytes are the text of a parameter as it is stored: what is large need not become a string and bytes again. */
  function wire(value: Value, type: number | undefined): string | Buffer | null {
    if (value === null || value === undefined) return null;
    if (Buffer.isBuffer(value)) return value;
    const serializer = type === undefined ? undefined : serializers[type];
    if (serializer) return serializer(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** `before`: goes with it in the same exchange, once it is known that the text can be prepared. */
  async function run<T>(text: string, params: Value[], options: Options, before = NOTHING_BEFORE): Promise<Results<T>> {
    const statement = await prepared(text);
    const { name, types, fields } = statement;
    try {
      const values = params.map((value, index) => wire(value, types[index]));
      const answer = await exchange(...before(), serialize.bind({ statement: name, values }), EXECUTE);
      const readers = readersOf(statement, parsersOf(options.parsers));
      // What the rows hold is the caller's word, as with the plain client.
      return resultOf(answer, fields, readers, options.rowMode === 'array') as Results<T>;
    } catch (error) {
      // Whatever was wrong with it (a table it names was changed): it begins anew.
      await forget(text).catch(() => undefined);
      throw error;
    }
  }

  const query: Query = <T>(text: string, params: Value[] = [], options: Options = {}) =>
    alone.runExclusive(async () => {
      asked += 1;
      if (asked % PLANS_LAST === 0) await exchange(serialize.query('DISCARD PLANS'));
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

const SYNC = Buffer.from(serialize.sync());
const EXECUTE = Buffer.from(serialize.execute());
const NOTHING_BEFORE = (): Uint8Array[] => [];

/** The statement that nobody has used for longest. */
function oldestOf(statements: Map<string, Statement>): string {
  let oldest = '';
  let used = Number.POSITIVE_INFINITY;
  for (const [text, statement] of statements) {
    if (statement.used >= used) continue;
    oldest = text;
    ({ used } = statement);
  }
  return oldest;
}

/** What reads the columns of a statement: looked up once, since most are asked for in one way only. */
function readersOf(statement: Statement, by: Parsers): Reader[] {
  if (statement.readers?.by !== by)
    statement.readers = { by, each: statement.fields.map(({ dataTypeID }) => by[dataTypeID]) };
  return statement.readers.each;
}

function read(bytes: Buffer): Message[] {
  const told: Message[] = [];
  new Parser().parse(bytes, (one) => told.push(one));
  return told;
}

/** Messages of the protocol: a letter, the length of what follows with itself, and that. */
const ERROR = 'E'.charCodeAt(0);
const ROW = 'D'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);
const HEAD = 5;
const nextOf = (bytes: Buffer, at: number): number => at + 1 + bytes.readUInt32BE(at + 1);

function faultIn(bytes: Buffer): DatabaseError | null {
  for (let at = 0; at + HEAD <= bytes.length; at = nextOf(bytes, at))
    if (bytes[at] === ERROR) return read(bytes).find((one) => one instanceof DatabaseError) ?? null;
  return null;
}

/** The values of one row, read from where its message begins. */
function rowOf(bytes: Buffer, begin: number, fields: Field[], readers: Reader[]): unknown[] {
  const values: unknown[] = [];
  const many = bytes.readInt16BE(begin + HEAD);
  let at = begin + HEAD + 2;
  for (let i = 0; i < many; i += 1) {
    const size = bytes.readInt32BE(at);
    at += 4;
    if (size < 0) {
      values.push(null);
      continue;
    }
    const text = bytes.toString('utf8', at, at + size);
    const reader = readers[i];
    values.push(reader ? reader(text, fields[i]?.dataTypeID) : text);
    at += size;
  }
  return values;
}

const namedBy = (fields: Field[], values: unknown[]): Record<string, unknown> =>
  Object.fromEntries(values.map((value, at) => [fields[at]?.name, value]));

/** The result of one statement, in the shape the plain client gives it; the last one where BEGIN went before. */
function resultOf(bytes: Buffer, fields: Field[], readers: Reader[], asArray: boolean): Results<unknown> {
  const rows: unknown[] = [];
  let command = '';
  for (let at = 0; at + HEAD <= bytes.length; at = nextOf(bytes, at)) {
    if (bytes[at] === COMPLETE) command = bytes.toString('latin1', at + HEAD, nextOf(bytes, at) - 1);
    if (bytes[at] !== ROW) continue;
    const values = rowOf(bytes, at, fields, readers);
    rows.push(asArray ? values : namedBy(fields, values));
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
