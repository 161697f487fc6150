/** The methods there are: read once from the generated declarations. A path is a method's identity; `-` equals `_`. */
import { existsSync } from 'node:fs';
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

export async function readMethods(root: string) {
  const list = await readAll(join(root, 'contracts/generated/methods'));
  const byPath = new Map(
    list.flatMap((method) => [[normal(method.path), method] as const, [normal(method.wire), method] as const]),
  );
  const rows = list.map(rowOf);
  const words = Object.fromEntries(list.map((method) => [method.path, wordsOf(method)]));
  const twins = new Map(list.flatMap((method) => twinOfModel(list, method)));
  for (const twin of twins.keys()) byPath.set(normal(twin.wire), twin);

  function find(path: string): Declaration {
    const method = byPath.get(normal(path));
    if (!method) throw missing();
    return method;
  }

  return {
    list,
    rows,
    words,
    find,
    /** Addresses `{model}_predict` of the specification: the group's predicting method, for models of one method only. */
    twins: [...twins.keys()],
    /** The method whose models alone a twin takes; null for every other method. */
    twinOf: (method: Declaration): string | null => twins.get(method) ?? null,
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

/** The predicting method of the group under the address of one model, with that model's path. */
function twinOfModel(list: Declaration[], model: Declaration): [Declaration, string][] {
  if (model.kind !== 'model') return [];
  const predict = list.find(({ kind, group }) => kind === 'predict' && group === model.group);
  return predict ? [[{ ...predict, wire: `${model.wire}_predict` }, model.path]] : [];
}

async function readAll(folder: string): Promise<Declaration[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => Generated.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))),
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
    tier,
    purpose,
    aliases,
    needs,
    needs_data,
    slug,
    version,
    fields,
    deals_with,
  } = method;
  return {
    algo_code: path,
    algo_id: numberOf(method),
    algo_type: kind === 'processing' ? 2 : 1,
    title,
    title_en,
    group,
    family,
    tier,
    kind,
    purpose,
    aliases,
    deals_with,
    needs,
    takes_data: needs_data !== false,
    slug,
    version,
    roles: fields.flatMap((field) => (field.type === 'role' && field.when === null ? [methodRole(field)] : [])),
    takes_model: fields.some(({ type }) => type === 'model'),
    condition_field: fields.find(({ type }) => type === 'formula')?.key ?? null,
  };
}
