/**
 * The embedded database with its statements kept prepared. PGlite itself parses, describes and plans every query anew,
 * in six exchanges, which costs ten times the query; here a text is parsed once, and each use of it is one exchange.
 */
import { parse, protocol, types as kinds } from '@electric-sql/pglite';
import type { messages, ParserOptions, PGlite, Transaction } from '@electric-sql/pglite';

type Query = PGlite['query'];
type Options = Parameters<Query>[2];
type Message = messages.BackendMessage;
type Value = string | number | bigint | boolean | object | null | undefined;

interface Statement {
  name: string;
  /** Types of its parameters. */
  types: number[];
  /** How its rows are made up; nothing where it gives none. */
  shape: Message[];
}

/** Statements kept at once; the one unused for longest goes first. */
const MOST = 256;
/**
 * Plans are made for the tables as large as they are. Nothing else ever makes one anew: the embedded database has no
 * process that gathers statistics, and a plan from the first day would outlive it.
 */
const PLANS_LAST = 1000;

/** Longer texts go as bytes: as characters each is looked at one by one, twice. */
const LONG = 1024;

const { serialize } = protocol;

/** From now on queries of this client, also within transactions, go by prepared statements. */
export function keepPrepared(client: PGlite): PGlite {
  const statements = new Map<string, Statement>();
  const parsersOf = parsersBeside(client.parsers);
  let made = 0;
  let used = 0;

  const exchange = (...parts: Uint8Array[]): Promise<Message[]> =>
    client.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false });

  async function prepare(text: string): Promise<Statement> {
    made += 1;
    const name = `s${made}`;
    const told = await exchange(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const shape = told.filter((one) => one.name === 'rowDescription');
    return { name, types: parse.parseDescribeStatementResults(told), shape };
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

  function wire(value: Value, type: number | undefined): string | Uint8Array | null {
    if (value === null || value === undefined) return null;
    if (type === kinds.TEXT && typeof value === 'string' && value.length > LONG) return Buffer.from(value);
    const serializer = type === undefined ? undefined : client.serializers[type];
    if (serializer) return serializer(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  async function run<T>(text: string, params: Value[], options: Options) {
    const { name, types, shape } = await prepared(text);
    try {
      const values = params.map((value, index) => wire(value, types[index]));
      const told = await exchange(serialize.bind({ statement: name, values }), serialize.execute({}));
      const mode = options?.rowMode ? { rowMode: options.rowMode } : {};
      const [result] = parse.parseResults([...shape, ...told], parsersOf(options?.parsers), mode);
      // What the rows hold is the caller's word, as with the plain client.
      return result as Awaited<ReturnType<typeof client.query<T>>>;
    } catch (error) {
      // Whatever was wrong with it (a table it names was changed): it begins anew.
      await forget(text).catch(() => undefined);
      throw error;
    }
  }

  // A query of its own waits for a transaction that is under way, and the other way round.
  const alone = client['_runExclusiveTransaction'].bind(client);
  const plain: Query = client.query.bind(client);
  client.query = <T>(text: string, params: Value[] = [], options?: Options) => {
    if (!isSimple(options)) return plain<T>(text, params, options);
    return alone(() =>
      client.runExclusive(async () => {
        used += 1;
        if (used % PLANS_LAST === 0) await exchange(serialize.query('DISCARD PLANS'));
        const result = await run<T>(text, params, options);
        await client.syncToFs();
        return result;
      }),
    );
  };

  const begin = client.transaction.bind(client);
  client.transaction = (act) => begin((tx) => act(within(tx)));

  function within(tx: Transaction): Transaction {
    const query: Query = (text, params = [], options) =>
      tx.closed || !isSimple(options)
        ? tx.query(text, params, options)
        : client.runExclusive(() => run(text, params, options));
    return {
      ...tx,
      query,
      get closed() {
        return tx.closed;
      },
    };
  }

  return client;
}

/** Asks for nothing but a shape of its rows. */
const isSimple = (options: Options): boolean =>
  Object.keys(options ?? {}).every((key) => key === 'rowMode' || key === 'parsers');

/** A caller's parsers laid over those of the client, once for each caller: there are hundreds. */
function parsersBeside(common: PGlite['parsers']): (own: ParserOptions | undefined) => PGlite['parsers'] {
  const merged = new WeakMap<ParserOptions, PGlite['parsers']>();
  return (own) => {
    if (!own) return common;
    const found = merged.get(own) ?? { ...common, ...own };
    merged.set(own, found);
    return found;
  };
}
