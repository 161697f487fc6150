// Who may import what (ARCHITECTURE.md, section "What must never import what"), and: no method key in web or server.
// `node tools/check-imports.mjs` checks the repository; `--self-test` proves that planted violations are caught, since
// a checker that sees no files would also be green.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const IS_TEST = /\.test\.tsx?$|\/testing\//;

function sources(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Module names a file imports, static and dynamic, with their line. */
function imports_of(text) {
  const found = [];
  const pattern = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
  for (const match of text.matchAll(pattern)) {
    const start = match.index + match[0].search(/\S/);
    found.push({ name: match[1] ?? match[2] ?? match[3], line: text.slice(0, start).split('\n').length });
  }
  return found;
}

/** Place of a file or of what it imports: [program, area, feature or first folder, file]. */
function place(root, path) {
  const [program, ...rest] = relative(root, path).split('/');
  const inside = rest[0] === 'src' ? rest.slice(1) : rest;
  return { program, area: inside[0] ?? '', name: inside[1] ?? '', file: inside.at(-1) ?? '' };
}

function target_of(root, from, name) {
  if (name.startsWith('.')) return place(root, resolve(dirname(from), name));
  const ours = /^@hengxi\/(\w+)(?:\/(.*))?$/.exec(name);
  if (!ours) return null;
  const [, program, rest = ''] = ours;
  const [feature = '', file = ''] = rest.split('/');
  return { program, area: program === 'server' ? 'features' : feature, name: feature, file: file ? `${file}.ts` : '' };
}

const is_schema = (to) => /^schema(\.ts)?$/.test(to.file);
const is_service = (to) => /^service(\.ts)?$/.test(to.file);

/** The rule an import breaks, or null. `from` and `to` are places. */
function broken_rule(from, to) {
  if (from.program === 'e2e') return to.program === 'e2e' ? null : 'e2e imports nothing of ours';
  if (from.program === 'contracts') return to.program === 'contracts' ? null : 'contracts imports nothing of ours';
  if (from.program === 'server') {
    if (to.program === 'web') return 'server never imports web';
    if (to.program !== 'server') return null;
    if (/^schema\.ts$/.test(from.file) && !is_schema(to)) return 'a schema.ts imports only contracts and other schema.ts';
    if (from.area === 'lib' && to.area === 'features') return 'server/lib knows no feature';
    if (['lib', 'features'].includes(from.area) && to.area === 'composition') return 'only the application imports its composition';
    const is_other = from.area === 'features' && to.area === 'features' && from.name !== to.name;
    if (is_other && !is_schema(to) && !is_service(to)) return "a feature sees another's service.ts or schema.ts only";
    return null;
  }
  if (from.program === 'web') {
    if (to.program === 'server') return is_schema(to) ? null : 'web imports only schema.ts from the server';
    if (to.program !== 'web') return null;
    const low = ['ui', 'fields', 'report', 'lib'];
    if (low.includes(from.area) && to.area === 'features') return `web/${from.area} knows no feature`;
    if (from.area === 'lib' && ['fields', 'report'].includes(to.area)) return 'web/lib knows nothing of the product';
    const is_other = from.area === 'features' && to.area === 'features' && from.name !== to.name;
    if (is_other) return 'a web feature never imports another';
  }
  return null;
}

function service_cycles(edges) {
  const found = [];
  const walk = (node, path) => {
    if (path.includes(node)) {
      found.push([...path.slice(path.indexOf(node)), node].join(' → '));
      return;
    }
    for (const next of edges.get(node) ?? []) walk(next, [...path, node]);
  };
  for (const node of edges.keys()) walk(node, []);
  return [...new Set(found)];
}

function method_keys(root) {
  const base = join(root, 'contracts/generated/methods');
  if (!existsSync(base)) return [];
  const walk = (dir) =>
    readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? walk(join(dir, entry.name)) : [entry.name.replace(/\.json$/, '')],
    );
  // A key of one word ("frequency") is ordinary English; only the compound ones are unmistakable.
  return walk(base).filter((key) => key.includes('_'));
}

/** All violations below a root, as lines "file:line rule". */
export function violations(root) {
  const found = [];
  const edges = new Map();
  const keys = method_keys(root);
  const files = ['contracts', 'server', 'web', 'e2e'].flatMap((program) => sources(join(root, program)));
  for (const path of files) {
    const text = readFileSync(path, 'utf8');
    const from = place(root, path);
    const is_test = IS_TEST.test(path);
    for (const { name, line } of imports_of(text)) {
      const to = target_of(root, path, name);
      if (!to) continue;
      const rule = is_test && from.program === to.program ? null : broken_rule(from, to);
      if (rule) found.push(`${relative(root, path)}:${line} ${rule} (${name})`);
      const is_call = from.program === 'server' && from.area === 'features' && to.area === 'features' && from.name !== to.name;
      if (is_call && !is_test && is_service(to)) edges.set(from.name, (edges.get(from.name) ?? new Set()).add(to.name));
    }
    if (!is_test && ['web', 'server'].includes(from.program) && from.area !== 'sample') {
      for (const key of keys.filter((one) => new RegExp(`['"\`/]${one}['"\`/]`).test(text))) {
        found.push(`${relative(root, path)} names the method ${key}`);
      }
    }
  }
  return [...found, ...service_cycles(edges).map((cycle) => `features call each other in a circle: ${cycle}`)];
}

const PLANTED = [
  ['web/src/features/mydata/page.tsx', "import { charge } from '../../../../server/src/features/orders/service.ts';", 'web imports only schema.ts'],
  ['web/src/features/mydata/other.tsx', "import { Page } from '../analysis/page.tsx';", 'never imports another'],
  ['web/src/ui/button.tsx', "import { Page } from '../features/analysis/page.tsx';", 'knows no feature'],
  ['server/src/lib/db.ts', "import { load } from '../features/files/store.ts';", 'knows no feature'],
  ['server/src/features/files/schema.ts', "import { db } from '../../lib/db.ts';", 'a schema.ts imports only'],
  ['server/src/features/files/routes.ts', "import { rows } from '../reports/store.ts';", 'service.ts or schema.ts only'],
  ['server/src/features/a/service.ts', "import { b } from '../b/service.ts';", 'in a circle'],
  ['server/src/features/b/service.ts', "import { a } from '../a/service.ts';", 'in a circle'],
  ['server/src/lib/limits.ts', "import { createMoney } from '../composition/money/money.ts';", 'only the application imports'],
  ['contracts/src/format.ts', "import { x } from '@hengxi/server/files/schema';", 'contracts imports nothing'],
  ['e2e/journey.ts', "import { x } from '@hengxi/contracts/http';", 'e2e imports nothing'],
  ['web/src/features/mydata/named.tsx', "export const path = 'planted_method';", 'names the method'],
];

function self_test() {
  const root = mkdtempSync(join(tmpdir(), 'hengxi-imports-'));
  const write = (file, text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  try {
    write('contracts/generated/methods/group/planted_method.json', '{}');
    for (const [file, text] of PLANTED) write(file, text);
    const found = violations(root);
    return PLANTED.filter(([file, , rule]) => !found.some((line) => line.includes(rule) && (line.includes(file) || rule === 'in a circle')));
  } finally {
    rmSync(root, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missed = self_test();
  for (const [file, , rule] of missed) console.error(`self-test: a planted violation was not caught: ${file} (${rule})`);
  const found = violations(ROOT);
  for (const line of found) console.error(line);
  const seen = ['server', 'web'].map((program) => sources(join(ROOT, program)).length);
  if (seen.includes(0)) console.error('no sources seen: the checker looks at the wrong place');
  console.log(`imports: ${seen[0]} server and ${seen[1]} web files, ${PLANTED.length} planted violations, ${found.length} broken rules`);
  process.exit(missed.length + found.length > 0 || seen.includes(0) ? 1 : 0);
}
