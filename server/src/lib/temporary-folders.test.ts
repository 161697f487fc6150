import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeTemporaryFolder, makeTemporaryFolder, sweepTemporaryFolders } from './temporary-folders.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hengxi-sweep-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function folder(name: string, age = 0): string {
  const path = join(base, name);
  mkdirSync(path);
  writeFileSync(join(path, 'report.docx'), 'x');
  const at = new Date(Date.now() - age);
  utimesSync(path, at, at);
  return path;
}

test('what a killed server left is removed, whatever a living one works on stays', async () => {
  const mine = await makeTemporaryFolder('export');
  const living = folder(basename(mine));
  const dead = folder('hengxi-export-4194305-77-abcDEF');
  const reused = folder(`hengxi-print-${process.pid}-1-abcDEF`);
  const old = folder('hengxi-export-abcDEF', 3 * 3_600_000);
  const young = folder('hengxi-export-abcDEG');
  const others = [folder('hengxi-exports', 3 * 3_600_000), folder('hengxi-export-1-2', 3 * 3_600_000)];
  expect(await sweepTemporaryFolders(base)).toBe(3);
  expect([dead, reused, old].map(existsSync)).toEqual([false, false, false]);
  expect([living, young, ...others].map(existsSync)).toEqual([true, true, true, true]);
  await removeTemporaryFolder(mine);
  expect(existsSync(mine)).toBe(false);
});

test('a link under such a name leads nowhere: what it points to stays', async () => {
  const target = folder('kept');
  symlinkSync(target, join(base, 'hengxi-export-4194305-77-abcDEF'));
  await sweepTemporaryFolders(base);
  expect(existsSync(join(target, 'report.docx'))).toBe(true);
});
