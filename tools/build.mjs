// Builds web/dist and server/dist when their sources changed since the last build; `npm start`, the commands of
// package.json, the browser tests and the pictures use what is built.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run, say } from './setup.mjs';

const SHARED = [
  'contracts/src',
  'contracts/generated/contract.ts',
  'contracts/generated/identifiers.ts',
  'package-lock.json',
];
const WEB = [
  'tools/written-pages.mjs',
  'tools/share-pictures.mjs',
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'contracts/generated/search-words.json',
  'contracts/generated/methods',
  ...SHARED,
];
/** Texts and checked numbers of the help pages. */
const is_help = (path) => /\/(?:help\.md|oracle\.json)$/.test(path);
const SERVER = ['server/src', 'server/package.json', 'tools/build.mjs', ...SHARED];
/** Of the server the web imports its schemas alone. */
const is_schema = (path) => path.endsWith('/schema.ts');

/** The programs of the server: name in server/dist → source. */
export const PROGRAMS = {
  main: 'server/src/main.ts',
  operator: 'server/src/operator.ts',
  'act-log': 'server/src/act-log.ts',
  backup: 'server/src/backup.ts',
  restore: 'server/src/restore.ts',
  document: 'server/src/features/report-exports/writers/child.ts',
};

/** The built file of a program of the server. */
export const program = (name) => join(ROOT, 'server/dist', `${name}.js`);

const is_test = (path) => /\.test\.tsx?$|\/testing\//.test(path);

function files_below(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return is_test(path) ? [] : [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => files_below(join(path, entry.name)));
}

/** All files of these sources below ROOT; tests do not count. */
const files_of = (sources) => sources.flatMap((source) => files_below(join(ROOT, source)));

/** One digest of files, by path and content. */
export function files_digest(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

/** Builds unless `result` was built of the very same files, as `stamp` tells; false when the build fails. */
export async function build_once({ files, result, stamp, build }) {
  const digest = files_digest(files);
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true;
  if (!(await build())) return false;
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
  return true;
}

const stamp_of = (name) => join(ROOT, '.cache', 'stamps', name);

export const build_web = () =>
  build_once({
    files: [
      ...files_of(WEB),
      ...files_of(['server/src/features']).filter(is_schema),
      ...files_of(['engine/hengxi/methods']).filter(is_help),
    ],
    result: join(ROOT, 'web/dist/index.html'),
    stamp: stamp_of('web'),
    build: async () => {
      say('构建网页…');
      if (!(await run('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: join(ROOT, 'web') }))) return false;
      return run(process.execPath, [join(ROOT, 'tools/written-pages.mjs')], { cwd: ROOT });
    },
  });

export const build_server = () =>
  build_once({
    files: files_of(SERVER),
    result: program('main'),
    stamp: stamp_of('server'),
    build: () => bundle(join(ROOT, 'server/dist')),
  });

/** Our own modules go into few files, packages stay where they are. Not minified: a stack trace is to be read. */
export async function bundle(dir) {
  const { rolldown } = await import('rolldown');
  const input = Object.fromEntries(Object.entries(PROGRAMS).map(([name, source]) => [name, join(ROOT, source)]));
  const is_package = (id) => /^[^./]/.test(id) && !id.startsWith('@hengxi/');
  try {
    const build = await rolldown({
      input,
      platform: 'node',
      external: is_package,
      checks: { ineffectiveDynamicImport: false },
    });
    await build.write({ dir, format: 'esm', cleanDir: true });
    await build.close();
    return true;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return false;
  }
}

/** Both, for who cannot go on without them: ends the process when a build fails. */
export async function ensure_built() {
  if (!(await build_web())) give_up('网页构建失败。');
  await ensure_server();
}

export async function ensure_server() {
  if (!(await build_server())) give_up('服务器构建失败。');
}

function give_up(text) {
  process.stderr.write(`[衡析] ${text}\n`);
  process.exit(1);
}
