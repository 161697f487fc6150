import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { build_once, bundle, PROGRAMS } from './build.mjs';
import { ROOT } from './setup.mjs';

const folder = mkdtempSync(join(tmpdir(), 'build-'));
const source = join(folder, 'source.ts');
const result = join(folder, 'result.js');
const stamp = join(folder, 'stamp');
let builds = 0;

beforeEach(() => {
  for (const file of [result, stamp]) rmSync(file, { force: true });
  writeFileSync(source, 'one');
  builds = 0;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const build = () => {
  builds += 1;
  writeFileSync(result, 'built');
  return true;
};
const built = (files = [source]) => build_once({ files, result, stamp, build });

test('what is up to date is not built again, a changed, new, moved or removed file is', async () => {
  await built();
  await built();
  expect(builds).toBe(1);
  writeFileSync(source, 'two');
  await built();
  expect(builds).toBe(2);
  const more = join(folder, 'more.ts');
  writeFileSync(more, 'more');
  await built([source, more]);
  await built([more, source]);
  expect(builds).toBe(3);
  await built();
  expect(builds).toBe(4);
});

test('a lost result is built again, a failed build is never taken for one', async () => {
  await built();
  rmSync(result);
  await built();
  expect(builds).toBe(2);
  writeFileSync(source, 'broken');
  expect(await build_once({ files: [source], result, stamp, build: () => false })).toBe(false);
  await built();
  expect(builds).toBe(3);
});

test('the built server holds all our modules and runs in plain Node', async () => {
  // Below the repository, where its packages are found.
  const dist = mkdtempSync(join(ROOT, 'server', 'dist-'));
  try {
    expect(await bundle(dist)).toBe(true);
    const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
    for (const name of Object.keys(PROGRAMS)) expect(files).toContain(`${name}.js`);
    for (const file of files) {
      const text = readFileSync(join(dist, file), 'utf8');
      expect(text, file).not.toMatch(/\bfrom\s*["'](@hengxi\/|[^"']+\.ts["'])/);
    }
    const env = { ...process.env, HENGXI_DATA: join(folder, 'data'), DATABASE_URL: '' };
    const { stderr } = spawnSync(process.execPath, [join(dist, 'backup.js')], { env, encoding: 'utf8' });
    expect(stderr).toContain('npm run backup');
  } finally {
    rmSync(dist, { recursive: true, force: true });
  }
});
