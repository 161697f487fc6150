import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/build.ts';
import type { Database } from './db.ts';
import { bindFolder } from './installation.ts';

let base = '';
let databases: Database[] = [];
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'hengxi-bound-'));
  for (const name of ['a', 'b']) mkdirSync(join(base, name));
  databases = [await testDatabase(), await testDatabase()];
});
afterEach(async () => {
  for (const database of databases) await database.close();
  rmSync(base, { recursive: true, force: true });
});

test('a database and its folder know one another; neither works with another one', async () => {
  const [one, two] = databases.map(({ db }) => db);
  await Promise.all([bindFolder(one!, join(base, 'a')), bindFolder(one!, join(base, 'a'))]);
  await bindFolder(one!, join(base, 'a'));
  await expect(bindFolder(two!, join(base, 'a'))).rejects.toThrow('属于另一个数据库');
  await expect(bindFolder(one!, join(base, 'b'))).rejects.toThrow('存放在另一个数据目录里');
  expect(readdirSync(join(base, 'b'))).toEqual([]);
  await bindFolder(two!, join(base, 'b'));
  writeFileSync(join(base, 'b/installation.json'), '{"inst');
  await expect(bindFolder(two!, join(base, 'b'))).rejects.toThrow('已损坏');
});
