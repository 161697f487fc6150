// Builds web/dist when its sources changed since the last build; used by start, the browser tests and the pictures.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, say } from './setup.mjs';

const SOURCES = ['web/src', 'web/public', 'web/index.html', 'web/vite.config.ts', 'web/package.json', 'contracts/src', 'contracts/generated/contract.ts', 'package-lock.json'];
const STAMP = join(ROOT, '.cache', 'stamps', 'web');

function files_below(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => files_below(join(path, entry.name)));
}

function sources_digest() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => files_below(join(ROOT, source))).sort()) {
    hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Builds when something changed; false when the build fails. */
export function build_web() {
  const stamp = sources_digest();
  const is_fresh = existsSync(join(ROOT, 'web/dist/index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp;
  if (is_fresh) return true;
  say('构建网页…');
  if (!run('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: join(ROOT, 'web') })) return false;
  mkdirSync(join(ROOT, '.cache', 'stamps'), { recursive: true });
  writeFileSync(STAMP, stamp);
  return true;
}

/** The same for who cannot go on without it: ends the process when the build fails. */
export function ensure_web() {
  if (build_web()) return;
  process.stderr.write('[衡析] 网页构建失败。\n');
  process.exit(1);
}
