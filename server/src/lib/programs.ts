/** Where the repository lies, and how a process of ours is begun: built into server/dist, or from the sources in development and tests. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const isBuilt = import.meta.filename.endsWith('.js');

export const ROOT = resolve(import.meta.dirname, isBuilt ? '../..' : '../../..');

/** The file of a program and what Node needs to run it. `name` as in tools/build.mjs, `source` below server/src. */
export function programOf(name: string, source: string): { file: string; execArgv: string[] } {
  if (isBuilt) return { file: join(import.meta.dirname, `${name}.js`), execArgv: [] };
  const transpiler = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { file: join(ROOT, 'server/src', source), execArgv: ['--import', transpiler] };
}
