/** The methods there are, from the generated declarations. A path is a method's identity; `-` equals `_`. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import { missing } from '../../lib/errors.ts';
import { methodRole } from './schema.ts';
import type { MethodPage, MethodRow } from './schema.ts';

/** Generated and checked for drift: only what the server itself reads is looked at. */
const Generated = z.custom<Declaration>(
  (value) =>
    z.looseObject({ path: z.string(), title: z.string(), fields: z.array(z.unknown()) }).safeParse(value).success,
);

const normal = (path: string): string => path.replace(/^\/+|\/+$/g, '').replaceAll('-', '_');

export type Methods = Awaited<ReturnType<typeof readMethods>>;

/** Declarations held at once; a declaration takes some tens of kilobytes and is read within a millisecond. */
const HELD = 32;

/**
 * Rows and words of all methods are held, their declarations are read when one is asked for: memory hardly grows with
 * the number of methods.
 */
export async function readMethods(root: string) {
  const folder = join(root, 'contracts/generated/methods');
  const rows: MethodRow[] = [];
  const words: Record<string, string[]> = {};
  /** Spellings of an address → path. */
  const paths = new Map<string, string>();
  const methods: Address[] = [];
  const summaries: Summary[] = [];
  for (const method of await declarationsIn(folder)) {
    rows.push(rowOf(method));
    words[method.path] = wordsOf(method);
    summaries.push(summaryOf(method));
    methods.push(addressOf(method));
    for (const spelling of [method.path, method.wire]) paths.set(normal(spelling), method.path);
  }
  const twins = twinsOf(methods);
  /** The path of the model whose twin a declaration is. */
  const modelOf = new WeakMap<Declaration, string>();
  const held = new Map<string, Declaration>();

  function read(path: string): Declaration {
    const known = held.get(path);
    const method = known ?? Generated.parse(JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8')));
    // The one asked for last comes last; the first is forgotten.
    held.delete(path);
    held.set(path, method);
    const [first] = held.keys();
    if (held.size > HELD && first !== undefined) held.delete(first);
    return method;
  }

  function find(spelling: string): Declaration {
    const twin = twins.get(normal(spelling));
    if (twin) {
      const method = { ...read(twin.predict), wire: twin.wire };
      modelOf.set(method, twin.model);
      return method;
    }
    const path = paths.get(normal(spelling));
    if (path === undefined) throw missing();
    return read(path);
  }

  return {
    rows,
    words,
    /** What the help centre and the mall show of every method. */
    summaries,
    find,
    /** By its path alone; null for none. */
    known: (path: string): Declaration | null => (words[path] ? read(path) : null),
    /** Addresses with the title of their method, `{model}_predict` of the specification too. */
    addresses: [
      ...methods.map(({ wire, title }) => ({ wire, title })),
      ...[...twins.values()].map(({ wire, title }) => ({ wire, title })),
    ],
    /** The method whose models alone a twin takes; null for every other method. */
    twinOf: (method: Declaration): string | null => modelOf.get(method) ?? null,
    /** 126 and 140 of the specification, or a code. */
    findCode(code: string | undefined, id: number | undefined): Declaration {
      const path = code ?? rows.find((row) => id !== undefined && row.algo_id === id)?.algo_code;
      if (!path) throw missing();
      return find(path);
    },
    page: (path: string): MethodPage => {
      const declaration = find(path);
      return { declaration, help: declaration.help, oracle: declaration.oracle };
    },
    /** The table that the method's help page shows. */
    async example(path: string): Promise<{ declaration: Declaration; bytes: Uint8Array }> {
      const declaration = find(path);
      const file = join(root, 'engine/hengxi/methods', ...declaration.path.split('/'), 'example.csv');
      if (!existsSync(file)) throw missing();
      return { declaration, bytes: await readFile(file) };
    },
  };
}

const filesOf = async (folder: string): Promise<string[]> =>
  existsSync(folder)
    ? (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
    : [];

/** All declarations in the order of the menus. */
async function declarationsIn(folder: string): Promise<Declaration[]> {
  const read = async (name: string) => Generated.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  const declarations = await Promise.all((await filesOf(folder)).map(read));
  return declarations.toSorted((a, b) => byPlace(a.order, b.order) || (a.path < b.path ? -1 : 1));
}

function byPlace(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((rank, level) => rank !== b[level]);
  return differing < 0 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}

interface Address {
  path: string;
  wire: string;
  /** English. */
  title: string;
  kind: Declaration['kind'];
  group: string;
}
const addressOf = ({ path, wire, title_en: title, kind, group }: Declaration): Address => ({
  path,
  wire,
  title,
  kind,
  group,
});

type Summary = ReturnType<typeof summaryOf>;
function summaryOf(method: Declaration) {
  const { slug, path, title, title_en, family, tier, purpose, aliases, needs, needs_data, version, help } = method;
  return { slug, path, title, title_en, family, tier, purpose, aliases, needs, needs_data, version, help };
}

/** The predicting method of the group under the address of each model. */
function twinsOf(methods: Address[]): Map<string, { wire: string; title: string; predict: string; model: string }> {
  const predicting = new Map(methods.filter(({ kind }) => kind === 'predict').map((method) => [method.group, method]));
  return new Map(
    methods.flatMap(({ kind, group, path: model, wire: address }) => {
      const predict = kind === 'model' ? predicting.get(group) : undefined;
      if (!predict) return [];
      const wire = `${address}_predict`;
      return [[normal(wire), { wire, title: predict.title, predict: predict.path, model }] as const];
    }),
  );
}

/** The two generic prediction methods keep the numbers that the specification gives them. */
function numberOf({ kind, key }: Declaration): number | null {
  if (kind !== 'predict') return null;
  if (key.startsWith('classifier')) return 126;
  return key.startsWith('regression') ? 140 : null;
}

const wordsOf = ({ fields }: Declaration): string[] => [
  ...new Set(
    fields.flatMap((field) => [
      field.title,
      ...('options' in field ? field.options.map((option) => option.title) : []),
    ]),
  ),
];

function rowOf(method: Declaration): MethodRow {
  const {
    path,
    kind,
    title,
    title_en,
    group,
    family,
    section,
    tier,
    purpose,
    aliases,
    needs,
    needs_data,
    slug,
    version,
    fields,
    deals_with,
    takes_dimensions,
  } = method;
  return {
    algo_code: path,
    algo_id: numberOf(method),
    algo_type: kind === 'processing' ? 2 : 1,
    title,
    title_en,
    group,
    family,
    section,
    tier,
    kind,
    purpose,
    aliases,
    deals_with,
    takes_dimensions: takes_dimensions ?? null,
    needs,
    takes_data: needs_data !== false,
    needs_data: needs_data === true,
    slug,
    version,
    roles: fields.flatMap((field) => (field.type === 'role' && field.when === null ? [methodRole(field)] : [])),
    takes_model: fields.some(({ type }) => type === 'model'),
    condition_field: fields.find(({ type }) => type === 'formula')?.key ?? null,
  };
}
